/** Which facts report which figures, and why the others report none. */

import { compareDecimals } from '../../contract/decimal-text.ts';
import type { Fact } from '../../edgar/facts/fact-row.ts';
import { dayNumber, daysBetween } from '../../platform/dates.ts';
import { formClass } from '../filings/forms.ts';
import { entryOf } from '../groups.ts';
import type { Mapping } from '../metrics/concepts.ts';
import { mappingsOf } from '../metrics/concepts.ts';
import { fitsPeriod, fitsUnit, isOneDirection } from '../metrics/metric-rules.ts';
import type { AlignedFact } from '../periods/align-periods.ts';
import type { FiscalCalendar } from '../periods/fiscal-calendar.ts';
import type { PeriodKind } from '../periods/period-kind.ts';
import { kindOfLength } from '../periods/period-kind.ts';

/** A fact as the value of a metric. */
export interface Candidate {
  readonly fact: AlignedFact;
  readonly mapping: Mapping;
  readonly kind: PeriodKind;
}

/** Lease and debt schedules tag future years; a report's own dates lie before its filing. */
const LATEST_END_DAYS = 45;
/** A share count of a balance sheet below this is a placeholder: 1, 100, 1000. */
const SMALLEST_COUNT = '10000';
const COVER_COUNT = 'EntityCommonStockSharesOutstanding';
/** More than any day number, so that a length and an end make one number. */
const DAYS = 2 ** 23;

/** A series of facts of one concept and unit, as values of one metric. */
interface ConceptSeries {
  readonly mapping: Mapping;
  readonly unitFits: boolean;
  /** Candidates of one metric and unit, by period. */
  readonly periods: Map<number, Candidate[]>;
}

/** The candidates of each figure, in the order of the figures' first facts. */
export function candidatesByFigure(
  facts: readonly AlignedFact[],
  calendar: FiscalCalendar,
  skip: (reason: string) => void,
): Candidate[][] {
  const covers = new Set<string>();
  for (const fact of facts) if (fact.concept === COVER_COUNT) covers.add(fact.accession);
  const figures: Candidate[][] = [];
  const metrics = new Map<string, ConceptSeries['periods']>();
  const seriesOf = ({ taxonomy, concept, unit }: Fact): ConceptSeries[] =>
    mappingsOf(taxonomy, concept).map((mapping) => ({
      mapping,
      unitFits: fitsUnit(mapping.metricKey, unit),
      periods: entryOf(metrics, `${mapping.metricKey} ${unit}`, () => new Map<number, Candidate[]>()),
    }));
  let series: readonly ConceptSeries[] = [];
  let last: Fact | undefined;
  for (const fact of facts) {
    // Facts come concept by concept.
    if (fact.concept !== last?.concept || fact.unit !== last.unit || fact.taxonomy !== last.taxonomy) {
      series = seriesOf(fact);
    }
    last = fact;
    const end = dayNumber(fact.end);
    const start = fact.start === null ? null : dayNumber(fact.start);
    const kind = start === null ? 'instant' : kindOfLength(end - start + 1);
    for (const { mapping, unitFits, periods } of series) {
      const reason = reasonToSkip(fact, mapping.metricKey, kind, unitFits, calendar, covers);
      if (reason !== null || kind === null) {
        if (reason !== null) skip(reason);
        continue;
      }
      const candidate = { fact, mapping, kind };
      const period = start === null ? end : (end - start + 1) * DAYS + end;
      const figure = periods.get(period);
      if (figure !== undefined) figure.push(candidate);
      else {
        const first = [candidate];
        periods.set(period, first);
        figures.push(first);
      }
    }
  }
  return figures;
}

/** Why a fact is not a value of the metric; null when it is. */
function reasonToSkip(
  fact: Fact,
  metricKey: string,
  kind: PeriodKind | null,
  unitFits: boolean,
  calendar: FiscalCalendar,
  covers: ReadonlySet<string>,
): string | null {
  if (formClass(fact.form) === null) return 'a form that does not report';
  if (kind === null) return 'a length that is no fiscal period';
  if (!fitsPeriod(metricKey, kind)) return 'a flow without a start, or a stock with one';
  if (!unitFits) return 'a unit that does not fit the metric';
  if (fact.end > fact.filed && daysBetween(fact.filed, fact.end) > LATEST_END_DAYS)
    return 'a period that ends after the filing';
  if (isOneDirection(metricKey) && compareDecimals(fact.value, '0') < 0)
    return 'a negative amount of a cost or payment';
  if (kind === 'annual' && calendar.label(fact.end, kind).fiscalPeriod !== 'FY') {
    return 'twelve months that are no fiscal year';
  }
  if (metricKey === 'common_shares_outstanding' && fact.taxonomy !== 'dei') {
    if (covers.has(fact.accession)) return 'a balance sheet count of a filing whose cover has one';
    if (compareDecimals(fact.value, SMALLEST_COUNT) < 0) return 'a placeholder for a share count';
  }
  return null;
}
