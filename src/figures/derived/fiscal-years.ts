/**
 * The fiscal years, quarters and trailing twelve months of one company. Each period gives access to its flows, the
 * balance at its end, the cover of its report, and the same period of the year before.
 */
import { parseCurrency } from '../../contract/identifiers.ts';
import { onFirstUse } from '../../contract/on-first-use.ts';
import { getOrInsert, groupBy, pushTo } from '../../platform/collections.ts';
import { addDays, countDaysBetween } from '../../platform/dates.ts';
import { findMetricByKey } from '../metrics/metric-rules.ts';
import { areYearsApart, type FigurePeriodKind } from '../periods/period-kind.ts';
import type { Figure } from './figure.ts';

/** A fiscal year, a quarter or twelve months of a company, with access to its figures. */
export interface FigurePeriod extends Pick<Figure, 'end' | 'periodKind' | 'fiscalYear' | 'fiscalPeriod'> {
  readonly start: string;
  readonly currency: string;
  /**
   * Returns the metric's figure for this period: the flow during the period, the balance at its end, or the count on
   * the cover of its report. Null if the figure is missing.
   */
  getFigure(metricKey: string): Figure | null;
  readonly priorYear: FigurePeriod | null;
}

/** Maximum number of days between the end of a period and the date of its balance sheet. */
export const MAX_DAYS_FROM_PERIOD_END = 7;

/** Returns the periods of a kind that have flows, latest first. */
export type PeriodLookup = (kind: FigurePeriodKind) => readonly FigurePeriod[];

/** Returns a company's fiscal years, quarters and trailing twelve months in a currency; default: the company's own. */
export function createPeriodLookup(figures: readonly Figure[], currency = findCurrency(figures)): PeriodLookup {
  const flowsByKind = new Map<FigurePeriodKind, Map<string, Figure[]>>();
  const instants = new Map<string, Figure[]>();
  for (const figure of figures) {
    const { unit, periodKind, fiscalPeriod } = figure;
    if (unit !== 'shares' && parseCurrency(unit) !== currency) continue;
    if (periodKind === 'instant') pushTo(instants, figure.metricKey, figure);
    else if (periodKind !== 'annual' || fiscalPeriod === 'FY') {
      const byEnd = getOrInsert(flowsByKind, periodKind, () => new Map<string, Figure[]>());
      pushTo(byEnd, figure.end, figure);
    }
  }
  const byKind = new Map<FigurePeriodKind, readonly FigurePeriod[]>();
  return (kind) =>
    getOrInsert(byKind, kind, () => {
      if (currency === null) return [];
      const periods: FigurePeriod[] = [];
      for (const [, flows] of [...(flowsByKind.get(kind) ?? [])].sort(([a], [b]) => (a < b ? 1 : -1)))
        periods.push(toFigurePeriod(selectFlowsOfLastFiledPeriod(flows), instants, currency, periods));
      return periods;
    });
}

/**
 * Returns the flows of the period that was reported last, because several periods with different starts may end on one
 * day. For example, a shell company's short year since its founding ends on the same day as the year of the business
 * that merged with the shell.
 */
function selectFlowsOfLastFiledPeriod(flows: readonly Figure[]): readonly Figure[] {
  if (flows.every(({ start }) => start === flows[0]?.start)) return flows;
  const last = flows.reduce((a, b) => (findLastFilingDay(b) > findLastFilingDay(a) ? b : a));
  return flows.filter(({ start }) => start === last.start);
}

const findLastFilingDay = ({ terms }: Figure): string =>
  terms.reduce((latest, { source: { reported } }) => (reported.filed > latest ? reported.filed : latest), '');

/** @param periods all periods of the kind, latest first; read when the period of the year before is asked for */
function toFigurePeriod(
  flows: readonly Figure[],
  instants: ReadonlyMap<string, readonly Figure[]>,
  currency: string,
  periods: readonly FigurePeriod[],
): FigurePeriod {
  const [first] = flows;
  if (first === undefined || first.start === null) throw new RangeError('a fiscal period has no amounts');
  const { start, end, periodKind, fiscalYear, fiscalPeriod } = first;
  const getFlows = onFirstUse(() => {
    const byMetric = new Map<string, Figure>();
    for (const flow of flows) if (!byMetric.has(flow.metricKey)) byMetric.set(flow.metricKey, flow);
    return byMetric;
  });
  let priorYear: FigurePeriod | null | undefined;
  const firstBalance = addDays(end, -MAX_DAYS_FROM_PERIOD_END);
  const lastBalance = addDays(end, MAX_DAYS_FROM_PERIOD_END);
  return {
    start,
    end,
    periodKind,
    fiscalYear,
    fiscalPeriod,
    currency,
    get priorYear() {
      if (priorYear === undefined)
        priorYear = periods.find((other) => other.end < end && areYearsApart(other.end, end)) ?? null;
      return priorYear;
    },
    getFigure(key) {
      const flow = getFlows().get(key);
      if (flow !== undefined) return flow;
      const candidates = instants.get(key);
      if (candidates === undefined) return null;
      return findMetricByKey(key)?.statement === 'cover'
        ? findFigureWithLatestEnd(
            candidates.filter((figure) => figure.fiscalPeriod === fiscalPeriod && figure.fiscalYear === fiscalYear),
          )
        : (candidates.find((figure) => figure.end === end) ??
            findFigureWithNearestEnd(
              candidates.filter((figure) => figure.end >= firstBalance && figure.end <= lastBalance),
              end,
            ));
    },
  };
}

/** Returns the figure with the latest end; null for an empty list. */
export function findFigureWithLatestEnd(figures: readonly Figure[]): Figure | null {
  let latest: Figure | null = null;
  for (const figure of figures) if (latest === null || figure.end > latest.end) latest = figure;
  return latest;
}

function findFigureWithNearestEnd(figures: readonly Figure[], day: string): Figure | null {
  const measureDistance = ({ end }: Figure) => Math.abs(countDaysBetween(end, day));
  return figures.toSorted((a, b) => measureDistance(a) - measureDistance(b))[0] ?? null;
}

/** Maximum number of days between the ends of the first and the last of the three fiscal years of an annual report. */
const MAX_DAYS_ACROSS_THREE_YEARS = 800;

/**
 * Returns the currency of most annual figures and balances of the latest three years. A foreign filer may add a
 * translation of its latest year into dollars; a filer that changes its currency restates earlier years.
 */
function findCurrency(figures: readonly Figure[]): string | null {
  const amounts = figures.filter(
    ({ unit, periodKind }) => (periodKind === 'annual' || periodKind === 'instant') && parseCurrency(unit) !== null,
  );
  const first = parseCurrency(amounts[0]?.unit ?? '');
  if (first !== null && amounts.every(({ unit }) => unit.startsWith(first))) return first;
  const latest =
    findFigureWithLatestEnd(amounts.filter(({ periodKind }) => periodKind === 'annual')) ??
    findFigureWithLatestEnd(amounts);
  const recentAmounts = amounts.filter(
    ({ end }) => latest !== null && countDaysBetween(end, latest.end) <= MAX_DAYS_ACROSS_THREE_YEARS,
  );
  const byCurrency = [...groupBy(recentAmounts, ({ unit }) => parseCurrency(unit))];
  return byCurrency.sort(([, a], [, b]) => b.length - a.length)[0]?.[0] ?? null;
}
