import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../contract/failure.ts';
import { listRecords, verifyFile } from '../../edgar/fetch/file-records.ts';
import { type BuildProgress, buildRelease } from '../../release/build/build.ts';
import { optionText } from '../option-text.ts';
import type { UtilityCall, UtilityCommand } from '../utility.ts';
import { buildReport, sayWhatMatters } from './build-report.ts';
import { homeOf } from './data-home.ts';
import { sourcesHome } from './fetch-settings.ts';

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
    if (!io.errIsTerminal && !call.globals.quiet) io.log(`Building from ${from}`);
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
    return buildReport(report, call);
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
    const fault = await verifyFile(directory, record, signal);
    // What was taken away was taken away on purpose.
    if (fault === null || fault === 'missing') continue;
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
