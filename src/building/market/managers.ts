/**
 * The holdings of a group of managers: the tables of their reports and positions, the prices that the holdings imply,
 * and the holders of each covered security.
 */
import { add } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal } from '../../contract/decimal-text.ts';
import type { FiledThirteenF, HoldingLine, ThirteenFReport } from '../../edgar/holdings/thirteen-f-report.ts';
import { effectiveReport } from '../../figures/holders/effective-report.ts';
import {
  amountsAreValues,
  type Comparison,
  comparePositions,
  type Position,
  positionKey,
  positionsOf,
  sumLines,
  totalValue,
  type ValueUnit,
  valueUnit,
  weightOf,
} from '../../figures/holders/positions.ts';
import { quarterBefore } from '../../figures/holders/quarters.ts';
import { impliedPrice } from '../../figures/prices/implied-price.ts';
import { assertDefined } from '../../platform/assert-defined.ts';
import { getOrInsert, groupBy, pushTo } from '../../platform/collections.ts';
import { addDays } from '../../platform/dates.ts';
import { lastTradingDay } from '../../platform/trading-calendar.ts';
import {
  HOLDER_POSITIONS,
  HOLDER_REPORTS,
  type HolderPositionRow,
  type HolderReportRow,
} from '../../store/schema/holders.ts';
import { groupLines, joinByKey } from '../../store/spill.ts';
import { PartSink, type TablePart } from '../../store/table-part.ts';
import type { ShardEnds } from '../tasks/company-shards.ts';
import { readShared, readSlices, type Slice, type SliceWriter, type TaskOutput } from '../tasks/slices.ts';
import { type EntryCounts, EntryTotals } from './entry-totals.ts';
import { isFiled, isIncomplete, type ManagersSource } from './holding-reports.ts';
import { LINES } from './market-files.ts';
import { ObservationWriter, type QuarterEndPrice, quarterEndKey } from './observations.ts';
import { type Holding, HoldingWriter } from './security-holders.ts';
import { SecurityNames } from './security-names.ts';

export interface ManagersTask {
  readonly kind: 'managers';
  readonly sources: readonly ManagersSource[];
  /** Later reports are left out of the tables; null includes all. */
  readonly until: string | null;
  readonly ends: ShardEnds;
  /** The argument of `SecurityNames`. */
  readonly names: Slice;
  /** Prices of all securities at quarter ends, from other sources. */
  readonly quarterEnds: Slice;
}

export interface ManagersPart {
  readonly parts: readonly TablePart[];
  /** Prices and holdings, by shard of companies. */
  readonly output: TaskOutput;
  readonly lastDay: string | null;
  readonly totals: EntryCounts;
}

/** A report and its lines. */
interface ReadReport {
  readonly report: ThirteenFReport;
  readonly lines: readonly HoldingLine[];
}

type FiledReport = ReadReport & { readonly report: FiledThirteenF };

/** A manager's effective report of a quarter, and the reports it combines. */
interface QuarterHoldings {
  readonly base: FiledThirteenF;
  readonly parts: readonly FiledReport[];
}

type UnitOf = (report: ReadReport) => ValueUnit;

/** Minimum number of shares of a position that implies a price: the rounding of smaller ones is too coarse. */
const MIN_SHARES = '100';
/** Number of days after the end of a quarter until its reports are due. */
const DAYS_TO_FILE = 45;

export async function managersOf(task: ManagersTask, output: SliceWriter): Promise<ManagersPart> {
  const names = readShared(task.names, SecurityNames.of);
  const prices = new ObservationWriter(output, task.ends);
  const holdings = new HoldingWriter(output, task.ends);
  const reportRows = new PartSink(HOLDER_REPORTS);
  const positions = new PartSink(HOLDER_POSITIONS);
  const totals = new EntryTotals();
  const findUnit = unitFinder(names, readShared(task.quarterEnds, pricesByQuarter));
  for (const [holderCik, reports] of readManagers(task.sources)) {
    const units = new Map<ReadReport, ValueUnit>();
    const unitOf: UnitOf = (report) => getOrInsert(units, report, () => findUnit(report));
    const quarters = quartersOf(reports.filter(isComplete));
    // Incomplete reports, and reports without a known filing, still imply prices.
    for (const one of [...quarters.flatMap(({ parts }) => parts), ...reports.filter((one) => !isComplete(one))])
      addPrices(one, unitOf(one), names, prices);
    const shown = positionsByQuarter(
      quarters.filter(({ base }) => task.until === null || base.filed <= task.until),
      unitOf,
      totals,
    );
    // Leaves out managers without a covered security.
    if (!shown.some((quarter) => quarter.positions.some((one) => coveredBy(one, names) !== null))) continue;
    reportRows.add(
      holderCik,
      shown.map((quarter, index) => reportRow(holderCik, quarter, shown[index - 1])),
    );
    positions.add(holderCik, positionRows(holderCik, shown, names));
    for (const quarter of shown) addHoldings(holderCik, quarter, shown, names, holdings);
  }
  const { lastDay } = prices;
  return { parts: [reportRows.done(), positions.done()], output: output.done(), lastDay, totals: totals.counts() };
}

/** Yields each manager's reports that have lines, in the order of their first lines; managers ascending. */
function* readManagers(
  sources: readonly ManagersSource[],
): Generator<readonly [cik: number, reports: readonly ReadReport[]]> {
  const reports = new Map(sources.flatMap((one) => one.reports.map(({ key, report }) => [key, report] as const)));
  const lines = sources.map((one) => ({
    keys: new Set(one.reports.map(({ key }) => key)),
    of: joinByKey(groupLines(readSlices(one.lines), LINES)),
  }));
  const ciks = [...new Set([...reports.values()].map(({ cik }) => cik))].sort((a, b) => a - b);
  for (const cik of ciks) {
    const read = new Map<string, HoldingLine[]>();
    // A report in several files counts in one of them only.
    for (const { keys, of } of lines) for (const { key, line } of of(cik)) if (keys.has(key)) pushTo(read, key, line);
    if (read.size > 0)
      yield [cik, [...read].map(([key, own]) => ({ report: assertDefined(reports.get(key)), lines: own }))];
  }
}

/** The prices by ticker and quarter. */
const pricesByQuarter = (prices: readonly QuarterEndPrice[]): ReadonlyMap<string, Decimal> =>
  new Map(prices.map(([key, price]) => [key, price]));

/** Returns a function that finds by prices of other sources whether a table states values in thousands. */
function unitFinder(names: SecurityNames, prices: ReadonlyMap<string, Decimal>): UnitOf {
  return ({ report: { filed, period }, lines }) =>
    valueUnit(lines, filed ?? addDays(period, DAYS_TO_FILE), (cusip) => {
      const security = names.securityOf(cusip);
      return security === null ? null : (prices.get(quarterEndKey(security.tickerNormalized, period)) ?? null);
    });
}

function isComplete(one: ReadReport): one is FiledReport {
  return isFiled(one.report) && !isIncomplete(one.report, one.lines.length);
}

/** Returns a manager's quarters, earliest first. */
function quartersOf(reports: readonly FiledReport[]): QuarterHoldings[] {
  return [...groupBy(reports, ({ report }) => report.period)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, own]): QuarterHoldings[] => {
      const effective = effectiveReport(own.map((one) => ({ ...one.report, one })));
      return effective === null
        ? []
        : [{ base: effective.base.one.report, parts: effective.parts.map(({ one }) => one) }];
    });
}

/** Adds the prices that a table implies. */
function addPrices(
  { report, lines }: ReadReport,
  unit: ValueUnit,
  names: SecurityNames,
  prices: ObservationWriter,
): void {
  if (amountsAreValues(lines)) return;
  const rounding = unit === 'thousands' ? '500' : '0.5';
  const day = lastTradingDay(report.period);
  const shares = lines.filter(
    ({ cusip, amountType, putCall }) => amountType === 'SH' && putCall === '' && names.securityOf(cusip) !== null,
  );
  for (const { cusip, value, amount } of sumLines(shares, unit)) {
    const security = names.securityOf(cusip);
    if (security === null || compareDecimals(amount, MIN_SHARES) < 0) continue;
    const price = impliedPrice(value, amount, rounding);
    if (price !== null) prices.add(security, 'thirteen_f', day, price);
  }
}

/** The ticker column's value for notes, and for shares without a ticker. */
const NO_TICKER = '';

/** A manager's positions at the end of a quarter. */
interface QuarterPositions {
  readonly quarter: QuarterHoldings;
  readonly positions: readonly Position[];
  /** Compared with the quarter reported before; null for the first quarter. */
  readonly change: Comparison | null;
  readonly total: Decimal;
  /** Whether the number of shares is plausible, not a copy of the value. */
  readonly hasAmounts: boolean;
}

function positionsByQuarter(
  holdings: readonly QuarterHoldings[],
  unitOf: UnitOf,
  totals: EntryTotals,
): QuarterPositions[] {
  const quarters: QuarterPositions[] = [];
  for (const quarter of holdings) {
    const parts = quarter.parts.map((one) => {
      const unit = unitOf(one);
      totals.add(one.report, one.lines, unit);
      return sumLines(one.lines, unit);
    });
    const positions = positionsOf(parts.flat(), 'dollars');
    const before = quarters.at(-1);
    const change = before === undefined ? null : comparePositions(positions, before.positions);
    const hasAmounts = !quarter.parts.some(({ lines }) => amountsAreValues(lines));
    quarters.push({ quarter, positions, change, total: totalValue(positions), hasAmounts });
  }
  return quarters;
}

/**
 * The covered company and ticker of a position; null if it has none. Notes, and shares without a ticker, have an
 * empty ticker.
 */
function coveredBy(
  { cusip, amountType }: Position,
  names: SecurityNames,
): { readonly cik: number; readonly tickerNormalized: string } | null {
  const security = names.securityOf(cusip);
  const cik = security?.cik ?? (amountType === 'PRN' ? names.companyOf(cusip) : null);
  if (cik === null) return null;
  return { cik, tickerNormalized: amountType === 'PRN' ? NO_TICKER : (security?.tickerNormalized ?? NO_TICKER) };
}

function reportRow(holderCik: number, own: QuarterPositions, before: QuarterPositions | undefined): HolderReportRow {
  const { positions, change, total } = own;
  const { base } = own.quarter;
  return {
    holderCik,
    name: base.managerName,
    period: base.period,
    accession: base.accession,
    filed: base.filed,
    positions: positions.length,
    valueTotal: total,
    otherManagers: base.otherManagerCount,
    priorPeriod: before?.quarter.base.period ?? null,
    opened: change?.opened ?? null,
    closed: change?.closed ?? null,
  };
}

function positionRows(
  holderCik: number,
  quarters: readonly QuarterPositions[],
  names: SecurityNames,
): HolderPositionRow[] {
  const last = quarters.at(-1);
  if (last === undefined) return [];
  return last.positions.map((position) => {
    const prior = last.change?.prior.get(positionKey(position));
    const security = coveredBy(position, names);
    return {
      holderCik,
      ...position,
      weight: weightOf(position, last.total),
      priorAmount: prior?.amount ?? null,
      priorValue: prior?.value ?? null,
      cik: security?.cik ?? null,
      tickerNormalized: security?.tickerNormalized ?? null,
    };
  });
}

/**
 * Adds shares of covered securities and notes of covered companies. Options are left out: they are claims on others'
 * shares.
 */
function addHoldings(
  holderCik: number,
  { quarter: { base }, positions, total, hasAmounts }: QuarterPositions,
  quarters: readonly QuarterPositions[],
  names: SecurityNames,
  written: HoldingWriter,
): void {
  if (!hasAmounts) return;
  const periods = new Set(quarters.map(({ quarter }) => quarter.base.period));
  const report = {
    period: base.period,
    holderCik,
    holderName: base.managerName,
    accession: base.accession,
    filed: base.filed,
    total,
    priorKnown: periods.has(quarterBefore(base.period)),
    nextKnown: [...periods].some((period) => quarterBefore(period) === base.period),
  };
  const holdings = new Map<string, Holding>();
  for (const position of positions) {
    const { putCall, amountType, amount, value } = position;
    if (putCall !== '') continue;
    const security = coveredBy(position, names);
    if (security === null) continue;
    const { cik, tickerNormalized } = security;
    const key = `${cik} ${tickerNormalized} ${amountType}`;
    const known = holdings.get(key);
    holdings.set(key, {
      cik,
      tickerNormalized,
      amountType,
      amount: known === undefined ? amount : add(known.amount, amount),
      value: known === undefined ? value : add(known.value, value),
    });
  }
  for (const holding of holdings.values()) written.add(report, holding);
}
