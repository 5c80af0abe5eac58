import { expect, test } from 'vitest';
import { formatItem, hasItems, itemNames, resolveItem } from '../../src/reading/item-names.ts';

const namesOf = (words: string, form = '10-K', day = '2023-12-31') =>
  resolveItem(words, form, day).map((name) => formatItem(name, form));

test('items are named by number, part or title', () => {
  expect(['1A', 'item 1a', 'I.1A', 'Part I, Item 1A', 'Risk Factors', 'risk'].map((words) => namesOf(words))).toEqual(
    Array.from({ length: 6 }, () => ['1A']),
  );
  expect(namesOf('1', '10-Q')).toEqual(['I.1', 'II.1']);
  expect(namesOf('II.1A', '10-Q')).toEqual(['II.1A']);
  expect(namesOf('5.02', '8-K')).toEqual(['5.02']);
  expect(['MD&A', 'market risk', 'executive officers'].map((words) => namesOf(words))).toEqual([['7'], ['7A'], ['EO']]);
  expect([namesOf('mda', '10-Q'), namesOf('MD&A', '20-F'), namesOf('legal proceedings', '10-Q')]).toEqual([
    ['I.2'],
    ['5'],
    ['II.1'],
  ]);
  expect([namesOf('Information regarding executive officers'), namesOf('EO'), namesOf('eof')]).toEqual([
    ['EO'],
    ['EO'],
    [],
  ]);
  expect(['10-K', '10-Q', '20-F', '8-K'].map((form) => namesOf('buybacks', form))).toEqual([
    ['5'],
    ['II.2'],
    ['16E'],
    [],
  ]);
  expect(['17', 'II.1A', 'nothing', ''].flatMap((words) => namesOf(words))).toEqual([]);
});

test('forms have the items of their day', () => {
  const has = (item: string, day: string, form = '10-K') => itemNames(form, day).some((name) => name.item === item);
  expect([
    has('1C', '2022-12-31'),
    has('1C', '2023-12-31'),
    has('1A', '1999-12-31'),
    has('2.02', '2003-12-31', '8-K'),
  ]).toEqual([false, true, false, false]);
  const titleOf = (item: string, day: string) => itemNames('10-K', day).find((name) => name.item === item)?.title;
  expect([titleOf('4', '2005-12-31'), titleOf('4', '2010-12-31'), titleOf('4', '2023-12-31')]).toEqual([
    'Submission of Matters to a Vote of Security Holders',
    '[Reserved]',
    'Mine Safety Disclosures',
  ]);
  expect([titleOf('6', '2020-12-31'), titleOf('6', '2021-12-31')]).toEqual(['Selected Financial Data', '[Reserved]']);
  expect(itemNames('10-K', '2002-06-30').at(-1)).toMatchObject({ part: 'IV', item: '14' });
  expect(['10-K405', '10-KT', '10-K/A', '20-F', 'DEF 14A'].map(hasItems)).toEqual([true, true, true, true, false]);
});
