/**
 * One fiscal year of one company: its flows, the balance at its end, and the year before.
 *
 * Ratios are taken inside one snapshot only, so that no figure of one day is ever divided by one of another.
 */

import { divide, multiply } from '../../contract/decimal.ts';
import type { Decimal } from '../../contract/decimal-text.ts';
import { daysBetween } from '../../platform/dates.ts';
import { pushTo } from '../groups.ts';
import type { Split } from '../shares/splits.ts';
import { splitRatio } from '../shares/splits.ts';
import type { Figure } from './figure.ts';
import { metricOf } from './metric-rules.ts';

export interface Snapshot {
  readonly start: string;
  readonly end: string;
  readonly fiscalYear: number | null;
  /** The currency of its money. */
  readonly currency: string;
  /** The metric's figure of this year (a flow over it, a balance at its end, the count on its report's cover), or null. */
  at(metricKey: string): Figure | null;
  /** The snapshot a year earlier, or null. */
  readonly prior: Snapshot | null;
}

/** A balance sheet may be dated to another day of the week its year ends in. */
const SAME_WEEK = 7;

/** Every fiscal year with a flow on file, in the currency the company reports in, latest first. */
export function annualSnapshots(figures: readonly Figure[]): Snapshot[] {
  const currency = reportingCurrency(figures);
  if (currency === null) return [];
  const own = figures.filter(({ unit }) => currencyOf(unit) === currency || unit === 'shares');
  const years = new Map<string, Figure[]>();
  const instants = new Map<string, Figure[]>();
  for (const figure of own) {
    if (figure.periodKind === 'annual' && figure.fiscalPeriod === 'FY') pushTo(years, figure.end, figure);
    else if (figure.periodKind === 'instant') pushTo(instants, figure.metricKey, figure);
  }
  // Earliest first, so that each finds the year before it.
  const made: Snapshot[] = [];
  for (const [end, flows] of [...years].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const prior = made.findLast((snapshot) => isYearApart(snapshot.end, end)) ?? null;
    made.push(snapshot(end, flows, instants, currency, prior));
  }
  return made.reverse();
}

function snapshot(
  end: string,
  flows: readonly Figure[],
  instants: ReadonlyMap<string, readonly Figure[]>,
  currency: string,
  prior: Snapshot | null,
): Snapshot {
  const byKey = new Map<string, Figure>();
  for (const flow of flows) if (!byKey.has(flow.metricKey)) byKey.set(flow.metricKey, flow);
  const [first] = flows;
  const fiscalYear = first?.fiscalYear ?? null;
  return {
    start: first?.start ?? end,
    end,
    fiscalYear,
    currency,
    prior,
    at: (metricKey) => byKey.get(metricKey) ?? instantOf(instants.get(metricKey) ?? [], metricKey, end, fiscalYear),
  };
}

function instantOf(
  figures: readonly Figure[],
  metricKey: string,
  end: string,
  fiscalYear: number | null,
): Figure | null {
  if (metricOf(metricKey)?.statement === 'cover') {
    const own = figures.filter((figure) => figure.fiscalPeriod === 'FY' && figure.fiscalYear === fiscalYear);
    return own.reduce<Figure | null>((best, figure) => (best === null || figure.end > best.end ? figure : best), null);
  }
  let nearest: Figure | null = null;
  for (const figure of figures) {
    const apart = Math.abs(daysBetween(figure.end, end));
    if (apart <= SAME_WEEK && (nearest === null || apart < Math.abs(daysBetween(nearest.end, end)))) nearest = figure;
  }
  return nearest;
}

export function isYearApart(earlier: string, later: string): boolean {
  const days = daysBetween(earlier, later);
  return days >= 350 && days <= 380;
}

/** The currency most annual figures are in: a filer abroad adds a translation of its latest year. */
export function reportingCurrency(figures: readonly Figure[]): string | null {
  const counts = new Map<string, number>();
  for (const { unit, periodKind } of figures) {
    if (periodKind !== 'annual' && periodKind !== 'instant') continue;
    const currency = currencyOf(unit);
    if (currency !== null) counts.set(currency, (counts.get(currency) ?? 0) + 1);
  }
  let best: string | null = null;
  for (const [currency, count] of counts) if (best === null || count > (counts.get(best) ?? 0)) best = currency;
  return best;
}

/** Figures are of money, of money per share, of shares, or pure numbers (`fitsUnit`). */
function currencyOf(unit: string): string | null {
  if (unit.length === 3) return unit;
  return unit[3] === '/' ? unit.slice(0, 3) : null;
}

/** A share count on the share basis of a later day. A cover's count speaks for its day, a balance sheet's for its filing's. */
export function countOnBasisOf(figure: Figure, day: string, splits: readonly Split[]): Decimal {
  return multiply(figure.value, splitRatio(splits, basisDay(figure), day) ?? '1');
}

/** A value per share on the share basis of a later day. */
export function perShareOnBasisOf(figure: Figure, day: string, splits: readonly Split[]): Decimal {
  const ratio = splitRatio(splits, basisDay(figure), day);
  return ratio === null ? figure.value : (divide(figure.value, ratio) ?? figure.value);
}

export function basisDay(figure: Figure): string {
  const standing = figure.terms[0]?.source.reported;
  return standing === undefined || standing.taxonomy === 'dei' ? figure.end : standing.filed;
}
