/** Addresses of the site's files: ticker lists, bulk zips, files of single companies, and data sets. */
import { normalizeTicker, parseCik, toCikTicker } from '../../contract/identifiers.ts';
import type { Site } from '../../http/sec/site.ts';
import { isObject } from '../../platform/json-object.ts';
import type { TickerRow } from '../filings/tickers.ts';

export interface RemoteFile {
  readonly url: string;
  /** Path below the directory of the public files, with slashes. */
  readonly file: string;
  /** The file's format. Zips are fetched without content coding, so that interrupted downloads can be resumed. */
  readonly kind: 'json' | 'zip' | 'text' | 'document';
  /** Maximum size in bytes; larger files are rejected. */
  readonly maxBytes: number;
  /** Whether the site never changes the file. A final file is fetched only once. */
  readonly isFinal?: true;
  /** For a company's own file: the CIK that the content must have. */
  readonly cik?: number;
}

const MIB = 1024 * 1024;
/** Maximum size of a JSON file; the readers reject larger files. */
const MAX_JSON_BYTES = 256 * MIB;
/** Maximum size of a bulk zip: three times the usual size. */
const MAX_BULK_BYTES = 4096 * MIB;
const MAX_SUBMISSIONS_PAGES = 999;

export const TICKERS_FILE = 'files/company_tickers.json';
export const TICKERS_WITH_EXCHANGE_FILE = 'files/company_tickers_exchange.json';
const TICKER_FILES = [TICKERS_FILE, TICKERS_WITH_EXCHANGE_FILE];

export const listTickerFiles = ({ filesUrl }: Site): RemoteFile[] =>
  TICKER_FILES.map((file) => ({ url: `${filesUrl}/${file}`, file, kind: 'json', maxBytes: 64 * MIB }));

/** Returns the zips with the facts and filings of all companies, which the site rebuilds every night. */
export function listBulkFiles({ filesUrl }: Site): RemoteFile[] {
  const folder = `${filesUrl}/Archives/edgar/daily-index`;
  return [
    { url: `${folder}/xbrl/companyfacts.zip`, file: 'companyfacts.zip', kind: 'zip', maxBytes: MAX_BULK_BYTES },
    { url: `${folder}/bulkdata/submissions.zip`, file: 'submissions.zip', kind: 'zip', maxBytes: MAX_BULK_BYTES },
  ];
}

/** Folders of files of single companies, by the name of the bulk zip that replaces these files. */
export const REPLACED_FOLDER_BY_ZIP: Readonly<Record<string, string>> = {
  'companyfacts.zip': 'companyfacts/',
  'submissions.zip': 'submissions/',
};

export function makeFactsFile({ apiUrl }: Site, cik: number): RemoteFile {
  const name = `${toCikTicker(cik)}.json`;
  const file = `companyfacts/${name}`;
  return { url: `${apiUrl}/api/xbrl/${file}`, file, kind: 'json', maxBytes: MAX_JSON_BYTES, cik };
}

export const makeSubmissionsFile = (site: Site, cik: number): RemoteFile => ({
  ...makeSubmissionsFileWithoutCik(site, `${toCikTicker(cik)}.json`),
  cik,
});

/** Returns the continuation pages named in a filer's main file; skips names that do not belong to the filer. */
export function listSubmissionsPages(site: Site, cik: number, submissions: unknown): RemoteFile[] {
  const filings = isObject(submissions) ? submissions.filings : undefined;
  const entries = isObject(filings) && Array.isArray(filings.files) ? filings.files : [];
  const pattern = new RegExp(`^${toCikTicker(cik)}-submissions-\\d{3}\\.json$`);
  const names = entries.slice(0, MAX_SUBMISSIONS_PAGES).flatMap((entry: unknown) => {
    const name = isObject(entry) ? entry.name : undefined;
    return typeof name === 'string' && pattern.test(name) ? [name] : [];
  });
  return [...new Set(names)].map((name) => makeSubmissionsFileWithoutCik(site, name));
}

const makeSubmissionsFileWithoutCik = ({ apiUrl }: Site, name: string): RemoteFile => ({
  url: `${apiUrl}/submissions/${name}`,
  file: `submissions/${name}`,
  kind: 'json',
  maxBytes: MAX_JSON_BYTES,
});

/** Returns the site's zip with the tagged documents and labels of one filing. */
export function makeReportFile({ filesUrl }: Site, cik: number, accession: string): RemoteFile {
  const name = `${accession}-xbrl.zip`;
  const folder = `${filesUrl}/Archives/edgar/data/${cik}/${accession.replaceAll('-', '')}`;
  return { url: `${folder}/${name}`, file: `reports/${name}`, kind: 'zip', maxBytes: 256 * MIB, isFinal: true };
}

/** Folder of documents to read, below the directory of the public files. No release is built from them. */
export const DOCUMENTS_FOLDER = 'filing-documents';

/** Returns the path of a document below the directory of the public files. */
export const makeDocumentPath = (accession: string, name: string): string => `${DOCUMENTS_FOLDER}/${accession}_${name}`;

/** Returns a document of a filing. */
export function makeDocumentFile({ filesUrl }: Site, cik: number, accession: string, name: string): RemoteFile {
  const url = `${filesUrl}/Archives/edgar/data/${cik}/${accession.replaceAll('-', '')}/${name}`;
  return { url, file: makeDocumentPath(accession, name), kind: 'document', maxBytes: 100 * MIB, isFinal: true };
}

/** Returns the file that lists all filings of a day. */
export function makeDailyIndexFile({ filesUrl }: Site, day: string): RemoteFile {
  const [year = '', month = ''] = day.split('-');
  const name = `master.${day.replaceAll('-', '')}.idx`;
  const folder = `${filesUrl}/Archives/edgar/daily-index/${year}/QTR${Math.ceil(Number(month) / 3)}`;
  return { url: `${folder}/${name}`, file: `daily-index/${name}`, kind: 'text', maxBytes: 64 * MIB };
}

/**
 * Returns the CIKs for the entered tickers and CIKs, in the same order without duplicates, and the inputs that were not
 * found.
 */
export function findCiks(choices: readonly string[], rows: readonly TickerRow[]) {
  const cikByTicker = new Map(rows.map(({ ticker, cik }) => [normalizeTicker(ticker), cik]));
  const ciks = new Set<number>();
  const unknown: string[] = [];
  for (const choice of choices) {
    const cik = cikByTicker.get(normalizeTicker(choice)) ?? parseCik(choice.replace(/^CIK/i, ''));
    if (cik === null) unknown.push(choice);
    else ciks.add(cik);
  }
  return { ciks: [...ciks], unknownInputs: unknown };
}

/** A series of data sets, one file per quarter, month or half month. */
export interface FileFamily {
  /** Name of the command line option. */
  readonly name: string;
  /** Folder of the family's files, below the directory of the public files. */
  readonly folder: string;
  /** The most recent period that may be published: 0 for the current period, 1 for the previous. */
  readonly firstPeriodBack: 0 | 1;
  /**
   * Maximum number of recent periods that may still be unpublished. For each missing one, an older period is fetched
   * instead.
   */
  readonly maxMissingPeriods: number;
  /**
   * Returns the file of a period: `back` is 0 for the current period, 1 for the previous one. Null if the family
   * begins later.
   */
  makeFile(site: Site, today: Date, periodsBack: number): RemoteFile | null;
}

/**
 * Declares a family of zips, in a folder of the family's name.
 * @param path folder of the zips on the site
 * @param findName returns the zip of a period; null if the family begins later
 */
const declareZips = (
  name: string,
  path: string,
  maxMib: number,
  findName: (today: Date, periodsBack: number) => string | null,
  maxMissingPeriods = 1,
): FileFamily => ({
  ...{ name, folder: name, firstPeriodBack: 1, maxMissingPeriods },
  makeFile: ({ filesUrl }, today, back) => {
    const zip = findName(today, back);
    const url = `${filesUrl}/files/${path}/${zip}`;
    return zip === null ? null : { url, file: `${name}/${zip}`, kind: 'zip', maxBytes: maxMib * MIB };
  },
});

export const FILE_FAMILIES: readonly FileFamily[] = [
  declareZips('insiders', 'structureddata/data/insider-transactions-data-sets', 256, (today, back) => {
    const { year, quarter } = computeQuarter(today, back);
    return year < 2006 ? null : `${year}q${quarter}_form345.zip`;
  }),
  declareZips('holders', 'structureddata/data/form-13f-data-sets', 1024, (today, back) => {
    const period = formatHoldingsPeriod(today, back);
    return period && `${period}_form13f.zip`;
  }),
  declareZips('fails', 'data/fails-deliver-data', 64, findFailsName, 2),
  declareZips('funds', 'dera/data/form-n-port-data-sets', 2048, (today, back) => {
    const { year, quarter } = computeQuarter(today, back);
    return year < 2019 || (year === 2019 && quarter < 4) ? null : `${year}q${quarter}_nport.zip`;
  }),
  {
    ...{ name: 'indexes', folder: 'index', firstPeriodBack: 0, maxMissingPeriods: 1 },
    makeFile: ({ filesUrl }, today, back) => {
      const { year, quarter } = computeQuarter(today, back);
      if (year < 1994) return null;
      const url = `${filesUrl}/Archives/edgar/full-index/${year}/QTR${quarter}/master.idx`;
      return { url, file: `index/master.${year}q${quarter}.idx`, kind: 'text', maxBytes: 256 * MIB };
    },
  },
];

function computeQuarter(today: Date, back: number): { year: number; quarter: number } {
  const quarter = today.getUTCFullYear() * 4 + Math.floor(today.getUTCMonth() / 3) - back;
  return { year: Math.floor(quarter / 4), quarter: (quarter % 4) + 1 };
}

/** Returns the name of a half month's file; null until mid 2009, when files were quarterly and had other names. */
function findFailsName(today: Date, back: number): string | null {
  const half = (today.getUTCFullYear() * 12 + today.getUTCMonth()) * 2 + (today.getUTCDate() > 15 ? 1 : 0) - back;
  const monthIndex = Math.floor(half / 2);
  const month = `${Math.floor(monthIndex / 12)}${String((monthIndex % 12) + 1).padStart(2, '0')}`;
  return month < '200907' ? null : `cnsfails${month}${half % 2 === 0 ? 'a' : 'b'}.zip`;
}

const MONTH_NAMES = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/**
 * Returns the name of a period of Form 13F data sets; null before 2013. Until the end of 2023, each set has a calendar
 * quarter. Later sets end in February, May, August and November, the months in which reports are due:
 * `01dec2024-28feb2025`. The first such set has only two months.
 */
function formatHoldingsPeriod(today: Date, back: number): string | null {
  // Periods of three months are counted from December 2023, although the first period began in January 2024.
  const firstMonth = 2023 * 12 + 11;
  const period = Math.floor((today.getUTCFullYear() * 12 + today.getUTCMonth() - firstMonth) / 3) - back;
  if (period < 0) {
    const quarter = 2023 * 4 + 3 + period + 1;
    return quarter < 2013 * 4 + 1 ? null : `${Math.floor(quarter / 4)}q${(quarter % 4) + 1}`;
  }
  const startMonth = period === 0 ? firstMonth + 1 : firstMonth + 3 * period;
  const endMonth = firstMonth + 3 * period + 2;
  const [year, month] = [Math.floor(endMonth / 12), endMonth % 12];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return `01${MONTH_NAMES[startMonth % 12]}${Math.floor(startMonth / 12)}-${lastDay}${MONTH_NAMES[month]}${year}`;
}
