/**
 * Makes the tables of filings by day, year by year. While companies are derived, workers write the filings of each
 * company by quarter. Afterwards, one task per year reads its quarters and makes the rows.
 */

import { compareNullsLast, compareText } from '../../contract/compare-text.ts';
import { FORMS_LISTED_IF_NAMED } from '../../contract/parameters.ts';
import { isCurrentEventForm, isPeriodicReportForm } from '../../edgar/filings/forms.ts';
import { findReportedRevenue } from '../../figures/filings/reported-revenue.ts';
import type { ReportedValue } from '../../figures/revisions/revision-chain.ts';
import { getOrInsert, groupBy } from '../../platform/collections.ts';
import { toDayNumber } from '../../platform/dates.ts';
import type { FilingByDayRow, FilingDayTotals, FilingRow } from '../../store/schema/filings.ts';
import { FILING_DAY_FORMS, FILING_DAYS, FILINGS_BY_DAY } from '../../store/schema/filings.ts';
import { PartSink, type TablePart } from '../../store/table-part.ts';
import { readJsonLines, type Slice } from '../tasks/slices.ts';
import type { Task } from '../tasks/task.ts';

/** Difference of the table keys of consecutive years. */
const KEYS_PER_YEAR = 8192;
const FIRST_YEAR = 1900;

const QUARTERS_PER_YEAR = 4;

/** Returns the table key of a day's year: rows of days are grouped by year. */
export const getYearKeyOfDay = (day: string): number => computeYearKey(Number(day.slice(0, 4)));

const computeYearKey = (year: number): number => Math.max(0, year - FIRST_YEAR) * KEYS_PER_YEAR;

/** Returns a sequential number for the quarter of a day. */
const computeQuarterNumber = (day: string): number =>
  Number(day.slice(0, 4)) * QUARTERS_PER_YEAR + Math.floor((Number(day.slice(5, 7)) - 1) / 3);

/** A company's filings in one quarter, as columns, which are serialized several times faster than rows. */
interface QuarterFilings {
  readonly filingDays: readonly string[];
  readonly accessionNumbers: readonly string[];
  readonly formTypes: readonly string[];
  readonly acceptanceTimes: readonly (string | null)[];
  /**
   * For each filing, its row in the day's list; null for forms that are only counted.
   */
  readonly listedFilings: readonly (FilingByDayRow | null)[];
}

/**
 * Returns a company's filings as one line per quarter.
 * @param values the company's reported values of revenue
 */
export const makeQuarterLines = (rows: readonly FilingRow[], values: readonly ReportedValue[]) =>
  [...groupBy(rows, ({ filed }) => computeQuarterNumber(filed))].map(([quarter, rows]) => {
    const filings: QuarterFilings = {
      filingDays: rows.map(({ filed }) => filed),
      accessionNumbers: rows.map(({ accession }) => accession),
      formTypes: rows.map(({ form }) => form),
      acceptanceTimes: rows.map(({ acceptedAt }) => acceptedAt),
      listedFilings: rows.map((row) => (isListed(row.form) ? makeFilingByDayRow(row, values) : null)),
    };
    return [quarter, `${JSON.stringify(filings)}\n`] as const;
  });

const isListed = (form: string): boolean =>
  isCurrentEventForm(form) || isPeriodicReportForm(form) || FORMS_LISTED_IF_NAMED.has(form);

function makeFilingByDayRow(row: FilingRow, revenues: readonly ReportedValue[]): FilingByDayRow {
  // `day` must come first: an object literal that begins with a spread is twenty times slower in V8.
  return { day: toDayNumber(row.filed), ...row, ...findReportedRevenue(row, revenues) };
}

export interface FilingDaysTask extends Task<FilingDaysPart> {
  readonly kind: 'filing days';
  /** The key of the year, as returned by `getYearKeyOfDay`. */
  readonly yearKey: number;
  /** The filings of each quarter, as written by `makeQuarterLines`; quarters in order, companies by ascending CIK. */
  readonly quarters: readonly (readonly Slice[])[];
}

/** Returns one task per year with filings. */
export function makeFilingDaysTasks(
  quarters: readonly { readonly number: number; readonly slices: readonly Slice[] }[],
): FilingDaysTask[] {
  const byYear = groupBy(quarters, ({ number }) => computeYearKey(Math.floor(number / QUARTERS_PER_YEAR)));
  return [...byYear].map(([yearKey, ofYear]) => {
    return { kind: 'filing days', yearKey, quarters: ofYear.map(({ slices }) => slices) };
  });
}

interface FilingDaysPart {
  readonly parts: readonly TablePart[];
  /** Number of filings on all days; a filing with several companies counts once. */
  readonly filings: number;
}

export async function makeFilingDays({ yearKey, quarters }: FilingDaysTask): Promise<FilingDaysPart> {
  const daySink = new PartSink(FILING_DAYS);
  const formSink = new PartSink(FILING_DAY_FORMS);
  const filingSink = new PartSink(FILINGS_BY_DAY);
  const days: FilingDayTotals[] = [];
  for (const slices of quarters) {
    for (const counts of readDayCounts(slices)) {
      const { date, companies, updatedAt } = counts;
      const day = toDayNumber(date);
      days.push({ date, filings: counts.accessions.size, companies, updatedAt });
      const forms = [...counts.countByForm].map(([form, filings]) => ({ day, form, filings }));
      forms.sort((a, b) => b.filings - a.filings || compareText(a.form, b.form));
      formSink.add(day, forms);
      filingSink.add(day, counts.lines.sort(compareEarliestFirst));
    }
  }
  daySink.add(yearKey, days);
  const filingCount = days.reduce((sum, day) => sum + day.filings, 0);
  return { parts: [daySink.finish(), formSink.finish(), filingSink.finish()], filings: filingCount };
}

class DayCounts {
  /** Accession numbers counted so far: a filing with several companies is counted once, for the first company. */
  readonly accessions = new Set<string>();
  readonly countByForm = new Map<string, number>();
  readonly lines: FilingByDayRow[] = [];
  companies = 0;
  updatedAt: string | null = null;

  constructor(readonly date: string) {}
}

/** Returns the filings of each day and their counts, in chronological order, from the slices of a quarter. */
function readDayCounts(slices: readonly Slice[]): DayCounts[] {
  const byDay = new Map<string, DayCounts>();
  for (const filings of readJsonLines<QuarterFilings>(slices)) addQuarterFilings(byDay, filings);
  return [...byDay.values()].sort((a, b) => compareText(a.date, b.date));
}

/** Adds a company's filings, which must be sorted by day. */
function addQuarterFilings(
  byDate: Map<string, DayCounts>,
  { filingDays, accessionNumbers, formTypes, acceptanceTimes, listedFilings }: QuarterFilings,
): void {
  let day: DayCounts | undefined;
  for (let index = 0; index < accessionNumbers.length; index++) {
    const date = filingDays[index] as string;
    const number = accessionNumbers[index] as string;
    if (day?.date !== date) {
      day = getOrInsert(byDate, date, () => new DayCounts(date));
      day.companies += 1;
    }
    const formType = formTypes[index] as string;
    const listed = listedFilings[index] ?? null;
    if (day.accessions.has(number)) {
      // A 13D names an owner and a company: it is listed for both if the owner is a company of the release, too.
      if (listed !== null && FORMS_LISTED_IF_NAMED.has(formType)) day.lines.push(listed);
      continue;
    }
    day.accessions.add(number);
    const time = acceptanceTimes[index] ?? null;
    day.countByForm.set(formType, (day.countByForm.get(formType) ?? 0) + 1);
    if (time !== null && (day.updatedAt === null || time > day.updatedAt)) day.updatedAt = time;
    if (listed !== null) day.lines.push(listed);
  }
}

/** Sorts filings without an acceptance time last. */
const compareEarliestFirst = (a: FilingByDayRow, b: FilingByDayRow): number =>
  compareNullsLast(a.acceptedAt, b.acceptedAt) || compareText(a.accession, b.accession);
