/**
 * Makes the tables of reports and positions for a group of managers. Also collects the holders of each listed
 * security, and the prices that holdings imply.
 */

import { compareText } from '../../contract/compare-text.ts';
import { add } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal } from '../../contract/decimal-text.ts';
import type { FiledThirteenF, HoldingLine } from '../../edgar/holdings/thirteen-f-report.ts';
import { computeImpliedPrice } from '../../figures/prices/implied-price.ts';
import type { Position, PositionComparison, ValueUnit } from '../../ownership/holders/positions.ts';
import {
  buildPositions,
  comparePositions,
  computeWeight,
  detectValueUnit,
  makePositionKey,
  mergeLinesByPosition,
  repeatsValuesAsAmounts,
  sumValues,
} from '../../ownership/holders/positions.ts';
import { findEffectiveReport, findPreviousQuarterEnd } from '../../ownership/holders/quarters.ts';
import { assertDefined, getOrInsert, groupBy, pushTo } from '../../platform/collections.ts';
import { addDays } from '../../platform/dates.ts';
import { findTradingDay } from '../../platform/trading-calendar.ts';
import { createRowLookup, groupLines } from '../../store/keyed-lines.ts';
import type { OtherReporterRow, PositionRow, ReportRow } from '../../store/schema/holders.ts';
import { EARLIER_POSITIONS, HOLDER_POSITIONS, HOLDER_REPORTS, OTHER_REPORTERS } from '../../store/schema/holders.ts';
import { PartSink, type TablePart } from '../../store/table-part.ts';
import type { ShardEnds } from '../tasks/company-shards.ts';
import { addCounts } from '../tasks/reading.ts';
import { readSharedValue, readSlices, type Slice, type SliceWriter, type TaskOutput } from '../tasks/slices.ts';
import type { Task } from '../tasks/task.ts';
import type { ManagersSource } from './holding-reports.ts';
import { countEntries, isFiledReport, isHoldingsReport, isIncompleteReport } from './holding-reports.ts';
import { type CoverComparisonCounts, compareWithCover, NO_COVER_COMPARISONS } from './market-checks.ts';
import { KEYED_LINE_CODEC, type KeyedReport } from './market-files.ts';
import { makeQuarterEndKey, ObservationWriter, type QuarterEndPrice } from './observations.ts';
import { SecurityNames } from './securities-index.ts';
import { type Holding, HoldingWriter } from './security-holders.ts';

export interface ManagersTask extends Task<ManagersPart> {
  readonly kind: 'managers';
  readonly sources: readonly ManagersSource[];
  /** Reports filed after this day are omitted; null omits no report. */
  readonly lastDay: string | null;
  readonly shardEnds: ShardEnds;
  /** Names of securities, shared by many tasks: the argument of `SecurityNames.fromNamed`. */
  readonly securityNames: Slice;
  /** Prices of all securities at quarter ends, from sources other than 13F tables. */
  readonly quarterEndPrices: Slice;
}

interface ManagersPart {
  readonly parts: readonly TablePart[];
  /** Prices and holdings by shard of companies. */
  readonly output: TaskOutput;
  readonly lastDay: string | null;
  readonly totals: CoverComparisonCounts;
}

interface ReportWithLines extends Pick<KeyedReport, 'report' | 'table'> {
  readonly lines: readonly HoldingLine[];
}

type FiledReport = ReportWithLines & { readonly report: FiledThirteenF };

/** A manager's positions at the end of a quarter, with amendments applied. */
interface Quarter {
  readonly report: FiledThirteenF;
  /** The report and its amendments that add holdings. */
  readonly parts: readonly FiledReport[];
  readonly positions: readonly Position[];
  /** The changes since the previously reported quarter; null for the first quarter. */
  readonly change: PositionComparison | null;
  readonly totalValue: Decimal;
  /** Whether numbers of shares are plausible: some reports repeat the value in place of the number of shares. */
  readonly hasAmounts: boolean;
}

type FindValueUnit = (report: ReportWithLines) => ValueUnit;

/**
 * Minimum number of shares for which a position implies a price; for fewer shares, the rounding of the value is too
 * coarse.
 */
const MIN_SHARES_FOR_PRICE = '100';
/** Number of days from the end of a quarter until its 13F reports are due. */
const FILING_DEADLINE_DAYS = 45;

export async function makeManagerTables(task: ManagersTask, output: SliceWriter): Promise<ManagersPart> {
  const names = readSharedValue(task.securityNames, SecurityNames.fromNamed);
  const prices = new ObservationWriter(output, task.shardEnds);
  const holdings = new HoldingWriter(output, task.shardEnds);
  const reportSink = new PartSink(HOLDER_REPORTS);
  const positionSink = new PartSink(HOLDER_POSITIONS);
  const earlierSink = new PartSink(EARLIER_POSITIONS);
  const reporterSink = new PartSink(OTHER_REPORTERS);
  let totals = NO_COVER_COMPARISONS;
  const findUnit = createValueUnitFinder(names, readSharedValue(task.quarterEndPrices, indexQuarterEndPrices));
  for (const [holder, allReports] of readManagers(task.sources)) {
    // Must come before amendments are applied: a restatement filed after the last day must not replace an earlier
    // report.
    const reports = allReports.filter(({ report: { filed } }) => filed === null || filed <= (task.lastDay ?? filed));
    const units = new Map<ReportWithLines, ValueUnit>();
    const getUnit: FindValueUnit = (report) => getOrInsert(units, report, () => findUnit(report));
    const quarters = deriveQuarters(reports.filter(isCompleteReport), getUnit);
    // Incomplete reports, and reports without a known filing, are also used for implied prices.
    const parts = quarters.flatMap((quarter) => quarter.parts);
    for (const report of [...parts, ...reports.filter((report) => !isCompleteReport(report))])
      addImpliedPrices(report, getUnit(report), names, prices);
    for (const part of parts)
      totals = addCounts(totals, compareWithCover(part.report, part.lines, countEntries(part.table), getUnit(part)));
    const reporterRows = makeReporterRows(holder, reports, quarters);
    if (reporterRows.length > 0) reporterSink.add(holder, reporterRows);
    if (!isIncluded(quarters, names)) continue;
    const rows = quarters.map((quarter, index) => makeReportRow(holder, quarter, quarters[index - 1]));
    reportSink.add(holder, rows);
    const [latest, ...earlier] = quarters.toReversed();
    if (latest !== undefined) positionSink.add(holder, makePositionRows(holder, latest, names));
    const earlierRows = earlier.flatMap((quarter) => {
      const { period } = quarter.report;
      return makePositionRows(holder, quarter, names).map((row) => ({ ...row, period }));
    });
    if (earlierRows.length > 0) earlierSink.add(holder, earlierRows);
    for (const quarter of quarters) addHoldings(holder, quarter, quarters, names, holdings);
  }
  const { lastDay } = prices;
  return {
    parts: [reportSink.finish(), positionSink.finish(), earlierSink.finish(), reporterSink.finish()],
    output: output.finish(),
    lastDay,
    totals,
  };
}

/** Yields each manager's reports, those with lines in the order of their first lines. Managers are in order of CIK. */
function* readManagers(
  sources: readonly ManagersSource[],
): Generator<readonly [cik: number, reports: readonly ReportWithLines[]]> {
  const allReports = sources.flatMap(({ reports }) => reports);
  const byManager = groupBy(allReports, ({ report }) => report.cik);
  const lineSources = sources.map((source) => ({
    keys: new Set(source.reports.map(({ key }) => key)),
    readLines: createRowLookup(groupLines(readSlices(source.lines), KEYED_LINE_CODEC)),
  }));
  for (const [cik, reports] of [...byManager].sort(([a], [b]) => a - b)) {
    const byKey = new Map<string, HoldingLine[]>();
    // Skips the lines of duplicate reports in other files.
    for (const { keys, readLines } of lineSources)
      for (const { key, line } of readLines(cik)) if (keys.has(key)) pushTo(byKey, key, line);
    const reportByKey = new Map(reports.map((keyed) => [keyed.key, keyed]));
    const allKeys = new Set([...byKey.keys(), ...reportByKey.keys()]);
    yield [cik, [...allKeys].map((key) => ({ ...assertDefined(reportByKey.get(key)), lines: byKey.get(key) ?? [] }))];
  }
}

const indexQuarterEndPrices = (prices: readonly QuarterEndPrice[]): ReadonlyMap<string, Decimal> =>
  new Map(prices.map(([key, price]) => [key, price]));

/**
 * Returns a function that detects whether a table's values are in thousands. Prices from other sources decide first,
 * then the prices that the lines imply, and then the filing date.
 */
const createValueUnitFinder =
  (names: SecurityNames, prices: ReadonlyMap<string, Decimal>): FindValueUnit =>
  ({ report: { filed, period }, lines }) =>
    detectValueUnit(lines, filed ?? addDays(period, FILING_DEADLINE_DAYS), (cusip) => {
      const security = names.findByCusip(cusip);
      return security === null ? null : (prices.get(makeQuarterEndKey(security.tickerNormalized, period)) ?? null);
    });

const isCompleteReport = (report: ReportWithLines): report is FiledReport =>
  isHoldingsReport(report.report) && isFiledReport(report.report) && !isIncompleteReport(report);

/** Returns a manager's quarters, earliest first. */
function deriveQuarters(allReports: readonly FiledReport[], getUnit: FindValueUnit): Quarter[] {
  const quarters: Quarter[] = [];
  const byPeriod = [...groupBy(allReports, ({ report }) => report.period)].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [, reports] of byPeriod) {
    const effective = findEffectiveReport(reports.map((filed) => ({ ...filed.report, filedReport: filed })));
    if (effective === null) continue;
    const parts = effective.parts.map(({ filedReport }) => filedReport);
    const lines = parts.flatMap((part) => mergeLinesByPosition(part.lines, getUnit(part)));
    const positions = buildPositions(lines, 'dollars');
    const previous = quarters.at(-1);
    quarters.push({
      report: effective.base.filedReport.report,
      parts,
      positions,
      change: previous === undefined ? null : comparePositions(positions, previous.positions),
      totalValue: sumValues(positions),
      hasAmounts: !parts.some(({ lines }) => repeatsValuesAsAmounts(lines)),
    });
  }
  return quarters;
}

/** Adds the prices that a table's values and numbers of shares imply. */
function addImpliedPrices(source: ReportWithLines, unit: ValueUnit, names: SecurityNames, prices: ObservationWriter) {
  const { report, lines } = source;
  if (repeatsValuesAsAmounts(lines)) return;
  const rounding = unit === 'thousands' ? '500' : '0.5';
  const day = findTradingDay(report.period);
  const shareLines = lines.filter(
    ({ cusip, amountType, putCall }) =>
      amountType === 'SH' && putCall === '' && names.findByPricedCusip(cusip, day) !== null,
  );
  for (const { cusip, value, amount } of mergeLinesByPosition(shareLines, unit)) {
    const security = names.findByPricedCusip(cusip, day);
    if (security === null || compareDecimals(amount, MIN_SHARES_FOR_PRICE) < 0) continue;
    const price = computeImpliedPrice(value, amount, rounding);
    if (price !== null) prices.add(security, 'thirteen_f', day, price);
  }
}

/** Ticker of positions in notes (debt), which have no ticker. */
const NO_TICKER = '';

/**
 * Returns the company and ticker of a listed security. For a note of a listed company, the ticker is empty. Null for
 * any other position.
 */
function findCompanySecurity({ cusip, amountType }: Position, names: SecurityNames) {
  const security = names.findByCusip(cusip);
  const cik = security?.cik ?? (amountType === 'PRN' ? names.findCompanyByCusip(cusip) : null);
  if (cik === null) return null;
  return { cik, tickerNormalized: amountType === 'PRN' ? NO_TICKER : (security?.tickerNormalized ?? NO_TICKER) };
}

function makeReportRow(holder: number, quarter: Quarter, previous: Quarter | undefined): ReportRow {
  const { report, positions, change, totalValue } = quarter;
  const { period, accession, filed } = report;
  return {
    holderCik: holder,
    name: report.managerName,
    period,
    accession,
    filed,
    positions: positions.length,
    valueTotal: totalValue,
    otherManagers: report.otherManagerCount,
    priorPeriod: previous?.report.period ?? null,
    opened: change?.opened ?? null,
    closed: change?.closed ?? null,
  };
}

/**
 * Whether the release includes a manager: it reported a security or note of a listed company in any quarter, or its
 * latest report states that it holds nothing.
 */
const isIncluded = (quarters: readonly Quarter[], names: SecurityNames): boolean =>
  quarters.at(-1)?.positions.length === 0 ||
  quarters.some(({ positions }) => positions.some((position) => findCompanySecurity(position, names) !== null));

/** Returns the other managers that report positions of a manager, according to its notices and its effective reports. */
function makeReporterRows(holder: number, reports: readonly ReportWithLines[], quarters: readonly Quarter[]) {
  const notices = reports.flatMap(({ report }) => (isHoldingsReport(report) || !isFiledReport(report) ? [] : [report]));
  // An amended notice replaces the notice.
  const latestNotices = new Map(notices.toSorted(compareByFiling).map((notice) => [notice.period, notice]));
  const combined = quarters.map(({ report }) => report).filter(({ reportedBy }) => reportedBy.length > 0);
  return [...latestNotices.values(), ...combined]
    .sort((a, b) => compareText(a.period, b.period) || compareByFiling(a, b))
    .flatMap(({ form, period, accession, filed, managerName, reportedBy }) =>
      (reportedBy.length === 0 ? [UNKNOWN_MANAGER] : reportedBy).map(
        ({ cik, name }): OtherReporterRow => ({
          holderCik: holder,
          name: managerName,
          form,
          period,
          accession,
          filed,
          reporterCik: cik,
          reporterName: name,
        }),
      ),
    );
}

const UNKNOWN_MANAGER = { cik: null, name: null };

const compareByFiling = (a: FiledThirteenF, b: FiledThirteenF): number =>
  compareText(a.filed, b.filed) || compareText(a.accession, b.accession);

function makePositionRows(holder: number, quarter: Quarter, names: SecurityNames): PositionRow[] {
  return quarter.positions.map((position) => {
    const prior = quarter.change?.previousByKey.get(makePositionKey(position));
    const security = findCompanySecurity(position, names);
    return {
      holderCik: holder,
      ...position,
      weight: computeWeight(position, quarter.totalValue),
      priorAmount: prior?.amount ?? null,
      priorValue: prior?.value ?? null,
      cik: security?.cik ?? null,
      tickerNormalized: security?.tickerNormalized ?? null,
    };
  });
}

/**
 * Adds the holdings of listed securities, and of notes of listed companies. Adds nothing if the report repeats values
 * as numbers of shares. Options are excluded, because an option is not a holding of shares.
 */
function addHoldings(
  holder: number,
  { report: base, positions, totalValue: total, hasAmounts }: Quarter,
  quarters: readonly Quarter[],
  names: SecurityNames,
  holdingWriter: HoldingWriter,
): void {
  if (!hasAmounts) return;
  // Ignores quarters without plausible amounts, which have no holdings. Otherwise, the quarter before would show all
  // positions as closed, and the quarter after would show all as new.
  const complete = quarters.filter((quarter) => quarter.hasAmounts);
  const periods = new Set(complete.map(({ report }) => report.period));
  const { period, managerName, accession, filed } = base;
  const report = {
    period,
    holderCik: holder,
    holderName: managerName,
    accession,
    filed,
    total,
    priorKnown: periods.has(findPreviousQuarterEnd(period)),
    nextKnown: [...periods].some((other) => findPreviousQuarterEnd(other) === period),
  };
  const holdings = new Map<string, Holding>();
  for (const position of positions) {
    const { putCall, amountType, amount, value } = position;
    if (putCall !== '') continue;
    const security = findCompanySecurity(position, names);
    if (security === null) continue;
    const { cik, tickerNormalized } = security;
    const key = `${cik} ${tickerNormalized} ${amountType}`;
    const existing = holdings.get(key);
    holdings.set(key, {
      cik,
      tickerNormalized,
      amountType,
      amount: existing === undefined ? amount : add(existing.amount, amount),
      value: existing === undefined ? value : add(existing.value, value),
    });
  }
  for (const holding of holdings.values()) holdingWriter.add(report, holding);
}
