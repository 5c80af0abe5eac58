/** Finds the facts that report each figure, and the reason why other facts are not used. */

import { compareDecimals, type Decimal, isEqual } from '../../contract/decimal-text.ts';
import type { Fact } from '../../edgar/facts/fact-row.ts';
import { classifyForm } from '../../edgar/filings/forms.ts';
import { getOrInsert } from '../../platform/collections.ts';
import { addDays, countDaysBetween, setEarliestDay } from '../../platform/dates.ts';
import type { FactSeries, PeriodFacts } from '../facts/fact-series.ts';
import type { FiscalCalendar } from '../facts/fiscal-calendar.ts';
import type { ConceptMapping } from '../metrics/concepts.ts';
import { fitsPeriod, fitsUnit, isOneDirectional } from '../metrics/metric-rules.ts';
import type { AlignedFact } from '../periods/align-periods.ts';
import type { PeriodKind } from '../periods/period-kind.ts';
import { PeriodMap } from '../periods/period-map.ts';
import { COVER_COUNT_NAME } from '../shares/cover-shares.ts';

/** A fact that may be the value of a metric. */
export interface Candidate {
  readonly fact: AlignedFact;
  readonly mapping: ConceptMapping;
  readonly kind: PeriodKind;
}

/**
 * Maximum number of days by which a period may end after the filing. Later periods are those of payment schedules, for
 * example of leases and debt, whose future payments are not values of a metric.
 */
const MAX_DAYS_AFTER_FILING = 45;
/** Minimum share count of a balance sheet; smaller counts such as 1, 100 or 1000 are placeholders. */
const MIN_SHARE_COUNT = '10000';
/**
 * CET1 ratios that law requires, with and without the buffer, or for a well-capitalized bank: 12 CFR 3.10, 3.11 and
 * 6.4.
 */
const REQUIRED_CET1_RATIOS: readonly Decimal[] = ['0.045', '0.065', '0.07'];

/** Returns the candidates of each figure, in the order in which the figures first occur in `series`. */
export function groupCandidates(
  series: readonly FactSeries[],
  calendar: FiscalCalendar,
  skip: (reason: string) => void,
): Candidate[][] {
  const accessionsWithCover = collectCoverAccessions(series);
  const isFirstDay = createFirstDayCheck(series);
  const groups: Candidate[][] = [];
  const byMetricAndUnit = new Map<string, PeriodMap<Candidate[]>>();
  for (const { mappings, unit, periods } of series) {
    for (const mapping of mappings) {
      const { metricKey } = mapping;
      const context = { mapping, unitFits: fitsUnit(metricKey, unit), calendar, accessionsWithCover, isFirstDay };
      const ofMetric = getOrInsert(byMetricAndUnit, `${metricKey} ${unit}`, () => new PeriodMap<Candidate[]>());
      for (const period of periods) {
        const candidates = selectCandidates(period, context, skip);
        const group = ofMetric.get(period);
        if (group !== undefined) for (const candidate of candidates) group.push(candidate);
        else if (candidates.length > 0) {
          ofMetric.set(period, candidates);
          groups.push(candidates);
        }
      }
    }
  }
  return groups;
}

/** Data to decide whether facts of one series are values of one metric. */
interface MappingContext {
  readonly mapping: ConceptMapping;
  readonly unitFits: boolean;
  readonly calendar: FiscalCalendar;
  /** Accession numbers of filings with a share count on the cover. */
  readonly accessionsWithCover: ReadonlySet<string>;
  readonly isFirstDay: (fact: Fact) => boolean;
}

function selectCandidates(
  { kind, facts }: PeriodFacts,
  mappingContext: MappingContext,
  skip: (reason: string) => void,
): Candidate[] {
  const candidates: Candidate[] = [];
  for (const fact of facts) {
    const reason = findReasonToSkip(fact, kind, mappingContext);
    if (reason !== null) skip(reason);
    else if (kind !== null) candidates.push({ fact, mapping: mappingContext.mapping, kind });
  }
  return candidates;
}

function collectCoverAccessions(series: readonly FactSeries[]): ReadonlySet<string> {
  const coverSeries = series.filter(({ concept }) => concept === COVER_COUNT_NAME);
  return new Set(coverSeries.flatMap(({ facts }) => facts.map(({ accession }) => accession)));
}

/**
 * Returns a function that tells whether a balance is of the first day of a period: by its filing day, filings have
 * stated a period that begins on the day, one that ends the day before, and none that ends on the day. Such a balance
 * is not of a balance sheet: after a change of accounting, filings state the opening balance, or only its change.
 */
function createFirstDayCheck(series: readonly FactSeries[]): (balance: Fact) => boolean {
  const filedByStart = new Map<string, string>();
  const filedByEnd = new Map<string, string>();
  for (const { start, end, kind, facts } of series.flatMap(({ periods }) => periods)) {
    if (start === null || kind === null) continue;
    const filed = facts.reduce((first, fact) => (fact.filed < first ? fact.filed : first), facts[0].filed);
    setEarliestDay(filedByStart, start, filed);
    setEarliestDay(filedByEnd, end, filed);
  }
  return ({ end: day, filed }) => {
    const isKnown = (filedByDay: ReadonlyMap<string, string>, date: string) => {
      const knownSince = filedByDay.get(date);
      return knownSince !== undefined && knownSince <= filed;
    };
    return isKnown(filedByStart, day) && isKnown(filedByEnd, addDays(day, -1)) && !isKnown(filedByEnd, day);
  };
}

const isRequiredOrPercent = (ratio: Decimal): boolean =>
  compareDecimals(ratio, '1') >= 0 || REQUIRED_CET1_RATIOS.some((required) => isEqual(ratio, required));

/** Returns the reason why a fact is not a value of the metric; null if the fact may be a value. */
function findReasonToSkip(
  fact: Fact,
  kind: PeriodKind | null,
  { mapping: { metricKey }, unitFits, calendar, accessionsWithCover, isFirstDay }: MappingContext,
): string | null {
  if (classifyForm(fact.form) === null) return 'a fact in a form that is not a financial report';
  if (kind === null) return 'a fact whose period is not a year, half year, nine months or quarter';
  if (!fitsPeriod(metricKey, kind)) return 'an amount of a period that lacks a start date, or a balance that has one';
  if (kind === 'instant' && fact.taxonomy !== 'dei' && isFirstDay(fact))
    return 'an opening balance, dated on the first day of a period';
  if (!unitFits) return 'a fact in a unit that does not fit the metric';
  if (fact.end > fact.filed && countDaysBetween(fact.filed, fact.end) > MAX_DAYS_AFTER_FILING)
    return 'a fact whose period ends after the filing date';
  if (isOneDirectional(metricKey) && compareDecimals(fact.value, '0') < 0)
    return 'a negative amount for a cost or payment';
  if (kind === 'annual' && calendar.labelPeriod(fact.end, kind).fiscalPeriod !== 'FY') {
    return 'twelve months that are not a fiscal year';
  }
  if (metricKey.startsWith('weighted_shares') && compareDecimals(fact.value, '0') <= 0)
    return 'an average number of shares that is zero or negative';
  if (metricKey === 'cet1_ratio' && isRequiredOrPercent(fact.value))
    return 'a CET1 ratio in percent, or the ratio that the law requires of banks';
  if (metricKey === 'common_shares_outstanding' && fact.taxonomy !== 'dei') {
    if (accessionsWithCover.has(fact.accession))
      return 'a share count of a balance sheet, in a filing whose cover page states the count';
    if (compareDecimals(fact.value, MIN_SHARE_COUNT) < 0) return 'a share count too small to be real';
  }
  return null;
}
