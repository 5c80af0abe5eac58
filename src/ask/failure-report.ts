/** Describes errors: as lines for stderr, as problem documents for programs, and as exit codes. */
import { isError } from '../contract/error-code.ts';
import { EXIT_CODES, type Failure, isFailure } from '../contract/failure.ts';
import { PROBLEM_KINDS } from '../contract/problems.ts';
import { redactApiKeys } from '../contract/text/quote.ts';
import { formatForTerminal, listCalls, type Text } from '../contract/text/text.ts';
import { isConnectionError } from '../http/network-errors.ts';
import { explainSystemError } from '../platform/files/system-error.ts';
import { isOutputLost } from '../platform/write-all.ts';

const DEFECT_EXIT_CODE = 1;
/** The exit code if some of several inputs, checks or files failed; each failure has been reported by name. */
export const PARTIAL_EXIT_CODE = 8;

/** Converts an error to a Failure, including known system errors such as a full disk; null for a defect. */
const toFailure = (error: unknown): Failure | null => (isFailure(error) ? error : explainSystemError(error));

export function findExitCode(error: unknown): number {
  const failure = toFailure(error);
  return failure === null ? DEFECT_EXIT_CODE : EXIT_CODES[failure.kind];
}

/**
 * Whether every other input would fail in the same way, because the failure concerns the account, the address or the
 * release.
 */
export function affectsAllInputs({ kind, cause }: Failure): boolean {
  if (kind !== 'network') return kind === 'key' || kind === 'limit' || kind === 'data';
  if (isConnectionError(cause)) return cause.kind === 'refused' || cause.kind === 'absent';
  return isError(cause);
}

/**
 * Returns an error as lines for a terminal.
 * @param prefix text before the error: if the command has several inputs, the name of the failed input and a colon
 */
export const formatFailureLines = (error: unknown, prefix = ''): string[] =>
  describeFailure(error).map((text, index) => (index === 0 ? `fin: ${prefix}` : '') + formatForTerminal(text));

/** Returns an error as texts: what went wrong, what to do, when to retry, and the request id. */
export function describeFailure(error: unknown): readonly Text[] {
  const failure = toFailure(error);
  if (failure === null) {
    return [
      isError(error) ? error.message : String(error),
      ...(isOutputLost(error)
        ? []
        : ['This is a defect of fin. Please report it with the output of the same command, run with FIN_DEBUG=1.']),
    ];
  }
  const { text, hint, problem, retryAfter, statesRetryTime } = failure;
  return [
    text,
    ...(hint === undefined ? [] : [hint]),
    ...(retryAfter === undefined || statesRetryTime ? [] : [`Try again in ${formatWait(retryAfter)}.`]),
    // Omits request ids of the in-process service, which keeps no log in which the ids could be found.
    ...(problem === undefined || problem.request_id === '' || problem.type.startsWith('local:')
      ? []
      : [`Request id: ${problem.request_id}`]),
  ];
}

/**
 * Returns an error as a problem document: the service's own document if it sent one, with additional fields for
 * scripts.
 */
export function makeProblemDocument(error: unknown): Readonly<Record<string, unknown>> {
  const failure = toFailure(error);
  if (failure === null) {
    const isLost = isOutputLost(error);
    const [title, code] = isLost ? ['The output could not be written completely', 'output'] : ['Defect', 'defect'];
    const detail = isError(error) ? error.message : String(error);
    return { type: 'about:blank', title, detail, code, retryable: false, exit_code: DEFECT_EXIT_CODE };
  }
  const { kind, message, hint, problem, retryAfter, responseSender } = failure;
  const title = responseSender === undefined ? TITLE_BY_KIND[kind] : 'The response does not follow the HTTP API';
  const document = problem ?? { type: 'about:blank', title, detail: message, code: kind };
  return {
    ...document,
    detail: redactApiKeys(document.detail),
    ...(hint === undefined
      ? {}
      : {
          hint: redactApiKeys(formatForTerminal(hint)),
          next: JSON.parse(redactApiKeys(JSON.stringify(listCalls(hint)))),
        }),
    retryable: isRetryable(failure),
    ...(retryAfter === undefined ? {} : { retry_after: retryAfter }),
    exit_code: EXIT_CODES[kind],
  };
}

function isRetryable({ kind, problem, responseSender }: Failure): boolean {
  if (responseSender !== undefined) return false;
  if (problem !== undefined && Object.hasOwn(PROBLEM_KINDS, problem.code)) return PROBLEM_KINDS[problem.code].retryable;
  // A problem of this kind with an unknown code is worth retrying only if its status is 500 or more.
  if (kind === 'service') return problem === undefined || problem.status >= 500;
  return kind === 'limit' || kind === 'network';
}

const TITLE_BY_KIND: Readonly<Record<Failure['kind'], string>> = {
  usage: 'Wrong usage',
  not_found: 'Not found',
  key: 'Key missing or refused',
  limit: 'Limit reached',
  service: 'The service failed',
  network: 'No usable response was received',
  data: 'Data missing, damaged or not writable',
  unproven: 'The start or the end of the section is uncertain',
};

function formatWait(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7200) return `${Math.ceil(seconds / 60)} minutes`;
  return seconds < 172_800 ? `${Math.ceil(seconds / 3600)} hours` : `${Math.ceil(seconds / 86_400)} days`;
}
