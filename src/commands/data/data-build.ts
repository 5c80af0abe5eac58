import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { findDirectories } from '../../client/directories.ts';
import { Failure } from '../../contract/failure.ts';
import { faultOf, listRecords } from '../../edgar/fetch/record.ts';
import { type Block, fields, note, table, title } from '../../output/blocks.ts';
import { pick } from '../../output/rows.ts';
import { type BuildProgress, type BuildReport, buildRelease } from '../../release/build.ts';
import { releasesHome } from '../../release/locate.ts';
import type { Report, UtilityCall, UtilityCommand } from '../utility.ts';
import { homeOf, optionText } from './data-home.ts';
import { sourcesHome } from './fetch-settings.ts';

const DATA_EXIT = 9;

const dataBuild: UtilityCommand = {
  name: 'data build',
  summary: 'Build a release from the public files of the SEC',
  help: [
    'Reads what fin data fetch has fetched, once it is found to be to the byte what was fetched; or, with --from, a',
    'directory of company facts, submissions and ticker lists: companyfacts.zip and submissions.zip as the SEC publishes',
    'them, or their members loose, with company_tickers.json and company_tickers_exchange.json beside them or in files/.',
    'The release is written aside, checked, and put in its place in one step; a build that is stopped leaves nothing',
    'that a reader would see, and can be started again. The same files always make the same release. With --quiet a build',
    'that went well prints nothing.',
  ].join('\n'),
  args: [],
  options: [
    { name: 'from', value: 'dir', help: 'Directory of public files; what was fetched, without it' },
    { name: 'out', value: 'dir', help: 'Directory that holds releases, instead of the one that answers' },
    { name: 'jobs', value: 'count', help: 'Threads; as many as there are cores, at most 8, without it' },
    { name: 'publish-failed', help: 'Publish the release even when a check failed' },
    {
      name: 'without-footnotes',
      help: 'Leave out insider filings that carry footnotes, whose text is prose of others',
    },
    { name: 'about', value: 'text', help: 'A sentence on what the release holds, kept with it' },
  ],
  examples: [
    { line: 'data build', shows: 'a release of what was fetched; it answers from then on' },
    { line: 'data build --from ~/edgar', shows: 'a release of the public files in a directory of your own' },
  ],
  run: async (call) => {
    const { io } = call;
    const home = homeOf(call, optionText(call, 'out'));
    const jobs = readJobs(optionText(call, 'jobs'));
    const from = optionText(call, 'from') ?? (await fetchedSources(call));
    if (!io.errIsTerminal && !call.globals.quiet) io.say(`Building from ${from}`);
    const report = await buildRelease({
      from,
      home,
      about: optionText(call, 'about'),
      withoutFootnotes: call.options['without-footnotes'] === true,
      publishFailed: call.options['publish-failed'] === true,
      signal: io.signal,
      onProgress: (progress) => io.progress(progressLine(progress)),
      ...(jobs === null ? {} : { jobs }),
    });
    io.progress(null);
    sayWhatMatters(report, call);
    // A crontab hears of what went wrong, and of nothing else.
    if (call.globals.quiet && call.globals.format === 'table' && report.publication !== 'withheld') return undefined;
    return reportOf(report, call);
  },
};

export default dataBuild;

/** The directory of fetched files, none of which has changed since it was fetched. */
async function fetchedSources(call: UtilityCall): Promise<string> {
  const directory = sourcesHome(call);
  const { signal } = call.io;
  if (!existsSync(directory)) {
    throw new Failure('usage', 'Nothing was fetched yet, and no --from names a directory of public files.', {
      hint: 'Fetch companies with "fin data fetch AAPL MSFT", or all with "fin data fetch --bulk".',
    });
  }
  for (const record of await listRecords(directory)) {
    call.io.progress(`Checking what was fetched: ${record.file}`);
    const fault = await faultOf(directory, record, signal);
    // What was taken away was taken away on purpose.
    if (fault === null || fault === 'gone') continue;
    throw new Failure('data', `${join(directory, record.file)} has ${fault} than when it was fetched.`, {
      hint: 'Run "fin data fetch" again: it fetches what is not whole.',
    });
  }
  return directory;
}

function readJobs(text: string | null): number | null {
  if (text === null) return null;
  if (/^[1-9]\d?$/.test(text)) return Number(text);
  throw new Failure('usage', `--jobs ${JSON.stringify(text)} is not a whole number from 1 to 99.`);
}

const PHASES = { dating: 'Looking for the latest filing', deriving: 'Deriving figures', finishing: 'Checking' };

function progressLine({ phase, done, total }: BuildProgress): string {
  return `${PHASES[phase]}: ${done} of ${total} companies`;
}

function sayWhatMatters(report: BuildReport, { io, globals }: UtilityCall): void {
  for (const problem of report.problems) io.say(`Warning: set aside: ${problem}`);
  if (report.checks === 'failed') {
    io.say(
      report.publication === 'withheld'
        ? 'Error: checks failed, so the release was not published. To publish it all the same: --publish-failed.'
        : 'Warning: checks failed; the release was published because --publish-failed says so.',
    );
  }
  if (!globals.quiet) io.say(`Built ${report.stamp} in ${report.seconds.toFixed(1)} s`);
}

const OUTCOMES: Readonly<Record<BuildReport['publication'], string>> = {
  published: 'published',
  already_there: 'was there already',
  replaced_damaged: 'took the place of a damaged copy',
  withheld: 'not published',
};

/** A release in a directory of one's own answers only where that is the data directory's. */
function outcomeOf({ publication }: BuildReport, call: UtilityCall): string {
  const outcome = OUTCOMES[publication];
  if (publication === 'withheld') return outcome;
  const out = optionText(call, 'out');
  const { data } = findDirectories(call.io.env);
  if (out === null || (data !== null && resolve(releasesHome(data)) === resolve(out))) {
    return `${outcome}; it answers from now on`;
  }
  const home = dirname(resolve(out));
  return resolve(releasesHome(home)) === resolve(out)
    ? `${outcome}; it answers where FIN_DATA_DIR is ${home}`
    : `${outcome}; no question looks there: for FIN_DATA_DIR=${resolve(out)}, build with --out ${releasesHome(out)}`;
}

function reportOf(report: BuildReport, call: UtilityCall): Report {
  return {
    json: report,
    rows: pick(['stamp', 'date', 'checks', 'publication', 'directory', 'companies', 'factRows', 'seconds'], [report]),
    view: view(report, outcomeOf(report, call)),
    ...(report.publication === 'withheld' ? { exitCode: DATA_EXIT } : {}),
  };
}

function view(report: BuildReport, outcome: string): Block[] {
  const setAside = Object.entries(report.setAside);
  return [
    title(`Release ${report.stamp}`),
    fields([
      ['Outcome', { text: outcome, tone: report.publication === 'withheld' ? 'warn' : 'plain' }],
      ['Where', report.directory],
      ['Companies', report.companies],
      ['Facts read', report.factRows],
      ...Object.entries(report.rows).map(([name, rows]) => [`Rows of ${name}`, rows] as const),
    ]),
    table(
      [
        { key: 'check', title: 'Check' },
        { key: 'result', title: 'Result' },
        { key: 'detail', title: 'Detail', shrinkTo: 40 },
      ],
      report.checkResults.map(({ name, passed, detail }) => [
        name,
        passed ? 'passed' : { text: 'failed', tone: 'warn' },
        detail,
      ]),
    ),
    ...(setAside.length === 0
      ? [note('Nothing was set aside.')]
      : [
          table(
            [
              { key: 'set_aside', title: 'Set aside' },
              { key: 'rows', title: 'Rows', align: 'right' },
            ],
            setAside.map(([reason, count]) => [reason, count]),
          ),
        ]),
  ];
}
