/**
 * `/v1/securities/{ticker}/holders`: the institutional managers that hold a security, with their holdings in the latest
 * and the previous quarter.
 */
import { sum } from '../../../contract/decimal.ts';
import { compareDecimals } from '../../../contract/decimal-text.ts';
import type { SecurityHolder, SecurityHolders } from '../../../contract/resources/holders.ts';
import { findPreviousQuarterEnd, findReportedQuarterEnd } from '../../../ownership/holders/quarters.ts';
import { groupBy } from '../../../platform/collections.ts';
import type { ReleaseDescription, ReleaseReader } from '../../../store/reader.ts';
import type { Security } from '../../../store/schema/companies.ts';
import { HOLDER_REPORTS, SECURITY_HOLDERS, type SecurityHolderRow } from '../../../store/schema/holders.ts';
import type { CellCondition } from '../../../store/table-reader.ts';
import type { Handler } from '../../request/handler.ts';
import { findSecurity } from '../coverage/covered-security.ts';
import { requireTable } from '../coverage/included-tables.ts';
import { readSplitRatio, type SplitRatioField } from './split-between-quarters.ts';

/** The holdings of a security that managers reported. Each response shows one page of `currentRows`. */
interface Holdings {
  readonly period: string;
  /** Positions of the latest quarter, largest first. */
  readonly currentRows: readonly SecurityHolderRow[];
  /** Positions of the previous quarter, by manager. */
  readonly previousRowsByHolder: ReadonlyMap<number, readonly SecurityHolderRow[]>;
  readonly totals: ReturnType<typeof computeTotals>;
  readonly splitRatioField: SplitRatioField;
}

/**
 * The holdings of the last requested security, by release. Cached, because clients request one page of a list after
 * another.
 */
const cachedHoldingsByRelease = new WeakMap<
  ReleaseDescription,
  { readonly security: string; readonly holdings: Holdings }
>();

export const handleHolders: Handler<'holders'> = async ({ release, parameters }) => {
  const { security, company } = await findSecurity(release, parameters.ticker);
  const { limit, offset } = parameters;
  requireTable(release, SECURITY_HOLDERS, 'Holders');
  const holdings = await readCachedHoldings(release, security);
  const { period, currentRows, previousRowsByHolder: previousRows, totals, splitRatioField } = holdings;
  const data: SecurityHolders = {
    cik: company.cik,
    ticker: security.ticker,
    entity_name: company.entityName,
    period,
    ...totals,
    rows: currentRows
      .slice(offset, offset + limit)
      .map((row) => toHolderRow(row, previousRows.get(row.holderCik) ?? [])),
    rows_total: currentRows.length,
    ...splitRatioField,
    updated_at: release.manifest.publishedAt,
  };
  return { data, meta: { ticker: security.ticker } };
};

async function readCachedHoldings(release: ReleaseReader, security: Security): Promise<Holdings> {
  const cached = cachedHoldingsByRelease.get(release.manifest);
  if (cached?.security === security.tickerNormalized) return cached.holdings;
  // Only the result is cached: a read in progress is aborted with the request that started it.
  const holdings = await readHoldings(release, security);
  cachedHoldingsByRelease.set(release.manifest, { security: security.tickerNormalized, holdings });
  return holdings;
}

async function readHoldings(release: ReleaseReader, security: Security): Promise<Holdings> {
  // Rows are sorted by period.
  const latest = (await release.rowsOf(SECURITY_HOLDERS, security.cik)).at(-1);
  const period = latest?.period ?? (await readLatestQuarterEnd(release));
  const before = findPreviousQuarterEnd(period);
  // Debt securities have no ticker, so their holders are listed under the company's primary ticker.
  const condition: CellCondition = {
    column: 'ticker_normalized',
    passes: (ticker) => ticker === security.tickerNormalized || (ticker === '' && security.isPrimary),
  };
  const rows = await release.rowsOf(SECURITY_HOLDERS, security.cik, condition);
  const current = rows.filter((row) => row.period === period);
  const previous = rows.filter((row) => row.period === before);
  return {
    period,
    currentRows: current.toSorted((a, b) => compareDecimals(b.value, a.value)),
    previousRowsByHolder: groupBy(previous, ({ holderCik }) => holderCik),
    totals: computeTotals(current, previous, before),
    splitRatioField: previous.some(isShareRow)
      ? await readSplitRatio(release, security, await release.splits(security.cik), { previousPeriod: before, period })
      : {},
  };
}

const latestQuarterEndByRelease = new WeakMap<ReleaseDescription, string>();

/**
 * Returns the end of the latest quarter that has reports in the release. For a quarter without reports, zero holders
 * would be a false count.
 */
async function readLatestQuarterEnd(release: ReleaseReader): Promise<string> {
  const cachedEnd = latestQuarterEndByRelease.get(release.manifest);
  if (cachedEnd !== undefined) return cachedEnd;
  const due = findReportedQuarterEnd(release.manifest.date);
  const [periods] = (await release.columnsOf(HOLDER_REPORTS, ['period'])) as [string[]];
  const ends = [...new Set(periods)].sort();
  const end = ends.findLast((period) => period <= due) ?? ends.at(-1) ?? due;
  latestQuarterEndByRelease.set(release.manifest, end);
  return end;
}

/** Returns totals of shares, without debt securities, whose amount is a principal instead of a number of shares. */
function computeTotals(rows: readonly SecurityHolderRow[], previousRows: readonly SecurityHolderRow[], before: string) {
  const [shareRows, previousShareRows] = [rows.filter(isShareRow), previousRows.filter(isShareRow)];
  const [current, previous] = [collectManagerCiks(shareRows), collectManagerCiks(previousShareRows)];
  // Whether the release has a report for the previous quarter from any present or former holder.
  const hasPrevious = previousRows.length > 0 || rows.some(({ priorKnown }) => priorKnown);
  const opened = shareRows.filter(({ priorKnown, holderCik }) => priorKnown && !previous.has(holderCik));
  const closed = previousShareRows.filter(({ nextKnown, holderCik }) => nextKnown && !current.has(holderCik));
  return {
    holders: current.size,
    amount_held: sum(shareRows.map(({ amount }) => amount)),
    value_held: sum(shareRows.map(({ value }) => value)),
    opened: hasPrevious ? collectManagerCiks(opened).size : null,
    closed: hasPrevious ? collectManagerCiks(closed).size : null,
    prior_amount_held: hasPrevious ? sum(previousShareRows.map(({ amount }) => amount)) : null,
    prior_holders: hasPrevious ? previous.size : null,
    prior_period: hasPrevious ? before : null,
  };
}

/** @param previousHolderRows the manager's holdings of the security in the previous quarter */
function toHolderRow(row: SecurityHolderRow, previousHolderRows: readonly SecurityHolderRow[]): SecurityHolder {
  const previous = previousHolderRows.find(
    ({ amountType, tickerNormalized }) => amountType === row.amountType && tickerNormalized === row.tickerNormalized,
  );
  return {
    holder_cik: row.holderCik,
    holder_name: row.holderName,
    accession_number: row.accession,
    filed_at: row.filed,
    amount: row.amount,
    // The build reads only positions of these two types.
    amount_type: row.amountType as SecurityHolder['amount_type'],
    value: row.value,
    prior_known: row.priorKnown,
    prior_amount: previous?.amount ?? null,
    prior_value: previous?.value ?? null,
    weight: row.weight,
  };
}

const isShareRow = ({ amountType }: SecurityHolderRow): boolean => amountType === 'SH';
const collectManagerCiks = (rows: readonly SecurityHolderRow[]) => new Set(rows.map(({ holderCik }) => holderCik));
