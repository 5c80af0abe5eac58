import fc from 'fast-check';
import { expect, test } from 'vitest';
import { JsonReader } from '../../../src/edgar/files/json-reader.ts';

/** Returns the document as the reader parses it: like JSON.parse, but with numbers as text. */
function parse(text: string): unknown {
  const jsonReader = new JsonReader(Buffer.from(text));
  const readValue = (): unknown => {
    if (jsonReader.readString()) return jsonReader.getText();
    if (jsonReader.enterObject()) {
      const entries: [string, unknown][] = [];
      while (jsonReader.moveToNextKey()) entries.push([jsonReader.getText(), readValue()]);
      return Object.fromEntries(entries);
    }
    if (jsonReader.enterArray()) {
      const elements: unknown[] = [];
      while (jsonReader.moveToNextElement()) elements.push(readValue());
      return elements;
    }
    jsonReader.readScalar();
    const scalarText = jsonReader.getText();
    return /^[-\d]/.test(scalarText) ? scalarText : JSON.parse(scalarText);
  };
  const document = readValue();
  jsonReader.expectEnd();
  return document;
}

/** Skips the complete document. */
function skipDocument(text: string): void {
  const documentReader = new JsonReader(Buffer.from(text));
  documentReader.skip();
  documentReader.expectEnd();
}

test('the reader keeps every digit of a figure', () => {
  const numberTexts = ['9223372036854775807', '123456789012345678901234567890', '-0.10', '2.30', '1e-05', '0'];
  for (const numberText of numberTexts)
    expect(parse(`{"a": [{"val": ${numberText}, "fy": 2024}]}`)).toEqual({ a: [{ val: numberText, fy: '2024' }] });
  expect(parse('{"val" : 12 }')).toEqual({ val: '12' });
  expect(parse('{"val":null}')).toEqual({ val: null });
  expect(parse('[{"val":1},{"val":2}]')).toEqual([{ val: '1' }, { val: '2' }]);
});

test('text that looks like a number stays text', () => {
  const labels = ['the "val": 1 of things', '"val":2', '\\"val\\": 3', 'val: 4', '{"val":5}', 'é “…” 𝕏', '\\', ''];
  for (const label of labels) expect(parse(JSON.stringify({ label, val: 7 }))).toEqual({ label, val: '7' });
});

test('any document is parsed like JSON.parse does, with or without white space', () => {
  const convertNumbersToText = (value: unknown): unknown => {
    if (typeof value === 'number') return JSON.stringify(value);
    if (Array.isArray(value)) return value.map(convertNumbersToText);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, convertNumbersToText(item)]));
  };
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom('', ' ', '\n\t'), (value, space) => {
      const text = JSON.stringify(value, null, space);
      expect(parse(text)).toEqual(convertNumbersToText(value));
      expect(() => skipDocument(` ${text}\r\n`)).not.toThrow();
    }),
  );
});

test('text that is not JSON is refused', () => {
  const invalidTexts = [
    '',
    '{',
    '{"a"',
    '{"a":',
    '{"a":1',
    '{"a":1,}',
    '{"a" 1}',
    '[1',
    '[1,]',
    '[1 2]',
    '"a',
    '"a\n"',
    '1 2',
    ...['01', '1.', '-', '"\\q"', '"\\u12x4"', '{"\\q":1}'],
  ];
  for (const text of [...invalidTexts, '{"a":}', '{a:1}', '[]]', 'nul', '[+1]', '[--1]', `${'['.repeat(500)}`])
    expect(() => skipDocument(text), text).toThrow(SyntaxError);
});
