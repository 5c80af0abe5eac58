import { expect, test } from 'vitest';
import type { ReadingDocument } from '../../src/reading/document.ts';
import type { Item } from '../../src/reading/items.ts';
import { makeSearch, type SearchOptions } from '../../src/reading/search-text.ts';
import { ANNUAL, annual, filingBody, findAnnualItems, readHtml } from './filing.ts';

const options = { fixed: false, context: 2 };
const searchText = (document: ReadingDocument, items: readonly Item[], pattern: string, options: SearchOptions) =>
  makeSearch(pattern, options)(document, items);

test('matches have the words around, the item and the page', () => {
  const { document, items } = findAnnualItems(filingBody(ANNUAL));
  expect(searchText(document, [...items.values()], 'of 7A?, long', options)).toMatchObject([
    { before: 'Prose ', text: 'of 7, long', after: ' enough to', item: { part: 'II', item: '7' }, page: '8' },
    { before: 'Prose ', text: 'of 7A, long', after: ' enough to', item: { part: 'II', item: '7A' }, page: '9' },
  ]);
});

test('patterns without capitals match any case; fixed strings are no patterns', () => {
  const document = readHtml('<p>Tariffs (new) and tariffs.</p>');
  expect(searchText(document, [], 'tariffs', options)).toHaveLength(2);
  expect(searchText(document, [], 'Tariffs', options)).toHaveLength(1);
  expect(searchText(document, [], '(new)', { ...options, fixed: true })).toMatchObject([
    { text: '(new)', before: 'Tariffs ', item: null },
  ]);
});

test('patterns are checked, and run in linear time', () => {
  const document = readHtml(`<p>${'a'.repeat(100_000)}!</p>`);
  expect(searchText(document, [], '(a+)+$', options)).toEqual([]);
  expect(() => searchText(document, [], '(?=a)', options)).toThrow('The pattern is not a valid regular expression');
  expect(() => searchText(document, [], 'a'.repeat(1001), options)).toThrow(
    'A pattern has 1 to 1000 characters; this one has 1001.',
  );
});

test('a match in the part about executive officers is not of the item that includes it', () => {
  const text = 'None.</p><p><b>Executive Officers of the Registrant</b></p><p>The officers are old.';
  const { document, items } = findAnnualItems(filingBody(annual({ '4': { text } })));
  const itemOf = (pattern: string) => searchText(document, [...items.values()], pattern, options)[0]?.item?.item;
  expect([itemOf('None'), itemOf('old')]).toEqual(['4', 'EO']);
});
