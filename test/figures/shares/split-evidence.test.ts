import { expect, test } from 'vitest';
import {
  DECLARED_RATIO_CONCEPT,
  doesSplitExplainChange,
  findSuspectedSplits,
  isDeclaredRatio,
  normalizeToAtLeastOne,
  readDeclarations,
} from '../../../src/figures/shares/split-evidence.ts';
import { makeFact } from '../filed-facts.ts';

const SHARE_COUNT_FIELDS = { concept: 'WeightedAverageNumberOfDilutedSharesOutstanding', unit: 'shares' };
const makeYearDates = (fiscalYear: number) => ({ start: `${fiscalYear}-01-01`, end: `${fiscalYear}-12-31` });
const makeFilingFields = (filed: string) => ({ filed, accession: `0000000001-${filed.slice(2, 4)}-000001` });
const makeRestatedCountFacts = (fiscalYear: number, originalValue: string, restatedValue: string) => [
  makeFact({
    ...SHARE_COUNT_FIELDS,
    ...makeYearDates(fiscalYear),
    ...makeFilingFields('2020-02-20'),
    value: originalValue,
  }),
  makeFact({
    ...SHARE_COUNT_FIELDS,
    ...makeYearDates(fiscalYear),
    ...makeFilingFields('2021-02-20'),
    value: restatedValue,
  }),
];

test('counts restated by an integer ratio show a split between the two filings', () => {
  const facts = [
    ...makeRestatedCountFacts(2018, '4955377000', '19821510000'),
    ...makeRestatedCountFacts(2019, '4648913000', '18595651000'),
  ];
  const [split, ...otherSplits] = findSuspectedSplits(facts, []);
  expect(otherSplits).toEqual([]);
  expect(split).toMatchObject({ ratio: '4', after: '2020-02-20', until: '2021-02-20' });
  expect([...(split?.restatementDayByPeriod.keys() ?? [])]).toEqual(['2018-01-01 2018-12-31', '2019-01-01 2019-12-31']);
});

test.each([
  ['a reverse split', '200000000', '10000000', ['0.05']],
  ['three for two', '100000000', '150000000', ['1.5']],
  ['an ordinary restatement', '100000000', '101000000', []],
  ['thousands for units', '100000', '100000000', []],
])(
  'restated counts (%s): %s restated as %s suggests the split ratios %j',
  (_, originalValue, restatedValue, ratios) => {
    expect(
      findSuspectedSplits(makeRestatedCountFacts(2019, originalValue, restatedValue), []).map(({ ratio }) => ratio),
    ).toEqual(ratios);
  },
);

test('per-share figures show a split only if its ratio was declared', () => {
  const makeEpsFact = (filed: string, value: string) =>
    makeFact({
      concept: 'EarningsPerShareDiluted',
      unit: 'USD/shares',
      ...makeYearDates(2019),
      ...makeFilingFields(filed),
      value,
    });
  const facts = [makeEpsFact('2020-02-20', '11.89'), makeEpsFact('2021-02-20', '2.97')];
  expect(findSuspectedSplits(facts, [])).toEqual([]);
  const declarations = [{ ratio: '4', effective: '2020-08-31', filed: '2020-07-31' }];
  expect(findSuspectedSplits(facts, declarations)).toMatchObject([{ ratio: '4' }]);
  expect([isDeclaredRatio('4.01', declarations), isDeclaredRatio('3', declarations)]).toEqual([true, false]);
});

test('a declared split ratio allows this ratio and its inverse, effective on the next trading day', () => {
  const declaredRatioFact = makeFact({
    concept: DECLARED_RATIO_CONCEPT,
    unit: 'pure',
    start: null,
    end: '2020-08-28',
    value: '4',
    filed: '2020-10-30',
  });
  const filedDay = '2020-10-30';
  expect(readDeclarations([declaredRatioFact], [])).toEqual([
    { ratio: '4', effective: '2020-08-31', filed: filedDay },
    { ratio: '0.25', effective: '2020-08-31', filed: filedDay },
  ]);
  for (const invalidFields of [{ value: '0' }, { value: '-4' }, { start: '2020-01-01' }])
    expect(readDeclarations([{ ...declaredRatioFact, ...invalidFields }], [])).toEqual([]);
});

test("a split explains a change that is closer to the split's ratio than to 1", () => {
  expect(doesSplitExplainChange('4', '4.1', '1.2')).toBe(true);
  expect(doesSplitExplainChange('4', '1.1', '10')).toBe(false);
  expect(doesSplitExplainChange('4', '8', '1.5')).toBe(false);
  expect([normalizeToAtLeastOne('0.25'), normalizeToAtLeastOne('4')]).toEqual(['4', '4']);
});
