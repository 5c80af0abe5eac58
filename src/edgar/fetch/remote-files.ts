/** Which files of the site hold what: ticker lists, the bulk zips, and the files of one company. Pure. */
import { normalizeTicker, parseCik } from '../../contract/identifiers.ts';
import { isObject } from '../files/json.ts';
import type { TickerRow } from '../filings/tickers.ts';
import type { RemoteFile, Site } from './site.ts';

const MIB = 1024 * 1024;
/** The readers take no larger JSON. */
const MAX_JSON = 256 * MIB;
const MAX_BULK = 8192 * MIB;
const MAX_PAGES = 999;

export const TICKERS_FILE = 'files/company_tickers.json';
export const EXCHANGES_FILE = 'files/company_tickers_exchange.json';

export function tickerFiles({ files }: Site): RemoteFile[] {
  return [TICKERS_FILE, EXCHANGES_FILE].map((file) => ({
    url: `${files}/${file}`,
    file,
    kind: 'json',
    maxBytes: 64 * MIB,
  }));
}

/** The facts and filings of all companies, as the site zips them every night. */
export function bulkFiles({ files }: Site): RemoteFile[] {
  const folder = `${files}/Archives/edgar/daily-index`;
  return [
    { url: `${folder}/xbrl/companyfacts.zip`, file: 'companyfacts.zip', kind: 'zip', maxBytes: MAX_BULK },
    { url: `${folder}/bulkdata/submissions.zip`, file: 'submissions.zip', kind: 'zip', maxBytes: MAX_BULK },
  ];
}

/** The folder of single files that a newer bulk zip replaces. */
export const REPLACED_BY: Readonly<Record<string, string>> = {
  'companyfacts.zip': 'companyfacts/',
  'submissions.zip': 'submissions/',
};

const padded = (cik: number) => `CIK${String(cik).padStart(10, '0')}`;

export function factsFile({ api }: Site, cik: number): RemoteFile {
  const name = `${padded(cik)}.json`;
  return {
    url: `${api}/api/xbrl/companyfacts/${name}`,
    file: `companyfacts/${name}`,
    kind: 'json',
    maxBytes: MAX_JSON,
  };
}

export function submissionsFile(site: Site, cik: number): RemoteFile {
  return fileInSubmissions(site, `${padded(cik)}.json`);
}

/** The continuation pages that a filer's main file names; names that are not of this filer are skipped. */
export function pageFiles(site: Site, cik: number, main: unknown): RemoteFile[] {
  const filings = isObject(main) ? main.filings : undefined;
  const files = isObject(filings) && Array.isArray(filings.files) ? filings.files : [];
  const own = new RegExp(`^${padded(cik)}-submissions-\\d{3}\\.json$`);
  const names = files.slice(0, MAX_PAGES).flatMap((entry: unknown) => {
    const name = isObject(entry) ? entry.name : undefined;
    return typeof name === 'string' && own.test(name) ? [name] : [];
  });
  return [...new Set(names)].map((name) => fileInSubmissions(site, name));
}

function fileInSubmissions({ api }: Site, name: string): RemoteFile {
  return { url: `${api}/submissions/${name}`, file: `submissions/${name}`, kind: 'json', maxBytes: MAX_JSON };
}

/** The companies of tickers and CIKs as typed, each once, in that order; and those that no list contains. */
export function findCompanies(
  wanted: readonly string[],
  rows: readonly TickerRow[],
): { readonly ciks: readonly number[]; readonly unknown: readonly string[] } {
  const byTicker = new Map(rows.map(({ ticker, cik }) => [normalizeTicker(ticker), cik]));
  const ciks = new Set<number>();
  const unknown: string[] = [];
  for (const text of wanted) {
    const cik = byTicker.get(normalizeTicker(text)) ?? parseCik(text.replace(/^CIK/i, ''));
    if (cik === null) unknown.push(text);
    else ciks.add(cik);
  }
  return { ciks: [...ciks], unknown };
}
