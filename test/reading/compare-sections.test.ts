import { expect, test } from 'vitest';
import { assertDefined } from '../../src/platform/collections.ts';
import { compareSections } from '../../src/reading/compare-sections.ts';
import { annual, filingBody, findAnnualItems } from './filing.ts';

function readRisks(text: string, heading?: string) {
  const sections = annual({ '1A': { text, ...(heading === undefined ? {} : { heading }) } });
  const { document, items } = findAnnualItems(filingBody(sections));
  return { document, item: assertDefined(items.get('1A')) };
}

const DEMAND = 'Demand for our products may fall when the economy weakens. Customers may delay orders for many months.';
const SUPPLY = 'We buy parts from few suppliers in three countries. A shortage of parts may stop our production.';

test('paragraphs are added, removed and changed, with marked words', () => {
  const before = readRisks(
    `<b>Markets</b></p><p>${DEMAND}</p><p>Our old plant may have to close because of its age and cost.`,
  );
  const after = readRisks(
    `<b>Markets</b></p><p>${DEMAND.replace('many months', 'several years')}</p><p>New tariffs may raise what we pay for steel and copper.`,
  );
  expect(compareSections(before, after)).toMatchObject([
    {
      kind: 'changed',
      heading: 'Markets',
      words: [
        { kind: 'same', text: expect.stringMatching(/orders for $/) },
        { kind: 'removed', text: 'many months.' },
        { kind: 'added', text: 'several years.' },
      ],
    },
    { kind: 'removed', before: 'Our old plant may have to close because of its age and cost.', after: null },
    { kind: 'added', before: null, after: 'New tariffs may raise what we pay for steel and copper.' },
  ]);
});

test('moved, split and joined paragraphs, and page ends, are no changes', () => {
  const before = readRisks(`${DEMAND}</p><p>${SUPPLY}`);
  const [first, second] = DEMAND.split('. ');
  const [start, rest] = [SUPPLY.slice(0, 40), SUPPLY.slice(40)];
  const moved = readRisks(
    `${start}</p><p>2</p><hr style="page-break-after:always"><p>${rest}</p><p>${first}.</p><p>${second}`,
  );
  expect(compareSections(before, moved)).toEqual([]);
});

test('a section that is not proven is not compared', () => {
  const proven = readRisks(DEMAND);
  expect(() => compareSections(readRisks(DEMAND, '<p>Risks</p>'), proven)).toThrow(RangeError);
});
