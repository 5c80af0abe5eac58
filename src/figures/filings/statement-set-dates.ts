/**
 * Exact dates for a data set's rounded ones.
 *
 * The older sets round dates to the end of a month and lengths to quarters. The company facts of the same filing have
 * exact periods, almost always one that rounds to the same. Facts without a match are left out.
 */
import type { StatementSetFact, StatementSetReport } from '../../edgar/facts/statement-set.ts';
import type { FiledReport, TaggedFact } from '../../edgar/reports/tagged-report.ts';
import { getOrInsert } from '../../platform/collections.ts';
import { addDays, dayNumber, dayOfNumber, daysBetween } from '../../platform/dates.ts';

/** A period of a filing, to the day. */
export interface KnownPeriod {
  readonly start: string | null;
  readonly end: string;
}

/** The set's report with exact dates; `known` are the periods of the same filing. */
export function withExactDates(report: StatementSetReport, known: readonly KnownPeriod[]): FiledReport {
  const periods = new Map<string, Map<string, { period: KnownPeriod; count: number }>>();
  for (const period of known) {
    const key = `${monthEnd(period.end)} ${quartersOf(period)}`;
    const candidates = getOrInsert(periods, key, () => new Map<string, { period: KnownPeriod; count: number }>());
    const name = `${period.start} ${period.end}`;
    candidates.set(name, { period, count: (candidates.get(name)?.count ?? 0) + 1 });
  }
  // Of several that round to one, the filing's most frequent: a stray date is used once or twice.
  const recover = (fact: StatementSetFact): KnownPeriod | null => {
    const candidates = periods.get(`${fact.roundedEnd} ${fact.quarters}`);
    if (candidates === undefined) return null;
    return [...candidates.values()].sort((a, b) => b.count - a.count)[0]?.period ?? null;
  };
  const facts: TaggedFact[] = [];
  let lost = 0;
  for (const fact of report.facts) {
    const period = fact.exact ?? recover(fact);
    if (period === null) lost += 1;
    else {
      const { concept, unit, value, decimals, dimensions } = fact;
      facts.push({ concept, unit, value, decimals, dimensions, start: period.start, end: period.end, place: null });
    }
  }
  const { cik, form, accession, filed, focusYear, focusPeriod } = report;
  return {
    kind: 'data_set',
    cik,
    form,
    accession,
    filed,
    focusYear,
    focusPeriod,
    periodEnd: report.roundedPeriod,
    document: null,
    labels: new Map(),
    cover: [],
    facts,
    skipped: lost === 0 ? {} : { 'a row of a data set whose exact dates are not known': lost },
  };
}

/** The end of a month that is nearest to a day. */
function monthEnd(day: string): string {
  const first = `${day.slice(0, 7)}-01`;
  const before = addDays(first, -1);
  const month = `${addDays(first, 31).slice(0, 7)}-01`;
  const after = dayOfNumber(dayNumber(month) - 1);
  return daysBetween(before, day) < daysBetween(day, after) ? before : after;
}

function quartersOf({ start, end }: KnownPeriod): number {
  return start === null ? 0 : Math.round((daysBetween(start, end) + 1) / 91.25);
}
