import { expect, test } from 'vitest';
import { hasCode } from '../../src/contract/error-code.ts';
import { Failure, isFailure } from '../../src/contract/failure.ts';
import { readErrorCode } from '../../src/platform/files/system-error.ts';

test("an error of another bundle's copy of Failure is recognized by its code, not by its name", () => {
  const copiedError = Object.assign(new Error('x'), { code: 'fin:failure', kind: 'data' });
  expect(isFailure(copiedError)).toBe(true);
  expect(isFailure(new Failure('data', 'x'))).toBe(true);
  expect(isFailure(Object.assign(new Error('x'), { name: 'Failure', kind: 'data' }))).toBe(false);
  expect(hasCode({ code: 'fin:failure' }, 'fin:failure')).toBe(false);
});

test('codeOf returns the error codes of the system, but not our own', () => {
  expect(readErrorCode(new Failure('data', 'x'))).toBeNull();
  expect(readErrorCode(Object.assign(new Error('x'), { code: 'ENOENT' }))).toBe('ENOENT');
});
