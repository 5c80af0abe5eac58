/** Filings and insider trades: company by company from its own list, and beside them the tables of days. */

import type { ListedFile } from '../../../edgar/files/list-files.ts';
import { listFiles } from '../../../edgar/files/list-files.ts';
import { openPublicFiles, type PublicFiles } from '../../../edgar/files/public-files.ts';
import type { IndexRow } from '../../../edgar/filings/filing-index.ts';
import type { FilingPage } from '../../../edgar/filings/filing-page.ts';
import { isListingFile, readListings } from '../../../edgar/filings/listing-files.ts';
import type { FilingRecord } from '../../../edgar/filings/submissions.ts';
import { readSubmissions } from '../../../edgar/filings/submissions.ts';
import {
  isOwnershipFile,
  readOwnershipFile,
  type SourcedOwnershipFiling,
} from '../../../edgar/insiders/ownership-files.ts';
import { closesNear } from '../../../figures/insiders/closes.ts';
import { FILING_DOCUMENTS, FILING_TABLES, FILINGS } from '../../schema/filings.ts';
import {
  INSIDER_FILINGS,
  INSIDER_FOOTNOTES,
  INSIDER_OWNERS,
  INSIDER_TABLES,
  INSIDER_TRADES,
} from '../../schema/insiders.ts';
import { Spill } from '../../store/spill.ts';
import type { Family, FamilyContext } from '../family.ts';
import { AccessionIndex } from './accession-index.ts';
import { documentRows, filingRows } from './company-filings.ts';
import { companyInsiders, insiderRows } from './company-insiders.ts';
import { checkFilings, type FilingCounts } from './filing-checks.ts';
import { FilingDayIndex } from './filing-day-index.ts';
import { InsiderDayIndex } from './insider-day-index.ts';

/** Files fetched ahead of their use go under one of these. */
type Listed = { readonly row: IndexRow } | { readonly page: FilingPage };

export const FILINGS_FAMILY: Family = {
  name: 'filings',
  tables: [...FILING_TABLES, ...INSIDER_TABLES],
  build: async (context) => {
    const files = await openPublicFiles(context.from);
    try {
      return await build(context, files);
    } finally {
      files.close();
    }
  },
};

/** The files of the directory that this family reads. */
export async function filingFiles(from: string): Promise<readonly ListedFile[]> {
  return (await listFiles(from)).filter(({ name }) => isListingFile(name) || isOwnershipFile(name));
}

async function build(context: FamilyContext, files: PublicFiles) {
  const { companies, date, scratch, sink, skipped } = context;
  const ciks = companies.map(({ cik }) => cik);
  const { listed, found, listings, ownership } = await gather(context, ciks);
  if (ownership === 0) context.omit(INSIDER_TABLES);
  if (files.submissionCiks.length === 0 && listings + ownership === 0) context.omit(FILING_TABLES);
  const listedOf = byNumber(listed.groups());
  const foundOf = byNumber(found.groups());
  const pricesOf = byNumber(context.market.prices());
  const dayBook = new FilingDayIndex(`${scratch}/days`);
  const insiderBook = new InsiderDayIndex(`${scratch}/insiders`);
  const places = new AccessionIndex();
  const counts: FilingCounts = { rows: 0, days: 0, withTime: 0, oddHours: 0, insiderFilings: 0, trades: 0, undated: 0 };
  for (const { cik } of companies) {
    context.signal?.throwIfAborted();
    const extra = listedOf(cik);
    const pages = extra.flatMap((one) => ('page' in one ? [one.page] : []));
    const indexed = extra.flatMap((one) => ('row' in one ? [one.row] : []));
    const owned = foundOf(cik);
    const rows = filingRows({ cik, list: await listOf(files, cik), indexed, pages, owned, date });
    sink(FILINGS).add(cik, rows);
    sink(FILING_DOCUMENTS).add(
      cik,
      documentRows(pages).map((row) => ({ cik, ...row })),
    );
    dayBook.add(rows);
    const filed = new Map(rows.map((row) => [row.accession, row.filed]));
    const shares = pricesOf(cik).filter(({ tickerNormalized }) => context.market.securities.isShare(tickerNormalized));
    const judged = companyInsiders(owned, {
      closeOn: closesNear(shares),
      filed,
      date,
      withoutFootnotes: context.withoutFootnotes,
    });
    for (const [reason, count] of Object.entries(judged.skipped)) skipped.add(reason, count);
    const insiders = insiderRows(cik, judged.filings);
    sink(INSIDER_FILINGS).add(cik, insiders.filings);
    sink(INSIDER_OWNERS).add(cik, insiders.owners);
    sink(INSIDER_TRADES).add(cik, insiders.trades);
    sink(INSIDER_FOOTNOTES).add(cik, insiders.footnotes);
    insiderBook.add(cik, judged.filings);
    places.add(cik, new Set([...rows, ...insiders.filings].map(({ accession }) => accession)));
    countFilings(counts, rows, judged.filings);
  }
  counts.days = dayBook.write(sink);
  insiderBook.write(sink);
  places.write(sink);
  return checkFilings(counts);
}

function countFilings(
  counts: FilingCounts,
  rows: readonly { readonly acceptedAt: string | null }[],
  insiders: readonly { readonly filed: string | null; readonly trades: readonly unknown[] }[],
): void {
  counts.rows += rows.length;
  for (const { acceptedAt } of rows) {
    if (acceptedAt === null) continue;
    counts.withTime += 1;
    const hour = acceptedAt.slice(11, 16);
    if (hour < '06:00' || hour > '22:10') counts.oddHours += 1;
  }
  counts.insiderFilings += insiders.length;
  for (const { filed, trades } of insiders) {
    counts.trades += trades.length;
    if (filed === null) counts.undated += 1;
  }
}

/** Reads the files that are not in order of company, and puts what they hold in that order. */
async function gather(context: FamilyContext, ciks: readonly number[]) {
  const listed = new Spill<Listed>(`${context.scratch}/listed`, ciks);
  const found = new Spill<SourcedOwnershipFiling>(`${context.scratch}/ownership`, ciks);
  const covered = new Set(ciks);
  const read = { listings: 0, ownership: 0 };
  for (const file of await filingFiles(context.from)) {
    context.signal?.throwIfAborted();
    if (isListingFile(file.name)) {
      const sinks = {
        row: (row: IndexRow) => listed.add(row.cik, { row }),
        page: (page: FilingPage) => {
          for (const cik of page.ciks) listed.add(cik, { page });
        },
      };
      if (await guarded(context, file, () => readListings(file, sinks, context.skipped))) read.listings += 1;
    }
    if (isOwnershipFile(file.name)) {
      const take = (one: SourcedOwnershipFiling) => found.add(one.filing.issuerCik, one);
      const reading = () => readOwnershipFile(file, (cik) => covered.has(cik), take, context.skipped);
      if (await guarded(context, file, reading)) read.ownership += 1;
    }
  }
  return { listed, found, ...read };
}

/** A file that cannot be read costs what is in it, and is named; whether it could be. */
async function guarded(
  { skipped, problems }: FamilyContext,
  file: ListedFile,
  read: () => Promise<void>,
): Promise<boolean> {
  try {
    await read();
    return true;
  } catch (cause) {
    skipped.add('a file of filings that cannot be read');
    problems.push(`${file.name}: ${cause instanceof Error ? cause.message : String(cause)}`);
    return false;
  }
}

/** A company's own list; one that cannot be read was reported when the company was. */
async function listOf(files: PublicFiles, cik: number): Promise<readonly FilingRecord[]> {
  try {
    const { main, pages } = await files.submissions(cik);
    return main === null && pages.length === 0 ? [] : readSubmissions(main, pages).filings;
  } catch {
    return [];
  }
}

/** The rows under each number, asked for in ascending order. */
function byNumber<Row>(
  groups: Generator<readonly [number: number, rows: readonly Row[]]>,
): (number: number) => readonly Row[] {
  let next = groups.next();
  return (number) => {
    while (next.done !== true && next.value[0] < number) next = groups.next();
    return next.done !== true && next.value[0] === number ? next.value[1] : [];
  };
}
