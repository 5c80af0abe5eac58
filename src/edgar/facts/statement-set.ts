/**
 * Reads the facts of selected companies from a Financial Statement Data Set or a Financial Statement and Notes set: the
 * tables `sub`, `num` and, in the notes sets, `dim`. Columns and file names differ by year. Rows are streamed, because
 * a set has millions of rows.
 */
import { compareText } from '../../contract/compare-text.ts';
import { type Decimal, parseDecimal } from '../../contract/decimal-text.ts';
import { countDaysBetween } from '../../platform/dates.ts';
import type { Archive } from '../files/archive.ts';
import { toCik } from '../files/cik.ts';
import { type DelimitedRow, readTable } from '../files/delimited.ts';
import { parseDay } from '../files/parse-day.ts';
import { parseSic } from '../files/parse-sic.ts';
import { findTableName } from '../files/set-tables.ts';
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
  for await (const row of new StatementSetTables(archive, new SkippedRowCounts()).readRows('sub', ['cik', 'filed'])) {
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
  const skippedRowCounts = new SkippedRowCounts();
  const tableReader = new StatementSetTables(archive, skippedRowCounts);
  const reportByAccession = await readReports(tableReader, filter, skippedRowCounts);
  if (reportByAccession.size === 0) return skippedRowCounts.getCounts();
  const readRowDimensions = await createDimensionReader(tableReader, filter);
  let bufferedFactCount = 0;
  const passReports = () => {
    for (const report of reportByAccession.values()) {
      if (report.facts.length === 0 && report.wasPassed) continue;
      onReport({ ...report.header, facts: report.facts });
      report.facts = [];
      report.wasPassed = true;
    }
    bufferedFactCount = 0;
  };
  const optionalColumns = ['segments', 'dimh', 'coreg', 'durp', 'datp', 'dcml', 'iprx'] as const;
  const tagFilter = { column: 'tag', accepts: filter.wantsTag } as const;
  for await (const row of tableReader.readRows(
    'num',
    ['adsh', 'tag', 'version', 'ddate', 'qtrs', 'uom', 'value'],
    optionalColumns,
    tagFilter,
  )) {
    const report = reportByAccession.get(row.adsh);
    // Skips facts of co-registrants, and less precise duplicates of a fact.
    if (report === undefined || row.coreg !== '' || (row.iprx !== '' && row.iprx !== '0')) continue;
    const dimensions = readRowDimensions(row);
    if (dimensions === 'unwanted') continue;
    if (dimensions === null) {
      skippedRowCounts.add('a value whose dimensions are truncated or missing');
      continue;
    }
    const fact = readStatementSetFact(row, dimensions, report.prefix);
    if (typeof fact === 'string') skippedRowCounts.add(fact);
    else if (filter.wantsFact(fact.concept, dimensions)) {
      report.facts.push(fact);
      bufferedFactCount += 1;
      if (bufferedFactCount >= MAX_BUFFERED_FACTS) passReports();
    }
  }
  passReports();
  return skippedRowCounts.getCounts();
}

/** The tables of a set; a table may be divided into several members. */
class StatementSetTables {
  readonly #archive: Archive;
  readonly #skipped: SkippedRowCounts;

  constructor(archive: Archive, skipped: SkippedRowCounts) {
    this.#archive = archive;
    this.#skipped = skipped;
  }

  async *readRows<R extends string, O extends string = never>(
    table: string,
    requiredColumns: readonly R[],
    optionalColumns: readonly O[] = [],
    rowFilter?: { readonly column: R; accepts(cell: string): boolean },
  ): AsyncGenerator<DelimitedRow<R | O>> {
    for (const fileName of this.#archive.names.filter((name) => findTableName(name) === table)) {
      const tableOptions = {
        required: requiredColumns,
        optional: optionalColumns,
        skipped: this.#skipped,
        ...(rowFilter && { rowFilter }),
      };
      for await (const rows of readTable(this.#archive, fileName, tableOptions)) yield* rows;
    }
  }
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
async function readReports(
  tables: StatementSetTables,
  filter: StatementSetFilter,
  skipped: SkippedRowCounts,
): Promise<ReadonlyMap<string, BufferedReport>> {
  const bufferedReportByAccession = new Map<string, BufferedReport>();
  const optionalColumns = ['name', 'sic', 'period', 'fy', 'fp', 'accepted', 'instance'] as const;
  for await (const row of tables.readRows('sub', ['adsh', 'cik', 'form', 'filed'], optionalColumns)) {
    const cik = toCik(row.cik);
    const filingDay = parseDay(row.filed);
    if (cik === null || filingDay === null || row.form === '')
      skipped.add('a submission without a valid CIK, form type or filing date');
    else if (filter.wantsCompany(cik)) {
      const roundedPeriodEnd = parseDay(row.period.replace(/\.0$/, ''));
      const header = {
        accession: row.adsh,
        cik,
        name: row.name === '' ? null : row.name,
        sic: parseSic(row.sic),
        form: row.form,
        filed: filingDay,
        accepted: row.accepted === '' ? null : row.accepted,
        roundedPeriod: roundedPeriodEnd,
        periodEnd: findPeriodEnd(row.instance, roundedPeriodEnd),
        focusYear: /^\d{4}(?:\.0)?$/.test(row.fy) ? Number(row.fy.slice(0, 4)) : null,
        focusPeriod: row.fp === '' ? null : row.fp.toUpperCase(),
      };
      // The set preserves the prefix of the filer's custom concepts only in the name of the instance document.
      const prefix = /^([A-Za-z][\w]*?)-\d{8}/.exec(row.instance)?.[1]?.toLowerCase() ?? 'custom';
      bufferedReportByAccession.set(row.adsh, { header, prefix, facts: [], wasPassed: false });
    }
  }
  return bufferedReportByAccession;
}

const MAX_ROUNDING_DAYS = 16;

/**
 * Returns the end of the report's period, from the name of the instance document (rost-20100501.xml). Returns null if
 * the name has no date near the rounded end.
 */
function findPeriodEnd(instanceName: string, roundedPeriod: string | null): string | null {
  const documentPeriodEnd = parseDay(/[-_](\d{8})(?:\D|$)/.exec(instanceName)?.[1] ?? '');
  if (documentPeriodEnd === null || roundedPeriod === null) return null;
  return Math.abs(countDaysBetween(documentPeriodEnd, roundedPeriod)) <= MAX_ROUNDING_DAYS ? documentPeriodEnd : null;
}

/** `unwanted`: the filter rejected the dimensions. Null: the dimensions are truncated or missing. */
type RowDimensions = readonly Dimension[] | 'unwanted' | null;

/**
 * Returns a function that reads the dimensions of a row of `num`. They are in its column `segments`, or in the row of
 * the table `dim` with the same hash (`dimh`).
 */
async function createDimensionReader(
  tables: StatementSetTables,
  filter: StatementSetFilter,
): Promise<(row: { readonly segments: string; readonly dimh: string }) => RowDimensions> {
  const dimensionsByHash = new Map<string, readonly Dimension[] | null>([['0x00000000', []]]);
  let hasDimensionTable = false;
  for await (const row of tables.readRows('dim', ['segments'], ['dimh', 'dimhash', 'segt'])) {
    hasDimensionTable = true;
    const dimensions = row.segt === '1' ? null : readDimensions(row.segments);
    if (dimensions === null || filter.wantsDimensions(dimensions))
      dimensionsByHash.set(row.dimh || row.dimhash, dimensions);
  }
  return ({ segments, dimh }) => {
    if (dimh === '') return readDimensions(segments);
    const dimensions = dimensionsByHash.get(dimh);
    return dimensions === undefined && hasDimensionTable ? 'unwanted' : (dimensions ?? null);
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

interface NumTableRow {
  readonly tag: string;
  readonly version: string;
  readonly ddate: string;
  readonly qtrs: string;
  readonly uom: string;
  readonly value: string;
  readonly durp: string;
  readonly datp: string;
  readonly dcml: string;
}

const DAYS_PER_QUARTER = 91.25;
const MS_PER_DAY = 86_400_000;
const EXACT_DECIMALS = '32767';

/** Returns the fact, or the reason for skipping the row. `prefix` is the prefix of the filer's custom concepts. */
function readStatementSetFact(
  row: NumTableRow,
  dimensions: readonly Dimension[],
  prefix: string,
): StatementSetFact | string {
  if (row.value === '') return 'a tagged figure without a value (nil)';
  const value = row.value.length > 100 ? null : parsePaddedValue(row.value, row.dcml);
  if (value === null) return 'a tagged figure that is not a number';
  const roundedEnd = parseDay(row.ddate);
  const quarterCount = /^\d{1,3}$/.test(row.qtrs) ? Number(row.qtrs) : null;
  if (roundedEnd === null || quarterCount === null) return 'a tagged figure without a valid period';
  return {
    concept: `${findPrefix(row.version, prefix)}:${row.tag}`,
    unit: row.uom,
    value,
    decimals: row.dcml === '' || row.dcml === EXACT_DECIMALS || !/^-?\d{1,3}$/.test(row.dcml) ? null : Number(row.dcml),
    dimensions,
    roundedEnd,
    quarters: quarterCount,
    exactDates: computeExactDates(roundedEnd, quarterCount, row.durp, row.datp),
  };
}

/** Parses `EquityComponents=CommonStock;LegalEntity=X;`. An axis without a member is a typed dimension. */
function readDimensions(segments: string): readonly Dimension[] {
  return segments
    .split(';')
    .filter((segment) => segment.trim() !== '')
    .map((segment) => {
      const [axis = '', member = ''] = segment.split('=');
      return { axis: axis.trim(), member: member.trim() === '' ? null : member.trim() };
    })
    .sort((a, b) => (a.axis < b.axis ? -1 : 1));
}

/** Removes the zeros with which sets pad values to four decimals: "2.5000" is "2.50" if `decimalsCode` is "2". */
function parsePaddedValue(text: string, decimalsCode: string): Decimal | null {
  const value = parseDecimal(text);
  if (value === null || !value.includes('.')) return value;
  const trimmedText = value.replace(/\.?0+$/, '');
  const decimalPlaces = /^[1-4]$/.test(decimalsCode) ? Number(decimalsCode) : 0;
  const [wholeDigits = '', fractionDigits = ''] = (
    trimmedText === '-' || trimmedText === '-0' ? '0' : trimmedText
  ).split('.');
  const paddedFraction = fractionDigits.padEnd(decimalPlaces, '0');
  return paddedFraction === '' ? wholeDigits : `${wholeDigits}.${paddedFraction}`;
}

function findPrefix(version: string, customPrefix: string): string {
  const taxonomy = /^([a-z][a-z-]*)\/\d{4}/i.exec(version)?.[1]?.toLowerCase();
  return taxonomy === undefined ? customPrefix : taxonomy === 'ifrs' ? 'ifrs-full' : taxonomy;
}

/**
 * Returns the exact dates of a period; null if the rounding differences are missing or invalid.
 * @param durationError the number of quarters that rounding added to the duration, such as 0.02
 * @param dateError the number of days that rounding added to the end
 */
function computeExactDates(
  roundedEnd: string,
  quarters: number,
  durationError: string,
  dateError: string,
): { start: string | null; end: string } | null {
  if (durationError === '' || dateError === '') return null;
  const [quartersRoundedOff, daysRoundedOff] = [Number(durationError), Number(dateError)];
  if (!Number.isFinite(quartersRoundedOff) || !Number.isFinite(daysRoundedOff) || Math.abs(daysRoundedOff) > 31)
    return null;
  const endMs = Date.parse(`${roundedEnd}T00:00:00Z`) - Math.round(daysRoundedOff) * MS_PER_DAY;
  const dayCount = Math.round((quarters - quartersRoundedOff) * DAYS_PER_QUARTER);
  const formatDay = (timeMs: number) => new Date(timeMs).toISOString().slice(0, 10);
  return { start: quarters === 0 ? null : formatDay(endMs - dayCount * MS_PER_DAY), end: formatDay(endMs) };
}
