/** `meta` of a 200: what was read, and every parameter that has a field there. */
import type { Operation } from '../contract/operations.ts';
import type { Question } from '../contract/question/question.ts';
import type { ParameterValue } from '../contract/question/read-parameter.ts';
import { formatClause } from '../contract/question/where-clause.ts';
import type { Meta, Release } from '../contract/resources/envelope.ts';
import type { ReleaseIdentity } from '../store/reader.ts';

/** Parameters that `meta` has a field for; of all others no echo is invented. */
export const ECHOED: ReadonlySet<string> = new Set<keyof Meta>([
  'as_of',
  'collapse',
  'columns',
  'date',
  'dir',
  'forms',
  'keys',
  'kind',
  'limit',
  'metric_key',
  'offset',
  'period',
  'query',
  'since',
  'sort',
  'ticker',
  'where',
]);

export function releaseOf({ date, checks, publishedAt, stamp }: ReleaseIdentity): Release {
  return { date, checks, published_at: publishedAt, stamp };
}

/** All of `meta` but the request id. @param added by the handler, over the echoes */
export function metaOf(
  { operation, parameters }: Question,
  manifest: ReleaseIdentity,
  added: Partial<Meta>,
): Omit<Meta, 'request_id'> {
  return {
    schema: 'svc.data.v1',
    route: operation.path,
    release: releaseOf(manifest),
    ...echoes(operation, parameters),
    ...added,
  };
}

/** Echoes carry effective values: as given, or the default. */
function echoes({ parameters: known }: Operation, parameters: Question['parameters']): Partial<Meta> {
  // Of our additions only the day has a field that means the same everywhere.
  const additions = new Set(
    known.flatMap(({ name, addition }) => (addition === true && name !== 'as_of' ? [name] : [])),
  );
  return Object.fromEntries(
    Object.entries(parameters)
      .filter(([name, value]) => ECHOED.has(name) && !additions.has(name) && !isNone(name, value))
      .map(([name, value]) => [name, echoOf(name, value)]),
  );
}

/** Values that stand for no choice at all. */
const isNone = (name: string, value: ParameterValue): boolean =>
  (name === 'kind' && value === 'all') || (name === 'query' && value === '');

function echoOf(name: string, value: ParameterValue): Meta[keyof Meta] {
  if (typeof value !== 'object') return value;
  const texts = value.map((item) => (typeof item === 'string' ? item : formatClause(item)));
  // `forms` is the one list that meta spells as a string.
  return name === 'forms' ? texts.join(',') : texts;
}
