/** Makes `meta` of a 200: the release that was read, and the echoed parameters. */
import { findMetaField, isAddedParameter } from '../../contract/additions.ts';
import type { Operation } from '../../contract/operations.ts';
import type { Question } from '../../contract/question.ts';
import type { ParameterValue } from '../../contract/read-parameter.ts';
import type { Meta, Release } from '../../contract/resources/envelope.ts';
import { formatClause } from '../../contract/where-clause.ts';
import type { ReleaseDescription } from '../../store/reader.ts';

/** Names of parameters that `meta` echoes in a field of the same name. */
export const ECHOED_PARAMETER_NAMES: ReadonlySet<string> = new Set<keyof Meta>([
  'as_of',
  'collapse',
  'columns',
  'concept',
  'date',
  'dir',
  'forms',
  'keys',
  'kind',
  'limit',
  'metric_key',
  'offset',
  'period',
  'quarter',
  'query',
  'search',
  'since',
  'sort',
  'ticker',
  'where',
]);

export const toReleaseResource = ({ date, checks, publishedAt, stamp }: ReleaseDescription): Release => ({
  date,
  checks,
  published_at: publishedAt,
  stamp,
});

/**
 * Returns `meta` without the request id.
 * @param extra fields returned by the handler, which override echoed parameters
 */
export const makeMeta = (
  { operation, parameters }: Question,
  manifest: ReleaseDescription,
  extra: Partial<Meta>,
): Omit<Meta, 'request_id'> => ({
  schema: 'svc.data.v1',
  route: operation.path,
  release: toReleaseResource(manifest),
  ...listEchoedFields(operation, parameters),
  ...extra,
});

/** Returns the parameters that `meta` echoes, each with its effective value: as requested, or the default. */
function listEchoedFields({ id }: Operation, parameters: Question['parameters']): Partial<Meta> {
  const isAdded = (name: string) => isAddedParameter(id, name) && findMetaField(id, name) !== name;
  return Object.fromEntries(
    Object.entries(parameters)
      .filter(([name, value]) => ECHOED_PARAMETER_NAMES.has(name) && !isAdded(name) && !restrictsNothing(name, value))
      .map(([name, value]) => [name, toEchoedValue(name, value)]),
  );
}

/** Whether the value of a parameter selects everything, so that `meta` does not echo it. */
const restrictsNothing = (name: string, value: ParameterValue): boolean =>
  (name === 'kind' && value === 'all') || (name === 'query' && value === '');

function toEchoedValue(name: string, value: ParameterValue): Meta[keyof Meta] {
  if (typeof value !== 'object') return value;
  const texts = value.map((item) => (typeof item === 'string' ? item : formatClause(item)));
  // `forms` is the only list that `meta` represents as one string.
  return name === 'forms' ? texts.join(',') : texts;
}
