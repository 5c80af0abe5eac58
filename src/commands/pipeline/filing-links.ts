/** The filings that rows name, and where they are at the SEC. Loaded on demand. */
import { filingFolder } from '../../contract/identifiers.ts';
import type { Rows, Value } from '../../output/rows.ts';

/** Whose folder a filing is in, best first: a manager's report is in the manager's. */
const FILERS = ['manager_cik', 'holder_cik', 'cik'];

/** The address of the cell's filing, or the address that the cell is; null where it is neither. */
export function linkOf(columns: readonly string[], row: readonly Value[], index: number): string | null {
  const [name = '', value = null] = [columns[index], row[index]];
  if (typeof value !== 'string') return null;
  if (['source_url', 'url', 'folder'].includes(name)) return /^https:\/\/[^\s"<>]+$/.test(value) ? value : null;
  const filer = FILERS.map((filed) => row[columns.indexOf(filed)]).find((cik) => typeof cik === 'number');
  return name.endsWith('accession_number') && filer !== undefined ? filingFolder(Number(filer), value) : null;
}

export interface NamedFiling {
  readonly accession: string;
  readonly form: string;
  readonly filed: string;
  readonly address: string | null;
}

/** The filings of the rows, each once, in their order; those that figures were read from, where rows name them. */
export function filingsOf({ columns, rows }: Rows): readonly NamedFiling[] {
  const prefix = columns.includes('read_from_accession_number') ? 'read_from_' : '';
  const at = columns.indexOf(`${prefix}accession_number`);
  const [form, filed] = [columns.indexOf(`${prefix}form`), columns.indexOf(`${prefix}filed_at`)];
  const filings = new Map<string, NamedFiling>();
  for (const row of at < 0 ? [] : rows) {
    const accession = row[at];
    if (typeof accession !== 'string' || filings.has(accession)) continue;
    const text = (index: number): string => (row[index] == null ? '' : String(row[index]));
    filings.set(accession, { accession, form: text(form), filed: text(filed), address: linkOf(columns, row, at) });
  }
  return [...filings.values()];
}
