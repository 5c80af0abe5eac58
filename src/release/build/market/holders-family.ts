/** Institutional holders: managers' reports and latest positions, and who holds each covered security. */
import { add, nearlyEqual, sum } from '../../../contract/decimal.ts';
import type { Decimal } from '../../../contract/decimal-text.ts';
import type { HoldingLine, ThirteenFReport } from '../../../edgar/holdings/thirteen-f-report.ts';
import type { ValueUnit } from '../../../figures/holders/positions.ts';
import {
  amountsAreValues,
  type Comparison,
  comparePositions,
  type Position,
  positionKey,
  positionsOf,
  sumLines,
  totalValue,
  weightOf,
} from '../../../figures/holders/positions.ts';
import { quarterBefore } from '../../../figures/holders/quarters.ts';
import { FAMILY_TABLES } from '../../schema/families.ts';
import {
  HOLDER_POSITIONS,
  HOLDER_REPORTS,
  type HolderPositionRow,
  type HolderReportRow,
  SECURITY_HOLDERS,
} from '../../schema/holders.ts';
import type { Check } from '../../store/manifest.ts';
import type { Family, FamilyContext } from '../family.ts';
import type { HoldingsCollector, QuarterHoldings } from './holdings-collector.ts';
import type { Market } from './market.ts';
import { type Holding, SecurityHolders } from './security-holders.ts';

export const HOLDERS_FAMILY: Family = {
  name: 'holders',
  tables: FAMILY_TABLES.holders,
  async build(context) {
    const { market, skipped, date, sink, companies } = context;
    const covered = new Set(companies.map(({ cik }) => cik));
    const totals = new EntryTotals();
    const bySecurity = new SecurityHolders(context.scratch, covered);
    countUnused(context);
    for (const [holderCik, lines] of market.holdings.managers()) {
      context.signal?.throwIfAborted();
      const holdings = market.holdings.quartersOf(lines).filter(({ base }) => base.filed <= date);
      const quarters = positionsByQuarter(holdings, market, totals);
      // A manager that holds no covered security is left out.
      if (!quarters.some(({ positions }) => positions.some((one) => coveredBy(one, market, covered) !== null)))
        continue;
      sink(HOLDER_REPORTS).add(
        holderCik,
        quarters.map((quarter, index) => reportRow(holderCik, quarter, quarters[index - 1])),
      );
      sink(HOLDER_POSITIONS).add(holderCik, positionRows(holderCik, quarters, market, covered));
      for (const quarter of quarters) addHoldings(holderCik, quarter, quarters, market, bySecurity, covered);
    }
    for (const [cik, rows] of bySecurity.byCompany(date)) sink(SECURITY_HOLDERS).add(cik, rows);
    if (market.holdings.reports.size === 0) context.omit(HOLDERS_FAMILY.tables);
    if (totals.tested === 0) skipped.add('a release without holders');
    return [totals.check()];
  },
};

/** The ticker of notes, and of shares that no ticker names. */
const NO_TICKER = '';

/** A manager's positions at the end of a quarter. */
interface QuarterPositions {
  readonly quarter: QuarterHoldings;
  readonly positions: readonly Position[];
  /** Against the quarter reported before; null in the first. */
  readonly change: Comparison | null;
  readonly total: Decimal;
  /** Whether amounts are amounts, and not values repeated. */
  readonly hasAmounts: boolean;
}

function positionsByQuarter(
  holdings: readonly QuarterHoldings[],
  market: Market,
  totals: EntryTotals,
): QuarterPositions[] {
  const quarters: QuarterPositions[] = [];
  for (const quarter of holdings) {
    const parts = quarter.parts.map(({ report, lines }) => {
      const unit = market.holdings.unitOf(report);
      totals.add(report, lines, unit);
      return sumLines(lines, unit);
    });
    const positions = positionsOf(parts.flat(), 'dollars');
    const before = quarters.at(-1);
    const change = before === undefined ? null : comparePositions(positions, before.positions);
    const hasAmounts = !quarter.parts.some(({ lines }) => amountsAreValues(lines));
    quarters.push({ quarter, positions, change, total: totalValue(positions), hasAmounts });
  }
  return quarters;
}

/** What of a covered company a position is in; null for all else. Notes, and shares without a ticker, have none. */
function coveredBy(
  { cusip, amountType }: Position,
  market: Market,
  covered: ReadonlySet<number>,
): { readonly cik: number; readonly tickerNormalized: string } | null {
  const security = market.securities.securityOf(cusip);
  const cik = security?.cik ?? (amountType === 'PRN' ? market.securities.issuerOf(cusip) : null);
  if (cik === null || !covered.has(cik)) return null;
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
    otherManagers: base.otherManagers,
    priorPeriod: before?.quarter.base.period ?? null,
    opened: change?.opened ?? null,
    closed: change?.closed ?? null,
  };
}

function positionRows(
  holderCik: number,
  quarters: readonly QuarterPositions[],
  market: Market,
  covered: ReadonlySet<number>,
): HolderPositionRow[] {
  const last = quarters.at(-1);
  if (last === undefined) return [];
  return last.positions.map((position) => {
    const prior = last.change?.prior.get(positionKey(position));
    const security = coveredBy(position, market, covered);
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

/** Adds shares of covered securities and notes of covered companies; options are claims on shares of others. */
function addHoldings(
  holderCik: number,
  { quarter: { base }, positions, total, hasAmounts }: QuarterPositions,
  quarters: readonly QuarterPositions[],
  market: Market,
  bySecurity: SecurityHolders,
  covered: ReadonlySet<number>,
): void {
  if (!hasAmounts) return;
  const periods = new Set(quarters.map(({ quarter }) => quarter.base.period));
  const report = bySecurity.addReport({
    period: base.period,
    holderCik,
    holderName: base.managerName,
    accession: base.accession,
    filed: base.filed,
    total,
    priorKnown: periods.has(quarterBefore(base.period)),
    nextKnown: [...periods].some((period) => quarterBefore(period) === base.period),
  });
  const holdings = new Map<string, Holding>();
  for (const position of positions) {
    const { putCall, amountType, amount, value } = position;
    if (putCall !== '') continue;
    const security = coveredBy(position, market, covered);
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
  for (const holding of holdings.values()) bySecurity.add(report, holding);
}

/** Counts reports that are read and not used, and names those that something is missing of. */
function countUnused({ market: { holdings }, skipped, problems }: FamilyContext): void {
  for (const [key, report] of holdings.reports) {
    if (!report.form.startsWith('13F-HR')) {
      skipped.add('a 13F notice, whose holdings are in another report');
      continue;
    }
    const reason = faultOf(key, report, holdings);
    if (reason === null) continue;
    skipped.add(reason);
    problems.push(`${key}: ${reason}`);
  }
}

function faultOf(key: string, { accession, filed }: ThirteenFReport, holdings: HoldingsCollector): string | null {
  if (accession === null) return 'a 13F report whose accession is not known';
  if (filed === null) return 'a 13F report whose day of filing is not known';
  if (!holdings.isIncomplete(key)) return null;
  return holdings.hasLines(key)
    ? 'a 13F report with less than half the entries its cover states'
    : 'a 13F cover page without its information table';
}

/** Managers miscount, or state the total in another unit; a larger share of mismatches would be a fault of the reader. */
const TOLERATED_SHARE = 0.05;
const VALUE_TOLERANCE = '0.01';

/** Checks 13F tables against the numbers of entries and the total values that their cover pages state. */
class EntryTotals {
  #tested = 0;
  #entries = 0;
  #values = 0;
  #thousands = 0;
  #example = '';

  get tested(): number {
    return this.#tested;
  }

  add(report: ThirteenFReport, lines: readonly HoldingLine[], unit: ValueUnit): void {
    this.#tested += 1;
    if (unit === 'thousands') this.#thousands += 1;
    const entries = report.entryTotal !== null && report.entryTotal !== lines.length;
    const worth = sum(lines.map(({ value }) => value));
    const values = report.valueTotal !== null && !nearlyEqual(worth, report.valueTotal, VALUE_TOLERANCE);
    if (entries) this.#entries += 1;
    if (values) this.#values += 1;
    if (entries || values) this.#example ||= `, such as ${report.accession}`;
  }

  check(): Check {
    const wrong = Math.max(this.#entries, this.#values);
    return {
      name: 'entries',
      // Of a few reports one may always be off.
      passed: wrong <= Math.max(1, this.#tested * TOLERATED_SHARE),
      detail: `of ${this.#tested} 13F reports (${this.#thousands} in thousands) ${this.#entries} have another number of entries than their cover says, ${this.#values} are worth more or less${this.#example}`,
    };
  }
}
