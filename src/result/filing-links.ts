/** The filings that rows name, and their addresses at the SEC. */
import { filingFolder } from '../contract/identifiers.ts';
import type { Cell, TableBlock } from './blocks.ts';
import type { Rows, Value } from './rows.ts';

/** Columns with the CIK of a filing's folder, best first: a manager's report is in the manager's folder. */
const FILERS = ['manager_cik', 'holder_cik', 'cik'];

/** Returns the address of the cell's filing, or the address in the cell; null if it has neither. */
export function linkOf(columns: readonly string[], row: readonly Value[], index: number): string | null {
  const [name = '', value = null] = [columns[index], row[index]];
  if (typeof value !== 'string') return null;
  if (['source_url', 'url', 'folder'].includes(name)) return /^https:\/\/[^\s"<>]+$/.test(value) ? value : null;
  const filer = FILERS.map((filerColumn) => row[columns.indexOf(filerColumn)]).find((cik) => typeof cik === 'number');
  return name.endsWith('accession_number') && filer !== undefined ? filingFolder(Number(filer), value) : null;
}

/**
 * Returns the filings of the rows, without duplicates, in their order; for figures, the filings that they were read
 * from. Null if rows name none.
 */
export function filingsTable({ columns, rows }: Rows): TableBlock | null {
  const prefix = columns.includes('read_from_accession_number') ? 'read_from_' : '';
  const position = columns.indexOf(`${prefix}accession_number`);
  const [form, filedIndex] = [columns.indexOf(`${prefix}form`), columns.indexOf(`${prefix}filed_at`)];
  const filings = new Map<string, readonly Cell[]>();
  for (const row of position < 0 ? [] : rows) {
    const accession = row[position];
    if (typeof accession !== 'string' || filings.has(accession)) continue;
    const filingLink = linkOf(columns, row, position);
    const text = (index: number): Cell => (row[index] == null ? null : String(row[index]));
    filings.set(accession, [
      text(form),
      text(filedIndex),
      { text: accession, ...(filingLink === null ? {} : { link: filingLink }) },
    ]);
  }
  if (filings.size === 0) return null;
  const headCells = [
    { key: 'form', title: 'Form' },
    { key: 'filed_at', title: 'Filed' },
    { key: 'accession_number', title: 'Filing' },
  ];
  return { kind: 'table', columns: headCells, rows: [...filings.values()] };
}
