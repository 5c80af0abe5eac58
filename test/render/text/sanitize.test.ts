import { expect, test } from 'vitest';
import { sanitize, sanitizeJson } from '../../../src/render/text/sanitize.ts';

test('exactly the characters that control a terminal are replaced', () => {
  expect(sanitize('Société Générale, 株式会社')).toBe('Société Générale, 株式会社');
  expect(sanitize('\u001b[31mred\u001b[0m')).toBe('�[31mred�[0m');
  expect(sanitize('\u009b2J')).toBe('�2J');
  expect(sanitize('a\r\nb\tc')).toBe('a b c');
  expect(sanitize('\u202e123\u202c \u2066x\u2069 \u200b')).toBe('�123� �x� �');
});

test('JSON with escaped control characters parses to the same value', () => {
  const document = { name: '\u009b31m\u202eevil', other: 'ok\u2028' };
  const text = JSON.stringify(document, null, 2);
  const sanitizedText = sanitizeJson(text);
  expect(sanitizedText).not.toMatch(/[\u009b\u202e\u2028]/);
  expect(JSON.parse(sanitizedText)).toEqual(document);
  expect(sanitizedText.split('\n')).toHaveLength(text.split('\n').length);
});
