/**
 * The tables of days, made year by year: the workers that make companies' lists leave lines of what a day needs of each
 * filing, and a year's lines become its rows once every company is there.
 */
import { readFile } from 'node:fs/promises';
import { isNews, isPeriodReport } from '../../../figures/filings/forms.ts';
import { reportedRevenue } from '../../../figures/filings/reported-revenue.ts';
import { pushTo } from '../../../figures/groups.ts';
import type { ReportedValue } from '../../../figures/revisions/revision-chain.ts';
import { dayNumber } from '../../../platform/dates.ts';
import {
  type DayFiling,
  FILING_DAY_FORMS,
  FILING_DAY_LINES,
  FILING_DAYS,
  type FilingDay,
  type FilingRow,
} from '../../schema/filings.ts';
import { compare, compareNullsLast } from '../../schema/table.ts';
import { joinCells, splitCells } from '../../store/spill.ts';
import { PartSink, type TablePart } from '../../store/table-part.ts';

/** What a day needs of a filing that it only counts. */
type CountedFiling = Pick<FilingRow, 'cik' | 'accession' | 'form' | 'filed' | 'acceptedAt'>;

/** Keys so far apart that a spill keeps each year in a file of its own. */
const KEYS_APART = 8192;
const FIRST_YEAR = 1900;

/** The key of a day's year. */
export function yearKey(day: string): number {
  return Math.max(0, Number(day.slice(0, 4)) - FIRST_YEAR) * KEYS_APART;
}

/**
 * A filing as a day's line, which ends it.
 * @param revenues the company's reported values of revenue
 */
export function lineOf(row: FilingRow, revenues: readonly ReportedValue[]): string {
  const { cik, accession, form, filed, acceptedAt } = row;
  const counted = [filed, String(cik), accession, form, acceptedAt ?? ''];
  if (!isNews(form) && !isPeriodReport(form)) return `${joinCells(counted)}\n`;
  const { timing, items, primaryDocument, reportDate, fiscalYear, fiscalPeriod, periodEnd } = row;
  const rest: Rest = {
    ...{ timing, items, primaryDocument, reportDate, fiscalYear, fiscalPeriod, periodEnd },
    ...reportedRevenue(row, revenues),
  };
  return `${joinCells([...counted, JSON.stringify(rest)])}\n`;
}

const COUNTED = ['filed', 'cik', 'accession', 'form', 'acceptedAt'] as const;
const WHOLE = [...COUNTED, 'rest'] as const;
/** What a day shows of a filing beside what it counts. */
type WholeFiling = Omit<DayFiling, 'day'>;
type Rest = Omit<WholeFiling, keyof CountedFiling>;

function filingOf(line: string): CountedFiling | WholeFiling {
  const isCounted = line.split('\t').length === COUNTED.length;
  const [filed, cik, accession, form, accepted, rest] = isCounted
    ? [...splitCells(line, COUNTED), null]
    : splitCells(line, WHOLE);
  const acceptedAt = accepted === '' ? null : accepted;
  const counted = { cik: Number(cik), accession, form, filed, acceptedAt };
  if (rest === null) return counted;
  return { ...counted, ...(JSON.parse(rest) as Rest) };
}

export interface FilingDaysTask {
  readonly kind: 'filing days';
  /** As `yearKey` gives it. */
  readonly year: number;
  /** The file of the year's lines, companies ascending. */
  readonly path: string;
}

export interface FilingDaysPart {
  readonly parts: readonly TablePart[];
  /** How many filings the days count, each once. */
  readonly filings: number;
}

export async function filingDaysOf({ year, path }: FilingDaysTask): Promise<FilingDaysPart> {
  const days = new PartSink(FILING_DAYS);
  const forms = new PartSink(FILING_DAY_FORMS);
  const lines = new PartSink(FILING_DAY_LINES);
  const list: FilingDay[] = [];
  let count = 0;
  for (const [date, ofDay] of byDay(await readFile(path, 'utf8'))) {
    const day = dayNumber(date);
    const filings = ofDay.map(filingOf);
    const once = [...new Map([...filings].reverse().map((filing) => [filing.accession, filing])).values()];
    count += once.length;
    list.push({
      date,
      filings: once.length,
      companies: new Set(filings.map(({ cik }) => cik)).size,
      updatedAt: latest(once),
    });
    forms.add(
      day,
      formsOf(once).map(([form, filings]) => ({ day, form, filings })),
    );
    lines.add(
      day,
      once
        .filter(isWhole)
        .sort(earliestFirst)
        .map((row) => ({ day, ...row })),
    );
  }
  days.add(year, list);
  return { parts: [days.done(), forms.done(), lines.done()], filings: count };
}

/** The lines of each day, days ascending. */
function byDay(text: string): [string, string[]][] {
  const days = new Map<string, string[]>();
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('\n', from);
    const line = text.slice(from, end);
    pushTo(days, line.slice(0, line.indexOf('\t')), line);
    from = end + 1;
  }
  return [...days].sort(([a], [b]) => compare(a, b));
}

function isWhole(filing: CountedFiling | WholeFiling): filing is WholeFiling {
  return 'items' in filing;
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
function earliestFirst(a: WholeFiling, b: WholeFiling): number {
  return compareNullsLast(a.acceptedAt, b.acceptedAt) || compare(a.accession, b.accession);
}
