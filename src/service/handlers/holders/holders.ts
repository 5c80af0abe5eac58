/**
 * `/v1/securities/{ticker}/holders`: the institutional managers that hold a security, with their holdings in the latest
 * and the previous quarter.
 */
import { sum } from '../../../contract/decimal.ts';
import { compareDecimals } from '../../../contract/decimal-text.ts';
import type { SecurityHolder, SecurityHolders } from '../../../contract/resources/holders.ts';
import { findLatestReportedQuarterEnd, findPreviousQuarterEnd } from '../../../ownership/holders/quarters.ts';
import { groupBy } from '../../../platform/collections.ts';
import type { ReleaseDescription, ReleaseReader } from '../../../store/reader.ts';
import type { Security } from '../../../store/schema/companies.ts';
import { HOLDER_REPORTS, SECURITY_HOLDERS, type SecurityHolderRow } from '../../../store/schema/holders.ts';
import type { CellCondition } from '../../../store/table-reader.ts';
import type { Handler } from '../../request/handler.ts';
import { findCoveredSecurity } from '../coverage/covered-security.ts';
import { requireTable } from '../coverage/included-tables.ts';
import { readSplitRatioField, type SplitRatioField } from './split-between-quarters.ts';

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
  const { security, company } = await findCoveredSecurity(release, parameters.ticker);
  const { limit, offset } = parameters;
  requireTable(release, SECURITY_HOLDERS, 'Holders');
  const { period, currentRows, previousRowsByHolder, totals, splitRatioField } = await readCachedHoldings(
    release,
    security,
  );
  const data: SecurityHolders = {
    cik: company.cik,
    ticker: security.ticker,
    entity_name: company.entityName,
    period,
    ...totals,
    rows: currentRows
      .slice(offset, offset + limit)
      .map((row) => toHolderRow(row, previousRowsByHolder.get(row.holderCik) ?? [])),
    rows_total: currentRows.length,
    ...splitRatioField,
    updated_at: release.manifest.publishedAt,
  };
  return { data, meta: { ticker: security.ticker } };
};

async function readCachedHoldings(release: ReleaseReader, security: Security): Promise<Holdings> {
  const cachedHoldings = cachedHoldingsByRelease.get(release.manifest);
  if (cachedHoldings?.security === security.tickerNormalized) return cachedHoldings.holdings;
  // Only the result is cached: a read in progress is aborted with the request that started it.
  const holdings = await readHoldings(release, security);
  cachedHoldingsByRelease.set(release.manifest, { security: security.tickerNormalized, holdings });
  return holdings;
}

async function readHoldings(release: ReleaseReader, security: Security): Promise<Holdings> {
  // Rows are sorted by period.
  const latestRow = (await release.rowsOf(SECURITY_HOLDERS, security.cik)).at(-1);
  const period = latestRow?.period ?? (await readLatestQuarterEnd(release));
  const previousPeriod = findPreviousQuarterEnd(period);
  // Debt securities have no ticker, so their holders are listed under the company's primary ticker.
  const securityCondition: CellCondition = {
    column: 'ticker_normalized',
    passes: (ticker) => ticker === security.tickerNormalized || (ticker === '' && security.isPrimary),
  };
  const securityRows = await release.rowsOf(SECURITY_HOLDERS, security.cik, securityCondition);
  const currentRows = securityRows.filter((row) => row.period === period);
  const previousRows = securityRows.filter((row) => row.period === previousPeriod);
  return {
    period,
    currentRows: currentRows.toSorted((a, b) => compareDecimals(b.value, a.value)),
    previousRowsByHolder: groupBy(previousRows, ({ holderCik }) => holderCik),
    totals: computeTotals(currentRows, previousRows, previousPeriod),
    splitRatioField: previousRows.some(isShareRow)
      ? await readSplitRatioField(release, security, await release.splits(security.cik), { previousPeriod, period })
      : {},
  };
}

const latestQuarterEndByRelease = new WeakMap<ReleaseDescription, string>();

/**
 * Returns the end of the latest quarter that has reports in the release. For a quarter without reports, zero holders
 * would be a false count.
 */
async function readLatestQuarterEnd(release: ReleaseReader): Promise<string> {
  const cachedQuarterEnd = latestQuarterEndByRelease.get(release.manifest);
  if (cachedQuarterEnd !== undefined) return cachedQuarterEnd;
  const dueQuarterEnd = findLatestReportedQuarterEnd(release.manifest.date);
  const [periods] = (await release.columnsOf(HOLDER_REPORTS, ['period'])) as [string[]];
  const quarterEnds = [...new Set(periods)].sort();
  const quarterEnd = quarterEnds.findLast((period) => period <= dueQuarterEnd) ?? quarterEnds.at(-1) ?? dueQuarterEnd;
  latestQuarterEndByRelease.set(release.manifest, quarterEnd);
  return quarterEnd;
}

/** Returns totals of shares, without debt securities, whose amount is a principal instead of a number of shares. */
function computeTotals(
  currentRows: readonly SecurityHolderRow[],
  previousRows: readonly SecurityHolderRow[],
  previousPeriod: string,
) {
  const [currentShareRows, previousShareRows] = [currentRows.filter(isShareRow), previousRows.filter(isShareRow)];
  const [currentManagerCiks, previousManagerCiks] = [
    collectManagerCiks(currentShareRows),
    collectManagerCiks(previousShareRows),
  ];
  // Whether the release has a report for the previous quarter from any present or former holder.
  const isPreviousPeriodKnown = previousRows.length > 0 || currentRows.some(({ priorKnown }) => priorKnown);
  const openedPositions = currentShareRows.filter(
    ({ priorKnown, holderCik }) => priorKnown && !previousManagerCiks.has(holderCik),
  );
  const closedPositions = previousShareRows.filter(
    ({ nextKnown, holderCik }) => nextKnown && !currentManagerCiks.has(holderCik),
  );
  return {
    holders: currentManagerCiks.size,
    amount_held: sum(currentShareRows.map(({ amount }) => amount)),
    value_held: sum(currentShareRows.map(({ value }) => value)),
    opened: isPreviousPeriodKnown ? collectManagerCiks(openedPositions).size : null,
    closed: isPreviousPeriodKnown ? collectManagerCiks(closedPositions).size : null,
    prior_amount_held: isPreviousPeriodKnown ? sum(previousShareRows.map(({ amount }) => amount)) : null,
    prior_holders: isPreviousPeriodKnown ? previousManagerCiks.size : null,
    prior_period: isPreviousPeriodKnown ? previousPeriod : null,
  };
}

/** @param previousHolderRows the manager's holdings of the security in the previous quarter */
function toHolderRow(row: SecurityHolderRow, previousHolderRows: readonly SecurityHolderRow[]): SecurityHolder {
  const previousRow = previousHolderRows.find(
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
    prior_amount: previousRow?.amount ?? null,
    prior_value: previousRow?.value ?? null,
    weight: row.weight,
  };
}

const isShareRow = ({ amountType }: SecurityHolderRow): boolean => amountType === 'SH';
const collectManagerCiks = (rows: readonly SecurityHolderRow[]): ReadonlySet<number> =>
  new Set(rows.map(({ holderCik }) => holderCik));
