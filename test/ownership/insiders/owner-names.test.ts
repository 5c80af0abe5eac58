import { expect, test } from 'vitest';
import { namesOwner } from '../../../src/ownership/insiders/owner-names.ts';

test.each([
  ['By Harbor Growth Fund III, L.P.', 'HARBOR GROWTH FUND III LP'],
  ['By Harbor Growth Fund III', 'Harbor Growth Fund III, L.P.'],
  ['Shares held by Harbor Holdings (the "Parent"), which is managed by others.', 'HARBOR HOLDINGS LLC'],
  ['The shares are held of record by Harbor Corp.', 'HARBOR CORP /DE/'],
  ['By the Moss Family Trust dated May 1, 2001', 'MOSS FAMILY TRUST'],
  ['Robert J. Moss is the managing member of the fund.', 'MOSS ROBERT J'],
  ['Mr. Moss disclaims beneficial ownership.', 'Moss Robert J'],
])('"%s" names %s', (text, owner) => {
  expect(namesOwner(text, owner)).toBe(true);
});

test.each([
  ['By Harbor Growth Fund III, L.P.', 'HARBOR GROWTH FUND LP'],
  ['By Harbor Growth Fund III, L.P.', 'HARBOR GROWTH FUND II LP'],
  ['By Harbor Growth Fund III, L.P.', 'HARBOR INC'],
  ['By Harbor Growth Fund II', 'HARBOR GROWTH FUND I LP'],
  ['See footnote', 'HARBOR GROWTH FUND LP'],
  ['By trust', 'MOSS FAMILY TRUST'],
  ['Jane Moss is the managing member.', 'MOSS ROBERT J'],
  ['Robert Fern is the managing member.', 'MOSS ROBERT J'],
  ['moss grows here, robert', 'MOSS ROBERT J'],
  ['', 'MOSS ROBERT J'],
])('"%s" does not name %s', (text, owner) => {
  expect(namesOwner(text, owner)).toBe(false);
});
