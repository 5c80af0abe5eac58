/** The problems of the HTTP API: documents as in https://www.rfc-editor.org/rfc/rfc9457, with a closed set of codes. */
import type { Problem } from './resources/envelope.ts';

interface ProblemKind {
  readonly status: number;
  readonly title: string;
  /** Whether a request that ends with this problem counts against the account's limits. */
  readonly counted: boolean;
  /** Whether a retry may succeed. */
  readonly retryable: boolean;
}

export type ProblemCode = Problem['code'];

const defineProblemKind = (status: number, title: string, counted: boolean, isRetryable: boolean): ProblemKind => ({
  status,
  title,
  counted,
  retryable: isRetryable,
});

export const PROBLEM_KINDS: Readonly<Record<ProblemCode, ProblemKind>> = {
  bad_request: defineProblemKind(400, 'Bad request', true, false),
  missing_key: defineProblemKind(401, 'No API key', false, false),
  invalid_key: defineProblemKind(401, 'Not a valid API key', false, false),
  revoked_key: defineProblemKind(401, 'API key revoked', false, false),
  expired_key: defineProblemKind(401, 'API key expired', false, false),
  not_found: defineProblemKind(404, 'Not found', true, false),
  method_not_allowed: defineProblemKind(405, 'Method not allowed', true, false),
  rate_limited: defineProblemKind(429, 'Limit reached', false, true),
  internal_error: defineProblemKind(500, 'Internal error', false, true),
  unavailable: defineProblemKind(503, 'Unavailable', false, true),
  timeout: defineProblemKind(504, 'Timeout', false, true),
};

export type LimitName = NonNullable<Problem['violated-policies']>[number];

const QUOTA_EXCEEDED_TYPE = 'https://iana.org/assignments/http-problem-types#quota-exceeded';

/**
 * Returns the URL that identifies a problem code: a registered URL for exceeded limits, otherwise a URL of the service.
 */
const makeProblemType = (code: ProblemCode, baseUrl: string): string =>
  code === 'rate_limited' ? QUOTA_EXCEEDED_TYPE : `${baseUrl}/problems#${code}`;

export function makeProblemDocument(
  code: ProblemCode,
  detail: string,
  request: {
    readonly requestId: string;
    readonly baseUrl: string;
    readonly violated?: readonly LimitName[];
    readonly unknownParameters?: readonly string[];
  },
): Problem {
  const { status, title } = PROBLEM_KINDS[code];
  const type = makeProblemType(code, request.baseUrl);
  const { violated, unknownParameters = [] } = request;
  return {
    ...{ type, title, status, detail, code, request_id: request.requestId },
    ...(violated === undefined ? {} : { 'violated-policies': [...violated] }),
    ...(code === 'bad_request' ? { unknown_parameters: [...unknownParameters] } : {}),
  };
}
