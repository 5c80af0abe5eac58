/** The one spelling of a question: its path and query, in the contract's order. Caches key on it. */

import type { Operation } from '../operations.ts';
import type { ParameterValues } from './question.ts';
import type { ParameterValue } from './read-parameter.ts';

/** `/v1/...?...` for the parameters given; those absent are left to the service's defaults. */
export function requestPath(operation: Operation, parameters: ParameterValues): string {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(parameters[name] ?? '')),
  );
  const query = operation.parameters
    .filter((parameter) => parameter.in === 'query' && parameters[parameter.name] !== undefined)
    .flatMap((parameter) => spell(parameter.name, parameter.kind === 'clauses', parameters[parameter.name] ?? ''));
  return query.length === 0 ? path : `${path}?${query.join('&')}`;
}

function spell(name: string, repeated: boolean, value: ParameterValue): string[] {
  const texts = typeof value === 'object' ? (repeated ? value : [value.join(',')]) : [String(value)];
  // Colons and commas are legal in a query, and far easier to read in a log.
  return texts.map((text) => `${name}=${encodeURIComponent(text).replace(/%3A/g, ':').replace(/%2C/g, ',')}`);
}
