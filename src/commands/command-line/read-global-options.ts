/** The options that every command takes, from what was typed and the environment. */

import { profileOutput } from '../../client/settings.ts';
import { Failure } from '../../contract/failure.ts';
import { didYouMean } from '../../contract/nearest.ts';
import { parseDuration } from './duration.ts';
import { FORMATS, type Format, GLOBAL_OPTIONS, type GlobalOptions } from './global-options.ts';

type Options = ReadonlyMap<string, readonly string[]>;
type Environment = Readonly<Record<string, string | undefined>>;

/** Throws a usage Failure that names the option and what it takes. */
export function readGlobalOptions(options: Options, env: Environment): GlobalOptions {
  for (const { name, values, value } of GLOBAL_OPTIONS) {
    const given = options.get(name) ?? [];
    if (value !== undefined && given.length > 1)
      throw new Failure('usage', `--${name} was given ${given.length} times; give it once.`);
    const foreign = given.find((text) => values !== undefined && !values.includes(text));
    if (foreign !== undefined) throw notOneOf(`--${name}`, foreign, values ?? []);
  }
  const text = (name: string): string | null => options.get(name)?.[0] ?? null;
  const has = (name: string): boolean => options.has(name);
  return {
    format: format(options, env),
    fields:
      text('fields')
        ?.split(',')
        .map((field) => field.trim()) ?? null,
    exact: has('exact'),
    header: !has('no-header'),
    quiet: has('quiet'),
    verbose: has('verbose'),
    stats: has('stats'),
    baseUrl: text('base-url'),
    profile: text('profile'),
    apiKeyFile: text('api-key-file'),
    maxWait: time(options, 'max-wait'),
    retries: count(options, 'retries'),
    timeout: timeout(options),
    deadline: time(options, 'deadline'),
    fresh: has('fresh'),
    offline: has('offline'),
    maxAge: time(options, 'max-age'),
    cache: !has('no-cache'),
    unchecked: has('unchecked'),
  };
}

/** Of several ways to say it, all that are given must agree: guessing which was meant loses output. */
function format(options: Options, env: Environment): Format {
  const said = [
    ...(options.get('output') ?? []),
    ...(options.has('json') ? ['json'] : []),
    ...(options.has('csv') ? ['csv'] : []),
  ];
  const [first, ...others] = new Set(said);
  if (others.length > 0) {
    throw new Failure('usage', `The answer cannot be both ${first} and ${others.join(' and ')}; ask for one form.`);
  }
  const fromEnvironment = env.FIN_OUTPUT || undefined;
  const chosen = first ?? fromEnvironment ?? profileOutput(options.get('profile')?.[0] ?? null, env) ?? 'table';
  if (isFormat(chosen)) return chosen;
  throw notOneOf(fromEnvironment === undefined ? "The profile's output" : 'FIN_OUTPUT', chosen, FORMATS);
}

const isFormat = (text: string): text is Format => (FORMATS as readonly string[]).includes(text);

function notOneOf(name: string, text: string, values: readonly string[]): Failure {
  return new Failure(
    'usage',
    `${name} ${JSON.stringify(text)} is not known.${didYouMean(text, values)} Use ${values.join(', ')}.`,
  );
}

function time(options: Options, name: string): number | null {
  const text = options.get(name)?.[0];
  if (text === undefined) return null;
  const milliseconds = parseDuration(text);
  if (milliseconds === null) {
    throw new Failure('usage', `--${name} ${JSON.stringify(text)} is not a time, such as 500ms, 30s, 5m, 2h or 7d.`);
  }
  return milliseconds;
}

/** Nothing is answered in no time at all. */
function timeout(options: Options): number | null {
  const milliseconds = time(options, 'timeout');
  if (milliseconds === 0) throw new Failure('usage', '--timeout 0 leaves no time for an answer.');
  return milliseconds;
}

function count(options: Options, name: string): number | null {
  const text = options.get(name)?.[0];
  if (text === undefined) return null;
  if (!/^\d{1,4}$/.test(text)) throw new Failure('usage', `--${name} ${JSON.stringify(text)} is not a whole number.`);
  return Number(text);
}
