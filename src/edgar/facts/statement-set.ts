/**
 * Reads the facts of chosen companies from a quarterly zip of financial statements, or of statements and
 * notes: the tables `sub`, `num`, and where dimensions stand apart, `dim`.
 *
 * Vintages differ in columns (`segments` came late; the notes name dimensions by a hash) and in the ending
 * of the members' names. A set has millions of rows: they are streamed, and only asked-for facts are kept.
 */
import { basename } from 'node:path';
import type { Archive } from '../files/archive.ts';
import { csvAsTabs, type DelimitedRow, readDelimited } from '../files/delimited.ts';
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

export interface StatementSetFilter {
  wantsCompany(cik: number): boolean;
  /** Asked of every row of the set, so it should be quick. Tags come without prefix. */
  wantsTag(tag: string): boolean;
  /** Asked of every combination of dimensions of the set, of which there are a million: only wanted ones are held. */
  wantsDimensions(dimensions: readonly Dimension[]): boolean;
  /** Asked of the rows that are left: what it declines is never held. */
  wantsFact(concept: string, dimensions: readonly Dimension[]): boolean;
}

const MEMBER = /^(?:.*[-_])?(sub|num|dim)(?:-\w+)?\.(?:tsv|txt|csv)$/i;

/** Whether the zip is such a set, by the names of its members. */
export function isStatementSet(archive: Archive): boolean {
  const tables = new Set(archive.names.map((name) => MEMBER.exec(basename(name))?.[1]?.toLowerCase()));
  return tables.has('sub') && tables.has('num');
}

/** Throws TableError on a table without a required column, ArchiveError on a damaged member; sets a bad row aside. */
export async function readStatementSet(archive: Archive, wish: StatementSetFilter): Promise<StatementSet> {
  const skipped = new SkippedRows();
  const table = async function* <R extends string, O extends string = never>(
    name: string,
    required: readonly R[],
    optional: readonly O[] = [],
    where?: { readonly column: R; accepts(cell: string): boolean },
  ): AsyncGenerator<DelimitedRow<R | O>> {
    for (const member of archive.names.filter((entry) => MEMBER.exec(basename(entry))?.[1]?.toLowerCase() === name)) {
      const bytes = await archive.stream(member);
      if (bytes === null) continue;
      const chunks = /\.csv$/i.test(member) ? csvAsTabs(bytes) : bytes;
      const label = `${archive.path}: ${member}`;
      for await (const rows of readDelimited(chunks, {
        label,
        delimiter: '\t',
        required,
        optional,
        skipped,
        ...(where && { where }),
      }))
        yield* rows;
    }
  };

  const reports = new Map<string, Omit<StatementSetReport, 'facts'> & { facts: StatementSetFact[]; prefix: string }>();
  for await (const row of table('sub', ['adsh', 'cik', 'form', 'filed'], ['period', 'fy', 'fp', 'instance'])) {
    const cik = cikOf(row.cik);
    const filed = parseDay(row.filed);
    if (cik === null || filed === null || row.form === '') skipped.add('a submission without company, form or day');
    else if (wish.wantsCompany(cik)) {
      reports.set(row.adsh, {
        accession: row.adsh,
        cik,
        form: row.form,
        filed,
        roundedPeriod: parseDay(row.period.replace(/\.0$/, '')),
        focusYear: /^\d{4}(?:\.0)?$/.test(row.fy) ? Number(row.fy.slice(0, 4)) : null,
        focusPeriod: row.fp === '' ? null : row.fp.toUpperCase(),
        facts: [],
        // A filer's own names carry its prefix, which only the name of its instance still tells.
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
    if (dimensions === null || wish.wantsDimensions(dimensions)) hashes.set(row.dimh || row.dimhash, dimensions);
  }

  const optional = ['segments', 'dimh', 'coreg', 'durp', 'datp', 'dcml', 'iprx'] as const;
  for await (const row of table('num', ['adsh', 'tag', 'version', 'ddate', 'qtrs', 'uom', 'value'], optional, {
    column: 'tag',
    accepts: wish.wantsTag,
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
    else if (wish.wantsFact(fact.concept, dimensions)) report.facts.push(fact);
  }
  return { reports: [...reports.values()].map(({ prefix: _, ...report }) => report), skipped: skipped.counts() };
}
