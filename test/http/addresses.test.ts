import { expect, test } from 'vitest';
import { findRedirectTarget, isRedirect } from '../../src/http/addresses.ts';

test('the target of a redirect is resolved against the requested address, and has no fragment', () => {
  const baseUrl = 'https://one.example/a/b?c=1';
  for (const [location, targetUrl] of [
    ['d', 'https://one.example/a/d'],
    ['/d?e#f', 'https://one.example/d?e'],
    ['//two.example/', 'https://two.example/'],
    ['?g', 'https://one.example/a/b?g'],
  ] as const) {
    expect(findRedirectTarget(location, baseUrl)?.href).toBe(targetUrl);
  }
});

test('a redirect to an invalid address, or to one with a name and password, is refused', () => {
  for (const location of [undefined, 'https://', 'https://user@one.example/', 'https://:pass@one.example/']) {
    expect(findRedirectTarget(location, 'https://one.example/'), location).toBeNull();
  }
});

test('only the statuses 301, 302, 303, 307 and 308 are redirects', () => {
  expect([200, 300, 301, 302, 303, 304, 305, 307, 308].filter(isRedirect)).toEqual([301, 302, 303, 307, 308]);
});
