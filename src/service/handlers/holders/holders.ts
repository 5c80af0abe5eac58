/**
 * `/v1/securities/{ticker}/holders`: the institutional managers that hold a company, with their holdings a quarter
 * earlier.
 */
import { sum } from '../../../contract/decimal.ts';
import { compareDecimals } from '../../../contract/decimal-text.ts';
import type { SecurityHolder, SecurityHolders } from '../../../contract/resources/holders.ts';
import { quarterBefore, reportedQuarter } from '../../../figures/holders/quarters.ts';
import { groupBy } from '../../../platform/collections.ts';
import type { ReleaseIdentity, ReleaseReader } from '../../../store/reader.ts';
import type { Security } from '../../../store/schema/companies.ts';
import { SECURITY_HOLDERS, type SecurityHolderRow } from '../../../store/schema/holders.ts';
import type { CellCondition } from '../../../store/table-reader.ts';
import type { Handler } from '../../handler.ts';
import { coveredSecurity } from '../covered-security.ts';
import { requireTable } from '../included-tables.ts';

/** The data that every page of a security's holders is made from. */
interface Holdings {
  readonly period: string;
  /** The largest position first. */
  readonly now: readonly SecurityHolderRow[];
  /** Positions of the previous quarter, by manager. */
  readonly before: ReadonlyMap<number, readonly SecurityHolderRow[]>;
  readonly totals: ReturnType<typeof totalsOf>;
}

/**
 * Caches the holdings of the last requested security, because the pages of a list are requested one after the other.
 */
const lastHoldings = new WeakMap<ReleaseIdentity, { readonly security: string; readonly holdings: Holdings }>();

export const holders: Handler<'holders'> = async ({ release, parameters }) => {
  const { security, company } = await coveredSecurity(release, parameters.ticker);
  const { limit, offset } = parameters;
  requireTable(release, SECURITY_HOLDERS, 'Holders');
  const { period, now, before, totals } = await holdingsOf(release, security);
  const data: SecurityHolders = {
    cik: company.cik,
    ticker: security.ticker,
    entity_name: company.entityName,
    period,
    ...totals,
    rows: now.slice(offset, offset + limit).map((row) => rowOf(row, before.get(row.holderCik) ?? [])),
    rows_total: now.length,
    updated_at: release.manifest.publishedAt,
  };
  return { data, meta: { ticker: security.ticker } };
};

async function holdingsOf(release: ReleaseReader, security: Security): Promise<Holdings> {
  const known = lastHoldings.get(release.manifest);
  if (known?.security === security.tickerNormalized) return known.holdings;
  // Only the result is cached: a read in progress is aborted with the request that started it.
  const holdings = await readHoldings(release, security);
  lastHoldings.set(release.manifest, { security: security.tickerNormalized, holdings });
  return holdings;
}

async function readHoldings(release: ReleaseReader, security: Security): Promise<Holdings> {
  // Rows are sorted by period.
  const lastCik = (await release.rowsOf(SECURITY_HOLDERS, security.cik)).at(-1);
  const period = lastCik?.period ?? reportedQuarter(release.manifest.date);
  const prior = quarterBefore(period);
  // Notes have no ticker: they are listed with the company's primary one.
  const isOwn: CellCondition = {
    column: 'ticker_normalized',
    passes: (ticker) => ticker === security.tickerNormalized || (ticker === '' && security.isPrimary),
  };
  const ownCiks = await release.rowsOf(SECURITY_HOLDERS, security.cik, isOwn);
  const now = ownCiks.filter((row) => row.period === period);
  const previousCiks = ownCiks.filter((row) => row.period === prior);
  return {
    period,
    now: now.toSorted((a, b) => compareDecimals(b.value, a.value)),
    before: groupBy(previousCiks, ({ holderCik }) => holderCik),
    totals: totalsOf(now, previousCiks, prior),
  };
}

/** Totals of shares only: the principal of notes is not a number of shares. */
function totalsOf(now: readonly SecurityHolderRow[], previousHolderRows: readonly SecurityHolderRow[], prior: string) {
  const [shares, sharesBefore] = [now.filter(isShares), previousHolderRows.filter(isShares)];
  const [managers, managersBefore] = [managersOf(shares), managersOf(sharesBefore)];
  // The previous quarter is known if the release has at least one report for it.
  const known = previousHolderRows.length > 0 || now.some(({ priorKnown }) => priorKnown);
  const openedShares = shares.filter(({ priorKnown, holderCik }) => priorKnown && !managersBefore.has(holderCik));
  const closed = sharesBefore.filter(({ nextKnown, holderCik }) => nextKnown && !managers.has(holderCik));
  return {
    holders: managers.size,
    amount_held: sum(shares.map(({ amount }) => amount)),
    value_held: sum(shares.map(({ value }) => value)),
    opened: known ? managersOf(openedShares).size : null,
    closed: known ? managersOf(closed).size : null,
    prior_amount_held: known ? sum(sharesBefore.map(({ amount }) => amount)) : null,
    prior_holders: known ? managersBefore.size : null,
    prior_period: known ? prior : null,
  };
}

/** @param previousHolderRows the manager's holdings of the security in the previous quarter */
function rowOf(row: SecurityHolderRow, previousHolderRows: readonly SecurityHolderRow[]): SecurityHolder {
  const prior = previousHolderRows.find(
    ({ amountType, tickerNormalized }) => amountType === row.amountType && tickerNormalized === row.tickerNormalized,
  );
  return {
    holder_cik: row.holderCik,
    holder_name: row.holderName,
    accession_number: row.accession,
    filed_at: row.filed,
    amount: row.amount,
    amount_type: row.amountType,
    value: row.value,
    prior_known: row.priorKnown,
    prior_amount: prior?.amount ?? null,
    prior_value: prior?.value ?? null,
    weight: row.weight,
  };
}

const isShares = ({ amountType }: SecurityHolderRow): boolean => amountType === 'SH';
const managersOf = (rows: readonly SecurityHolderRow[]): ReadonlySet<number> =>
  new Set(rows.map(({ holderCik }) => holderCik));
