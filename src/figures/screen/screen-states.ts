/**
 * Derives the screener's row of one company for each day on which a filing changed the row, with the functions that
 * compute `metrics` as of a day. A company has some fifty such days. For speed, unchanged chains keep their figures,
 * and figures that are too old for later rows are dropped.
 */

import { FIGURES } from '../../contract/figures.ts';
import { parseCurrency } from '../../contract/identifiers.ts';
import { onFirstUse } from '../../contract/on-first-use.ts';
import { SCREEN_FIGURES } from '../../contract/screen-columns.ts';
import { classifyForm } from '../../edgar/filings/forms.ts';
import { assertDefined, getOrInsert, pushTo } from '../../platform/collections.ts';
import { addDays, addMonths, toDayNumber } from '../../platform/dates.ts';
import type { RevisionChains } from '../derived/derive-figures.ts';
import { addQuartersAndMetrics, findContradictedFigure, readReportedFigure } from '../derived/derive-figures.ts';
import type { Figure } from '../derived/figure.ts';
import { MAX_DAYS_FROM_PERIOD_END } from '../derived/fiscal-years.ts';
import { listMetricsUsedBy, listOperandsOfMetric } from '../derived/formulas.ts';
import { findMetricByKey } from '../metrics/metric-rules.ts';
import type { ReportedValue } from '../revisions/revision-chain.ts';
import { type Split, selectSplitsProvenBy } from '../shares/splits.ts';
import type { FiledFigures, RowWithFiledFigures, ScreenFigures } from './derive-screen-row.ts';
import { deriveRowWithFiledFigures, NO_FILED_FIGURES, selectScreenInputs } from './derive-screen-row.ts';
import type { PriceFigure } from './price-figures.ts';

/** Maximum age of a fiscal year in a row, in months. */
export const MAX_FISCAL_YEAR_AGE_MONTHS = 18;

/**
 * Maximum number of days from a value's end to the day of the row that reads it. The window includes earlier years,
 * which show whether a recast year is comparable with its quarters. `CURRENCY_WINDOW_DAYS` includes the 800 days
 * that determine the currency.
 */
const MAX_ROW_INPUT_AGE_DAYS = 1000;
const CURRENCY_WINDOW_DAYS = 1500;
/**
 * The window for growth rates over five years, in days: the row's fiscal year may have ended 18 months ago, and the
 * growth begins five years earlier.
 */
const GROWTH_WINDOW_DAYS = 2400;
/**
 * The window for quarters: trailing twelve months end at most 185 days before the row's day, and their first quarter
 * some 290 days earlier.
 */
const QUARTERS_WINDOW_DAYS = 600;

const getInputMetrics = onFirstUse(() => {
  const formulas = FIGURES.flatMap(({ formula }) => formula ?? []);
  const withOperands = (keys: readonly string[]): ReadonlySet<string> =>
    new Set(keys.flatMap((key) => [key, ...listOperandsOfMetric(key)]));
  return {
    /** Every metric that a screener column is derived from. */
    all: withOperands(SCREEN_FIGURES.flatMap(({ key }) => listMetricsUsedBy(key))),
    /** Metrics from which figures for trailing twelve months are derived; rows need no quarters of other metrics. */
    ofTwelveMonths: withOperands(formulas.flatMap((formula) => (formula.kind === 'twelve_months' ? formula.of : []))),
    /** Metrics with growth rates over several years. */
    compounded: new Set(formulas.flatMap((formula) => (formula.kind === 'compound_growth' ? formula.of : []))),
  };
});

/** A row on a day when the row may have changed, and the filed operands of its price figures. */
export interface ScreenEvent {
  readonly day: string;
  /** Null if the company has no row. */
  readonly row: ScreenFigures | null;
  findFiledFigures(figure: PriceFigure): FiledFigures;
}

/**
 * Yields the company's row on every day when the row may have changed, earliest first.
 * @param chains all chains of the company, in the order of `compareByFigureAndRank`
 */
export function* deriveScreenEvents(chains: RevisionChains, splits: readonly Split[]): Generator<ScreenEvent> {
  const company = new PastCompany(chains);
  const changedByDay = new Map<string, PastChain[]>();
  for (const past of company.usedChains)
    for (const day of listEventDays(past.chain)) getOrInsert(changedByDay, day, (): PastChain[] => []).push(past);
  for (const { proven } of splits) if (proven !== null) getOrInsert(changedByDay, proven, () => []);
  const first = findFirstAnnualReportDay(chains);
  for (const [day, changed] of [...changedByDay].sort(([a], [b]) => (a < b ? -1 : 1))) {
    company.readAsOf(day, changed);
    const derivedRow = first === null || day < first ? null : deriveRowOn(day, company, splits);
    yield {
      day,
      row: derivedRow?.row ?? null,
      findFiledFigures: (figure) => derivedRow?.findFiledFigures(figure) ?? NO_FILED_FIGURES,
    };
  }
}

/**
 * Returns a function that decides whether a chain is recent enough for a row on the day. Chains of cover pages always
 * are. Other chains must end at most `age` days earlier, or `GROWTH_WINDOW_DAYS` if growth rates over several years
 * are derived from them.
 */
function createRecencyCheck(day: string, age: number): (pastChain: PastChain) => boolean {
  const [first, firstGrowth] = [addDays(day, -age), addDays(day, -GROWTH_WINDOW_DAYS)];
  return ({ end, isOfCover, isCompounded }) => isOfCover || end >= (isCompounded ? firstGrowth : first);
}

/**
 * Returns the filing day of the first annual report, before which fiscal years are unknown; null if there is no annual
 * report.
 */
function findFirstAnnualReportDay(chains: RevisionChains): string | null {
  let first: string | null = null;
  for (const chain of chains)
    for (const { form, filed, periodKind } of chain)
      if (periodKind === 'annual' && filed < (first ?? '9') && classifyForm(form) === 'annual') first = filed;
  return first;
}

/** Returns the days on which the current value of a chain may change or become contradicted. */
function listEventDays(chain: readonly ReportedValue[]): Set<string> {
  const days = new Set<string>();
  for (const { filed, contradictedOn } of chain) {
    days.add(filed);
    if (contradictedOn !== null) days.add(contradictedOn);
  }
  return days;
}

/**
 * A chain, with its figure as of the last day passed to `readAsOf`. Derives the figure lazily, because most figures are
 * never needed.
 */
class PastChain {
  readonly end: string;
  readonly isAnnual: boolean;
  readonly isQuarter: boolean;
  /**
   * Day number of a balance, which is used only near the end of a fiscal year; null for chains of other figures.
   */
  readonly balanceDay: number | null;
  /**
   * Whether the chain belongs to a metric of cover pages. The newest cover page may be older than the other figures of
   * a row.
   */
  readonly isOfCover: boolean;
  /** Whether growth rates over several years are derived from the chain. */
  readonly isCompounded: boolean;
  /** Whether a row may be derived from the chain. */
  readonly isUsed: boolean;
  readonly currency: string | null;
  #asOfDay: string | null = null;
  #figure: Figure | null | undefined = null;
  #contradictedFigure: Figure | null | undefined = null;

  /** @param index index of the chain among the company's chains */
  constructor(
    readonly chain: readonly ReportedValue[],
    readonly index: number,
  ) {
    const { metricKey, periodKind, end, unit } = assertDefined(chain[0]);
    this.end = end;
    this.isAnnual = periodKind === 'annual';
    this.isQuarter = periodKind === 'quarter';
    this.isOfCover = findMetricByKey(metricKey)?.statement === 'cover';
    const inputs = getInputMetrics();
    this.isCompounded = this.isAnnual && inputs.compounded.has(metricKey);
    this.balanceDay = periodKind === 'instant' && !this.isOfCover ? toDayNumber(end) : null;
    this.isUsed = this.isAnnual || (periodKind === 'instant' ? inputs.all : inputs.ofTwelveMonths).has(metricKey);
    this.currency = parseCurrency(unit);
  }

  get hasBeenRead(): boolean {
    return this.#asOfDay !== null;
  }

  get figure(): Figure | null {
    if (this.#figure === undefined) this.#figure = readReportedFigure(this.chain, this.#asOfDay);
    return this.#figure;
  }

  get contradictedFigure(): Figure | null {
    if (this.#contradictedFigure === undefined)
      this.#contradictedFigure = findContradictedFigure(this.chain, this.#asOfDay);
    return this.#contradictedFigure;
  }

  readAsOf(day: string): void {
    this.#asOfDay = day;
    this.#figure = undefined;
    this.#contradictedFigure = undefined;
  }
}

/** A company's chains, read as of successive days. */
class PastCompany {
  /** Chains that may change a row. */
  readonly usedChains: readonly PastChain[];
  readonly #hasOneCurrency: boolean;
  readonly #quartersByEnd = new Map<string, PastChain[]>();
  /** The chains already reported and recent enough for a row, in the order of the chains. */
  #recentChains: readonly PastChain[] = [];

  constructor(chains: RevisionChains) {
    const all = chains.map((chain, index) => new PastChain(chain, index));
    const [first] = all.filter(({ currency }) => currency !== null);
    this.#hasOneCurrency = all.every(({ currency }) => currency === null || currency === first?.currency);
    // If the company uses several currencies, all chains are needed to find its main currency: that of most amounts.
    this.usedChains = this.#hasOneCurrency ? all.filter(({ isUsed, isQuarter }) => isUsed || isQuarter) : all;
    for (const past of all) if (past.isQuarter) pushTo(this.#quartersByEnd, past.end, past);
  }

  /** Reads the changed chains as of a day. Days must be passed in ascending order. */
  readAsOf(day: string, changed: readonly PastChain[]): void {
    const newChains = changed.filter(({ hasBeenRead, isUsed }) => !hasBeenRead && (isUsed || !this.#hasOneCurrency));
    for (const past of changed) past.readAsOf(day);
    const recent = this.#recentChains.filter(createRecencyCheck(day, CURRENCY_WINDOW_DAYS));
    this.#recentChains = newChains.length === 0 ? recent : [...recent, ...newChains].sort((a, b) => a.index - b.index);
  }

  /** Whether a fiscal year ended on the day or later. */
  hasYearSince(day: string): boolean {
    return this.#recentChains.some(({ isAnnual, figure, end }) => isAnnual && end >= day && figure !== null);
  }

  /**
   * Returns the figures that a row may be derived from, and a lookup of the starts of quarters in the chains of all
   * metrics.
   */
  collectFigures(day: string) {
    const isSingle = this.#hasOneCurrency || hasOneCurrency(this.#recentChains, addDays(day, -CURRENCY_WINDOW_DAYS));
    const window = isSingle ? MAX_ROW_INPUT_AGE_DAYS : CURRENCY_WINDOW_DAYS;
    const isRecent = createRecencyCheck(day, window);
    const nearEnds = collectDayNumbersNearYearEnds(this.#recentChains, addDays(day, -window));
    const current: Figure[] = [];
    const contradicted: Figure[] = [];
    for (const past of this.#recentChains) {
      if (!isRecent(past)) continue;
      if (isSingle && !(past.isUsed && (past.balanceDay === null || nearEnds.has(past.balanceDay)))) continue;
      if (past.figure !== null) current.push(past.figure);
      if (past.contradictedFigure !== null) contradicted.push(past.contradictedFigure);
    }
    return {
      currentFigures: current,
      contradictedFigures: contradicted,
      quarterStarts: { get: (end: string) => this.#findStartOfQuarter(end) },
    };
  }

  #findStartOfQuarter(end: string): string | undefined {
    const quarters = this.#quartersByEnd.get(end);
    const last = quarters?.findLast(({ hasBeenRead, figure }) => hasBeenRead && figure?.start != null);
    return last?.figure?.start ?? undefined;
  }
}

/** Returns the row on a day; null if the company has no row or its fiscal year is too old. */
function deriveRowOn(day: string, company: PastCompany, splits: readonly Split[]): RowWithFiledFigures | null {
  const since = addMonths(day, -MAX_FISCAL_YEAR_AGE_MONTHS);
  if (!company.hasYearSince(since)) return null;
  const { currentFigures, contradictedFigures, quarterStarts } = company.collectFigures(day);
  const inputs = getInputMetrics();
  const quarters = { metricKeys: inputs.ofTwelveMonths, earliestEnd: addDays(day, -QUARTERS_WINDOW_DAYS) };
  const scope = { derivesOnlyYears: false, neededKeys: inputs.all, quarters, quarterStarts, cutoff: null };
  const figures = addQuartersAndMetrics(currentFigures, contradictedFigures, scope);
  const provenSplits = selectSplitsProvenBy(day, splits);
  const context = { releaseDate: day, splits: provenSplits };
  const row = deriveRowWithFiledFigures(figures, context, selectScreenInputs(figures, provenSplits));
  return (row?.row.dates.annual_end_date ?? '') < since ? null : row;
}

/** Returns the day numbers on which a balance may belong to the end of a fiscal year. */
function collectDayNumbersNearYearEnds(chains: readonly PastChain[], first: string): ReadonlySet<number> {
  const ends = new Set<string>();
  for (const { isAnnual, figure, end } of chains) if (isAnnual && end >= first && figure !== null) ends.add(end);
  const days = new Set<number>();
  for (const end of ends) {
    const number = toDayNumber(end);
    for (let offset = -MAX_DAYS_FROM_PERIOD_END; offset <= MAX_DAYS_FROM_PERIOD_END; offset += 1)
      days.add(number + offset);
  }
  return days;
}

function hasOneCurrency(chains: readonly PastChain[], first: string): boolean {
  let single: string | null = null;
  for (const { currency, figure, end } of chains) {
    if (currency === null || currency === single || end < first || figure === null) continue;
    if (single !== null) return false;
    single = currency;
  }
  return true;
}
