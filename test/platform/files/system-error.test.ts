import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  describeCause,
  explainSystemError,
  isAccessRefusal,
  isMissingPathError,
  makeSystemFailure,
  readErrorCode,
} from '../../../src/platform/files/system-error.ts';

const makeFolder = () => mkdtempSync(join(tmpdir(), 'fin-system-error-'));

function catchError(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

const diskFullError = Object.assign(new Error('ENOSPC: no space left on device, write'), {
  code: 'ENOSPC',
  syscall: 'write',
});

test('a failure names the path, the reason with its code, and what to do', () => {
  expect(makeSystemFailure('data', 'The key file /k cannot be written', diskFullError)).toMatchObject({
    kind: 'data',
    message: 'The key file /k cannot be written: the disk is full (ENOSPC).',
    hint: 'Free some space there, then run the command again.',
    cause: diskFullError,
  });
  const missingFileError = catchError(() => readFileSync('/nowhere/k'));
  expect(
    makeSystemFailure('key', 'The key file /nowhere/k cannot be read', missingFileError, 'Name another.'),
  ).toMatchObject({
    message: 'The key file /nowhere/k cannot be read: no such file or directory (ENOENT).',
    hint: 'Check the path. Name another.',
  });
});

test('an unknown error keeps its message', () => {
  expect(makeSystemFailure('data', 'It cannot be read', new Error('It is cut off.'))).toMatchObject({
    message: 'It cannot be read: It is cut off.',
    hint: undefined,
  });
  expect(describeCause('odd')).toBe('odd');
  expect(readErrorCode(new Error('plain'))).toBeNull();
});

test('a path that does not exist is missing, also below a file', () => {
  expect(isMissingPathError(catchError(() => readdirSync('/nowhere')))).toBe(true);
  expect(isMissingPathError(catchError(() => readdirSync('/dev/null/nowhere')))).toBe(true);
  expect(isMissingPathError(diskFullError)).toBe(false);
});

test('a file system error without an explanation names its path', () => {
  const directory = makeFolder();
  expect(explainSystemError(catchError(() => writeFileSync(join('/dev/null', 'a'), '')))).toMatchObject({
    kind: 'data',
    message: '/dev/null/a cannot be opened: a part of the path is not a directory (ENOTDIR).',
  });
  expect(explainSystemError(diskFullError)).toMatchObject({
    message: 'A file cannot be written: the disk is full (ENOSPC).',
  });
  mkdirSync(join(directory, 'a'));
  expect(explainSystemError(catchError(() => readFileSync(join(directory, 'a'))))).toMatchObject({
    message: expect.stringMatching(/ cannot be read: it is a directory \(EISDIR\)\.$/),
  });
});

test('a system refusal such as too many open files does not count as a damaged file', () => {
  for (const code of ['EMFILE', 'ENFILE', 'EACCES', 'EPERM', 'ENOMEM']) {
    expect(isAccessRefusal(Object.assign(new Error(code), { code }))).toBe(true);
  }
  expect(isAccessRefusal(diskFullError)).toBe(false);
  expect(isAccessRefusal(new RangeError('Invalid array length'))).toBe(false);
  expect(isAccessRefusal(catchError(() => readFileSync('/nowhere')))).toBe(false);
});

test('a failed allocation in V8 is reported like that of the system', () => {
  for (const message of ['Array buffer allocation failed', 'WebAssembly.Instance(): Out of memory: Cannot allocate']) {
    const error = new RangeError(message);
    expect(isAccessRefusal(error)).toBe(true);
    expect(explainSystemError(error)).toMatchObject({
      kind: 'data',
      message: 'fin cannot continue: there is not enough memory (ENOMEM).',
    });
  }
});

test('a missing file, a plain error and a network error without an explanation count as defects', async () => {
  expect(explainSystemError(catchError(() => readFileSync('/nowhere')))).toBeNull();
  expect(explainSystemError(new TypeError('x is not a function'))).toBeNull();
  const connectionError = await new Promise((resolve) => connect(1, '127.0.0.1').on('error', resolve));
  expect(explainSystemError(connectionError)).toBeNull();
});
