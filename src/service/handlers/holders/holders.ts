/**
 * `/v1/securities/{ticker}/holders`: the institutional managers that hold a security, with their holdings in the latest
 * and the previous quarter.
 */
import { sum } from '../../../contract/decimal.ts';
import { compareDecimals } from '../../../contract/decimal-text.ts';
import type { SecurityHolder, SecurityHolders } from '../../../contract/resources/holders.ts';
import { findDueQuarterEnd, findNextQuarterEnd, findPreviousQuarterEnd } from '../../../ownership/holders/quarters.ts';
import { groupBy } from '../../../platform/collections.ts';
import type { ReleaseReader } from '../../../store/reader.ts';
import type { Security } from '../../../store/schema/companies.ts';
import { OTHER_SECURITY_HOLDERS, SECURITY_HOLDERS, type SecurityHolderRow } from '../../../store/schema/holders.ts';
import type { CellCondition } from '../../../store/table-reader.ts';
import { type Handler, keepPerRelease, ProblemError } from '../../request/handler.ts';
import { findSecurity } from '../coverage/covered-security.ts';
import { requireTable } from '../coverage/included-tables.ts';
import { readReportedQuarters, readSplitRatio, refuseUnlessQuarterEnd } from './quarters.ts';

export const handleHolders: Handler<'holders'> = async ({ release, parameters }) => {
  const { security, company } = await findSecurity(release, parameters.ticker);
  const { limit, offset, quarter } = parameters;
  refuseUnlessQuarterEnd(quarter);
  requireTable(release, SECURITY_HOLDERS, 'Holders');
  const holdings = await readHoldings(release, security, quarter ?? null);
  const { period, current, previousByHolder, totals, splitRatioField } = holdings;
  const data: SecurityHolders = {
    cik: company.cik,
    ticker: security.ticker,
    entity_name: company.entityName,
    period,
    ...totals,
    rows: current.slice(offset, offset + limit).map((row) => toHolderRow(row, previousByHolder.get(row.holderCik))),
    rows_total: current.length,
    ...splitRatioField,
    updated_at: release.manifest.publishedAt,
  };
  return { data, meta: { ticker: security.ticker } };
};

/**
 * Reads the holdings that managers reported for a quarter. The result is kept, because clients request one page after
 * another.
 */
const readHoldings = keepPerRelease(readAllHoldings, (security, quarter) => `${security.tickerNormalized} ${quarter}`);

async function readAllHoldings(release: ReleaseReader, security: Security, quarter: string | null) {
  const latest = await findLatestQuarter(release, security);
  const period = quarter ?? latest;
  if (period !== latest) await requireQuarter(release, period);
  const previousPeriod = findPreviousQuarterEnd(period);
  // Debt securities have no ticker, so their holders are listed under the company's primary ticker.
  const condition: CellCondition = {
    column: 'ticker_normalized',
    passes: (ticker) => ticker === security.tickerNormalized || (ticker === '' && security.isPrimary),
  };
  const rows = [
    ...(await release.rowsOf(SECURITY_HOLDERS, security.cik, condition)),
    ...(quarter === null ? [] : await release.rowsOf(OTHER_SECURITY_HOLDERS, security.cik, condition)),
  ];
  const current = rows.filter((row) => row.period === period);
  const previous = rows.filter((row) => row.period === previousPeriod);
  return {
    period,
    /** Holdings at the end of the quarter, largest first. */
    current: current.toSorted((a, b) => compareDecimals(b.value, a.value)),
    /** Holdings at the end of the previous quarter, by manager. */
    previousByHolder: groupBy(previous, ({ holderCik }) => holderCik),
    totals: computeTotals(current, previous, previousPeriod),
    splitRatioField: previous.some(isShareRow)
      ? await readSplitRatio(release, security, await release.splits(security.cik), { previousPeriod, period })
      : {},
  };
}

/**
 * Returns the end of the quarter that is shown by default. Prefers a quarter with reports in the release, because
 * without reports a count of zero holders would be false.
 */
async function findLatestQuarter(release: ReleaseReader, { cik }: Security): Promise<string> {
  const due = findDueQuarterEnd(release.manifest.date);
  const rows = await release.rowsOf(SECURITY_HOLDERS, cik);
  // Rows are sorted by period.
  const period = rows.at(-1)?.period;
  if (period === undefined) {
    const ends = await readReportedQuarters(release);
    return ends.findLast((end) => end <= due) ?? ends.at(-1) ?? due;
  }
  // If the holders of the last quarter with holders reported the next quarter too, they no longer hold the security.
  const next = findNextQuarterEnd(period);
  return next <= due && rows.some((row) => row.period === period && row.nextKnown) ? next : period;
}

/** @throws {ProblemError} 404 if the release lacks the reports of the quarter */
async function requireQuarter(release: ReleaseReader, quarter: string): Promise<void> {
  requireTable(release, OTHER_SECURITY_HOLDERS, 'Holdings of earlier quarters');
  const quarters = await readReportedQuarters(release);
  if (quarters.includes(quarter)) return;
  const detail = `The release includes no 13F reports for the quarter that ended on ${quarter}. It includes reports from ${quarters[0]} to ${quarters.at(-1)}.`;
  throw new ProblemError('not_found', detail);
}

/** Returns totals of shares, without debt securities, whose amount is a principal instead of a number of shares. */
function computeTotals(rows: readonly SecurityHolderRow[], previousRows: readonly SecurityHolderRow[], prior: string) {
  const shareRows = rows.filter(isShareRow);
  const previousShareRows = previousRows.filter(isShareRow);
  const holders = collectManagerCiks(shareRows);
  const previousHolders = collectManagerCiks(previousShareRows);
  // Whether the release has a report for the previous quarter from any holder of either quarter.
  const hasPrevious = previousRows.length > 0 || rows.some(({ priorKnown }) => priorKnown);
  const openedRows = shareRows.filter(({ priorKnown, holderCik }) => priorKnown && !previousHolders.has(holderCik));
  const closedRows = previousShareRows.filter(({ nextKnown, holderCik }) => nextKnown && !holders.has(holderCik));
  return {
    holders: holders.size,
    amount_held: sum(shareRows.map(({ amount }) => amount)),
    value_held: sum(shareRows.map(({ value }) => value)),
    opened: hasPrevious ? collectManagerCiks(openedRows).size : null,
    closed: hasPrevious ? collectManagerCiks(closedRows).size : null,
    prior_amount_held: hasPrevious ? sum(previousShareRows.map(({ amount }) => amount)) : null,
    prior_holders: hasPrevious ? previousHolders.size : null,
    prior_period: hasPrevious ? prior : null,
  };
}

/** @param previousRows the manager's holdings of the security in the previous quarter */
function toHolderRow(row: SecurityHolderRow, previousRows: readonly SecurityHolderRow[] = []): SecurityHolder {
  const previous = previousRows.find(
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
