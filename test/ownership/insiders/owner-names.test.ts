import { expect, test } from 'vitest';
import { nameSameEntity, namesOwner } from '../../../src/ownership/insiders/owner-names.ts';

test.each([
  ['By Harbor Growth Fund III, L.P.', 'HARBOR GROWTH FUND III LP'],
  ['By Harbor Growth Fund III', 'Harbor Growth Fund III, L.P.'],
  ['Shares held by Harbor Holdings (the "Parent"), which is managed by others.', 'HARBOR HOLDINGS LLC'],
  ['The shares are held of record by Harbor Corp.', 'HARBOR CORP /DE/'],
  ['By the Moss Family Trust dated May 1, 2001', 'MOSS FAMILY TRUST'],
  ['Robert J. Moss is the managing member of the fund.', 'MOSS ROBERT J'],
  ['Mr. Moss disclaims beneficial ownership.', 'Moss Robert J'],
  ['By Harbor Growth Fund III, L.P.', 'HARBOR GROWTH FUND III L P'],
  ['By Harbor and Quay Fund LLC', 'HARBOR & QUAY FUND L L C'],
  ['Shares are held by Jan P. van der Moor, the manager.', 'VAN DER MOOR JAN P'],
  ['Mr. De Moor disclaims beneficial ownership.', 'DE MOOR JAN'],
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
  ['Peter van der Moor is the manager.', 'VAN DER MOOR JAN P'],
  ['', 'MOSS ROBERT J'],
])('"%s" does not name %s', (text, owner) => {
  expect(namesOwner(text, owner)).toBe(false);
});

test('two texts are of one entity if they state its whole name with a legal form', () => {
  expect(nameSameEntity('By Harbor Fund II, L.P.', 'Held through HARBOR FUND II LP')).toBe(true);
  expect(nameSameEntity('By Harbor Fund II, L.P.', 'By Harbor Fund III, L.P.')).toBe(false);
  for (const kind of ['By limited partnership', 'By family LLC', 'By trust', 'See footnote', ''])
    expect(nameSameEntity(kind, kind)).toBe(false);
});
