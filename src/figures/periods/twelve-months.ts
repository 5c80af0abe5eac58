/** Twelve months of a flow: a fiscal year, four quarters in a row, or a year updated by a year to date. */

import { assertDefined } from '../../platform/assert-defined.ts';
import { daysBetween } from '../../platform/dates.ts';
import { combine, DERIVED_CONFIDENCE, type Figure, type FigureSubject } from '../metrics/figure.ts';
import { isAdditive } from '../metrics/metric-rules.ts';
import { byMetricAndUnit } from '../revisions/revision-chain.ts';
import { isYearApart } from './fiscal-years.ts';
import type { Since } from './quarters.ts';

/** Quarters follow on one another to the day, except where a filer dates them by the week. */
const LARGEST_GAP = 7;

/** The window that ends last. `figures` are of one metric and unit. */
export function latestTwelveMonths(figures: readonly Figure[]): Figure | null {
  return windows(figures).next().value ?? null;
}

/** Each flow of money over the twelve months to each end of a year, quarter, or year to date; of one metric only some. */
export function trailingTwelveMonths(figures: readonly Figure[], since: Since | null): Figure[] {
  const flows = figures.filter(({ metricKey }) => isAdditive(metricKey));
  return byMetricAndUnit(flows).flatMap((one) => {
    const found: Figure[] = [];
    for (const window of windows(one)) {
      if (window.metricKey === since?.metricKey && window.end < since.end) break;
      found.push(window);
    }
    return found;
  });
}

/** The latest first; of those that end together the year, then four quarters, then the year that is updated. */
function* windows(figures: readonly Figure[]): Generator<Figure, undefined> {
  const years = figures.filter(isAnnual);
  const quarters = figures.filter(isQuarter).sort((a, b) => (a.end < b.end ? 1 : -1));
  const parts = figures.filter(isYearToDate);
  for (const end of [...new Set([...years, ...parts].map((figure) => figure.end))].sort().reverse()) {
    const window =
      ofYear(years.find((year) => year.end === end)) ?? fourQuarters(end, quarters) ?? updatedYear(end, years, parts);
    if (window !== null) yield window;
  }
}

function ofYear(year: Figure | undefined): Figure | null {
  return year === undefined ? null : new YearWindow(year);
}

/** A year as twelve months: the same value, which is computed when it is read. */
class YearWindow implements Figure {
  readonly metricKey: string;
  readonly unit: string;
  readonly start: string | null;
  readonly end: string;
  readonly periodKind = 'ttm';
  readonly fiscalYear = null;
  readonly fiscalPeriod = null;
  readonly derived = true;
  readonly terms: Figure['terms'];
  readonly denominator: Figure['denominator'];
  readonly #year: Figure;

  constructor(year: Figure) {
    this.metricKey = year.metricKey;
    this.unit = year.unit;
    this.start = year.start;
    this.end = year.end;
    this.terms = year.terms;
    this.denominator = year.denominator;
    this.#year = year;
  }

  get value(): Figure['value'] {
    return this.#year.value;
  }

  get confidence(): Figure['confidence'] {
    return this.#year.confidence;
  }
}

/** The quarter that ends on the day and the three before it; `quarters` come latest first. */
function fourQuarters(end: string, quarters: readonly Figure[]): Figure | null {
  const start = quarters.findIndex((quarter) => quarter.end === end);
  if (start < 0) return null;
  const window: Figure[] = [];
  for (let at = start; at < quarters.length && window.length < 4; at += 1) {
    const [quarter, later] = [assertDefined(quarters[at]), window.at(-1)];
    if (later === undefined || isFollowedBy(quarter, later)) window.push(quarter);
  }
  const [last, , , first] = window;
  if (last === undefined || first === undefined) return null;
  return combine(spanOf(first, last), { plus: window, minus: [], atMost: DERIVED_CONFIDENCE.exact });
}

/** The year, plus the next year's months to date, less the same months of the year. */
function updatedYear(end: string, years: readonly Figure[], parts: readonly Figure[]): Figure | null {
  for (const toDate of parts.filter((part) => part.end === end)) {
    const year = years.find((one) => isFollowedBy(one, toDate));
    const before = parts.find(
      (part) => part.periodKind === toDate.periodKind && isYearApart(part.end, end) && part.start === year?.start,
    );
    if (year === undefined || before === undefined) continue;
    return combine(spanOf(year, toDate), { plus: [year, toDate], minus: [before], atMost: DERIVED_CONFIDENCE.exact });
  }
  return null;
}

/** From the start of one to the end of the other; no fiscal period. */
function spanOf(first: Figure, last: Figure): FigureSubject {
  const { metricKey, unit, start } = first;
  return { metricKey, unit, start, end: last.end, periodKind: 'ttm', fiscalYear: null, fiscalPeriod: null };
}

function isFollowedBy(earlier: Figure, later: Figure): boolean {
  if (later.start === null || earlier.end >= later.end) return false;
  return Math.abs(daysBetween(earlier.end, later.start) - 1) <= LARGEST_GAP;
}

function isAnnual({ periodKind }: Figure): boolean {
  return periodKind === 'annual';
}

function isQuarter({ periodKind }: Figure): boolean {
  return periodKind === 'quarter';
}

function isYearToDate({ periodKind }: Figure): boolean {
  return periodKind === 'quarter' || periodKind === 'half' || periodKind === 'nine_month';
}
