/** `meta` of a 200 (interface, "Envelope and meta"): what was read, and every parameter that has a field there. */

import type { Operation } from '../contract/operations.ts';
import type { ParameterValues } from '../contract/question/question.ts';
import type { Meta, Release } from '../contract/resources/envelope.ts';
import type { Manifest } from '../release/store/manifest.ts';

/** Parameters that `meta` has a field for; of all others no echo is invented (choices.md). */
export const ECHOED: ReadonlySet<string> = new Set([
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

export const SCHEMA = 'svc.data.v1';

export function releaseOf({ date, checks, publishedAt, stamp }: Manifest): Release {
  return { date, checks, published_at: publishedAt, stamp };
}

/** Echoes carry effective values: as given, or the default. */
export function echoes(parameters: ParameterValues): Partial<Meta> {
  return Object.fromEntries(
    Object.entries(parameters)
      .filter(([name, value]) => ECHOED.has(name) && !(name === 'kind' && value === 'all'))
      // `forms` is the one list that meta spells as a string.
      .map(([name, value]) => [name, name === 'forms' && typeof value === 'object' ? value.join(',') : value]),
  );
}

/** All of `meta` but the request id. */
export function metaOf(
  operation: Operation,
  manifest: Manifest,
  parameters: ParameterValues,
  found: Partial<Meta>,
): Omit<Meta, 'request_id'> {
  return {
    schema: SCHEMA,
    route: operation.path,
    release: releaseOf(manifest),
    ...echoes(parameters),
    ...found,
  };
}
