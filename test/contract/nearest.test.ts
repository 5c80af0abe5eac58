import { expect, test } from 'vitest';
import { METRIC_KEYS } from '../../src/contract/figures.ts';
import { didYouMean, findNearest } from '../../src/contract/nearest.ts';
import { FILTER_COLUMNS } from '../../src/contract/screen-columns.ts';

test.each([
  ['revenu', 'revenue'],
  ['reveune', 'revenue'],
  ['Net_Income', 'net_income'],
  ['capital_expenditure', 'capital_expenditures'],
  ['eps_dilluted', 'eps_diluted'],
])('the unknown word %s suggests %s', (word, name) => {
  expect(findNearest(word, METRIC_KEYS)[0]).toBe(name);
});

test('a word that is a part of names suggests these names', () => {
  expect(didYouMean('eps', [...METRIC_KEYS, 'ps'])).toBe(' Did you mean eps_diluted, eps_basic, ps?');
  expect(didYouMean('BRK', ['BRK-B', 'BKR'])).toBe(' Did you mean BRK-B, BKR?');
  expect(didYouMean('assets', METRIC_KEYS)).toBe(' Did you mean assets, current_assets, intangible_assets?');
  // `shares` is a part of several metric keys, but not a likely misspelling of any of them: the spellings differ too
  // much. `shares` may be a metric of a newer service.
  expect(findNearest('shares', METRIC_KEYS)).toEqual([]);
});

test('a word that is similar to no name suggests nothing', () => {
  expect(findNearest('zzzz', METRIC_KEYS)).toEqual([]);
  expect(didYouMean('zzzz', METRIC_KEYS)).toBe('');
});

test('if no name is similar, the names that share the most words are suggested', () => {
  expect(didYouMean('liabilities_by_equity', FILTER_COLUMNS)).toBe(' Did you mean liabilities_to_equity?');
  expect(didYouMean('debt_equity', FILTER_COLUMNS)).toBe('');
});

test.each([
  ['sales', ' Did you mean revenue?'],
  ['Diluted EPS', ' Did you mean eps_diluted?'],
  ['Total assets', ' Did you mean assets?'],
  ['capex', ' Did you mean capital_expenditures, capex_intensity?'],
  ['FCF', ' Did you mean free_cash_flow, fcf_margin, fcf_yield?'],
  ['P/E ratio', ' Did you mean pe, pe_ttm?'],
])('the synonym %s suggests the keys of figures', (word, sentence) => {
  expect(didYouMean(word, FILTER_COLUMNS)).toBe(sentence);
});

test('a synonym suggests only names that are accepted', () => {
  expect(didYouMean('pe_ratio', ['revenue'])).toBe('');
});
