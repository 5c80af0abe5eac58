/**
 * Discrete quarters that no filing reports: what remains of a year, or a year to date, after its earlier parts.
 *
 * Only flows of money add up over time, and only values of one concept: a company that changes concepts inside a year
 * has reported two different things. A reported quarter is never replaced.
 */

import { addDays } from '../../platform/dates.ts';
import { pushTo } from '../groups.ts';
import type { Figure } from '../metrics/figure.ts';
import { combine, DERIVED_CONFIDENCE } from '../metrics/figure.ts';
import { isAdditive } from '../metrics/metric-rules.ts';
import type { PeriodKind } from './period-kind.ts';
import { isQuarterLength } from './period-kind.ts';

/** The longest part first: the year less nine months before the year less three quarters. */
const PARTS: readonly PeriodKind[] = ['nine_month', 'half', 'quarter'];
const QUARTER_OF: Readonly<Partial<Record<PeriodKind, string>>> = { half: 'Q2', nine_month: 'Q3', annual: 'Q4' };
/** Figures that cannot be negative: a negative remainder means that the parts do not belong together. */
const NEVER_NEGATIVE: ReadonlySet<string> = new Set(['revenue', 'cost_of_revenue']);

/** The quarters that follow from reported figures of one company and are not reported themselves. */
export function deriveQuarters(reported: readonly Figure[]): Figure[] {
  const series = new Map<string, Figure[]>();
  for (const figure of reported) {
    if (!isAdditive(figure.metricKey) || figure.start === null) continue;
    const key = `${figure.metricKey} ${figure.unit}`;
    pushTo(series, key, figure);
  }
  return [...series.values()].flatMap(quartersOfSeries);
}

function quartersOfSeries(figures: readonly Figure[]): Figure[] {
  const quarterEnds = new Set<string>();
  const byStart = new Map<string, Figure[]>();
  for (const figure of figures) {
    if (figure.periodKind === 'quarter') quarterEnds.add(figure.end);
    if (figure.start !== null) pushTo(byStart, figure.start, figure);
  }
  const derived: Figure[] = [];
  for (const whole of figures) {
    const fiscalPeriod = QUARTER_OF[whole.periodKind];
    if (fiscalPeriod === undefined || whole.start === null || whole.fiscalPeriod === null) continue;
    if (quarterEnds.has(whole.end)) continue;
    const quarter = remainder(whole, whole.start, [], byStart, fiscalPeriod);
    if (quarter === null || (NEVER_NEGATIVE.has(whole.metricKey) && quarter.value.startsWith('-'))) continue;
    quarterEnds.add(whole.end);
    derived.push(quarter);
  }
  return derived;
}

/** The quarter that remains of `whole` after consecutive parts from its start; null when there is none. */
function remainder(
  whole: Figure,
  from: string,
  parts: readonly Figure[],
  byStart: ReadonlyMap<string, readonly Figure[]>,
  fiscalPeriod: string,
): Figure | null {
  if (parts.length > 0 && from <= whole.end && isQuarterLength(from, whole.end)) {
    const identity = { ...whole, start: from, periodKind: 'quarter' as const, fiscalPeriod };
    return combine(
      identity,
      [whole],
      parts,
      mixesBases(whole, parts) ? DERIVED_CONFIDENCE.mixedBases : DERIVED_CONFIDENCE.quarter,
    );
  }
  const next = byStart.get(from) ?? [];
  for (const kind of PARTS) {
    for (const part of next) {
      if (part.periodKind !== kind || part.end >= whole.end || !shareConcept(part, whole)) continue;
      const found = remainder(whole, addDays(part.end, 1), [...parts, part], byStart, fiscalPeriod);
      if (found !== null) return found;
    }
  }
  return null;
}

/** Whether both values were reported by one concept; a later filing may have repeated either by a synonym. */
function shareConcept(a: Figure, b: Figure): boolean {
  const concepts = conceptsOf(b);
  return conceptsOf(a).some((concept) => concepts.includes(concept));
}

/** Every concept by which filings reported the standing value. */
function conceptsOf({ terms: [term] }: Figure): string[] {
  if (term === undefined) return [];
  const { reported, chain } = term.source;
  return chain.filter(({ value }) => value === reported.value).map(({ concept }) => concept);
}

/** Whether the whole was revised after the last report of one of its parts. */
function mixesBases(whole: Figure, parts: readonly Figure[]): boolean {
  const revision = whole.terms[0]?.source.chain.findLast(({ kind }) => kind === 'revised');
  if (revision === undefined) return false;
  return parts.some((part) => part.terms.every(({ source }) => source.reported.filed < revision.filed));
}
