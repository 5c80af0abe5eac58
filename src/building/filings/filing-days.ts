/**
 * The tables of days, made year by year. Workers write what a day needs of each filing, by quarter, while they make
 * companies' lists; when all companies are done, the quarters of a year become its rows.
 */

import { compareNullsLast, compareText } from '../../contract/compare-text.ts';
import { isCurrentEventForm, isPeriodReport } from '../../edgar/filings/forms.ts';
import { reportedRevenue } from '../../figures/filings/reported-revenue.ts';
import type { ReportedValue } from '../../figures/revisions/revision-chain.ts';
import { getOrInsert, groupBy } from '../../platform/collections.ts';
import { dayNumber } from '../../platform/dates.ts';
import {
  type DayFiling,
  FILING_DAY_FORMS,
  FILING_DAY_LINES,
  FILING_DAYS,
  type FilingDay,
  type FilingRow,
} from '../../store/schema/filings.ts';
import { PartSink, type TablePart } from '../../store/table-part.ts';
import { readSliceBytes, type Slice } from '../tasks/slices.ts';

/** Distance between the keys of two years: so large that a spill puts each year into a file of its own. */
const KEYS_APART = 8192;
const FIRST_YEAR = 1900;

const QUARTERS = 4;
const LINE_END = 0x0a;

/** The key of a day's year. */
export function yearKey(day: string): number {
  return keyOfYear(Number(day.slice(0, 4)));
}

function keyOfYear(year: number): number {
  return Math.max(0, year - FIRST_YEAR) * KEYS_APART;
}

/** The sequential number of a day's quarter, across years. */
function quarterOf(day: string): number {
  return Number(day.slice(0, 4)) * QUARTERS + Math.floor((Number(day.slice(5, 7)) - 1) / 3);
}

/** One company's filings of a quarter by columns, which serialize several times faster than rows. */
interface QuarterFilings {
  readonly filed: readonly string[];
  readonly accession: readonly string[];
  readonly form: readonly string[];
  readonly acceptedAt: readonly (string | null)[];
  /** The rows of filings that a day shows; null for filings that it only counts. */
  readonly shown: readonly (DayFiling | null)[];
}

/**
 * A company's filings by quarter, each quarter as one line.
 * @param revenues the company's reported values of revenue
 */
export function linesByQuarter(
  rows: readonly FilingRow[],
  revenues: readonly ReportedValue[],
): (readonly [quarter: number, line: string])[] {
  return [...groupBy(rows, ({ filed }) => quarterOf(filed))].map(([quarter, own]) => {
    const columns: QuarterFilings = {
      filed: own.map(({ filed }) => filed),
      accession: own.map(({ accession }) => accession),
      form: own.map(({ form }) => form),
      acceptedAt: own.map(({ acceptedAt }) => acceptedAt),
      shown: own.map((row) =>
        isCurrentEventForm(row.form) || isPeriodReport(row.form) ? shownOf(row, revenues) : null,
      ),
    };
    return [quarter, `${JSON.stringify(columns)}\n`] as const;
  });
}

function shownOf(row: FilingRow, revenues: readonly ReportedValue[]): DayFiling {
  // `day` comes before the spread: V8 turns an object literal that begins with a spread into a dictionary, which is
  // twenty times slower.
  return { day: dayNumber(row.filed), ...row, ...reportedRevenue(row, revenues) };
}

export interface FilingDaysTask {
  readonly kind: 'filing days';
  /** A key made by `yearKey`. */
  readonly year: number;
  /** The quarters of the year in order, each with the lines of its companies, CIKs ascending. */
  readonly quarters: readonly (readonly Slice[])[];
}

/** Returns a task for each year with filings. */
export function filingDaysTasks(
  quarters: readonly { readonly number: number; readonly slices: readonly Slice[] }[],
): FilingDaysTask[] {
  const years = groupBy(quarters, ({ number }) => keyOfYear(Math.floor(number / QUARTERS)));
  return [...years].map(([year, own]) => ({ kind: 'filing days', year, quarters: own.map(({ slices }) => slices) }));
}

export interface FilingDaysPart {
  readonly parts: readonly TablePart[];
  /** Number of filings counted by the days, each once. */
  readonly filings: number;
}

export async function filingDaysOf({ year, quarters }: FilingDaysTask): Promise<FilingDaysPart> {
  const days = new PartSink(FILING_DAYS);
  const forms = new PartSink(FILING_DAY_FORMS);
  const lines = new PartSink(FILING_DAY_LINES);
  const list: FilingDay[] = [];
  for (const slices of quarters) {
    for (const day of daysOf(readSliceBytes(slices))) {
      const { date, companies, updatedAt } = day;
      const number = dayNumber(date);
      list.push({ date, filings: day.seen.size, companies, updatedAt });
      const byNumber = [...day.forms].sort(([a, one], [b, other]) => other - one || compareText(a, b));
      forms.add(
        number,
        byNumber.map(([form, filings]) => ({ day: number, form, filings })),
      );
      lines.add(number, day.lines.sort(earliestFirst));
    }
  }
  days.add(year, list);
  const filings = list.reduce((sum, day) => sum + day.filings, 0);
  return { parts: [days.done(), forms.done(), lines.done()], filings };
}

/** The counts and filings of a day while companies are added. */
class Day {
  /** Accession numbers so far. A filing of several companies counts once, with the first of them. */
  readonly seen = new Set<string>();
  readonly forms = new Map<string, number>();
  readonly lines: DayFiling[] = [];
  companies = 0;
  updatedAt: string | null = null;

  constructor(readonly date: string) {}
}

/** Reads the lines of a quarter and returns its days in order. */
function daysOf(lines: Buffer): Day[] {
  const days = new Map<string, Day>();
  for (let from = 0; from < lines.length; ) {
    const end = lines.indexOf(LINE_END, from);
    count(days, JSON.parse(lines.toString('utf8', from, end)) as QuarterFilings);
    from = end + 1;
  }
  return [...days.values()].sort((a, b) => compareText(a.date, b.date));
}

/** Adds one company's filings, which are sorted by day. */
function count(days: Map<string, Day>, { filed, accession, form, acceptedAt, shown }: QuarterFilings): void {
  let day: Day | undefined;
  for (let index = 0; index < accession.length; index++) {
    const date = filed[index] as string;
    const number = accession[index] as string;
    if (day?.date !== date) {
      day = getOrInsert(days, date, () => new Day(date));
      day.companies += 1;
    }
    if (day.seen.has(number)) continue;
    day.seen.add(number);
    const kind = form[index] as string;
    const accepted = acceptedAt[index] ?? null;
    const row = shown[index] ?? null;
    day.forms.set(kind, (day.forms.get(kind) ?? 0) + 1);
    if (accepted !== null && (day.updatedAt === null || accepted > day.updatedAt)) day.updatedAt = accepted;
    if (row !== null) day.lines.push(row);
  }
}

/** Filings without a time come last. */
function earliestFirst(a: DayFiling, b: DayFiling): number {
  return compareNullsLast(a.acceptedAt, b.acceptedAt) || compareText(a.accession, b.accession);
}
