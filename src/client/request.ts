/** A question before it is asked: checked against the contract, and spelled. Pure. */
import { Failure } from '../contract/failure.ts';
import type { Operation } from '../contract/operations.ts';
import {
  checkParameters,
  type Fault,
  type ParameterValue,
  type ParameterValues,
} from '../contract/question/question.ts';
import { requestPath } from '../contract/question/request-path.ts';

/** Parameters as typed: name and text, in order; a name may be repeated. */
export type RawParameters = readonly (readonly [name: string, text: string])[];

export interface CheckedRequest {
  /** Path and query below the base URL: the canonical request. */
  readonly target: string;
  /** Faults by our own rules only: sent nevertheless, and said when the service refuses. */
  readonly doubts: readonly Fault[];
}

export interface Strictness {
  /** `local:` is our own service, so our own rules hold for it too. */
  readonly local: boolean;
  readonly unchecked: boolean;
}

/** Throws a usage Failure that names every fault which the interface itself states. */
export function buildRequest(
  operation: Operation,
  asked: RawParameters | ParameterValues,
  strictness: Strictness,
): CheckedRequest {
  const given = toGiven(asked);
  const raw = gather(operation, given);
  if (strictness.unchecked) return { target: requestPath(operation, raw) + unknownQuery(operation, given), doubts: [] };
  const { parameters, faults } = checkParameters(operation, given);
  const refused = faults.filter((fault) => strictness.local || fault.source === 'stated');
  if (refused.length > 0) {
    throw new Failure('usage', refused.map(({ detail }) => detail).join(' '), { hint: 'Nothing was asked.' });
  }
  const right = Object.entries(parameters).filter(([name]) => name in raw);
  return { target: requestPath(operation, { ...raw, ...Object.fromEntries(right) }), doubts: faults };
}

/** A path as it was typed, or a usage Failure: never a URL, never a way out of the base URL. */
export function checkPath(path: string): string {
  const [route = ''] = path.split('?', 1);
  const climbs = route.split('/').some((part) => /^(\.|%2e){1,2}$/i.test(part));
  if (!/^\/(?!\/)[!-~]*$/.test(path) || path.includes('#') || path.includes('\\') || climbs) {
    throw new Failure('usage', `${JSON.stringify(path.slice(0, 120))} is not a path of the interface.`, {
      hint: 'Give a path such as /v1/release, percent-encoded; the base URL says whose.',
    });
  }
  return path;
}

function toGiven(asked: RawParameters | ParameterValues): RawParameters {
  if (isGiven(asked)) return asked;
  return Object.entries(asked).flatMap(([name, value]) =>
    typeof value !== 'object'
      ? [[name, String(value)] as const]
      : name === 'where'
        ? value.map((text) => [name, text] as const)
        : [[name, value.join(',')] as const],
  );
}

const isGiven = (asked: RawParameters | ParameterValues): asked is RawParameters => Array.isArray(asked);

/** What was typed, as it was typed: text, and a list of texts where a parameter repeats. */
function gather(operation: Operation, given: RawParameters): Record<string, ParameterValue> {
  const values: Record<string, ParameterValue> = {};
  for (const { name, kind } of operation.parameters) {
    const texts = given.filter(([own]) => own === name).map(([, text]) => text);
    if (texts.length > 0) values[name] = kind === 'clauses' ? texts : (texts[0] ?? '');
  }
  return values;
}

/** Parameters that the contract does not know: a newer service may. */
function unknownQuery(operation: Operation, given: RawParameters): string {
  const known = new Set(operation.parameters.map(({ name }) => name));
  const spelled = given
    .filter(([name]) => !known.has(name))
    .map(([name, text]) => `${encodeURIComponent(name)}=${encodeURIComponent(text)}`);
  const [first] = operation.parameters.filter(
    ({ in: place, name }) => place === 'query' && given.some(([n]) => n === name),
  );
  return spelled.length === 0 ? '' : `${first === undefined ? '?' : '&'}${spelled.join('&')}`;
}
