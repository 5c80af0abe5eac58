/** Valid answers of every operation, and the same answers with one wrong value. */
import { join, resolve } from 'node:path';
import { matchPath, OPERATIONS, type OperationId } from '../src/contract/operations.ts';
import { openRelease } from '../src/store/reader.ts';
import { readCurrentStamp } from '../src/store/releases/home.ts';
import { registerCleanUp } from './clean-up.ts';
import { TARGETS_BY_OPERATION } from './operation-targets.ts';
import { askBody, makeService } from './service/ask.ts';

export interface GoodAnswer {
  readonly id: OperationId;
  readonly target: string;
  readonly body: unknown;
}

/** Maximum number of items of each list. A third item would add no cases, because it is treated like the second. */
const MAX_LIST_ITEMS = 2;

/** Returns the sample's answer to every operation, with shortened lists. */
export async function readGoodAnswers(): Promise<GoodAnswer[]> {
  const home = resolve(import.meta.dirname, '../src/store/sample');
  const release = openRelease(join(home, readCurrentStamp(home) ?? ''));
  registerCleanUp(() => release.close());
  const service = makeService({ release: async () => release });
  const questions = OPERATIONS.map(({ id }) => ({ id, target: TARGETS_BY_OPERATION[id][0] }));
  return Promise.all(
    questions.map(async ({ id, target }) => ({ id, target, body: shorten(await askBody(target, { service })) })),
  );
}

function shorten(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, MAX_LIST_ITEMS).map(shorten);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, own]) => [name, shorten(own)]));
}

/** Returns the command-line arguments for a target, without `fin`. */
export function makeArguments({ id, target }: Pick<GoodAnswer, 'id' | 'target'>): string[] {
  const [path = '', query] = target.split('?');
  const parameterPairs = [...new URLSearchParams(query)];
  const isArgument = ([name]: readonly [string, string]): boolean => name === 'query' || name === 'date';
  return [
    id,
    ...Object.values(matchPath(path)?.path ?? {}),
    ...parameterPairs.filter(isArgument).map(([, text]) => text),
    ...parameterPairs
      .filter((pair) => !isArgument(pair))
      .map(([name, text]) => `--${name.replaceAll('_', '-')}=${text}`),
  ];
}

export interface WrongAnswer {
  /** The path and the kind of change: `data.0.cik: as text`. */
  readonly change: string;
  readonly text: string;
  /** Whether the value has another type than the HTTP API requires, so that it must be refused. */
  readonly hasWrongType: boolean;
}

/** Placeholder for lists nested 20,000 deep, which overflow the stack of recursive code. */
const DEEP_LIST_PLACEHOLDER = ['deep'];
const DEEP_TEXT = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;

const REPLACERS_BY_NAME: Readonly<Record<string, (value: unknown) => unknown>> = {
  null: () => null,
  missing: () => undefined,
  'a number': () => 12.5,
  'a flag': () => true,
  'an empty list': () => [],
  'in a list': (value) => [[value]],
  'an empty object': () => ({}),
  'in an object': (value) => ({ value: { value } }),
  'a deep list': () => DEEP_LIST_PLACEHOLDER,
  'other text': () => 'other',
  'as text': (value) => (typeof value === 'object' ? JSON.stringify(value) : String(value)),
  'a name of JavaScript': () => 'constructor',
  'empty text': () => '',
  'too large': (value) => (typeof value === 'number' ? 1e300 : '1e300'),
  negative: (value) => (typeof value === 'number' ? -1 : '-1'),
};

/**
 * Yields copies of the answer, each with one wrong value. Replaces each value by each replacement, but in lists only
 * the values of the last item.
 */
export function* makeWrongAnswers({ body: good }: GoodAnswer): Generator<WrongAnswer> {
  for (const path of listPaths(good)) {
    const value = path.reduce<unknown>((own, name) => Reflect.get(Object(own), name), good);
    for (const [how, replace] of Object.entries(REPLACERS_BY_NAME)) {
      const wrongValue = replace(value);
      if (JSON.stringify(wrongValue) === JSON.stringify(value)) continue;
      yield {
        change: `${path.join('.')}: ${how}`,
        text: JSON.stringify(replaceAt(good, path, wrongValue)).replace('["deep"]', DEEP_TEXT),
        hasWrongType:
          wrongValue !== undefined && wrongValue !== null && value !== null && typeOf(wrongValue) !== typeOf(value),
      };
    }
  }
}

const typeOf = (value: unknown): string => (Array.isArray(value) ? 'list' : typeof value);

type Path = readonly (string | number)[];

function* listPaths(value: unknown, path: Path = []): Generator<Path> {
  if (typeof value !== 'object' || value === null) return;
  const names = Array.isArray(value) ? [...value.keys()].slice(-1) : Object.keys(value);
  for (const name of names) {
    const fieldPath = [...path, name];
    yield fieldPath;
    yield* listPaths(Reflect.get(value, name), fieldPath);
  }
}

function replaceAt(value: unknown, [name, ...rest]: Path, wrong: unknown): unknown {
  if (name === undefined) return wrong;
  const copy: object = Array.isArray(value) ? [...value] : { ...Object(value) };
  const replacedValue = replaceAt(Reflect.get(copy, name), rest, wrong);
  if (replacedValue !== undefined) Reflect.set(copy, name, replacedValue);
  else if (Array.isArray(copy)) copy.splice(Number(name), 1);
  else Reflect.deleteProperty(copy, name);
  return copy;
}
