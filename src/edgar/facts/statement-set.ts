/**
 * Reads the facts of chosen companies from a Financial Statement Data Set or a Financial Statement and Notes set: the
 * tables `sub` and `num`, and `dim` where dimensions have a table of their own. Vintages differ in columns and in the
 * members' names. Sets have millions of rows, which are streamed.
 */
import { basename } from 'node:path';
import { type Decimal, parseDecimal } from '../../contract/decimal-text.ts';
import type { Archive } from '../files/archive.ts';
import { cikOf } from '../files/cik.ts';
import { type DelimitedRow, readTable } from '../files/delimited.ts';
import { parseDay } from '../files/parse-day.ts';
import { SkippedRows } from '../files/skipped-rows.ts';
import type { Dimension } from '../reports/tagged-report.ts';

export interface StatementSetReport {
  readonly accession: string;
  readonly cik: number;
  readonly form: string;
  readonly filed: string;
  /** Rounded to the end of a month; null where the set has none. */
  readonly roundedPeriod: string | null;
  readonly focusYear: number | null;
  readonly focusPeriod: string | null;
  readonly facts: readonly StatementSetFact[];
}

interface StatementSet {
  readonly reports: readonly StatementSetReport[];
  readonly skipped: Readonly<Record<string, number>>;
}

/** What of a set is kept; each method is called for what the methods before it let through. */
interface StatementSetFilter {
  wantsCompany(cik: number): boolean;
  /** Called for every row, so it should be fast. Tags have no prefix. */
  wantsTag(tag: string): boolean;
  /** Called for every combination of dimensions, of which a set has up to a million. */
  wantsDimensions(dimensions: readonly Dimension[]): boolean;
  wantsFact(concept: string, dimensions: readonly Dimension[]): boolean;
}

const MEMBER = /^(?:.*[-_])?(sub|num|dim)(?:-\w+)?\.(?:tsv|txt|csv)$/i;

/** Whether the zip is such a set, by the names of its members. */
export function isStatementSet(archive: Archive): boolean {
  const tables = new Set(archive.names.map(tableName));
  return tables.has('sub') && tables.has('num');
}

function tableName(member: string): string | undefined {
  return MEMBER.exec(basename(member))?.[1]?.toLowerCase();
}

/** Throws TableError on a table without a required column, ArchiveError on a damaged member; a bad row is skipped. */
export async function readStatementSet(archive: Archive, filter: StatementSetFilter): Promise<StatementSet> {
  const skipped = new SkippedRows();
  const table = async function* <R extends string, O extends string = never>(
    name: string,
    required: readonly R[],
    optional: readonly O[] = [],
    where?: { readonly column: R; accepts(cell: string): boolean },
  ): AsyncGenerator<DelimitedRow<R | O>> {
    for (const member of archive.names.filter((entry) => tableName(entry) === name)) {
      const options = { required, optional, skipped, ...(where && { where }) };
      for await (const rows of readTable(archive, member, options)) yield* rows;
    }
  };

  const reports = new Map<string, Omit<StatementSetReport, 'facts'> & { facts: StatementSetFact[]; prefix: string }>();
  for await (const row of table('sub', ['adsh', 'cik', 'form', 'filed'], ['period', 'fy', 'fp', 'instance'])) {
    const cik = cikOf(row.cik);
    const filed = parseDay(row.filed);
    if (cik === null || filed === null || row.form === '') skipped.add('a submission without company, form or day');
    else if (filter.wantsCompany(cik)) {
      reports.set(row.adsh, {
        accession: row.adsh,
        cik,
        form: row.form,
        filed,
        roundedPeriod: parseDay(row.period.replace(/\.0$/, '')),
        focusYear: /^\d{4}(?:\.0)?$/.test(row.fy) ? Number(row.fy.slice(0, 4)) : null,
        focusPeriod: row.fp === '' ? null : row.fp.toUpperCase(),
        facts: [],
        // A filer's own concepts have its prefix, which only the name of its instance document still has.
        prefix: /^([A-Za-z][\w]*?)-\d{8}/.exec(row.instance)?.[1]?.toLowerCase() ?? 'custom',
      });
    }
  }
  if (reports.size === 0) return { reports: [], skipped: skipped.counts() };

  const hashes = new Map<string, readonly Dimension[] | null>([['0x00000000', []]]);
  let hasDimensions = false;
  for await (const row of table('dim', ['segments'], ['dimh', 'dimhash', 'segt'])) {
    hasDimensions = true;
    const dimensions = row.segt === '1' ? null : readDimensions(row.segments);
    if (dimensions === null || filter.wantsDimensions(dimensions)) hashes.set(row.dimh || row.dimhash, dimensions);
  }

  const optional = ['segments', 'dimh', 'coreg', 'durp', 'datp', 'dcml', 'iprx'] as const;
  for await (const row of table('num', ['adsh', 'tag', 'version', 'ddate', 'qtrs', 'uom', 'value'], optional, {
    column: 'tag',
    accepts: filter.wantsTag,
  })) {
    const report = reports.get(row.adsh);
    // Another registrant's figures, and less precise repeats.
    if (report === undefined || row.coreg !== '' || (row.iprx !== '' && row.iprx !== '0')) continue;
    const dimensions = row.dimh === '' ? readDimensions(row.segments) : hashes.get(row.dimh);
    if (dimensions === undefined && hasDimensions) continue;
    if (dimensions === undefined || dimensions === null) {
      skipped.add('a figure whose dimensions are cut off or missing');
      continue;
    }
    const fact = readSetFact(row, dimensions, report.prefix);
    if (typeof fact === 'string') skipped.add(fact);
    else if (filter.wantsFact(fact.concept, dimensions)) report.facts.push(fact);
  }
  return { reports: [...reports.values()].map(({ prefix: _, ...report }) => report), skipped: skipped.counts() };
}

export interface StatementSetFact {
  /** prefix:Name. */
  readonly concept: string;
  readonly unit: string;
  readonly value: Decimal;
  readonly decimals: number | null;
  /** Axes and members as the set cuts them: without prefix, Axis and Member. */
  readonly dimensions: readonly Dimension[];
  /** The end, rounded to the end of a month. */
  readonly roundedEnd: string;
  /** The length, rounded to quarters; 0 for an instant. */
  readonly quarters: number;
  /** The dates as filed, where the set has kept what the rounding took; the start of an instant is null. */
  readonly exact: { readonly start: string | null; readonly end: string } | null;
}

interface SetRow {
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
const EXACT = '32767';

/** The fact, or the reason why the row is none. The filer's own concepts get `prefix`. */
function readSetFact(row: SetRow, dimensions: readonly Dimension[], prefix: string): StatementSetFact | string {
  if (row.value === '') return 'a figure without a value (nil)';
  const value = row.value.length > 100 ? null : readValue(row.value, row.dcml);
  if (value === null) return 'a figure that is no number';
  const roundedEnd = parseDay(row.ddate);
  const quarters = /^\d{1,3}$/.test(row.qtrs) ? Number(row.qtrs) : null;
  if (roundedEnd === null || quarters === null) return 'a figure without a period';
  return {
    concept: `${prefixOf(row.version, prefix)}:${row.tag}`,
    unit: row.uom,
    value,
    decimals: row.dcml === '' || row.dcml === EXACT || !/^-?\d{1,3}$/.test(row.dcml) ? null : Number(row.dcml),
    dimensions,
    roundedEnd,
    quarters,
    exact: exactDates(roundedEnd, quarters, row.durp, row.datp),
  };
}

/** Reads `EquityComponents=CommonStock;LegalEntity=X;`. An axis without a member is a typed dimension. */
function readDimensions(segments: string): readonly Dimension[] {
  return segments
    .split(';')
    .filter((part) => part.trim() !== '')
    .map((part) => {
      const [axis = '', member = ''] = part.split('=');
      return { axis: axis.trim(), member: member.trim() === '' ? null : member.trim() };
    })
    .sort((a, b) => (a.axis < b.axis ? -1 : 1));
}

/** Sets pad figures to four decimals; `dcml` says how many of them the filer wrote. */
function readValue(text: string, dcml: string): Decimal | null {
  const value = parseDecimal(text);
  if (value === null || !value.includes('.')) return value;
  const bare = value.replace(/\.?0+$/, '');
  const places = /^[1-4]$/.test(dcml) ? Number(dcml) : 0;
  const [whole = '', fraction = ''] = (bare === '-' || bare === '-0' ? '0' : bare).split('.');
  const padded = fraction.padEnd(places, '0');
  return padded === '' ? whole : `${whole}.${padded}`;
}

function prefixOf(version: string, custom: string): string {
  const taxonomy = /^([a-z][a-z-]*)\/\d{4}/i.exec(version)?.[1]?.toLowerCase();
  return taxonomy === undefined ? custom : taxonomy === 'ifrs' ? 'ifrs-full' : taxonomy;
}

/** `datp` is by how many days the end was moved, `durp` by what part of a quarter the length was cut. */
function exactDates(
  roundedEnd: string,
  quarters: number,
  durp: string,
  datp: string,
): { start: string | null; end: string } | null {
  if (durp === '' || datp === '') return null;
  const [lost, moved] = [Number(durp), Number(datp)];
  if (!Number.isFinite(lost) || !Number.isFinite(moved) || Math.abs(moved) > 31) return null;
  const end = Date.parse(`${roundedEnd}T00:00:00Z`) - Math.round(moved) * MS_PER_DAY;
  const days = Math.round((quarters - lost) * DAYS_PER_QUARTER);
  const text = (time: number) => new Date(time).toISOString().slice(0, 10);
  return { start: quarters === 0 ? null : text(end - days * MS_PER_DAY), end: text(end) };
}
