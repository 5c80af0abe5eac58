import { expect, test } from 'vitest';
import { parseObject, textOf } from '../../src/platform/json-object.ts';

test('only an object is parsed to an object', () => {
  expect(parseObject('{"a":1}')).toEqual({ a: 1 });
  for (const text of ['', '{', '[]', 'null', '1', '"text"']) expect(parseObject(text), text).toBeNull();
});

test('empty text and values of other types are not text', () => {
  expect(textOf('a')).toBe('a');
  for (const value of ['', 1, null, undefined, {}, ['a']]) expect(textOf(value)).toBeNull();
});
