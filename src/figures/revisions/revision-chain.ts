/** Revision chains: the values that filings reported for one figure, in filing order. */
import { compareText } from '../../contract/compare-text.ts';
import { compareDecimals, type Decimal } from '../../contract/decimal-text.ts';
import type { FactSource } from '../../edgar/facts/fact-row.ts';
import { assertDefined } from '../../platform/assert-defined.ts';
import { getOrInsert } from '../../platform/collections.ts';
import { mappingOf } from '../metrics/concepts.ts';
import type { PeriodKind } from '../periods/period-kind.ts';

export type RevisionKind = 'first' | 'same' | 'revised' | 're_expressed';

/** What one figure is about. Reported values that share it form a chain. */
export interface FigureKey {
  readonly metricKey: string;
  readonly unit: string;
  readonly start: string | null;
  readonly end: string;
}

/** The value of one figure in one filing: a link of a chain. A release stores these; all figures are read from them. */
export interface ReportedValue extends FigureKey {
  readonly periodKind: PeriodKind;
  readonly fiscalYear: number | null;
  /** FY, Q1 to Q4, H1, 9M, or null. */
  readonly fiscalPeriod: string | null;
  /** From 1, in filing order. */
  readonly rank: number;
  readonly kind: RevisionKind;
  /** The metric's value: the raw value times the mapping's sign. */
  readonly value: Decimal;
  /** New shares per old, on a re-expressed value. */
  readonly splitRatio: Decimal | null;
  readonly taxonomy: string;
  readonly concept: string;
  readonly rawValue: Decimal;
  readonly accession: string;
  readonly form: string;
  readonly filed: string;
  readonly frame: string | null;
  /** The day from which filings show that the value is wrong, such as one in a wrong scale; else null. */
  readonly contradictedOn: string | null;
  /** The period's dates in the filing, where they are not those of the figure; else null. */
  readonly filedStart: string | null;
  readonly filedEnd: string | null;
  /** Of a share count that is a sum over the classes of a cover: `member=count`, one after the other; else null. */
  readonly classCounts: string | null;
  /** The kind of report that the fact was read from; null where a file of company facts has it. */
  readonly source: FactSource | null;
}

/** The figures or values of each metric and unit, in order of first appearance. They are many, so no key is joined of the two. */
export function byMetricAndUnit<F extends FigureKey>(figures: Iterable<F>): F[][] {
  const metrics = new Map<string, Map<string, F[]>>();
  const series: F[][] = [];
  for (const figure of figures) {
    const units = getOrInsert(metrics, figure.metricKey, () => new Map<string, F[]>());
    const own = units.get(figure.unit);
    if (own !== undefined) own.push(figure);
    else {
      const first = [figure];
      units.set(figure.unit, first);
      series.push(first);
    }
  }
  return series;
}

/** By metric, unit, end, start, rank; a value without a start comes first. */
export function byFigureAndRank(a: ReportedValue, b: ReportedValue): number {
  return (
    compareText(a.metricKey, b.metricKey) ||
    compareText(a.unit, b.unit) ||
    compareText(a.end, b.end) ||
    compareText(a.start ?? '', b.start ?? '') ||
    a.rank - b.rank
  );
}

/** The facts that a filing states: the value itself, or the count of each class that it is the sum of. */
export function statedFacts(reported: ReportedValue): readonly ReportedValue[] {
  const { classCounts } = reported;
  if (classCounts === null) return [reported];
  return classCounts.split(' ').map((counted) => {
    const shares = counted.slice(counted.lastIndexOf('=') + 1);
    return { ...reported, value: shares, rawValue: shares, classCounts: counted };
  });
}

/** The dates that the filing gives to the period, by which its fact is found. */
export function periodAsFiled({ start, end, filedStart, filedEnd }: ReportedValue): Pick<FigureKey, 'start' | 'end'> {
  return { start: filedStart ?? start, end: filedEnd ?? end };
}

/** The value a figure is read from: today, on a day, or on the basis of another. */
export interface StandingValue {
  readonly reported: ReportedValue;
  /** All values reported by that day and not contradicted by then, in filing order. */
  readonly chain: readonly ReportedValue[];
  /** The chain with what was reported since, where the value is read on the basis of another; else the chain itself. */
  readonly known: readonly ReportedValue[];
  /** All values reported by that day, those found to be wrong included: their revisions count. */
  readonly reports: readonly ReportedValue[];
}

/** The chains of a company's reported values, which come chain by chain, each in filing order. */
export function chainsOf(values: readonly ReportedValue[]): ReportedValue[][] {
  const chains: ReportedValue[][] = [];
  let start = 0;
  for (let end = 1; end <= values.length; end += 1) {
    if (end < values.length && values[end]?.rank !== 1) continue;
    chains.push(values.slice(start, end));
    start = end;
  }
  return chains;
}

function isUncontradicted({ contradictedOn }: ReportedValue): boolean {
  return contradictedOn === null;
}

/** The values that no filing contradicts, or none by the end of the day. */
export function reliableBy(chain: readonly ReportedValue[], day: string | null): readonly ReportedValue[] {
  if (chain.every(isUncontradicted)) return chain;
  return chain.filter(({ contradictedOn }) => contradictedOn === null || (day !== null && contradictedOn > day));
}

/**
 * The value that stands on the day (at the end of the chain without one); null where none was filed by then. Where the
 * statement that stands at the end had been filed by the day, it is that one, also beside a later one found to be wrong since.
 */
export function standingValue(chain: readonly ReportedValue[], asOf: string | null): StandingValue | null {
  const reliable = reliableBy(chain, asOf);
  const filed = filedBy(reliable, asOf);
  const reports = reliable === chain ? filed : filedBy(chain, asOf);
  const right = reliableBy(filed, null);
  if (right !== filed && right.length > 0) {
    const standing = standingIn(reliableBy(chain, null));
    if (standing !== null && right.includes(standing)) {
      return { reported: standing, chain: right, known: right, reports };
    }
  }
  const reported = standingIn(filed);
  return reported === null ? null : { reported, chain: filed, known: filed, reports };
}

function filedBy(chain: readonly ReportedValue[], day: string | null): readonly ReportedValue[] {
  return day === null ? chain : chain.filter(({ filed }) => filed <= day);
}

/** Which value of a chain is read: the one that stands, or the first that was reported. */
export type ValueChoice = 'latest' | 'first';

/** The first value of the chain that is not shown to be wrong by the day; null where none was filed by then. */
export function firstValue(chain: readonly ReportedValue[], asOf: string | null): StandingValue | null {
  const reliable = reliableBy(chain, asOf);
  const known = filedBy(reliable, asOf);
  const [reported] = known;
  return reported === undefined ? null : { reported, chain: [reported], known, reports: [reported] };
}

/** Whether a value of its chain stands on the day: a filing has stated one by then, first or anew, that is not shown to be wrong. */
export function isStatement({ kind, filed, contradictedOn }: ReportedValue, asOf: string | null): boolean {
  return (
    kind !== 'same' &&
    (asOf === null || filed <= asOf) &&
    (contradictedOn === null || (asOf !== null && contradictedOn > asOf))
  );
}

/** What would stand on the day, where filings show every value reported by then to be wrong; else null. */
export function contradictedValue(chain: readonly ReportedValue[], asOf: string | null): StandingValue | null {
  if (chain.every(isUncontradicted)) return null;
  const filed = filedBy(chain, asOf);
  const reported = standingIn(filed);
  if (reported === null || reliableBy(filed, asOf).length > 0) return null;
  return { reported, chain: filed, known: filed, reports: filed };
}

/**
 * The last report of the last change, by the concept that says most of the metric. What was only rounded since, to fewer
 * digits, does not replace it.
 */
export function standingIn(chain: readonly ReportedValue[]): ReportedValue | null {
  const change = chain.findLast(isChange);
  if (change === undefined) return null;
  const last = lastOf(chain, change.value);
  if (last.concept === change.concept || compareDecimals(confidenceOf(last), confidenceOf(change)) >= 0) return last;
  return lastOf(chain, change.value, change.concept);
}

function isChange({ kind }: ReportedValue): boolean {
  return kind !== 'same';
}

/** The last report of a value that the chain has, by any concept or one. */
function lastOf(chain: readonly ReportedValue[], value: Decimal, concept: string | null = null): ReportedValue {
  for (let index = chain.length - 1; index >= 0; index--) {
    const one = assertDefined(chain[index]);
    if (isEqual(one.value, value) && (concept === null || one.concept === concept)) return one;
  }
  throw new RangeError('a value that its revision chain has not');
}

export function confidenceOf({ metricKey, taxonomy, concept }: ReportedValue): Decimal {
  return mappingOf(metricKey, taxonomy, concept)?.confidence ?? '0';
}

/** Compares text first: most values repeat the last one digit for digit. */
export function isEqual(a: Decimal, b: Decimal): boolean {
  return a === b || compareDecimals(a, b) === 0;
}

/** Number of distinct filings that revised any of the values, as their chains list them. */
export function countRevisingFilings(values: readonly StandingValue[]): number {
  const filings = new Set<string>();
  for (const { reports } of values) {
    for (const { kind, accession } of reports) if (kind === 'revised') filings.add(accession);
  }
  return filings.size;
}
