/**
 * Reads the facts of chosen companies from a Financial Statement Data Set or a Financial Statement and Notes set: the
 * tables `sub` and `num`, and `dim` where dimensions have a table of their own. Vintages differ in columns and in the
 * members' names. Sets have millions of rows, which are streamed.
 */
import { basename } from 'node:path';
import type { Archive } from '../files/archive.ts';
import { type DelimitedRow, readTable } from '../files/delimited.ts';
import { cikOf } from '../files/json.ts';
import { parseDay } from '../files/parse-day.ts';
import { SkippedRows } from '../files/skipped-rows.ts';
import type { Dimension } from '../reports/tagged-report.ts';
import type { StatementSetFact } from './statement-set-row.ts';
import { readDimensions, readSetFact } from './statement-set-row.ts';

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

export interface StatementSet {
  readonly reports: readonly StatementSetReport[];
  readonly skipped: Readonly<Record<string, number>>;
}

/** What of a set is kept; each method is called for what the methods before it let through. */
export interface StatementSetFilter {
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
