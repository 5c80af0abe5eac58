/** The options that every command accepts, and how they are read; the default output format comes from FIN_OUTPUT or the profile. */
import type { GivenOptions, OptionSpec } from '../../ask/command/option-spec.ts';
import { readOutputFormat } from '../../client/settings.ts';
import { Failure, failUsage } from '../../contract/failure.ts';
import { didYouMean } from '../../contract/nearest.ts';
import { formatAlternatives, quote } from '../../contract/text/quote.ts';
import { type FormatName, OUTPUT_FORMAT_NAMES } from '../../render/formats.ts';

export interface GlobalOption extends OptionSpec {
  readonly group: 'output' | 'service' | 'other';
  /** Whether the option is short for another option, so that help does not list it. */
  readonly isSynonym?: boolean;
}

function option(group: GlobalOption['group'], name: string, help: string, rest: Partial<GlobalOption> = {}) {
  return { group, name, help, ...rest };
}

export const GLOBAL_OPTIONS: readonly GlobalOption[] = [
  option('output', 'output', 'Output format (--json and --csv for short)', {
    value: 'format',
    values: OUTPUT_FORMAT_NAMES,
    short: 'o',
  }),
  option('output', 'json', 'Same as --output json: the response as the service sent it', { isSynonym: true }),
  option('output', 'csv', 'Same as --output csv: exact figures as rows', { isSynonym: true }),
  option('output', 'fields', 'Columns to show, by name', { value: 'names' }),
  option('output', 'exact', 'Show every digit in tables'),
  option('output', 'no-header', 'Print tables, CSV and TSV without their header'),
  option('output', 'color', 'Use colors', { value: 'when', values: ['auto', 'always', 'never'] }),
  option('output', 'no-color', 'Same as --color never', { hidden: true }),
  option('output', 'no-pager', 'Print long output directly, without a pager'),
  option('output', 'quiet', 'Do not print notices; warnings and errors are still printed', { short: 'q' }),
  option('output', 'verbose', 'Log each request and where its response came from', { short: 'v' }),
  option('output', 'stats', 'Print the numbers of requests and cached responses, and the time taken'),
  option('service', 'base-url', 'Address of the service, or "local:" for the data on this machine', { value: 'url' }),
  option('service', 'profile', 'Name of the profile to use', { value: 'name' }),
  option('service', 'api-key-file', 'Read the API key from this file', { value: 'file' }),
  option('service', 'max-wait', 'Maximum time to wait for a rate limit or a retry, such as 30s', { value: 'time' }),
  option('service', 'retries', 'Maximum number of retries after a failure of the service', { value: 'count' }),
  option('service', 'timeout', 'Maximum time for one request', { value: 'time' }),
  option('service', 'deadline', 'Maximum time for the whole command', { value: 'time' }),
  option('service', 'fresh', 'Ask the service even if a cached response is still valid'),
  option('service', 'offline', 'Use cached responses only; send no request'),
  option('service', 'max-age', 'Use cached responses up to this age without asking the service', { value: 'time' }),
  option('service', 'no-cache', 'Neither read nor write the cache'),
  option(
    'service',
    'allow-older',
    'Accept a published release even if a newer release was read from the same address before',
  ),
  option('service', 'unchecked', 'Send parameters to the service without checking them first'),
  option('other', 'help', 'Show help', { short: 'h' }),
  option('other', 'version', 'Show the version', { short: 'V' }),
];

/** Values of the global options. Times are in milliseconds; null means that the option was not given. */
export type GlobalOptionValues = ReturnType<typeof readGlobalOptions>;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Throws a usage Failure if a value is invalid, if an option that takes a value is given more than once, or if two
 * options contradict each other.
 */
export function readGlobalOptions(options: GivenOptions, env: Environment) {
  for (const { name, values, value } of GLOBAL_OPTIONS) {
    const texts = options.get(name) ?? [];
    if (value !== undefined && texts.length > 1) failUsage(`--${name} was given ${texts.length} times; give it once.`);
    const unknownText = texts.find((text) => values?.includes(text) === false);
    if (unknownText !== undefined) throw makeInvalidValueFailure(`--${name}`, unknownText, values ?? []);
  }
  if (options.has('fresh') && options.has('offline'))
    failUsage('--fresh sends a request, which --offline forbids; choose one of these options.');
  const find = (name: string) => options.get(name)?.[0] ?? null;
  const has = (name: string) => options.has(name);
  const fields = find('fields');
  return {
    format: readFormat(options, env),
    fields: fields === null ? null : fields.trim().split(/\s*,\s*/),
    exact: has('exact'),
    header: !has('no-header'),
    quiet: has('quiet'),
    verbose: has('verbose'),
    stats: has('stats'),
    baseUrl: find('base-url'),
    profile: find('profile'),
    apiKeyFile: find('api-key-file'),
    maxWait: readDuration(options, 'max-wait'),
    retries: readCount(options, 'retries'),
    timeout: readTimeout(options),
    deadline: readDuration(options, 'deadline'),
    fresh: has('fresh'),
    offline: has('offline'),
    maxAge: readDuration(options, 'max-age'),
    cache: !has('no-cache'),
    allowOlder: has('allow-older'),
    unchecked: has('unchecked'),
  };
}

/**
 * Whether errors are printed as JSON. The requested formats decide; if none is requested, the default format decides.
 * Does not validate the options.
 */
export function wantsJson(options: GivenOptions, env: Environment): boolean {
  const names = listRequestedFormats(options);
  return names.size > 0 ? names.has('json') : findDefaultFormat(options, env).text === 'json';
}

/** Throws a usage Failure if options choose different formats, because a wrong guess could lose output. */
function readFormat(options: GivenOptions, env: Environment): FormatName {
  const [first, ...otherNames] = listRequestedFormats(options);
  if (otherNames.length > 0) {
    const names = [first, ...otherNames].join(', ');
    failUsage(`The options choose several formats (${names}); choose one format.`);
  }
  const { text, from } = first === undefined ? findDefaultFormat(options, env) : { text: first, from: '--output' };
  const format = OUTPUT_FORMAT_NAMES.find((format) => format === text);
  if (format === undefined) throw makeInvalidValueFailure(from, text, OUTPUT_FORMAT_NAMES);
  return format;
}

const listRequestedFormats = (options: GivenOptions): ReadonlySet<string> =>
  new Set([...(options.get('output') ?? []), ...['json', 'csv'].filter((name) => options.has(name))]);

function findDefaultFormat(options: GivenOptions, env: Environment): { readonly text: string; readonly from: string } {
  if (env.FIN_OUTPUT) return { text: env.FIN_OUTPUT, from: 'FIN_OUTPUT' };
  const text = readOutputFormat(options.get('profile')?.[0] ?? null, env);
  return { text: text ?? 'table', from: 'the setting "output" of the profile' };
}

export function makeInvalidValueFailure(setting: string, text: string, values: readonly string[]): Failure {
  const advice = `${didYouMean(text, values)} Use ${formatAlternatives(values)}.`;
  return new Failure('usage', `Unknown value ${quote(text)} for ${setting}.${advice}`);
}

function readDuration(options: GivenOptions, option: string): number | null {
  const text = options.get(option)?.[0];
  if (text === undefined) return null;
  const ms = parseDuration(text);
  if (ms !== null) return ms;
  failUsage(`--${option} ${JSON.stringify(text)} is not a length of time. Write it as 500ms, 30s, 5m, 2h or 7d.`);
}

function readTimeout(options: GivenOptions): number | null {
  const ms = readDuration(options, 'timeout');
  if (ms === 0) failUsage('--timeout must be greater than 0.');
  return ms;
}

function readCount(options: GivenOptions, option: string): number | null {
  const text = options.get(option)?.[0];
  if (text === undefined) return null;
  if (!/^\d{1,4}$/.test(text)) failUsage(`--${option} ${JSON.stringify(text)} is not a whole number from 0 to 9999.`);
  return Number(text);
}

const MS_BY_UNIT = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/**
 * Parses a duration such as `500ms`, `30s` or `7d` (a bare number is in seconds). Returns milliseconds, or null for
 * other text.
 */
export function parseDuration(text: string): number | null {
  const match = /^(\d{1,9}(?:\.\d{1,3})?)(ms|s|m|h|d|w)?$/.exec(text.trim());
  if (match === null) return null;
  const unit = (match[2] ?? 's') as keyof typeof MS_BY_UNIT;
  return Math.round(Number(match[1]) * MS_BY_UNIT[unit]);
}
