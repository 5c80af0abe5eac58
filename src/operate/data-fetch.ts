import { join } from 'node:path';
import { version } from '../../package.json';
import { readArgumentTexts } from '../ask/command/inputs.ts';
import { PARTIAL_EXIT_CODE } from '../ask/failure-report.ts';
import type { Report, UtilityCall, UtilityCommand } from '../commands/command-line/utility.ts';
import { findOptionText } from '../commands/command-line/utility.ts';
import { EXIT_CODES, Failure } from '../contract/failure.ts';
import { didYouMean } from '../contract/nearest.ts';
import { formatBytes, formatCount } from '../contract/text/format-counts.ts';
import { quote } from '../contract/text/quote.ts';
import type { FetchOutcome } from '../edgar/fetch/download.ts';
import type { FetchReport } from '../edgar/fetch/fetch-files.ts';
import { checkAddress } from '../http/addresses.ts';
import { parseContact } from '../http/sec/site.ts';
import { requireDirectory } from '../platform/files/directories.ts';
import { makeFieldsBlock, makeNoteBlock } from '../result/blocks.ts';
import { pickFields } from '../result/rows.ts';
import type { FetchFilesOptions, SourceFileKind } from './run-fetch.ts';
import { createEventReporter, FetchProgress, findCurrentProfile, makeTransferSettings } from './transfers.ts';

const MAX_PERIODS_OR_DAYS = 200;
/**
 * Age in milliseconds up to which a file is not requested again; `--fresh` and `--max-age` override it. The age counts
 * from the time at which the site last sent the file or reported it as unchanged.
 */
const DEFAULT_MAX_AGE_MS = 15 * 60_000;

/**
 * Each family of files has an option, such as `--insiders 4`. `unit`: the periods that the option counts. `help`: the
 * option's help.
 */
const FILE_FAMILIES: Readonly<Record<SourceFileKind, { readonly unit: string; readonly help: string }>> = {
  insiders: { unit: 'quarters', help: 'Insider transactions (Forms 3, 4, 5): number of latest quarters to fetch' },
  holders: { unit: 'periods', help: "Managers' holdings (Form 13F): number of latest three-month periods to fetch" },
  fails: { unit: 'halves', help: 'Fails to deliver, with daily prices: number of latest half months to fetch' },
  funds: { unit: 'quarters', help: "Funds' holdings (N-PORT): number of latest quarters to fetch, 450 MB each" },
  indexes: {
    unit: 'quarters',
    help: 'Lists of all filings: number of latest quarters to fetch, including the current one',
  },
};
const FAMILY_NAMES = Object.keys(FILE_FAMILIES) as SourceFileKind[];

const dataFetchCommand: UtilityCommand = {
  help: [
    "Fetches the ticker lists, and the facts and list of filings of each given company. With --bulk, fetches the SEC's",
    'nightly zips of all companies (3 GB). With --reports, also fetches recent annual and interim reports, which the facts may',
    'not include yet. With neither companies nor --bulk nor an option such as --insiders, updates the files that were fetched',
    'before. All processes of fin together send at most eight requests per second. Only changed files are fetched again, and',
    'an interrupted download continues where it ended. A file that was fetched, or found to be unchanged, in the last 15',
    'minutes is not requested again; --max-age sets another time, and --fresh requests every file. A newer bulk zip replaces',
    'files of single companies. With --quiet, a successful fetch prints nothing. Afterwards, build a release with "fin data build".',
  ].join('\n'),
  args: [
    {
      name: 'company',
      help: 'Tickers or CIKs of companies, or "-" to read them from stdin',
      optional: true,
      many: true,
    },
  ],
  options: [
    { name: 'bulk', help: 'Fetch the facts and lists of filings of all companies' },
    {
      name: 'reports',
      value: 'days',
      help: 'XBRL reports: number of latest days to fetch, of the given companies or, with --bulk, of all',
    },
    { name: 'documents', help: 'Also fetch the text of filings of the given companies, for "fin read" and "fin grep"' },
    { name: 'forms', value: 'names', help: 'Forms whose text --documents fetches (default: 10-K,20-F)' },
    ...FAMILY_NAMES.map((name) => ({ name, value: FILE_FAMILIES[name].unit, help: FILE_FAMILIES[name].help })),
    {
      name: 'contact',
      value: 'text',
      help: 'Your name or company and e-mail address, which the SEC asks for (or set FIN_CONTACT)',
    },
    {
      name: 'max-size',
      value: 'size',
      help: 'Maximum size of a zip, such as 8GB (default: about three times the usual size)',
    },
    { name: 'site', value: 'url', help: "Address of a copy of the SEC's site to fetch from (or set FIN_EDGAR_URL)" },
  ],
  examples: {
    'data fetch AAPL MSFT --contact "Jane Doe jane@doe.org"': 'two companies, in a few seconds',
    'data fetch --bulk --insiders 8 --fails 24':
      'all companies, with two years of insider trades and one year of prices',
    'data fetch AAPL MSFT --reports 3 && fin data build': 'a release that includes reports filed today',
    'data fetch AAPL --documents --forms 10-K,10-Q':
      'the annual and quarterly reports of a company, to read and search',
    'data fetch --quiet && fin data build --quiet': 'for a crontab: updates the fetched files and the release',
  },
  run: async (call) => {
    const { globals, io } = call;
    if (globals.offline) throw new Failure('usage', '--offline forbids network access, which fin data fetch needs.');
    const mirrorUrl = readMirrorUrl(call);
    const userAgent = `${readContact(call)} (fin-filings/${version})`;
    const directory = join(requireDirectory('data', io.env), 'sources');
    const { settings: common, withinDeadline } = makeTransferSettings(call);
    const maxBytes = readSize(findOptionText(call, 'max-size'));
    const request = { site: mirrorUrl, maxZipBytes: maxBytes, ...(await withinDeadline(readFetchOptions(call))) };
    const progress = new FetchProgress(Date.now());
    const { fetchPublicFiles } = await import('./run-fetch.ts');
    const settings = {
      ...common,
      directory,
      userAgent,
      maxAge: globals.fresh ? 0 : (globals.maxAge ?? DEFAULT_MAX_AGE_MS),
      onEvent: createEventReporter(call, `to ${directory}`, progress),
    };
    const summary = await withinDeadline(fetchPublicFiles(request, settings));
    logOutcome(summary, progress, call);
    const report = makeReport(request, summary, directory, progress);
    // With --quiet, a successful fetch prints no table, because cron mails any output. Other formats are printed.
    return globals.quiet && globals.format === 'table' && report.exitCode === undefined ? undefined : report;
  },
};

export default dataFetchCommand;

/** Returns the contact from `--contact`, FIN_CONTACT or the profile. */
function readContact(call: UtilityCall): string {
  const contact = findOptionText(call, 'contact') ?? (call.io.env.FIN_CONTACT || findCurrentProfile(call)?.contact);
  return parseContact(contact ?? null);
}

/** Returns the mirror from `--site` or FIN_EDGAR_URL; null for the SEC's own site. */
function readMirrorUrl(call: UtilityCall): string | null {
  const text = findOptionText(call, 'site') ?? (call.io.env.FIN_EDGAR_URL || null);
  return text === null ? null : checkAddress(text, 'site');
}

async function readFetchOptions(call: UtilityCall): Promise<Omit<FetchFilesOptions, 'site' | 'maxZipBytes'>> {
  const families = FAMILY_NAMES.flatMap((name) => {
    const text = findOptionText(call, name);
    return text === null ? [] : [{ name, count: readCount(text, name) }];
  });
  const includesBulkFiles = call.options.bulk === true;
  const daysText = findOptionText(call, 'reports');
  const reportDays = daysText === null ? 0 : readCount(daysText, 'reports');
  const selectsCompanies = call.args.length > 0 || includesBulkFiles;
  if (reportDays > 0 && !selectsCompanies && families.length > 0) {
    throw new Failure('usage', '--reports needs companies: name companies, or add --bulk for all.');
  }
  const documentForms = readDocumentForms(call);
  const refresh = !selectsCompanies && families.length === 0;
  return { companies: await readCompanies(call), includesBulkFiles, families, reportDays, documentForms, refresh };
}

const DEFAULT_DOCUMENT_FORMS = '10-K,20-F';

/** Returns the forms of --documents; empty without the option. */
function readDocumentForms(call: UtilityCall): readonly string[] {
  const text = findOptionText(call, 'forms');
  if (call.options.documents !== true) {
    if (text === null) return [];
    throw new Failure('usage', '--forms chooses the forms of --documents: add --documents.');
  }
  if (call.args.length === 0) throw new Failure('usage', '--documents needs companies: name them.');
  return (text ?? DEFAULT_DOCUMENT_FORMS).split(',').map((form) => form.trim().toUpperCase());
}

async function readCompanies({ args, io }: UtilityCall): Promise<string[]> {
  const companies: string[] = [];
  for await (const name of readArgumentTexts(args, { parameter: 'ticker' }, io)) companies.push(name);
  return companies;
}

const BYTES_PER_UNIT: Readonly<Record<string, number>> = { MB: 1e6, GB: 1e9 };

/** Parses a size such as 500MB or 8GB; returns bytes. */
function readSize(text: string | null): number | null {
  if (text === null) return null;
  const [, digits = '', unit = ''] = /^([1-9]\d{0,4})\s?(MB|GB)$/i.exec(text) ?? [];
  const unitBytes = BYTES_PER_UNIT[unit.toUpperCase()];
  if (unitBytes !== undefined) return Number(digits) * unitBytes;
  throw new Failure('usage', `--max-size ${quote(text)} is not a size.`, { hint: 'Write it as 500MB or 8GB.' });
}

function readCount(text: string, option: string): number {
  if (/^[1-9]\d{0,2}$/.test(text) && Number(text) <= MAX_PERIODS_OR_DAYS) return Number(text);
  throw new Failure('usage', `--${option} ${quote(text)} is not a whole number from 1 to ${MAX_PERIODS_OR_DAYS}.`);
}

const countOutcomes = (outcomes: readonly FetchOutcome[], state: FetchOutcome['state']): number =>
  outcomes.filter((outcome) => outcome.state === state).length;

/**
 * Logs failed files and unknown companies, even with --quiet. Without --quiet, also logs missing company facts,
 * submissions and ticker lists, and, if stderr is not a terminal, the number of fetched files.
 */
function logOutcome({ outcomes, unknown, tickers }: FetchReport, progress: FetchProgress, call: UtilityCall): void {
  const { io, globals } = call;
  for (const { file, url, state, problem } of outcomes) {
    if (state === 'failed') io.log(`Error: ${file} was not fetched: ${problem}.`);
    const isExpected = /^(?:companyfacts|submissions|files)\//.test(file);
    if (state === 'absent' && isExpected && !globals.quiet) io.log(`${new URL(url).host} does not have ${file}.`);
  }
  for (const text of unknown) {
    io.log(`Error: ${quote(text)} is not in the SEC's ticker lists.${didYouMean(text, tickers)}`);
  }
  if (globals.quiet || io.errIsTerminal) return;
  const fetched = countOutcomes(outcomes, 'fetched');
  const unchanged = countOutcomes(outcomes, 'unchanged');
  io.log(`Fetched ${formatCount(fetched, 'file')} (${formatBytes(progress.receivedBytes)}); up to date: ${unchanged}`);
}

function makeReport(
  request: FetchFilesOptions,
  { outcomes, unknown }: FetchReport,
  directory: string,
  { requests, receivedBytes }: FetchProgress,
): Report {
  const failedCount = countOutcomes(outcomes, 'failed');
  return {
    json: { directory, requests, received: receivedBytes, unknown, files: outcomes },
    rows: pickFields(['file', 'state', 'bytes', 'sha256', 'url', 'problem'], outcomes),
    view: [
      makeFieldsBlock([
        ['Directory', directory],
        ['Fetched', `${formatCount(countOutcomes(outcomes, 'fetched'), 'file')}, ${formatBytes(receivedBytes)}`],
        ['Up to date', countOutcomes(outcomes, 'unchanged')],
        ['Not available', countOutcomes(outcomes, 'absent')],
        ['Failed', { text: String(failedCount), tone: failedCount > 0 ? 'warn' : 'plain' }],
        ['Requests', requests],
      ]),
      ...(outcomes.length > failedCount ? [makeNoteBlock('To build a release from these files: fin data build')] : []),
    ],
    ...chooseExitCode(request, failedCount, unknown),
  };
}

function chooseExitCode(
  { companies, includesBulkFiles, families }: FetchFilesOptions,
  failedCount: number,
  unknown: readonly string[],
) {
  if (failedCount === 0 && unknown.length === 0) return {};
  const isBuildable = !includesBulkFiles && families.length === 0 && failedCount === 0;
  return { exitCode: isBuildable && unknown.length === companies.length ? EXIT_CODES.not_found : PARTIAL_EXIT_CODE };
}
