import { isNews, isPeriodReport } from '../../../figures/filings/forms.ts';
import { pushTo } from '../../../figures/groups.ts';
import { dayNumber } from '../../../platform/dates.ts';
import {
  FILING_DAY_FORMS,
  FILING_DAY_LINES,
  FILING_DAYS,
  type FilingDay,
  type FilingRow,
} from '../../schema/filings.ts';
import { compare, compareNullsLast } from '../../schema/table.ts';
import { Spill } from '../../store/spill.ts';
import type { FamilyContext } from '../family.ts';

/** What a day needs of a filing that it only counts. */
type CountedFiling = Pick<FilingRow, 'cik' | 'accession' | 'form' | 'filed' | 'acceptedAt'>;

/** Keys so far apart that each year is spilled to a file of its own, and read by itself. */
const KEYS_APART = 8192;
const FIRST_YEAR = 1900;

/** The key under which the filings of a day's year are spilled. */
export function yearKey(day: string): number {
  return Math.max(0, Number(day.slice(0, 4)) - FIRST_YEAR) * KEYS_APART;
}

/** Collects the filings of all companies by the day they were filed, and writes the tables of days. */
export class FilingDayIndex {
  readonly #years: Spill<CountedFiling | FilingRow>;

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

  /** Returns how many filings the days count, each once. */
  write(sink: FamilyContext['sink']): number {
    let count = 0;
    for (const [year, filings] of this.#years.groups()) {
      const days: FilingDay[] = [];
      for (const [date, list] of byDay(filings)) {
        const day = dayNumber(date);
        const once = [...new Map([...list].reverse().map((filing) => [filing.accession, filing])).values()];
        count += once.length;
        days.push({
          date,
          filings: once.length,
          companies: new Set(list.map(({ cik }) => cik)).size,
          updatedAt: latest(once),
        });
        sink(FILING_DAY_FORMS).add(
          day,
          formsOf(once).map(([form, filings]) => ({ day, form, filings })),
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
    return count;
  }
}

function isWhole(filing: CountedFiling | FilingRow): filing is FilingRow {
  return 'items' in filing;
}

function byDay<Row extends CountedFiling>(filings: readonly Row[]): (readonly [string, readonly Row[]])[] {
  const days = new Map<string, Row[]>();
  for (const filing of filings) pushTo(days, filing.filed, filing);
  return [...days].sort(([a], [b]) => compare(a, b));
}

function formsOf(filings: readonly CountedFiling[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const { form } of filings) counts.set(form, (counts.get(form) ?? 0) + 1);
  return [...counts].sort(([a, one], [b, other]) => other - one || compare(a, b));
}

function latest(filings: readonly CountedFiling[]): string | null {
  return filings.reduce<string | null>(
    (last, { acceptedAt }) => (acceptedAt !== null && (last === null || acceptedAt > last) ? acceptedAt : last),
    null,
  );
}

/** Filings without a time come last. */
function earliestFirst(a: FilingRow, b: FilingRow): number {
  return compareNullsLast(a.acceptedAt, b.acceptedAt) || compare(a.accession, b.accession);
}
