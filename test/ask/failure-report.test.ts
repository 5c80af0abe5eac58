import { expect, test } from 'vitest';
import { findExitCode, formatFailureLines, makeProblemDocument } from '../../src/ask/failure-report.ts';
import { Failure } from '../../src/contract/failure.ts';

const diskFullError = Object.assign(new Error("ENOSPC: no space left on device, open '/d/a'"), {
  code: 'ENOSPC',
  syscall: 'open',
  path: '/d/a',
});

test('a full disk is reported with its reason and a hint, not as a defect', () => {
  expect(findExitCode(diskFullError)).toBe(9);
  expect(formatFailureLines(diskFullError)).toEqual([
    'fin: /d/a cannot be written: the disk is full (ENOSPC).',
    'Free some space there, then run the command again.',
  ]);
  expect(makeProblemDocument(diskFullError)).toMatchObject({ code: 'data', exit_code: 9, retryable: false });
});

test('an unexpected error is reported as a defect', () => {
  expect(findExitCode(new TypeError('x is undefined'))).toBe(1);
  expect(makeProblemDocument(new TypeError('x is undefined'))).toMatchObject({ code: 'defect', exit_code: 1 });
});

test('a problem document without a request id has no line for it', () => {
  const problem = {
    type: 'about:blank',
    title: '',
    status: 400,
    detail: 'No.',
    code: 'bad_request',
    request_id: '',
  } as const;
  expect(formatFailureLines(new Failure('usage', 'No.', { problem }))).toEqual(['fin: No.']);
});

test('the time to try again is printed once', () => {
  const makeFailure = (hint: string, statesRetryTime: boolean) =>
    new Failure('limit', 'A limit is reached.', { hint, retryAfter: 4, statesRetryTime });
  const hintWithTime = 'Try again in 4 s; waiting until then would exceed --max-wait.';
  expect(formatFailureLines(makeFailure(hintWithTime, true))).toEqual(['fin: A limit is reached.', hintWithTime]);
  expect(formatFailureLines(makeFailure('Nothing was sent.', false)).at(-1)).toMatch(/^Try again in /);
});
