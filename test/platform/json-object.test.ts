import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJson, parseObject } from '../../src/platform/json-object.ts';

test('exactly the texts that JSON.parse accepts are accepted', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 20 }), (text) => {
      expect(parseJson(text)).toEqual(JSON.parse(text));
    }),
  );
  for (const text of ['', '{', '"', '"\\', '{"a":1}}', 'nul', '[1,]'])
    expect(() => parseJson(text)).toThrow(SyntaxError);
});

test('depth is bounded in long texts, not counting brackets within strings', () => {
  const makeNestedText = (levels: number) => `[${' '.repeat(1_000_000)}${'['.repeat(levels - 1)}${']'.repeat(levels)}`;
  expect(parseJson(makeNestedText(64))).toBeInstanceOf(Array);
  expect(() => parseJson(makeNestedText(65))).toThrow(/64 levels/);
  expect(() => parseJson('[{"a":'.repeat(400_000))).toThrow(/64 levels/);
  expect(parseObject(`{"data":${makeNestedText(64)}}`)).toBeNull();
  const textWithBrackets = `${'['.repeat(1_000_000)}"\\${'{'.repeat(100)}`;
  expect(parseJson(JSON.stringify(textWithBrackets))).toBe(textWithBrackets);
});

test('objects, arrays, members and elements are bounded in number', () => {
  expect(() => parseJson(`[${'[],'.repeat(2 ** 21)}0]`)).toThrow(/2097152 values/);
  expect(() => parseJson(`{${'"a":0,'.repeat(2 ** 21 + 1)}"a":0}`)).toThrow(/2097152 values/);
  expect(() => parseJson(`[${'"ab",'.repeat(2 ** 21)}0]`)).toThrow(/2097152 values/);
  expect(parseJson(`[${'0,'.repeat(2 ** 20)}0]`)).toHaveLength(2 ** 20 + 1);
});
