import { expect, test } from 'vitest';
import { isRedirect, redirectTarget } from '../../src/http/redirects.ts';

test('a redirect leads to an address, whole or relative, without its fragment', () => {
  const from = 'https://one.example/a/b?c=1';
  for (const [location, to] of [
    ['d', 'https://one.example/a/d'],
    ['/d?e#f', 'https://one.example/d?e'],
    ['//two.example/', 'https://two.example/'],
    ['?g', 'https://one.example/a/b?g'],
  ] as const) {
    expect(redirectTarget(location, from)?.href).toBe(to);
  }
});

test('none leads to what is no address, or has a name and a password', () => {
  for (const location of [undefined, 'https://', 'https://user@one.example/', 'https://:pass@one.example/']) {
    expect(redirectTarget(location, 'https://one.example/'), location).toBeNull();
  }
});

test('what is no redirect is followed nowhere', () => {
  expect([200, 300, 301, 302, 303, 304, 305, 307, 308].filter(isRedirect)).toEqual([301, 302, 303, 307, 308]);
});
