/** What may have been meant, said after a service refused: names that only it can know for sure. */
import { checkParameters } from '../../contract/check.ts';
import { Failure, isFailure } from '../../contract/failure.ts';
import { METRIC_KEYS } from '../../contract/metrics.ts';
import { nearest } from '../../contract/nearest.ts';
import type { Operation } from '../../contract/operations.ts';
import { shellWord } from '../../contract/quote.ts';
import { SCREEN_FILTERS } from '../../contract/screen-figures.ts';
import type { CommandDef, Given } from '../types.ts';

/** The same failure with a hint, where one can be given that the failure does not have. */
export function suggest(error: unknown, { written = {} }: CommandDef, operation: Operation, given: Given): unknown {
  if (!isFailure(error) || error.message.includes('Did you mean')) return error;
  const hint =
    error.kind === 'usage'
      ? refused(error, written, operation, given)
      : error.kind === 'not_found' && error.hint === undefined
        ? notFound(operation, given)
        : null;
  if (hint === null) return error;
  const { kind, message, problem, retryAfter, cause } = error;
  return new Failure(kind, message, {
    hint,
    cause,
    ...(problem === undefined ? {} : { problem }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  });
}

function notFound(operation: Operation, given: Given): string | null {
  const value = (name: string): string | undefined => given.find(([parameter]) => parameter === name)?.[1];
  const key = value('metric_key');
  if (key !== undefined && !METRIC_KEYS.includes(key) && !SCREEN_FILTERS.includes(key)) {
    const [first] = nearest(key, [...METRIC_KEYS, ...SCREEN_FILTERS]);
    return first === undefined
      ? 'fin catalog lists the metrics.'
      : `Did you mean ${first}? fin catalog lists the metrics.`;
  }
  const ticker = value('ticker');
  return ticker !== undefined && operation.path.includes('{ticker}')
    ? `To find a ticker by name: fin search ${shellWord(ticker)}`
    : null;
}

/**
 * How the parameter at fault may be written. Bounds of this program's own making are no reason to refuse, but a good
 * guess at what the service disliked.
 */
function refused(
  { hint, message }: Failure,
  written: NonNullable<CommandDef['written']>,
  operation: Operation,
  given: Given,
): string | null {
  const { faults } = checkParameters(operation, given);
  const [advice] = faults.flatMap(({ parameter }) => written[parameter] ?? []);
  const doubt = hint === undefined ? faults.find(({ source }) => source === 'ours')?.detail : undefined;
  const said = [doubt, advice, hint].filter((text) => text !== undefined && !message.includes(text));
  return said.length === 0 ? null : said.join(' ');
}
