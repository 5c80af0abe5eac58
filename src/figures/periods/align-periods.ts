/**
 * One period, one pair of dates: filers date a period a day or a week apart from filing to filing (the last day of the
 * period before, the end of the month, another day of the week).
 */
import { compareText } from '../../contract/compare-text.ts';
import type { Fact } from '../../edgar/facts/fact-row.ts';
import { dayNumber } from '../../platform/dates.ts';
import { formClass } from '../filings/forms.ts';
import { entryOf, pushTo } from '../groups.ts';
import { kindOfLength, type PeriodKind } from './period-kind.ts';

/** A fact under the dates of its period. */
export interface AlignedFact extends Fact {
  /** The dates in its filing, where they are others. */
  readonly filedPeriod?: Pick<Fact, 'start' | 'end'>;
}

/**
 * How far apart dates of one period are: of 305 pairs of real periods that start or end up to nine days apart, nine in ten
 * repeat a value and the rest are revised; the next ones are 22 days apart, and of another company's.
 */
export const SAME_PERIOD_DAYS = 9;

/** Numbers of days. */
interface Period {
  readonly start: number;
  readonly end: number;
  readonly kind: PeriodKind;
  /** The fact whose dates they are. */
  readonly fact: Fact;
}

/** How many facts of one filing have these dates. */
interface DatedFacts {
  readonly period: Period;
  count: number;
}

/**
 * The facts, each under the dates by which the first filing to report its period gave it, so that a later filing has no
 * influence; of a filing's own the most frequent, then the one that starts later. Where a filing reports one concept under both, one of them is skipped.
 */
export function alignPeriods(facts: readonly Fact[], skip: (reason: string) => void): AlignedFact[] {
  const dates = periodDates(facts);
  if (dates.size === 0) return [...facts];
  const seen = new Set<string>();
  for (const fact of facts) if (fact.start !== null && !dates.has(rawKey(fact))) seen.add(factKey(fact));
  return facts.flatMap((fact): AlignedFact[] => {
    const period = fact.start === null ? undefined : dates.get(rawKey(fact));
    if (period === undefined) return [fact];
    const aligned = { ...fact, ...period, filedPeriod: { start: fact.start, end: fact.end } };
    const key = factKey(aligned);
    if (seen.has(key)) {
      skip('a period that its filing dates twice');
      return [];
    }
    seen.add(key);
    return [aligned];
  });
}

/** The dates of each period that a filing dates otherwise, by the dates in the filing. */
function periodDates(facts: readonly Fact[]): ReadonlyMap<string, Pick<Fact, 'start' | 'end'>> {
  const known = new Map<PeriodKind, Period[]>();
  const dates = new Map<string, Pick<Fact, 'start' | 'end'>>();
  const done = new Set<string>();
  for (const period of inFilingOrder(facts)) {
    const key = rawKey(period.fact);
    if (done.has(key)) continue;
    done.add(key);
    const same = known.get(period.kind)?.find((other) => isSamePeriod(period, other));
    if (same === undefined) pushTo(known, period.kind, period);
    else dates.set(key, { start: same.fact.start, end: same.fact.end });
  }
  return dates;
}

function isSamePeriod(a: Period, b: Period): boolean {
  return Math.abs(a.start - b.start) <= SAME_PERIOD_DAYS && Math.abs(a.end - b.end) <= SAME_PERIOD_DAYS;
}

/** The periods of all filings, filing by filing, and of each the most frequent first. */
function inFilingOrder(facts: readonly Fact[]): Period[] {
  const filings = new Map<string, { readonly fact: Fact; readonly periods: Map<string, DatedFacts> }>();
  for (const fact of facts) {
    if (fact.start === null || formClass(fact.form) === null) continue;
    const { periods } = entryOf(filings, fact.accession, () => ({ fact, periods: new Map<string, DatedFacts>() }));
    const dated = periods.get(rawKey(fact));
    if (dated !== undefined) {
      dated.count++;
      continue;
    }
    const [start, end] = [dayNumber(fact.start), dayNumber(fact.end)];
    const kind = kindOfLength(end - start + 1);
    if (kind !== null) periods.set(rawKey(fact), { period: { start, end, kind, fact }, count: 1 });
  }
  return [...filings.values()]
    .sort(({ fact: a }, { fact: b }) => compareText(a.filed, b.filed) || compareText(a.accession, b.accession))
    .flatMap(({ periods }) =>
      [...periods.values()]
        .sort((a, b) => b.count - a.count || a.period.end - b.period.end || b.period.start - a.period.start)
        .map(({ period }) => period),
    );
}

function rawKey({ start, end }: Fact): string {
  return `${start} ${end}`;
}

function factKey({ accession, taxonomy, concept, unit, start, end }: Fact): string {
  return `${accession} ${taxonomy} ${concept} ${unit} ${start} ${end}`;
}
