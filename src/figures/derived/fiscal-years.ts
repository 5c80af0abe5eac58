/**
 * The fiscal years, quarters and trailing twelve months of one company. Each period gives access to its flows, the
 * balance at its end, the cover of its report, and the same period of the year before.
 */

import { parseCurrency } from '../../contract/currency.ts';
import { getOrInsert, pushTo } from '../../platform/collections.ts';
import { addDays, countDaysBetween } from '../../platform/dates.ts';
import { findMetricByKey } from '../metrics/metric-rules.ts';
import { areYearsApart, type FigurePeriodKind } from '../periods/period-kind.ts';
import type { Figure } from './figure.ts';

/** A fiscal year, a quarter or twelve months of a company, with access to its figures. */
export interface FigurePeriod {
  readonly start: string;
  readonly end: string;
  readonly periodKind: FigurePeriodKind;
  readonly fiscalYear: number | null;
  readonly fiscalPeriod: string | null;
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
export function createPeriodLookup(
  figures: readonly Figure[],
  currency = findReportingCurrency(figures),
): PeriodLookup {
  const flowsByKindAndEnd = new Map<FigurePeriodKind, Map<string, Figure[]>>();
  const instantsByMetric = new Map<string, Figure[]>();
  for (const figure of figures) {
    const { unit, periodKind, fiscalPeriod } = figure;
    if (unit !== 'shares' && parseCurrency(unit) !== currency) continue;
    if (periodKind === 'instant') pushTo(instantsByMetric, figure.metricKey, figure);
    else if (periodKind !== 'annual' || fiscalPeriod === 'FY') {
      pushTo(
        getOrInsert(flowsByKindAndEnd, periodKind, () => new Map<string, Figure[]>()),
        figure.end,
        figure,
      );
    }
  }
  const periodsByKind = new Map<FigurePeriodKind, readonly FigurePeriod[]>();
  return (kind) =>
    getOrInsert(periodsByKind, kind, () => {
      if (currency === null) return [];
      // Earliest first, so that each period can refer to the period a year earlier.
      const periodsOfKind: FigurePeriod[] = [];
      for (const [, flowsOfPeriod] of [...(flowsByKindAndEnd.get(kind) ?? [])].sort(([a], [b]) => (a < b ? -1 : 1))) {
        periodsOfKind.push(
          toFigurePeriod(selectFlowsOfLastFiledPeriod(flowsOfPeriod), instantsByMetric, currency, periodsOfKind),
        );
      }
      return periodsOfKind.reverse();
    });
}

/**
 * Returns the flows of the period that was reported last, because several periods with different starts may end on one
 * day. For example, a shell company's short year since its founding ends on the same day as the year of the business
 * that merged with the shell.
 */
function selectFlowsOfLastFiledPeriod(flows: readonly Figure[]): readonly Figure[] {
  if (flows.every(({ start }) => start === flows[0]?.start)) return flows;
  const lastFiledFlow = flows.reduce((a, b) => (findLastFilingDay(b) > findLastFilingDay(a) ? b : a));
  return flows.filter(({ start }) => start === lastFiledFlow.start);
}

function findLastFilingDay({ terms }: Figure): string {
  return terms.reduce(
    (latestDay, { source: { reported } }) => (reported.filed > latestDay ? reported.filed : latestDay),
    '',
  );
}

function toFigurePeriod(
  flows: readonly Figure[],
  instantsByMetric: ReadonlyMap<string, readonly Figure[]>,
  currency: string,
  earlierPeriods: readonly FigurePeriod[],
): FigurePeriod {
  const [firstFlow] = flows;
  if (firstFlow === undefined || firstFlow.start === null) throw new RangeError('a fiscal period has no amounts');
  const { start, end, periodKind, fiscalYear, fiscalPeriod } = firstFlow;
  const flowByMetric = new Map<string, Figure>();
  for (const flow of flows) if (!flowByMetric.has(flow.metricKey)) flowByMetric.set(flow.metricKey, flow);
  return {
    start,
    end,
    periodKind,
    fiscalYear,
    fiscalPeriod,
    currency,
    priorYear: earlierPeriods.findLast((earlierPeriod) => areYearsApart(earlierPeriod.end, end)) ?? null,
    getFigure(metricKey) {
      const flow = flowByMetric.get(metricKey);
      if (flow !== undefined) return flow;
      const candidateInstants = instantsByMetric.get(metricKey);
      if (candidateInstants === undefined) return null;
      return findMetricByKey(metricKey)?.statement === 'cover'
        ? findFigureWithLatestEnd(
            candidateInstants.filter(
              (figure) => figure.fiscalPeriod === fiscalPeriod && figure.fiscalYear === fiscalYear,
            ),
          )
        : findFigureWithNearestEnd(candidateInstants, end);
    },
  };
}

/** Returns the figure with the latest end; null for an empty list. */
export function findFigureWithLatestEnd(figures: readonly Figure[]): Figure | null {
  let latestFigure: Figure | null = null;
  for (const figure of figures) if (latestFigure === null || figure.end > latestFigure.end) latestFigure = figure;
  return latestFigure;
}

function findFigureWithNearestEnd(figures: readonly Figure[], day: string): Figure | null {
  const [earliestDay, latestDay] = [addDays(day, -MAX_DAYS_FROM_PERIOD_END), addDays(day, MAX_DAYS_FROM_PERIOD_END)];
  let nearestFigure: Figure | null = null;
  for (const figure of figures) {
    if (figure.end < earliestDay || figure.end > latestDay) continue;
    const daysApart = Math.abs(countDaysBetween(figure.end, day));
    if (nearestFigure === null || daysApart < Math.abs(countDaysBetween(nearestFigure.end, day)))
      nearestFigure = figure;
  }
  return nearestFigure;
}

/** Maximum number of days between the ends of the first and the last of the three fiscal years of an annual report. */
const MAX_DAYS_ACROSS_THREE_YEARS = 800;

/**
 * Returns the currency of most annual figures and balances of the latest three years. A foreign filer may add a
 * translation of its latest year into dollars; a filer that changes its currency restates earlier years.
 */
function findReportingCurrency(figures: readonly Figure[]): string | null {
  const moneyFigures = figures.filter(
    ({ unit, periodKind }) => (periodKind === 'annual' || periodKind === 'instant') && parseCurrency(unit) !== null,
  );
  const latestFigure =
    findFigureWithLatestEnd(moneyFigures.filter(({ periodKind }) => periodKind === 'annual')) ??
    findFigureWithLatestEnd(moneyFigures);
  const countByCurrency = new Map<string, number>();
  for (const { unit, end } of moneyFigures) {
    const currency = parseCurrency(unit);
    if (
      currency === null ||
      latestFigure === null ||
      countDaysBetween(end, latestFigure.end) > MAX_DAYS_ACROSS_THREE_YEARS
    )
      continue;
    countByCurrency.set(currency, (countByCurrency.get(currency) ?? 0) + 1);
  }
  let mostFrequentEntry: [currency: string, count: number] | null = null;
  for (const currencyEntry of countByCurrency)
    if (mostFrequentEntry === null || currencyEntry[1] > mostFrequentEntry[1]) mostFrequentEntry = currencyEntry;
  return mostFrequentEntry?.[0] ?? null;
}
