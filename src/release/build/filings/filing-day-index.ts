/** Gathers the filings of all companies by the day they were filed on, and writes the tables of days. */

import { isNews, isPeriodReport } from '../../../figures/filings/forms.ts';
import { dayNumber } from '../../../platform/dates.ts';
import {
  FILING_DAY_FORMS,
  FILING_DAY_LINES,
  FILING_DAYS,
  type FilingDay,
  type FilingRow,
} from '../../schema/filings.ts';
import { compare } from '../../schema/row-order.ts';
import { Spill } from '../../store/spill.ts';
import type { FamilyContext } from '../family.ts';

/** What a day needs of a filing that is only counted. */
type Slip = Pick<FilingRow, 'cik' | 'accession' | 'form' | 'filed' | 'acceptedAt'>;

/** Years stand so far apart that each is spilled, and later held, by itself. */
const APART = 8192;
const FIRST_YEAR = 1900;

/** The number under which the filings of a year are spilled. */
export function yearKey(day: string): number {
  return Math.max(0, Number(day.slice(0, 4)) - FIRST_YEAR) * APART;
}

export class FilingDayIndex {
  readonly #years: Spill<Slip | FilingRow>;

  constructor(scratch: string) {
    this.#years = new Spill(scratch);
  }

  add(rows: readonly FilingRow[]): void {
    for (const row of rows) {
      const { cik, accession, form, filed, acceptedAt } = row;
      const whole = isNews(form) || isPeriodReport(form);
      this.#years.add(yearKey(filed), whole ? row : { cik, accession, form, filed, acceptedAt });
    }
  }

  /** Returns how many filings the days hold, each once. */
  write(sink: FamilyContext['sink']): number {
    let filings = 0;
    for (const [year, slips] of this.#years.groups()) {
      const days: FilingDay[] = [];
      for (const [date, list] of byDay(slips)) {
        const day = dayNumber(date);
        const once = [...new Map([...list].reverse().map((slip) => [slip.accession, slip])).values()];
        filings += once.length;
        days.push({
          date,
          filings: once.length,
          companies: new Set(list.map(({ cik }) => cik)).size,
          updatedAt: latest(once),
        });
        sink(FILING_DAY_FORMS).add(
          day,
          formsOf(once).map(([form, count]) => ({ day, form, filings: count })),
        );
        sink(FILING_DAY_LINES).add(
          day,
          once
            .filter(isWhole)
            .sort(earliestFirst)
            .map((row) => ({ day, ...row })),
        );
      }
      sink(FILING_DAYS).add(year, days);
    }
    return filings;
  }
}

function isWhole(slip: Slip | FilingRow): slip is FilingRow {
  return 'items' in slip;
}

function byDay<Row extends Slip>(slips: readonly Row[]): (readonly [string, readonly Row[]])[] {
  const days = new Map<string, Row[]>();
  for (const slip of slips) {
    const day = days.get(slip.filed) ?? [];
    if (day.length === 0) days.set(slip.filed, day);
    day.push(slip);
  }
  return [...days].sort(([a], [b]) => compare(a, b));
}

function formsOf(slips: readonly Slip[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const { form } of slips) counts.set(form, (counts.get(form) ?? 0) + 1);
  return [...counts].sort(([a, one], [b, other]) => other - one || compare(a, b));
}

function latest(slips: readonly Slip[]): string | null {
  return slips.reduce<string | null>(
    (last, { acceptedAt }) => (acceptedAt !== null && (last === null || acceptedAt > last) ? acceptedAt : last),
    null,
  );
}

/** What has no time comes last. */
function earliestFirst(a: FilingRow, b: FilingRow): number {
  return compare(a.acceptedAt ?? '9', b.acceptedAt ?? '9') || compare(a.accession, b.accession);
}
