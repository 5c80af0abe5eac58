/** Revision chains: the values that filings reported for one figure, in filing order. */
import { compareText } from '../../contract/compare-text.ts';
import { compareDecimals, type Decimal, isEqual } from '../../contract/decimal-text.ts';
import { type FactSource, formatClassCounts, parseClassCounts } from '../../edgar/facts/fact-row.ts';
import { assertDefined, divideIntoRuns, getOrInsert } from '../../platform/collections.ts';
import { findMapping } from '../metrics/concepts.ts';
import type { PeriodKind } from '../periods/period-kind.ts';

export type RevisionKind = 'first' | 'same' | 'revised' | 're_expressed';

/** Identifies a figure. Reported values with the same key form a chain. */
export interface FigureKey {
  readonly metricKey: string;
  readonly unit: string;
  readonly start: string | null;
  readonly end: string;
}

/**
 * The value of one figure in one filing: an entry of a chain. Releases store reported values, and all figures are
 * derived from reported values.
 */
export interface ReportedValue extends FigureKey {
  readonly periodKind: PeriodKind;
  readonly fiscalYear: number | null;
  /** FY, Q1 to Q4, H1 or 9M; null for other periods. */
  readonly fiscalPeriod: string | null;
  /** Position in the chain, from 1, in filing order. */
  readonly rank: number;
  readonly kind: RevisionKind;
  /** The metric's value, which equals `rawValue`. */
  readonly value: Decimal;
  /** New shares per old share if the value is re-expressed; otherwise null. */
  readonly splitRatio: Decimal | null;
  readonly taxonomy: string;
  readonly concept: string;
  readonly rawValue: Decimal;
  readonly accession: string;
  readonly form: string;
  readonly filed: string;
  readonly frame: string | null;
  /**
   * The day from which filings show the value to be wrong, for example in scale; null if the value is not contradicted.
   */
  readonly contradictedOn: string | null;
  /**
   * The relation to other stated amounts that the value breaks, such as `assets = liabilities + equity`, and the first
   * day on which filings show this; both null if no relation is broken. Which of the amounts is wrong is unknown.
   */
  readonly unconfirmed: string | null;
  readonly unconfirmedOn: string | null;
  /** The start and end that the filing states, if different from the figure's; otherwise null. */
  readonly filedStart: string | null;
  readonly filedEnd: string | null;
  /**
   * The counts of the share classes as a list of `member=count`, if the value is their sum on a cover; otherwise null.
   */
  readonly classCounts: string | null;
  /** The kind of report that supplied the fact; null for company facts. */
  readonly source: FactSource | null;
}

/**
 * Groups figures or values by metric and unit, in order of first appearance. Nested maps avoid building a combined key
 * for each value.
 */
export function groupByMetricAndUnit<F extends FigureKey>(figures: Iterable<F>): F[][] {
  const seriesByMetric = new Map<string, Map<string, F[]>>();
  const series: F[][] = [];
  for (const figure of figures) {
    const byUnit = getOrInsert(seriesByMetric, figure.metricKey, () => new Map<string, F[]>());
    const group = getOrInsert(byUnit, figure.unit, (): F[] => []);
    if (group.length === 0) series.push(group);
    group.push(figure);
  }
  return series;
}

/** Compares by metric, unit, end, start and rank; values without a start come first. */
export function compareByFigureAndRank(a: ReportedValue, b: ReportedValue): number {
  return (
    compareText(a.metricKey, b.metricKey) ||
    compareText(a.unit, b.unit) ||
    compareText(a.end, b.end) ||
    compareText(a.start ?? '', b.start ?? '') ||
    a.rank - b.rank
  );
}

/**
 * Returns the facts that the filing states: the value itself, or the count of each class if the value is a sum of
 * classes.
 */
export function listStatedFacts(reportedValue: ReportedValue): readonly ReportedValue[] {
  const { classCounts } = reportedValue;
  if (classCounts === null) return [reportedValue];
  return parseClassCounts(classCounts).map((count) => {
    const { shares } = count;
    const fact = { ...copyReportedValue(reportedValue), value: shares, rawValue: shares };
    return { ...fact, classCounts: formatClassCounts([count]) };
  });
}

/** Returns a copy without using a spread, which would lose fields that rows of a release read lazily. */
function copyReportedValue(reportedValue: ReportedValue): ReportedValue {
  return {
    metricKey: reportedValue.metricKey,
    unit: reportedValue.unit,
    start: reportedValue.start,
    end: reportedValue.end,
    periodKind: reportedValue.periodKind,
    fiscalYear: reportedValue.fiscalYear,
    fiscalPeriod: reportedValue.fiscalPeriod,
    rank: reportedValue.rank,
    kind: reportedValue.kind,
    value: reportedValue.value,
    splitRatio: reportedValue.splitRatio,
    taxonomy: reportedValue.taxonomy,
    concept: reportedValue.concept,
    rawValue: reportedValue.rawValue,
    accession: reportedValue.accession,
    form: reportedValue.form,
    filed: reportedValue.filed,
    frame: reportedValue.frame,
    contradictedOn: reportedValue.contradictedOn,
    unconfirmed: reportedValue.unconfirmed,
    unconfirmedOn: reportedValue.unconfirmedOn,
    filedStart: reportedValue.filedStart,
    filedEnd: reportedValue.filedEnd,
    classCounts: reportedValue.classCounts,
    source: reportedValue.source,
  };
}

/** Returns the period's dates as stated in the filing, which identify the fact in the document. */
export function toFiledPeriod({ start, end, filedStart, filedEnd }: ReportedValue): Pick<FigureKey, 'start' | 'end'> {
  return { start: filedStart ?? start, end: filedEnd ?? end };
}

/**
 * The value that a figure is read from: the current value, the value as of a day, an older value that is comparable
 * with the value of another figure, the first reported value, or a contradicted value.
 */
export interface SelectedValue {
  readonly reported: ReportedValue;
  /**
   * Values of the figure that were reported and not contradicted by the day, in filing order. If all are contradicted,
   * all values reported by the day. If the first reported value is read, only that value.
   */
  readonly chain: readonly ReportedValue[];
  /** `chain`, and the later reports if an older value was chosen. */
  readonly knownValues: readonly ReportedValue[];
  /** All values reported by the day, including contradicted values; used to count revisions. */
  readonly reports: readonly ReportedValue[];
}

/** Divides a company's reported values into chains. The values must be sorted by chain and filing order. */
export const splitIntoChains = (values: readonly ReportedValue[]): ReportedValue[][] =>
  divideIntoRuns(values, ({ rank }) => rank !== 1);

const isUncontradicted = ({ contradictedOn }: ReportedValue): boolean => contradictedOn === null;

/** Returns the values that no filing contradicts by the end of the day; if `day` is null, by today. */
export function selectReliableValues(chain: readonly ReportedValue[], day: string | null): readonly ReportedValue[] {
  if (chain.every(isUncontradicted)) return chain;
  return chain.filter(({ contradictedOn }) => contradictedOn === null || (day !== null && contradictedOn > day));
}

/**
 * Returns the value as of the day, or the current value without a day. Null if all values filed by the day were
 * contradicted by then. A value that filings contradict only after the day is skipped if today's current value was
 * already filed by the day.
 */
export function selectValueAsOf(chain: readonly ReportedValue[], asOf: string | null): SelectedValue | null {
  const reliableValues = selectReliableValues(chain, asOf);
  const filedValues = selectValuesFiledBy(reliableValues, asOf);
  const reports = reliableValues === chain ? filedValues : selectValuesFiledBy(chain, asOf);
  const reported = findCurrentValue(filedValues);
  const uncontradictedValues = selectReliableValues(filedValues, null);
  if (uncontradictedValues !== filedValues && uncontradictedValues.length > 0) {
    const todaysValue = findCurrentValue(selectReliableValues(chain, null));
    // Reads today's value already on this day. If it is the day's value anyway, its chain keeps the values that only
    // later filings contradict.
    if (todaysValue !== null && todaysValue !== reported && uncontradictedValues.includes(todaysValue))
      return { reported: todaysValue, chain: uncontradictedValues, knownValues: uncontradictedValues, reports };
  }
  return reported === null ? null : { reported, chain: filedValues, knownValues: filedValues, reports };
}

const selectValuesFiledBy = (chain: readonly ReportedValue[], day: string | null): readonly ReportedValue[] =>
  day === null ? chain : chain.filter(({ filed }) => filed <= day);

/** The value of a chain to read: the current value (`latest`) or the first reported value. */
export type ValueChoice = 'latest' | 'first';

/** Returns the first value that no filing contradicts by the day; null if no such value was filed by then. */
export function findFirstReportedValue(chain: readonly ReportedValue[], asOf: string | null): SelectedValue | null {
  const reliableValues = selectReliableValues(chain, asOf);
  const knownValues = selectValuesFiledBy(reliableValues, asOf);
  const [reported] = knownValues;
  return reported === undefined ? null : { reported, chain: [reported], knownValues, reports: [reported] };
}

/** Whether the value was filed by the day as a first or changed value, and no filing contradicts the value by then. */
export function isReliableNewValue({ kind, filed, contradictedOn }: ReportedValue, asOf: string | null): boolean {
  return (
    kind !== 'same' &&
    (asOf === null || filed <= asOf) &&
    (contradictedOn === null || (asOf !== null && contradictedOn > asOf))
  );
}

/**
 * Returns the value that would be current on the day, if filings contradict all values reported by then; otherwise
 * null.
 */
export function findContradictedValue(chain: readonly ReportedValue[], asOf: string | null): SelectedValue | null {
  if (chain.every(isUncontradicted)) return null;
  const filedValues = selectValuesFiledBy(chain, asOf);
  const reported = findCurrentValue(filedValues);
  if (reported === null || selectReliableValues(filedValues, asOf).length > 0) return null;
  return { reported, chain: filedValues, knownValues: filedValues, reports: filedValues };
}

/**
 * Returns the current value: the last change of the figure, or the last report that repeats it. Ignores reports with
 * fewer digits, and reports by a concept that matches the metric less exactly than the concept of the change. Null for
 * an empty chain.
 */
export function findCurrentValue(chain: readonly ReportedValue[]): ReportedValue | null {
  const lastChange = chain.findLast(isChange);
  if (lastChange === undefined) return null;
  const lastValue = findLastEqual(chain, lastChange.value);
  if (lastValue.concept === lastChange.concept) return lastValue;
  if (compareDecimals(findConfidence(lastValue), findConfidence(lastChange)) >= 0) return lastValue;
  return findLastEqual(chain, lastChange.value, lastChange.concept);
}

const isChange = ({ kind }: ReportedValue): boolean => kind !== 'same';

/**
 * Returns the last entry of the chain that reports this value under the given concept; under any concept if `concept`
 * is null. A loop, because every figure of every day is read this way.
 */
function findLastEqual(chain: readonly ReportedValue[], value: Decimal, concept: string | null = null): ReportedValue {
  for (let index = chain.length - 1; index >= 0; index--) {
    const entry = assertDefined(chain[index]);
    if (isEqual(entry.value, value) && (concept === null || entry.concept === concept)) return entry;
  }
  throw new RangeError('the revision chain does not contain the value');
}

export const findConfidence = ({ metricKey, taxonomy, concept }: ReportedValue): Decimal =>
  findMapping(metricKey, taxonomy, concept)?.confidence ?? '0';

/** Returns the number of distinct filings that revised any of the values. */
export function countRevisingFilings(values: readonly SelectedValue[]): number {
  const accessions = new Set<string>();
  for (const { reports } of values) {
    for (const { kind, accession } of reports) if (kind === 'revised') accessions.add(accession);
  }
  return accessions.size;
}
