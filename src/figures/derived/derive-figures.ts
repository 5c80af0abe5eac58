/** Derives the figures of all metrics of a company from its reported values. */

import { countDaysBetween } from '../../platform/dates.ts';
import {
  findContradictedValue,
  findFirstReportedValue,
  type ReportedValue,
  selectValueAsOf,
  splitIntoChains,
  type ValueChoice,
} from '../revisions/revision-chain.ts';
import type { Split } from '../shares/splits.ts';
import { deriveQuarters, indexQuarterStarts, type MetricCutoff, type StartLookup } from './derive-quarters.ts';
import { type Figure, toReportedFigure } from './figure.ts';
import { deriveMetrics } from './formulas.ts';
import { createShareBasisCheck, deriveFourthQuarterEps, type ShareBasisCheck } from './quarterly-eps.ts';
import { preferCoverCounts } from './share-counts.ts';

export type RevisionChains = readonly (readonly ReportedValue[])[];

/**
 * Returns the figures of all metrics, reported and derived from reported values, including internal metrics, but
 * without ratios and trailing twelve months.
 */
export function deriveFigures(
  values: readonly ReportedValue[],
  asOf: string | null,
  splits: readonly Split[] = [],
): Figure[] {
  return deriveFromChains(splitIntoChains(values), asOf, splits);
}

/** Returns the same figures as `deriveFigures`, from values that are already grouped into chains. */
export function deriveFromChains(chains: RevisionChains, asOf: string | null, splits: readonly Split[] = []): Figure[] {
  const reported = readReportedFigures(chains, asOf);
  const scope: DerivationScope = {
    derivesOnlyYears: false,
    neededKeys: null,
    quarterStarts: indexQuarterStarts(reported),
    cutoff: null,
    haveOneShareBasis: createShareBasisCheck(chains, splits, asOf),
  };
  return addQuartersAndMetrics(reported, collectContradictedFigures(chains, asOf), scope);
}

/** Restricts the derivation to some periods and metrics. */
interface DerivationScope {
  /** Whether to derive only the figures of fiscal years. */
  readonly derivesOnlyYears: boolean;
  /** The needed metrics, including their inputs; null: all. */
  readonly neededKeys: ReadonlySet<string> | null;
  /**
   * Restricts derived quarters to these metrics and to quarters that end on this day or later. Default: all needed
   * quarters.
   */
  readonly quarters?: { readonly metricKeys: ReadonlySet<string>; readonly earliestEnd: string };
  /** The starts of the quarters that filings report, for all metrics. */
  readonly quarterStarts: StartLookup;
  readonly cutoff: MetricCutoff | null;
  /** Checks that split-adjusted inputs count the same shares; if absent, no EPS of fourth quarters is derived. */
  readonly haveOneShareBasis?: ShareBasisCheck;
}

/** Returns reported figures, and the quarters and metrics derived from reported figures. */
export function addQuartersAndMetrics(
  reported: readonly Figure[],
  contradicted: readonly Figure[],
  scope: DerivationScope,
): Figure[] {
  const { derivesOnlyYears, neededKeys, quarters, quarterStarts, cutoff } = scope;
  const preferredFigures = preferCoverCounts(reported);
  const selection = { neededKeys: quarters?.metricKeys ?? neededKeys, cutoff, earliestEnd: quarters?.earliestEnd };
  const ofPeriods = (derivesOnlyYears ? selectFiscalYearFigures(preferredFigures) : null) ?? [
    ...preferredFigures,
    ...deriveQuarters(reported, quarterStarts, selection),
  ];
  const inputs =
    quarters === undefined ? ofPeriods : ofPeriods.filter((figure) => isInputSince(quarters.earliestEnd, figure));
  const figures = [...ofPeriods, ...deriveMetrics(inputs, contradicted, neededKeys)];
  if (scope.haveOneShareBasis === undefined || derivesOnlyYears) return figures;
  return [...figures, ...deriveFourthQuarterEps(figures, quarterStarts, scope.haveOneShareBasis)];
}

/** Whether a figure is a year or a balance, or is a shorter period that ends on the day or later. */
const isInputSince = (day: string, { periodKind, start, end }: Figure): boolean =>
  start === null || periodKind === 'annual' || end >= day;

/** Fiscal years are longer than this number of days; derived quarters are shorter, even if filers shift the dates. */
const MIN_FISCAL_YEAR_DAYS = 200;

/**
 * Returns all years and balances, and figures with the dates of fiscal years: annual figures and their ratios are
 * derived only from these. Null if a fiscal year is hardly longer than a quarter, as after a change of the year end.
 */
function selectFiscalYearFigures(figures: readonly Figure[]): Figure[] | null {
  const years = figures.filter(({ fiscalPeriod }) => fiscalPeriod === 'FY');
  const isLong = ({ start, end }: Figure) => start === null || countDaysBetween(start, end) > MIN_FISCAL_YEAR_DAYS;
  if (!years.every(isLong)) return null;
  const toKey = ({ unit, start, end }: Figure) => `${unit} ${start} ${end}`;
  const yearKeys = new Set(years.map(toKey));
  const isYearOrBalance = ({ periodKind }: Figure) => periodKind === 'annual' || periodKind === 'instant';
  return figures.filter((figure) => isYearOrBalance(figure) || yearKeys.has(toKey(figure)));
}

export const readReportedFigures = (chains: RevisionChains, asOf: string | null, choice?: ValueChoice): Figure[] =>
  chains.map((chain) => readReportedFigure(chain, asOf, choice)).filter((figure) => figure !== null);

/** Returns the figure of a chain's current (or first) value; null if no reliable value was filed by the day. */
export function readReportedFigure(
  chain: readonly ReportedValue[],
  asOf: string | null,
  choice: ValueChoice = 'latest',
): Figure | null {
  const value = choice === 'first' ? findFirstReportedValue(chain, asOf) : selectValueAsOf(chain, asOf);
  return value === null ? null : toReportedFigure(value);
}

/**
 * Returns the figures whose reported values are all wrong according to the company's filings. Responses omit such
 * figures by default, and no other figure is derived from them.
 */
export const collectContradictedFigures = (chains: RevisionChains, asOf: string | null): Figure[] =>
  chains.map((chain) => findContradictedFigure(chain, asOf)).filter((figure) => figure !== null);

/**
 * Returns the figure of a chain if filings show that all values that were reported by the day are wrong; otherwise
 * null.
 */
export function findContradictedFigure(chain: readonly ReportedValue[], asOf: string | null): Figure | null {
  const source = findContradictedValue(chain, asOf);
  return source === null ? null : { isContradicted: true, ...toReportedFigure(source) };
}
