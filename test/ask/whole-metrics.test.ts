import { expect, test } from 'vitest';
import { splitFullPage, withKeys } from '../../src/ask/fetch/whole-metrics.ts';
import { findGivenText, parseQuestion } from '../../src/contract/question.ts';

const splitPage = (keys: string, rowKeys: readonly string[]) => {
  const question = parseQuestion('metrics', [
    ['ticker', 'AAPL'],
    ['keys', keys],
    ['collapse', 'true'],
  ]);
  const data = rowKeys.map((metric_key, index) => ({ metric_key, value: `${index}` }));
  const { completeRows, furtherQuestions } = splitFullPage(question, { data, meta: {} });
  return {
    values: completeRows.map(({ value }) => value),
    furtherKeys: furtherQuestions.map(({ rawParameters }) => findGivenText(rawParameters, 'keys')),
  };
};

test('a full response whose rows are sorted by key lacks rows only of its last key and of absent keys', () => {
  expect(splitPage('revenue,assets,net_income,equity', ['revenue', 'revenue', 'assets', 'net_income'])).toEqual({
    values: ['0', '1', '2'],
    furtherKeys: ['net_income,equity'],
  });
});

test('without complete rows, each of two questions has half of the keys', () => {
  const halves = { values: [], furtherKeys: ['revenue', 'assets,net_income'] };
  expect(splitPage('revenue,assets,net_income', ['revenue', 'assets', 'revenue'])).toEqual(halves);
  expect(splitPage('revenue,assets,net_income', ['revenue', 'revenue'])).toEqual(halves);
  // Keys that were not requested do not end the fetching, and are not requested.
  expect(splitPage('revenue,assets,net_income', ['revenue', 'assets', 'net_income', 'other'])).toEqual(halves);
  expect(splitPage('revenue,assets,net_income', ['other', 'revenue'])).toEqual(halves);
});

test('a single key is not divided', () => {
  expect(splitPage('revenue', ['revenue', 'revenue'])).toEqual({ values: [], furtherKeys: [] });
  expect(splitPage('revenue,revenue', ['revenue', 'revenue'])).toEqual({ values: [], furtherKeys: [] });
});

test('a key that a catalog lists repeatedly is requested once', () => {
  const question = parseQuestion('metrics', [['ticker', 'AAPL']]);
  const choice = { choose: () => ['revenue', 'assets', 'revenue'], name: 'cover page' };
  expect(findGivenText(withKeys(question, choice, null).rawParameters, 'keys')).toBe('revenue,assets');
});
