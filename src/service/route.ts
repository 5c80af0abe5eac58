/** From a target on the wire to an operation and its parameters, in the interface's order: path, method, parameters. */

import { didYouMean } from '../contract/nearest.ts';
import { matchPath, OPERATIONS, type Operation } from '../contract/operations.ts';
import { checkParameters, type ParameterValues } from '../contract/question/question.ts';
import { ProblemError } from './problem-error.ts';

export interface Routed {
  readonly operation: Operation;
  readonly parameters: ParameterValues;
}

/** Longer than the longest question of the interface: 64 clauses, sixty tickers or every column fit. */
const TARGET_MAX = 16_384;
const PAIRS_MAX = 256;

/** @throws {ProblemError} 404, 405 or 400 */
export function route(method: string, target: string): Routed {
  if (target.length > TARGET_MAX) {
    throw new ProblemError('bad_request', `The URL has ${target.length} characters; at most ${TARGET_MAX} are taken.`);
  }
  const [path = '', ...rest] = target.split('?');
  const found = matchPath(path);
  if (found === null) throw new ProblemError('not_found', unknownPath(path));
  if (method !== 'GET') {
    throw new ProblemError('method_not_allowed', 'This service is read-only: ask with GET.', { allow: 'GET' });
  }
  const given = [...pathPairs(found.path), ...queryPairs(rest.join('?'))];
  const { parameters, faults } = checkParameters(found.operation, given);
  if (faults.length > 0) throw new ProblemError('bad_request', faults.map((fault) => fault.detail).join(' '));
  return { operation: found.operation, parameters };
}

function unknownPath(path: string): string {
  const near = didYouMean(
    path,
    OPERATIONS.map((operation) => operation.path),
  );
  return `There is no such endpoint.${near === '' ? ' Every path begins with /v1.' : near}`;
}

function pathPairs(path: Readonly<Record<string, string>>): [string, string][] {
  return Object.entries(path).map(([name, text]) => [name, decode(text, name)]);
}

/** The pairs of a query string. As on the web, a plus stands for a space. */
function queryPairs(query: string): [string, string][] {
  const pairs = query.split('&').filter((pair) => pair !== '');
  if (pairs.length > PAIRS_MAX) {
    throw new ProblemError('bad_request', `The query has ${pairs.length} parameters; at most ${PAIRS_MAX} are taken.`);
  }
  return pairs.map((pair) => {
    const [name = '', ...value] = pair.replaceAll('+', ' ').split('=');
    const decoded = decode(name, 'a parameter name');
    return [decoded, decode(value.join('='), decoded)];
  });
}

function decode(text: string, what: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new ProblemError('bad_request', `The percent-encoding of ${what} is malformed.`);
  }
}
