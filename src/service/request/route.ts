/** Parses a request line into a question, and checks it in the order of the HTTP API: method, path, parameters. */

import { didYouMean } from '../../contract/nearest.ts';
import { matchPath, OPERATIONS } from '../../contract/operations.ts';
import { parseQuestion, type Question } from '../../contract/question.ts';
import { quote } from '../../contract/text/quote.ts';
import { ProblemError } from './handler.ts';

/** Maximum number of characters of a target: enough for 64 filter clauses, 60 tickers or all columns. */
const MAX_URL_LENGTH = 16_384;
const MAX_PAIRS = 256;

export const NOT_GET_ERROR = new ProblemError('method_not_allowed', 'This service is read-only: only GET is allowed.', {
  allow: 'GET',
});

/**
 * Returns the question, including the faults of its parameters.
 * @throws {ProblemError} 404, 405, or 400 if the target is too long, has too many parameters or cannot be decoded
 */
export function routeRequest(method: string, target: string): Question {
  if (target.length > MAX_URL_LENGTH)
    throw new ProblemError('bad_request', `The URL has ${target.length} characters; the maximum is ${MAX_URL_LENGTH}.`);
  const start = target.indexOf('?');
  const [path, query] = start < 0 ? [target, ''] : [target.slice(0, start), target.slice(start + 1)];
  if (method !== 'GET') throw NOT_GET_ERROR;
  const match = matchPath(path);
  if (match === null) throw new ProblemError('not_found', describeUnknownPath(path));
  return parseQuestion(match.operation.id, [...listPathPairs(match.path), ...parseQueryPairs(query)]);
}

function describeUnknownPath(path: string): string {
  const paths = OPERATIONS.map((operation) => operation.path);
  const suggestion = didYouMean(path, paths);
  if (suggestion === '' && !path.startsWith('/v1/'))
    return `There is no endpoint ${quote(path)}. All data is below /v1.`;
  return `There is no endpoint ${quote(path)}.${suggestion}`;
}

const listPathPairs = (path: Readonly<Record<string, string>>): [string, string][] =>
  Object.entries(path).map(([name, text]) => [name, decode(text, name)]);

/** Returns the names and values of a query string. As in web forms, a plus means a space. */
function parseQueryPairs(query: string): [string, string][] {
  const pairs = query.split('&').filter((pair) => pair !== '');
  if (pairs.length > MAX_PAIRS)
    throw new ProblemError('bad_request', `The query has ${pairs.length} parameters; the maximum is ${MAX_PAIRS}.`);
  return pairs.map((pair) => {
    const text = pair.replaceAll('+', ' ');
    const equals = text.indexOf('=');
    const name = decode(equals < 0 ? text : text.slice(0, equals), 'a parameter name');
    return [name, equals < 0 ? '' : decode(text.slice(equals + 1), name)];
  });
}

function decode(text: string, part: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new ProblemError('bad_request', `Malformed percent-encoding: ${part}.`);
  }
}
