/**
 * Reads the facts of selected companies from a Financial Statement Data Set or a Financial Statement and Notes set: the
 * tables `sub`, `num` and, in the notes sets, `dim`. Columns and file names differ by year. Rows are streamed, because
 * a set has millions of rows.
 */
import { compareText } from '../../contract/compare-text.ts';
import { type Decimal, parseDecimal, trimTrailingZeros } from '../../contract/decimal-text.ts';
import { countDaysBetween } from '../../platform/dates.ts';
import type { Archive } from '../files/archive.ts';
import { type DelimitedRow, findTableName, readTable } from '../files/delimited.ts';
import { parseDay, parseSic, toCik } from '../files/fields.ts';
import { SkippedRowCounts } from '../files/skipped-rows.ts';
import type { Dimension } from './fact-row.ts';

export interface StatementSetReport {
  readonly accession: string;
  readonly cik: number;
  /** The registrant's name; null if the set lacks a name. */
  readonly name: string | null;
  /** The registrant's industry code, of four digits; null if the set lacks a code. */
  readonly sic: string | null;
  readonly form: string;
  readonly filed: string;
  /** New York time at which the filing was accepted, as the set states it; null if the set lacks a time. */
  readonly accepted: string | null;
  /** End of the report's period, rounded to the end of a month; null if the set lacks a period. */
  readonly roundedPeriod: string | null;
  /** Exact end of the report's period, from the name of the instance document; null if the name lacks a date. */
  readonly periodEnd: string | null;
  readonly focusYear: number | null;
  readonly focusPeriod: string | null;
  readonly facts: readonly StatementSetFact[];
}

/**
 * Selects facts of a set. `wantsFact` decides on each fact. The other methods only exclude most rows earlier, to save
 * time.
 */
interface StatementSetFilter {
  wantsCompany(cik: number): boolean;
  /** Whether to read facts with this tag (without prefix). Called for every row, so it must be fast. */
  wantsTag(tag: string): boolean;
  /**
   * Whether to read facts with these dimensions. Called for every combination of dimensions, up to a million per set.
   */
  wantsDimensions(dimensions: readonly Dimension[]): boolean;
  wantsFact(concept: string, dimensions: readonly Dimension[]): boolean;
}

/** The zip of a set, and the counts of its bad rows. */
interface SetSource {
  readonly archive: Archive;
  readonly skipped: SkippedRowCounts;
}

/**
 * Maximum number of facts in memory. The facts of one report are spread over the whole file, because rows are sorted
 * by tag. Keeping all facts until the end would take half a gigabyte.
 */
const MAX_BUFFERED_FACTS = 200_000;

/** The companies and the filing days of a set, both ascending and without duplicates. */
export interface StatementSetFilers {
  readonly ciks: readonly number[];
  readonly filingDays: readonly string[];
}

/** Reads which companies filed the reports of the set, and on which days. Throws TableError and ArchiveError. */
export async function readFilers(archive: Archive): Promise<StatementSetFilers> {
  const ciks = new Set<number>();
  const days = new Set<string>();
  for await (const row of readRows({ archive, skipped: new SkippedRowCounts() }, 'sub', ['cik', 'filed'])) {
    const cik = toCik(row.cik);
    const day = parseDay(row.filed);
    if (cik === null || day === null) continue;
    ciks.add(cik);
    days.add(day);
  }
  return { ciks: [...ciks].sort((a, b) => a - b), filingDays: [...days].sort(compareText) };
}

/**
 * Passes the reports of a set to `onReport`. A report may be passed several times, each time with other facts. Skips
 * bad rows.
 * @returns number of skipped rows, by reason
 * @throws TableError if a table lacks a required column, ArchiveError if a member is damaged
 */
export async function readStatementSet(
  archive: Archive,
  filter: StatementSetFilter,
  onReport: (report: StatementSetReport) => void,
): Promise<Readonly<Record<string, number>>> {
  const skipped = new SkippedRowCounts();
  const source = { archive, skipped };
  const reports = await readReports(source, filter);
  if (reports.size === 0) return skipped.getCounts();
  const readRowDimensions = await createDimensionReader(source, filter);
  let factCount = 0;
  const passReports = () => {
    for (const report of reports.values()) {
      if (report.facts.length === 0 && report.wasPassed) continue;
      onReport({ ...report.header, facts: report.facts });
      report.facts = [];
      report.wasPassed = true;
    }
    factCount = 0;
  };
  const tagFilter = { column: 'tag', accepts: filter.wantsTag } as const;
  for await (const row of readRows(source, 'num', NUM_COLUMNS, MORE_NUM_COLUMNS, tagFilter)) {
    const report = reports.get(row.adsh);
    // Skips facts of co-registrants, and less precise duplicates of a fact.
    if (report === undefined || row.coreg !== '' || (row.iprx !== '' && row.iprx !== '0')) continue;
    const dimensions = readRowDimensions(row);
    if (dimensions === 'unwanted') continue;
    if (dimensions === null) {
      skipped.add('a value whose dimensions are truncated or missing');
      continue;
    }
    const fact = readFact(row, dimensions, report.prefix);
    if (typeof fact === 'string') skipped.add(fact);
    else if (filter.wantsFact(fact.concept, dimensions)) {
      report.facts.push(fact);
      factCount += 1;
      if (factCount >= MAX_BUFFERED_FACTS) passReports();
    }
  }
  passReports();
  return skipped.getCounts();
}

/** Yields the rows of a table of the set, which may be divided into several members. */
async function* readRows<R extends string, O extends string = never>(
  { archive, skipped }: SetSource,
  table: string,
  required: readonly R[],
  optional: readonly O[] = [],
  filter?: { readonly column: R; accepts(cell: string): boolean },
): AsyncGenerator<DelimitedRow<R | O>> {
  const options = { required, optional, skipped, ...(filter && { rowFilter: filter }) };
  for (const fileName of archive.names.filter((name) => findTableName(name) === table))
    for await (const rows of readTable(archive, fileName, options)) yield* rows;
}

/** A report whose facts are still being read. */
interface BufferedReport {
  readonly header: Omit<StatementSetReport, 'facts'>;
  /** The prefix of the filer's custom concepts. */
  readonly prefix: string;
  facts: StatementSetFact[];
  wasPassed: boolean;
}

/** Returns the wanted reports by accession number. */
async function readReports(source: SetSource, filter: StatementSetFilter) {
  const reports = new Map<string, BufferedReport>();
  const optional = ['name', 'sic', 'period', 'fy', 'fp', 'accepted', 'instance'] as const;
  for await (const row of readRows(source, 'sub', ['adsh', 'cik', 'form', 'filed'], optional)) {
    const cik = toCik(row.cik);
    const day = parseDay(row.filed);
    if (cik === null || day === null || row.form === '')
      source.skipped.add('a submission without a valid CIK, form type or filing date');
    else if (filter.wantsCompany(cik)) {
      const roundedPeriod = parseDay(row.period.replace(/\.0$/, ''));
      const header = {
        accession: row.adsh,
        cik,
        name: row.name === '' ? null : row.name,
        sic: parseSic(row.sic),
        form: row.form,
        filed: day,
        accepted: row.accepted === '' ? null : row.accepted,
        roundedPeriod,
        periodEnd: findPeriodEnd(row.instance, roundedPeriod),
        focusYear: /^\d{4}(?:\.0)?$/.test(row.fy) ? Number(row.fy.slice(0, 4)) : null,
        focusPeriod: row.fp === '' ? null : row.fp.toUpperCase(),
      };
      // The set preserves the prefix of the filer's custom concepts only in the name of the instance document.
      const prefix = /^([A-Za-z][\w]*?)-\d{8}/.exec(row.instance)?.[1]?.toLowerCase() ?? 'custom';
      reports.set(row.adsh, { header, prefix, facts: [], wasPassed: false });
    }
  }
  return reports;
}

const MAX_ROUNDING_DAYS = 16;

/**
 * Returns the exact end of the report's period, from the name of the instance document (rost-20100501.xml); null if the
 * name has no date near the rounded end.
 */
function findPeriodEnd(name: string, roundedPeriod: string | null): string | null {
  const end = parseDay(/[-_](\d{8})(?:\D|$)/.exec(name)?.[1] ?? '');
  if (end === null || roundedPeriod === null) return null;
  return Math.abs(countDaysBetween(end, roundedPeriod)) <= MAX_ROUNDING_DAYS ? end : null;
}

/** `unwanted`: the filter rejected the dimensions. Null: the dimensions are truncated or missing. */
type RowDimensions = readonly Dimension[] | 'unwanted' | null;

/**
 * Returns a function that reads the dimensions of a row of `num`. They are in its column `segments`, or in the row of
 * the table `dim` with the same hash (`dimh`).
 */
async function createDimensionReader(
  source: SetSource,
  filter: StatementSetFilter,
): Promise<(row: { readonly segments: string; readonly dimh: string }) => RowDimensions> {
  const byHash = new Map<string, readonly Dimension[] | null>([['0x00000000', []]]);
  let hasTable = false;
  for await (const row of readRows(source, 'dim', ['segments'], ['dimh', 'dimhash', 'segt'])) {
    hasTable = true;
    const dimensions = row.segt === '1' ? null : readDimensions(row.segments);
    if (dimensions === null || filter.wantsDimensions(dimensions)) byHash.set(row.dimh || row.dimhash, dimensions);
  }
  return ({ segments, dimh }) => {
    if (dimh === '') return readDimensions(segments);
    const dimensions = byHash.get(dimh);
    return dimensions === undefined && hasTable ? 'unwanted' : (dimensions ?? null);
  };
}

export interface StatementSetFact {
  /** Concept with its prefix: `us-gaap:Revenues`. */
  readonly concept: string;
  readonly unit: string;
  readonly value: Decimal;
  readonly decimals: number | null;
  /** Axes and members in the set's short form: without prefixes and without the suffixes Axis and Member. */
  readonly dimensions: readonly Dimension[];
  /** The end of the period, rounded to the end of a month. */
  readonly roundedEnd: string;
  /** The length of the period in quarters, rounded; 0 for an instant. */
  readonly quarters: number;
  /** The exact dates, if the set states its rounding differences; `start` is null for an instant. */
  readonly exactDates: { readonly start: string | null; readonly end: string } | null;
}

const NUM_COLUMNS = ['adsh', 'tag', 'version', 'ddate', 'qtrs', 'uom', 'value'] as const;
const MORE_NUM_COLUMNS = ['segments', 'dimh', 'coreg', 'durp', 'datp', 'dcml', 'iprx'] as const;
type NumTableRow = DelimitedRow<(typeof NUM_COLUMNS)[number] | (typeof MORE_NUM_COLUMNS)[number]>;

const DAYS_PER_QUARTER = 91.25;
const MS_PER_DAY = 86_400_000;
const EXACT_DECIMALS = '32767';

/** Returns the fact, or the reason for skipping the row. `prefix` is the prefix of the filer's custom concepts. */
function readFact(row: NumTableRow, dimensions: readonly Dimension[], prefix: string): StatementSetFact | string {
  if (row.value === '') return 'a tagged figure without a value (nil)';
  const value = row.value.length > 100 ? null : parsePaddedValue(row.value, row.dcml);
  if (value === null) return 'a tagged figure that is not a number';
  const roundedEnd = parseDay(row.ddate);
  const quarters = /^\d{1,3}$/.test(row.qtrs) ? Number(row.qtrs) : null;
  if (roundedEnd === null || quarters === null) return 'a tagged figure without a valid period';
  return {
    concept: `${findPrefix(row.version, prefix)}:${row.tag}`,
    unit: row.uom,
    value,
    decimals: row.dcml === '' || row.dcml === EXACT_DECIMALS || !/^-?\d{1,3}$/.test(row.dcml) ? null : Number(row.dcml),
    dimensions,
    roundedEnd,
    quarters,
    exactDates: computeExactDates(roundedEnd, quarters, row.durp, row.datp),
  };
}

/** Parses `EquityComponents=CommonStock;LegalEntity=X;`. An axis without a member is a typed dimension. */
const readDimensions = (segments: string): readonly Dimension[] =>
  segments
    .split(';')
    .filter((segment) => segment.trim() !== '')
    .map((segment) => {
      const [axis = '', member = ''] = segment.split('=');
      return { axis: axis.trim(), member: member.trim() === '' ? null : member.trim() };
    })
    .sort((a, b) => (a.axis < b.axis ? -1 : 1));

/** Removes the zeros with which sets pad values to four decimals: "2.5000" is "2.50" if `code` is "2". */
function parsePaddedValue(text: string, code: string): Decimal | null {
  const value = parseDecimal(text);
  if (value === null || !value.includes('.')) return value;
  const shortValue = trimTrailingZeros(value);
  const places = /^[1-4]$/.test(code) ? Number(code) : 0;
  const [digits = '', fraction = ''] = (shortValue === '-' || shortValue === '-0' ? '0' : shortValue).split('.');
  const decimals = fraction.padEnd(places, '0');
  return decimals === '' ? digits : `${digits}.${decimals}`;
}

function findPrefix(version: string, custom: string): string {
  const taxonomy = /^([a-z][a-z-]*)\/\d{4}/i.exec(version)?.[1]?.toLowerCase();
  return taxonomy === undefined ? custom : taxonomy === 'ifrs' ? 'ifrs-full' : taxonomy;
}

/**
 * Returns the exact dates of a period; null if the rounding differences are missing or invalid.
 * @param durationError the number of quarters that rounding added to the duration, such as 0.02
 * @param dateError the number of days that rounding added to the end
 */
function computeExactDates(roundedEnd: string, quarters: number, durationError: string, dateError: string) {
  if (durationError === '' || dateError === '') return null;
  const [addedQuarters, addedDays] = [Number(durationError), Number(dateError)];
  if (!Number.isFinite(addedQuarters) || !Number.isFinite(addedDays) || Math.abs(addedDays) > 31) return null;
  const endMs = Date.parse(`${roundedEnd}T00:00:00Z`) - Math.round(addedDays) * MS_PER_DAY;
  const dayCount = Math.round((quarters - addedQuarters) * DAYS_PER_QUARTER);
  const formatDay = (timeMs: number) => new Date(timeMs).toISOString().slice(0, 10);
  return { start: quarters === 0 ? null : formatDay(endMs - dayCount * MS_PER_DAY), end: formatDay(endMs) };
}
