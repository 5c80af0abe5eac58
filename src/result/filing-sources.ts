/** The sources of a result: the filings from which rows were read, their addresses at the SEC, and the release. */
import { makeFolderUrlIfValid } from '../contract/identifiers.ts';
import { type Cell, makeTableBlock, type TableBlock } from './blocks.ts';
import { hasPrices, type Result } from './result.ts';
import type { FlatRows, FlatValue } from './rows.ts';

/**
 * Columns with the CIK in a filing's address. The first one with a value is used, because a manager's report is in the
 * manager's folder, even if a row also names a company.
 */
const FILER_CIK_COLUMNS = ['manager_cik', 'holder_cik', 'cik'];

/**
 * Returns the link of a cell: the address that it contains, or the address of the filing that it names; otherwise null.
 */
export function findLink(columns: readonly string[], row: readonly FlatValue[], index: number): string | null {
  const [name = '', value = null] = [columns[index], row[index]];
  if (typeof value !== 'string') return null;
  if (['source_url', 'url', 'folder'].includes(name)) return /^https:\/\/[^\s"<>]+$/.test(value) ? value : null;
  const filer = FILER_CIK_COLUMNS.map((column) => row[columns.indexOf(column)]).find((cik) => typeof cik === 'number');
  return name.endsWith('accession_number') && filer !== undefined ? makeFolderUrlIfValid(Number(filer), value) : null;
}

/**
 * Returns a table of the filings that rows name, each once, in the order of the rows; null if rows name no filing. The
 * filing of a figure is the filing that it was read from.
 */
export function makeFilingsTable({ columns, rows }: FlatRows): TableBlock | null {
  const prefix = columns.includes('read_from_accession_number') ? 'read_from_' : '';
  const accessionIndex = columns.indexOf(`${prefix}accession_number`);
  const formIndex = columns.indexOf(`${prefix}form`);
  const filedIndex = columns.indexOf(`${prefix}filed_at`);
  const byNumber = new Map<string, readonly Cell[]>();
  for (const row of accessionIndex < 0 ? [] : rows) {
    const accession = row[accessionIndex];
    if (typeof accession !== 'string' || byNumber.has(accession)) continue;
    const link = findLink(columns, row, accessionIndex);
    const makeCell = (index: number): Cell => (row[index] == null ? null : String(row[index]));
    const filingCell = { text: accession, ...(link === null ? {} : { link }) };
    byNumber.set(accession, [makeCell(formIndex), makeCell(filedIndex), filingCell]);
  }
  if (byNumber.size === 0) return null;
  const titles = Object.entries({ form: 'Form', filed_at: 'Filed', accession_number: 'Filing' });
  const shownColumns = titles.map(([key, title]) => ({ key, title }));
  return makeTableBlock(shownColumns, [...byNumber.values()]);
}

/** Describes the figures of a document: the release, the as-of date, and the attribution of prices. */
export function describeSources(result: Result): readonly (readonly [label: string, text: string])[] {
  const { release, as_of: asOfDay } = result.meta;
  const { attribution = null } = result;
  return [
    ...(release == null ? [] : [['Release', release.stamp] as const]),
    ...(asOfDay === undefined ? [] : [['As of', asOfDay] as const]),
    ...(attribution === null || !hasPrices(result) ? [] : [['Prices', attribution] as const]),
  ];
}
