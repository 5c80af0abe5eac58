/**
 * Discrete quarters that no filing states: what a year, or a year to date, leaves after its earlier parts.
 *
 * Only flows of money add up over time, and only when all parts are read from the same concept: a company
 * that changes its tag inside a year has stated two different things. A reported quarter always stands.
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
/** Figures that cannot be below zero, so that a negative rest shows parts that do not belong together. */
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
    const start = figure.start ?? '';
    pushTo(byStart, start, figure);
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

/** What `whole` leaves after parts that follow on one another from its start until a quarter remains; null when none do. */
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

/** Whether both values were stated by one and the same concept; a later filing may have repeated either by a synonym. */
function shareConcept(a: Figure, b: Figure): boolean {
  const concepts = conceptsOf(b);
  return conceptsOf(a).some((concept) => concepts.includes(concept));
}

/** Every concept that filings on file have stated the standing value by. */
function conceptsOf({ terms: [term] }: Figure): string[] {
  if (term === undefined) return [];
  const { reported: standing, chain: onFile } = term.source;
  return onFile.filter(({ value }) => value === standing.value).map(({ concept }) => concept);
}

/** Whether the whole was revised after the last word on one of its parts. */
function mixesBases(whole: Figure, parts: readonly Figure[]): boolean {
  const revision = whole.terms[0]?.source.chain.findLast((statement) => statement.kind === 'revised');
  if (revision === undefined) return false;
  return parts.some((part) => part.terms.every(({ source }) => source.reported.filed < revision.filed));
}
