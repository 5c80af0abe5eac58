import { expect, test } from 'vitest';
import { isRedirect, redirectTarget } from '../../src/http/redirects.ts';

test('the target of a redirect is an absolute or relative address, without its fragment', () => {
  const baseUrl = 'https://one.example/a/b?c=1';
  for (const [location, targetUrl] of [
    ['d', 'https://one.example/a/d'],
    ['/d?e#f', 'https://one.example/d?e'],
    ['//two.example/', 'https://two.example/'],
    ['?g', 'https://one.example/a/b?g'],
  ] as const) {
    expect(redirectTarget(location, baseUrl)?.href).toBe(targetUrl);
  }
});

test('a redirect to an invalid address, or to one with a name and password, is refused', () => {
  for (const location of [undefined, 'https://', 'https://user@one.example/', 'https://:pass@one.example/']) {
    expect(redirectTarget(location, 'https://one.example/'), location).toBeNull();
  }
});

test('a response that is not a redirect has no target', () => {
  expect([200, 300, 301, 302, 303, 304, 305, 307, 308].filter(isRedirect)).toEqual([301, 302, 303, 307, 308]);
});
