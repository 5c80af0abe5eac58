import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { BuildOptions, BuildProgress, BuildReport } from '../building/build.ts';
import type { UtilityCall, UtilityCommand } from '../commands/command-line/utility.ts';
import { findOptionText, JOBS_OPTION, readJobCount } from '../commands/command-line/utility.ts';
import { formatProgress } from '../commands/output/progress.ts';
import { EXIT_CODES, Failure } from '../contract/failure.ts';
import { isDay } from '../contract/identifiers.ts';
import type { AnalyticsReport } from '../export/write-analytics.ts';
import { findDirectories, requireDirectory } from '../platform/files/directories.ts';
import type { Block } from '../result/blocks.ts';
import { makeFieldsBlock, makeNoteBlock, makeRecordTable, makeTitleBlock, makeWorstTable } from '../result/blocks.ts';
import { pickFields } from '../result/rows.ts';
import { getReleasesHome } from '../store/releases/home.ts';
import { formatTypedTableProgress } from './data-tables.ts';

const COLUMNS = ['stamp', 'date', 'checks', 'publication', 'directory', 'companies', 'factRows', 'seconds'] as const;

const dataBuildCommand: UtilityCommand = {
  local: true,
  help: [
    'Reads the files fetched by "fin data fetch", after verifying them. With --from, reads another directory of public',
    'files: companyfacts.zip and submissions.zip as the SEC publishes them, or the files in these zips, with',
    'company_tickers.json and company_tickers_exchange.json next to them or in files/, or financial statement data',
    'sets such as 2010q2.zip, alone or next to these files. The release is built in a temporary directory, checked,',
    'and published in one step, so an interrupted build changes nothing and can be started again. The same files',
    'always give the same release. Results for each company are cached: the next build, also after an interruption,',
    'processes only companies whose files changed. With --quiet, a successful build prints only warnings.',
  ].join('\n'),
  options: [
    { name: 'from', value: 'dir', help: 'Directory of public files (default: files from fin data fetch)' },
    { name: 'out', value: 'dir', help: 'Directory for releases (default: in the data directory)' },
    { name: 'from-scratch', help: 'Build everything again, without cached results of earlier builds' },
    JOBS_OPTION,
    { name: 'publish-failed', help: 'Publish the release even if a check fails' },
    { name: 'allow-loss', help: "Publish the release even if much of the previous release's data is missing" },
    {
      name: 'without-footnotes',
      help: 'Replace the text of footnotes in insider filings with the address of the filing',
    },
    { name: 'analytics', help: 'Also write the typed tables, for DuckDB, Polars and others (see fin data analytics)' },
    {
      name: 'screen-since',
      value: 'day',
      help: 'Omit a company from the screener if all its figures end before this date',
    },
    {
      name: 'facts',
      value: 'names',
      help: 'Include every tagged fact of these companies (tickers or CIKs), for the command "fin facts"',
    },
    { name: 'all-facts', help: 'Include every tagged fact of all companies, for the command "fin facts"' },
    { name: 'about', value: 'text', help: 'A sentence that describes the release, stored with it' },
  ],
  examples: {
    'data build': 'a release built from the fetched files; the release is then in use',
    'data build --from ~/edgar': 'a release built from the public files in that directory',
  },
  run: async (call) => {
    const { io, globals, options } = call;
    const out = findOptionText(call, 'out');
    const home = out ?? getReleasesHome(requireDirectory('data', io.env));
    const jobCount = readJobCount(call);
    const from = findOptionText(call, 'from');
    const source = from ?? join(requireDirectory('data', io.env), 'sources');
    if (!io.errIsTerminal && !globals.quiet) io.log(`Building from ${source}`);
    const onProgress = createProgressReporter(io);
    if (from === null) await verifyFetchedFiles(source, io.signal, onProgress);
    const { buildRelease } = await import('../building/build.ts');
    const built = await buildRelease({
      sourceDirectory: source,
      home,
      ...(jobCount === null ? {} : { workerCount: jobCount }),
      about: findOptionText(call, 'about'),
      withoutFootnotes: options['without-footnotes'] === true,
      facts: readFactsOption(call),
      screenSince: readScreenSinceDay(findOptionText(call, 'screen-since')),
      publishFailed: options['publish-failed'] === true,
      allowLoss: options['allow-loss'] === true,
      resultCacheDirectory: options['from-scratch'] === true ? null : findResultCacheDirectory(io.env),
      signal: io.signal,
      onProgress,
    });
    const directory = options.analytics === true ? built.directory : null;
    const analytics = directory === null ? null : await writeTables(directory, jobCount, io.signal, onProgress);
    const report = { ...built, analytics };
    logOutcome(report, call);
    const isWithheld = report.publication === 'withheld';
    // With --quiet, a successful build prints no table, because cron mails any output. Other formats are printed.
    if (globals.quiet && globals.format === 'table' && !isWithheld) return undefined;
    return {
      json: report,
      rows: pickFields(COLUMNS, [report]),
      view: makeView(report, describeOutcome(report, out, findDirectories(io.env).data)),
      ...(isWithheld ? { exitCode: EXIT_CODES.data } : {}),
    };
  },
};

export default dataBuildCommand;

type ShownProgress =
  | BuildProgress
  | { readonly phase: 'verifying'; readonly file: string }
  | { readonly phase: 'typing'; readonly table: string; readonly done: number; readonly total: number };

type OnProgress = (progress: ShownProgress) => void;

interface BuildOutcome extends BuildReport {
  /** The report on the typed tables; null if the tables were not requested, or if the release was not published. */
  readonly analytics: AnalyticsReport | null;
}

/** Throws a Failure if no files were fetched, or if a file changed after it was fetched. */
async function verifyFetchedFiles(directory: string, signal: AbortSignal, onProgress: OnProgress): Promise<void> {
  if (!existsSync(directory)) {
    const text = 'There are no files to build from: nothing was fetched yet, and no directory is given by --from.';
    throw new Failure('usage', text, {
      hint: 'Fetch some companies with "fin data fetch AAPL MSFT", or all companies with "fin data fetch --bulk".',
    });
  }
  const { findFileFault, listRecords } = await import('../edgar/fetch/file-records.ts');
  for (const record of await listRecords(directory)) {
    onProgress({ phase: 'verifying', file: record.file });
    const fault = await findFileFault(directory, record, signal);
    // A missing file is accepted, because the user must have removed it deliberately.
    if (fault === null || fault === 'missing') continue;
    throw new Failure('data', `${join(directory, record.file)} was changed after it was fetched: it has ${fault}.`, {
      hint: 'Run "fin data fetch" again: it replaces damaged files.',
    });
  }
}

async function writeTables(release: string, jobCount: number | null, signal: AbortSignal, onProgress: OnProgress) {
  const { writeAnalytics } = await import('../export/write-analytics.ts');
  return writeAnalytics({
    release,
    signal,
    jobs: jobCount ?? undefined,
    onProgress: (progress) => onProgress({ phase: 'typing', ...progress }),
  });
}

/** Returns the cache directory for results of build tasks; null if the cache directory is unknown. */
function findResultCacheDirectory(env: UtilityCall['io']['env']): string | null {
  const { cache } = findDirectories(env);
  return cache === null ? null : join(cache, 'build');
}

function readFactsOption(call: UtilityCall): NonNullable<BuildOptions['facts']> {
  const companies = findOptionText(call, 'facts');
  if (call.options['all-facts'] !== true) return (companies ?? '').split(/[,\s]+/).filter((name) => name !== '');
  if (companies === null) return 'all';
  throw new Failure('usage', '--all-facts includes the facts of all companies: remove --facts.');
}

function readScreenSinceDay(text: string | null): string | null {
  if (text === null || isDay(text)) return text;
  throw new Failure('usage', `--screen-since ${JSON.stringify(text)} is not a date. Write it as 2025-01-31.`);
}

const PHASES = { dating: 'Finding the date of the latest filing', deriving: 'Deriving figures', finishing: 'Checking' };

/** Returns a function that shows each build phase with its progress and remaining time. */
function createProgressReporter(io: Pick<UtilityCall['io'], 'progress'>): OnProgress {
  io.progress('Reading the public files');
  let phase = '';
  let beginTime = 0;
  return (progress) => {
    if (progress.phase !== phase) beginTime = Date.now();
    phase = progress.phase;
    io.progress(formatProgressLine(progress, beginTime));
  };
}

function formatProgressLine(progress: ShownProgress, beginTime: number): string {
  if (progress.phase === 'typing') return formatTypedTableProgress(progress);
  if (progress.phase === 'verifying') return `Checking fetched files: ${progress.file}`;
  return `${PHASES[progress.phase]}: ${formatProgress(progress.done, progress.total, 'companies', beginTime)}`;
}

/** Logs problems and failed checks, even with --quiet; without --quiet, also the stamp. */
function logOutcome(report: BuildOutcome, { io, globals }: UtilityCall): void {
  for (const problem of report.problems) io.log(`Warning: ${problem}`);
  for (const { name, passed, detail } of report.checkResults)
    if (!passed) io.log(`Error: the check "${name}" failed: ${detail}.`);
  if (report.checks === 'failed') {
    io.log(
      report.publication === 'withheld'
        ? 'Error: the release was not published because checks failed. To publish it anyway: --publish-failed.'
        : 'Warning: checks failed; the release was published because of --publish-failed.',
    );
  }
  if (!globals.quiet) io.log(`Built ${report.stamp} in ${report.seconds.toFixed(1)} s`);
}

const OUTCOME_TEXTS: Readonly<Record<BuildOutcome['publication'], string>> = {
  published: 'published',
  already_there: 'had been built and published before',
  replaced_damaged: 'replaced a damaged copy',
  withheld: 'not published',
};

/** Describes the outcome, and whether questions use the release: a release outside the data directory is not used. */
function describeOutcome({ publication }: BuildOutcome, out: string | null, data: string | null): string {
  const outcome = OUTCOME_TEXTS[publication];
  if (publication === 'withheld') return outcome;
  if (out === null || (data !== null && resolve(getReleasesHome(data)) === resolve(out))) {
    return `${outcome}; the release is now in use`;
  }
  const parent = dirname(resolve(out));
  return resolve(getReleasesHome(parent)) === resolve(out)
    ? `${outcome}; the release is in use if FIN_DATA_DIR is ${parent}`
    : `${outcome}; commands do not look for releases in this directory. To use the release with FIN_DATA_DIR=${resolve(out)}, build with --out ${getReleasesHome(out)}`;
}

function makeView(report: BuildOutcome, outcome: string): Block[] {
  const skipped = Object.entries(report.skipped);
  return [
    makeTitleBlock(`Release ${report.stamp}`),
    makeFieldsBlock([
      ['Outcome', { text: outcome, tone: report.publication === 'withheld' ? 'warn' : 'plain' }],
      ['Directory', report.directory],
      ['Typed tables', report.analytics?.directory ?? null],
      ['Companies', report.companies],
      ['XBRL facts read', report.factRows],
      ...Object.entries(report.rows).map(([name, rows]) => [`Rows of ${name}`, rows] as const),
    ]),
    makeRecordTable(
      { name: 'Check', result: 'Result', detail: { title: 'Detail', shrinkTo: 40 } },
      report.checkResults.map(({ name, passed, detail }) => {
        return { name, detail, result: passed ? 'passed' : { text: 'failed', tone: 'warn' } };
      }),
    ),
    ...makeEvidenceBlocks(report.evidence),
    skipped.length === 0
      ? makeNoteBlock('No rows were skipped.')
      : makeRecordTable(
          { skipped: 'Skipped', rows: { title: 'Rows', align: 'right' } },
          skipped.map(([skipped, rows]) => ({ skipped, rows })),
        ),
  ];
}

/** Number of relations whose worst case is printed with the command that shows it. */
const MAX_WORST_RELATIONS = 3;

/**
 * Shows which amounts in filings contradict each other. Withheld facts are only counted here, because the table of
 * skipped rows lists them by reason.
 */
function makeEvidenceBlocks(evidence: BuildOutcome['evidence']): Block[] {
  if (evidence.length === 0) return [];
  const shownDecisions = evidence.filter(({ decision }) => decision !== 'withheld');
  const withheld = evidence.filter(({ decision }) => decision === 'withheld');
  const withheldCount = withheld.reduce((total, { count }) => total + count, 0);
  const worst = shownDecisions.flatMap(({ name, worst }) => (worst === null ? [] : [{ name, worst: [worst] }]));
  const summary = { name: 'facts that other amounts rule out (see Skipped)', decision: 'withheld' };
  return [
    makeRecordTable(
      {
        evidence: { title: 'Stated amounts that disagree', shrinkTo: 40, wrapped: true },
        count: { title: 'Cases', align: 'right' },
        decision: 'Decision',
      },
      [...shownDecisions, ...(withheldCount === 0 ? [] : [{ ...summary, count: withheldCount }])].map(
        ({ name, count, decision }) => ({ evidence: name, count, decision }),
      ),
    ),
    ...(worst.length === 0
      ? []
      : [
          makeWorstTable('Largest differences among marked figures', worst.slice(0, MAX_WORST_RELATIONS)),
          makeNoteBlock('All relations with their largest differences: fin data check'),
        ]),
  ];
}
