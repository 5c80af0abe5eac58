/** Interprets responses: returns an envelope of the HTTP API, or a Failure. */
import { findMetaField, findUsedAdditions } from '../../contract/additions.ts';
import { Failure, type FailureKind, isFailure } from '../../contract/failure.ts';
import { matchPath, type Operation, type OperationId } from '../../contract/operations.ts';
import { PROBLEM_KINDS, type ProblemCode } from '../../contract/problems.ts';
import type { Problem } from '../../contract/resources/envelope.ts';
import type { MissingTextCounts } from '../../contract/text/missing-text.ts';
import { quoteShellWord } from '../../contract/text/quote.ts';
import type { validateResponse } from '../../contract/validate-response.ts';
import { isObject, type JsonObject, parseObject, toNonEmptyText } from '../../platform/json-object.ts';

/**
 * `network`: sent by the service just now; `revalidated`: cached and confirmed by a 304; `cache`: cached and still
 * valid.
 */
type ResponseSource = 'network' | 'revalidated' | 'cache';

export interface Envelope {
  readonly data: unknown;
  readonly meta: Readonly<Record<string, unknown>>;
}

export interface ClientResponse {
  readonly envelope: Envelope;
  /** The body, byte for byte; for the in-process service, serialized on first access. */
  readonly text: string;
  readonly source: ResponseSource;
  readonly requestId: string | null;
  /** Milliseconds since the service last confirmed the response; 0 for a response from the network. */
  readonly age: number;
}

/** Value of `meta.schema` in every body of the HTTP API. */
const SCHEMA_NAME = 'svc.data.v1';
/** Maximum number of fields of `meta`: the HTTP API has 25, and copying millions of fields takes seconds. */
const MAX_META_FIELDS = 1000;

/**
 * Returns the envelope of a 200 response. Drops null entries of `meta`, because null means absent there. Throws a
 * `network` Failure if the response is not an envelope.
 * @param origin names the service in the Failure
 */
export function readEnvelope(response: TransportResponse, target: string, origin: string): Envelope {
  const value = parseObject(response.body);
  if (value === null || !('data' in value || 'meta' in value)) {
    const type = describeContentType(response);
    throw makeAnotherServerFailure(`The response of ${origin} does not follow the HTTP API${type}.`);
  }
  const { data, meta } = value;
  if (!('data' in value))
    throw makeMalformedFailure(origin, target, `${formatOperationName(target)}: the field "data" is missing.`);
  if (!isObject(meta)) {
    const fault = meta === undefined ? 'missing' : meta === null ? 'null' : 'not an object';
    throw makeMalformedFailure(origin, target, `${formatOperationName(target)}: the field "meta" is ${fault}.`);
  }
  if (meta.schema !== SCHEMA_NAME) {
    const text = typeof meta.schema === 'string' ? `schema ${JSON.stringify(meta.schema.slice(0, 60))}` : 'no schema';
    throw makeAnotherServerFailure(`${origin} answered with ${text} instead of schema ${SCHEMA_NAME}.`);
  }
  const count = Object.keys(meta).length;
  if (count > MAX_META_FIELDS) {
    const fault = `the field "meta" has ${count} fields, more than the allowed ${MAX_META_FIELDS}`;
    throw makeMalformedFailure(origin, target, `${formatOperationName(target)}: ${fault}.`);
  }
  return { data, meta: Object.fromEntries(Object.entries(meta).filter(([, entry]) => entry !== null)) };
}

/**
 * Returns the Failure for an envelope with an invalid field, or with signs that the service ignored a parameter. Null
 * for a valid envelope, and for an unknown path.
 * @param missing counts required texts that the service omitted
 */
export function findEnvelopeFailure(
  target: string,
  envelope: Envelope,
  origin: string,
  validate: typeof validateResponse,
  missing: MissingTextCounts,
): Failure | null {
  const operation = findOperation(target);
  const ignoredText = operation === null ? null : findIgnoredAdditionText(operation.id, target, envelope);
  if (ignoredText !== null) return makeIgnoredAdditionFailure(origin, ignoredText);
  const fault = operation === null ? null : validate(operation, envelope, missing);
  return fault === null ? null : makeMalformedFailure(origin, target, fault);
}

/**
 * Returns the description of an added parameter that the service ignored, or null. For example, a service that ignores
 * `as_of` returns figures that were not known on that date.
 */
function findIgnoredAdditionText(id: OperationId, target: string, { meta }: Envelope): string | null {
  const parameters = [...new URLSearchParams(target.split('?')[1] ?? '')];
  const addition = findUsedAdditions(id, parameters).find(([name]) => {
    const field = findMetaField(id, name);
    return field !== null && Reflect.get(Object(meta), field) === undefined;
  });
  return addition?.[1] ?? null;
}

const makeIgnoredAdditionFailure = (origin: string, addition: string): Failure =>
  new Failure('usage', `${origin} does not offer ${addition}: the response ignores the parameter.`, {
    hint: 'The service built into fin offers every parameter. Build or pull a release, then add: --base-url local:',
  });

/** Returns the operation of a request; null for an unknown path. */
function findOperation(target: string): Operation | null {
  const [path = ''] = target.split('?', 1);
  return matchPath(path)?.operation ?? null;
}

const formatOperationName = (target: string): string => findOperation(target)?.id ?? target;

const makeMalformedFailure = (origin: string, target: string, fault: string): Failure =>
  new Failure('network', `${origin} sent a response that does not follow the HTTP API. ${fault}`, {
    hint: `The service has a defect, or its HTTP API is newer than this version of fin. To see the raw response: fin api ${quoteShellWord(target)}`,
    responseSender: 'service',
  });

export function toClientResponse(envelope: Envelope, text: string, source: ResponseSource, age: number) {
  return { envelope, text, source, requestId: readRequestId(envelope), age };
}

export const readRequestId = ({ meta }: Envelope) => (typeof meta.request_id === 'string' ? meta.request_id : null);

const ANOTHER_SERVER_HINT =
  'Check that the base URL is the address of a Financial Filings Data Service. A proxy or a sign-in page may have answered instead.';

const makeAnotherServerFailure = (message: string): Failure =>
  new Failure('network', message, { hint: ANOTHER_SERVER_HINT, responseSender: 'other' });

/**
 * Whether the error reports a response that does not seem to come from a service of the HTTP API, so that the address
 * may be a static host.
 */
export const isFromAnotherServer = (error: unknown): boolean => isFailure(error) && error.responseSender === 'other';

type Kinds = Readonly<Record<number, FailureKind>>;
const KIND_BY_STATUS: Kinds = { 400: 'usage', 401: 'key', 404: 'not_found', 405: 'usage', 429: 'limit' };

const UNKNOWN_STATUS_HINT =
  'The HTTP API does not define this status: a firewall or proxy may have answered instead of the service. Ask the operator of the service.';

const NEW_KEY_HINT =
  'Get a new key from the operator of the service (a service run with "fin serve" makes keys with "fin keys create"). To store it:';

const HINT_BY_CODE: ReadonlyMap<string, string> = new Map<ProblemCode, string>([
  ['missing_key', 'Store a key with fin auth login, or set FIN_API_KEY.'],
  ['invalid_key', 'Check the key for a typo or a missing character: fin auth status shows which key is used.'],
  ['revoked_key', `${NEW_KEY_HINT} fin auth login`],
  ['expired_key', `${NEW_KEY_HINT} fin auth login`],
]);

/**
 * Returns the Failure for a response that is neither a 200 nor a 304 to a conditional request. `retryAfter` is in
 * seconds.
 */
export function makeResponseFailure(response: TransportResponse, origin: string, retryAfter?: number): Failure {
  const { status } = response;
  const problem = readProblem(response);
  if (problem !== null) return makeProblemFailure(problem, retryAfter);
  const id = response.headers['x-request-id'];
  const requestText = id === undefined ? '' : ` (request ${id})`;
  if (status === 304) {
    const fault = 'although the request had no If-None-Match header';
    return makeAnotherServerFailure(`${origin} answered 304 (not modified), ${fault}.`);
  }
  if (status >= 300 && status < 400) {
    const target = describeRedirect(response, origin);
    return makeAnotherServerFailure(`${origin} redirects the request (${status}) ${target}.`);
  }
  if (status === 429)
    return new Failure('limit', `${origin} reports that a limit is reached${requestText}.`, { retryAfter });
  if (KIND_BY_STATUS[status] !== undefined || status === 407 || status < 300) {
    return makeAnotherServerFailure(
      `${origin} answered ${status}${requestText}, ${status < 300 ? 'a status that the HTTP API does not use' : 'but without an error message of the HTTP API'}${describeContentType(response)}.`,
    );
  }
  return new Failure('service', `${origin} answered ${status}${describeContentType(response)}.`, {
    hint: status >= 500 ? 'Try again later.' : UNKNOWN_STATUS_HINT,
    retryAfter,
  });
}

/** Returns the Failure for a problem document. `retryAfter` is in seconds. */
export function makeProblemFailure(problem: Problem, retryAfter?: number): Failure {
  const isKnown = problem.status >= 500 || KIND_BY_STATUS[problem.status] !== undefined;
  const hint = HINT_BY_CODE.get(problem.code) ?? (isKnown ? undefined : UNKNOWN_STATUS_HINT);
  return new Failure(KIND_BY_STATUS[problem.status] ?? 'service', problem.detail, { hint, problem, retryAfter });
}

/** Returns the names of the violated limits in a 429's problem document. */
export const listViolatedPolicies = (response: TransportResponse): readonly string[] =>
  response.status === 429 ? (readProblem(response)?.['violated-policies'] ?? []) : [];

/**
 * Returns the problem document of a response, or null. All its members are optional (RFC 9457), so missing members get
 * defaults.
 */
function readProblem(response: TransportResponse): Problem | null {
  const { status, headers } = response;
  const value = status < 400 ? null : parseObject(response.body);
  if (value === null || !isProblem(value, headers['content-type'])) return null;
  const { type, title, detail, code, request_id: id, 'violated-policies': violated, unknown_parameters: names } = value;
  const titleText = toProblemText(title) ?? '';
  return {
    type: toProblemText(type) ?? 'about:blank',
    title: titleText,
    status,
    detail: toProblemText(detail) ?? (titleText === '' ? `The service answered ${status}.` : titleText),
    // The code may be unknown to this version, so the status alone determines the kind of failure.
    code: (toProblemText(code) ?? findCodeOfStatus(status)) as ProblemCode,
    request_id: toProblemText(id) ?? headers['x-request-id'] ?? '',
    ...(isStringArray(names) ? { unknown_parameters: names } : {}),
    ...(isStringArray(violated) ? { 'violated-policies': violated as NonNullable<Problem['violated-policies']> } : {}),
  };
}

/** Maximum number of characters of each text of a problem document that is shown. */
const MAX_PROBLEM_TEXT_LENGTH = 4000;

const toProblemText = (value: unknown): string | null => {
  const text = toNonEmptyText(value);
  return text === null || text.length <= MAX_PROBLEM_TEXT_LENGTH ? text : `${text.slice(0, MAX_PROBLEM_TEXT_LENGTH)}…`;
};

/**
 * Whether a body is a problem document: it has the content type of problems, or `detail` and another member of a
 * problem. Error bodies of common web frameworks meet neither condition.
 */
function isProblem({ code, type, title, detail }: JsonObject, contentType = ''): boolean {
  if (/^application\/problem\+json\b/i.test(contentType)) return true;
  return typeof detail === 'string' && [code, type, title].some((member) => typeof member === 'string');
}

/** Returns the only problem code that the HTTP API defines for a status; otherwise the kind of failure. */
function findCodeOfStatus(status: number): string {
  const entries = Object.entries(PROBLEM_KINDS).filter(([, kind]) => kind.status === status);
  return entries.length === 1 ? (entries[0]?.[0] ?? '') : (KIND_BY_STATUS[status] ?? 'service');
}

const isStringArray = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

function describeContentType(response: TransportResponse): string {
  const mediaType = /^[\w.+-]+\/[\w.+-]+/.exec(response.headers['content-type'] ?? '')?.[0];
  return mediaType === undefined || mediaType.endsWith('json') ? '' : ` (${mediaType})`;
}

function describeRedirect({ headers: { location = '' } }: TransportResponse, ownOrigin: string): string {
  if (location === '' || !URL.canParse(location, ownOrigin)) return 'without naming an address';
  const { origin, protocol, username, password } = new URL(location, ownOrigin);
  if (username + password !== '') return 'to an address that contains a name or password';
  if (!/^https?:$/.test(protocol)) return `to an address that is not a web address (${protocol})`;
  return origin === ownOrigin ? 'too many times' : `to ${origin}; a key is not sent along`;
}

export interface TransportRequest {
  /** Path and query, below the base URL. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export interface TransportResponse {
  readonly status: number;
  /** Header values by lowercase name. */
  readonly headers: Readonly<Record<string, string>>;
  /** The complete body, decoded. */
  readonly body: string;
}

/** The interface by which the client sends requests: `network.ts` and tests implement it. */
export interface Transport {
  /**
   * Sends a request. If no complete response arrives: throws a ConnectionError if a retry may succeed, otherwise a
   * `network` Failure.
   */
  send(request: TransportRequest): Promise<TransportResponse>;
  close(): Promise<void>;
}
