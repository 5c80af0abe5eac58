import { join } from 'node:path';
import { version } from '../../package.json';
import { isBroken } from '../client/broken.ts';
import { findDirectories } from '../client/directories.ts';
import { openDownloads } from '../client/downloads.ts';
import { decideRetry, retryAfter } from '../client/retry.ts';
import { Failure } from '../contract/failure.ts';
import { didYouMean } from '../contract/nearest.ts';
import { quote } from '../contract/quote.ts';
import { FAMILIES } from '../edgar/fetch/families.ts';
import { type FetchReport, fetchFiles, type Order } from '../edgar/fetch/fetch-files.ts';
import { openPace } from '../edgar/fetch/pace.ts';
import { listRecords, OWN_FOLDER } from '../edgar/fetch/record.ts';
import { refreshOrder } from '../edgar/fetch/refresh.ts';
import type { Outcome, Patience } from '../edgar/fetch/types.ts';
import { fields, note } from '../output/blocks.ts';
import { pick } from '../output/rows.ts';
import { optionText } from './data-home.ts';
import { openClaims } from './fetch-claim.ts';
import { FetchProgress, size, time } from './fetch-progress.ts';
import { readContact, readSite, sourcesHome } from './fetch-settings.ts';
import type { Report, UtilityCall, UtilityCommand } from './utility.ts';

const NOT_FOUND_EXIT = 3;
const PARTIAL_EXIT = 8;
const MAX_WAIT = 90_000;
const RETRIES = 4;
const LONGEST_COUNT = 200;
/** A line that is shown more often than this (ms) is not read. */
const SHOW_EVERY = 100;

const dataFetch: UtilityCommand = {
  name: 'data fetch',
  summary: 'Fetch public files of the SEC, politely, to build from',
  help: [
    'Fetches the ticker lists, and of each company named its facts and its list of filings; with --bulk those of all',
    'companies, as the SEC zips them every night (3 GB). Without either, what was fetched before is brought up to date.',
    'Never more than eight requests a second, whatever else of fin runs; only what changed is fetched again, and what was',
    'broken off goes on where it ended. Loose files of companies make way for a newer bulk zip.',
    'Then "fin data build" builds a release from it, and everything answers from that.',
  ].join('\n'),
  args: [{ name: 'company', help: 'tickers or CIKs; - reads them from stdin', optional: true, many: true }],
  options: [
    { name: 'bulk', help: "All companies' facts and lists of filings" },
    ...FAMILIES.map(({ name, unit, help }) => ({ name, value: unit, help })),
    { name: 'contact', value: 'text', help: 'Your name or company and e-mail, which the SEC asks for; FIN_CONTACT' },
    { name: 'site', value: 'url', help: "A copy of the SEC's site to fetch from; FIN_EDGAR_URL" },
  ],
  examples: [
    { line: 'data fetch AAPL MSFT --contact "Jane Doe jane@doe.org"', shows: 'two companies, in a few seconds' },
    { line: 'data fetch --bulk --insiders 8 --fails 24', shows: 'everybody, two years of insiders, one of prices' },
    { line: 'data fetch --quiet && fin data build --quiet', shows: 'for a crontab: what is there, brought up to date' },
  ],
  run: async (call) => {
    if (call.globals.offline) throw new Failure('usage', 'fin data fetch asks the site, and --offline asks nothing.');
    const [site, contact, directory] = [readSite(call), readContact(call), sourcesHome(call)];
    const order: Order = { site, today: new Date(), ...(await readOrder(call, directory)) };
    return fetchOrder(call, order, directory, contact);
  },
};

export default dataFetch;

async function readOrder(
  call: UtilityCall,
  directory: string,
): Promise<Pick<Order, 'companies' | 'bulk' | 'families'>> {
  const companies = await readCompanies(call);
  const bulk = call.options.bulk === true;
  const families = FAMILIES.flatMap((family) => {
    const text = optionText(call, family.name);
    return text === null ? [] : [{ family, count: readCount(text, family.name) }];
  });
  if (call.args.length > 0 || bulk || families.length > 0) return { companies, bulk, families };
  const known = refreshOrder(await listRecords(directory), FAMILIES);
  if (known.companies.length > 0 || known.bulk || known.families.length > 0) return known;
  throw new Failure('usage', 'fin data fetch needs companies, or --bulk: nothing was fetched before.', {
    hint: 'For example: fin data fetch AAPL MSFT',
  });
}

async function readCompanies({ args, io }: UtilityCall): Promise<string[]> {
  const companies: string[] = [];
  for (const text of args) {
    if (text !== '-') companies.push(text);
    else {
      for await (const line of io.lines()) {
        const name = line.replace(/(^|\s)#.*$/, '').trim();
        if (name !== '') companies.push(name);
      }
    }
  }
  return companies;
}

function readCount(text: string, name: string): number {
  if (/^[1-9]\d{0,2}$/.test(text) && Number(text) <= LONGEST_COUNT) return Number(text);
  throw new Failure('usage', `--${name} ${quote(text)} is not a whole number from 1 to ${LONGEST_COUNT}.`);
}

async function fetchOrder(call: UtilityCall, order: Order, directory: string, contact: string): Promise<Report> {
  const { io, globals } = call;
  const say = (text: string) => {
    if (!globals.quiet) io.say(text);
  };
  const progress = new FetchProgress(Date.now());
  const longest = globals.maxWait ?? MAX_WAIT;
  const clock = globals.deadline === null ? null : AbortSignal.timeout(globals.deadline);
  const signal = clock === null ? io.signal : AbortSignal.any([io.signal, clock]);
  const host = new URL(order.site.files).host;
  const downloads = openDownloads(io.env);
  if (!io.errIsTerminal) say(`Fetching from ${host} to ${directory}`);
  let shown = 0;
  try {
    const report = await fetchFiles(order, {
      directory,
      get: downloads.get,
      userAgent: `${contact} (fin-filings/${version})`,
      pace: openPace({
        directory: paceDirectory(io.env, host),
        longest,
        failed: () => say('The pace cannot be shared with other processes; this one keeps to it by itself.'),
      }),
      patience: patienceOf(longest, globals.retries ?? RETRIES),
      claim: openClaims(join(directory, OWN_FOLDER, 'claims'), (name) =>
        say(`Another fin is fetching ${name}; waiting for it.`),
      ),
      signal,
      report: (event) => {
        const now = Date.now();
        progress.take(event, now);
        if (event.type === 'retrying' && globals.verbose) say(`${event.why} Trying again in ${time(event.ms / 1000)}.`);
        if (event.type === 'done' && globals.verbose) say(`${event.outcome.file}: ${event.outcome.state}`);
        if (globals.quiet || now - shown < SHOW_EVERY) return;
        shown = now;
        io.progress(progress.line(now));
      },
    });
    io.progress(null);
    return finish(call, order, report, directory, progress);
  } catch (error) {
    io.signal.throwIfAborted();
    if (clock?.aborted === true) throw deadlineFailure(error);
    throw localFailure(error, directory) ?? error;
  } finally {
    await downloads.close();
  }
}

function paceDirectory(env: UtilityCall['io']['env'], host: string): string | null {
  const { state } = findDirectories(env);
  return state === null ? null : join(state, 'fetch', host.replace(/[^a-z0-9.-]/gi, '_'));
}

function patienceOf(maxWait: number, retries: number): Patience {
  return {
    again(outcome, attempt) {
      const seen =
        'error' in outcome
          ? ({ broken: isBroken(outcome.error) ? outcome.error.how : 'truncated' } as const)
          : { ...outcome, violated: [] };
      const context = { attempt, retries, waited: 0, maxWait, now: Date.now(), deadline: null, chance: Math.random() };
      const decision = decideRetry(seen, context);
      return decision.end === 'retry' ? decision.ms : null;
    },
    told: (headers) => retryAfter(headers, Date.now()),
    longest: maxWait,
  };
}

function deadlineFailure(cause: unknown): Failure {
  return new Failure('network', 'The deadline passed before everything was fetched.', {
    hint: 'What is fetched is kept; run the same again and it goes on from there.',
    cause,
  });
}

/** A disk that is full or not ours to write to. */
function localFailure(error: unknown, directory: string): Failure | null {
  const code = error instanceof Error && 'code' in error && 'syscall' in error ? String(error.code) : null;
  if (code === null) return null;
  return new Failure('data', `What was fetched cannot be kept in ${directory} (${code}).`, {
    hint:
      code === 'ENOSPC'
        ? 'The disk is full. Make room, or set FIN_DATA_DIR to a larger one; what is fetched is kept.'
        : 'Check who owns the directory, or set FIN_DATA_DIR to another.',
    cause: error,
  });
}

function finish(
  { io, globals }: UtilityCall,
  order: Order,
  { outcomes, unknown, tickers }: FetchReport,
  directory: string,
  { requests, received }: FetchProgress,
): Report {
  const of = (state: Outcome['state']) => outcomes.filter((outcome) => outcome.state === state);
  for (const { file, problem } of of('failed')) io.say(`Error: ${file} was not fetched: ${problem}.`);
  const missing = of('absent').filter(({ file }) => /^(?:companyfacts|submissions|files)\//.test(file));
  if (!globals.quiet) for (const { file } of missing) io.say(`The site has no ${file}.`);
  for (const text of unknown) io.say(`fin: ${quote(text)} is on no list of tickers.${didYouMean(text, tickers)}`);
  const [fetched, unchanged] = [of('fetched'), of('unchanged')];
  if (!globals.quiet && !io.errIsTerminal) {
    io.say(`Fetched ${fetched.length} files (${size(received)}); ${unchanged.length} were up to date`);
  }
  const counts = { fetched: fetched.length, unchanged: unchanged.length, absent: of('absent').length };
  return {
    json: { directory, requests, received, unknown, files: outcomes },
    rows: pick(['file', 'state', 'bytes', 'sha256', 'url', 'problem'], outcomes),
    view: [
      fields([
        ['Where', directory],
        ['Fetched', `${counts.fetched} files, ${size(received)}`],
        ['Up to date', counts.unchanged],
        ['Not at the site', counts.absent],
        ['Failed', { text: String(of('failed').length), tone: of('failed').length > 0 ? 'warn' : 'plain' }],
        ['Requests', requests],
      ]),
      ...(outcomes.length > of('failed').length ? [note('To answer from it: fin data build')] : []),
    ],
    ...exitOf(order, of('failed').length, unknown),
  };
}

function exitOf({ companies, bulk, families }: Order, failed: number, unknown: readonly string[]) {
  if (failed === 0 && unknown.length === 0) return {};
  const nothingElse = !bulk && families.length === 0 && failed === 0;
  return { exitCode: nothingElse && unknown.length === companies.length ? NOT_FOUND_EXIT : PARTIAL_EXIT };
}
