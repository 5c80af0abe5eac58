import { expect, test } from 'vitest';
import type { Fact } from '../../../src/edgar/facts/fact-row.ts';
import { deriveCompanyFigures } from '../../../src/figures/company.ts';
import { listFigureValues } from '../../../src/figures/figure-values.ts';
import { makeFact } from '../filed-facts.ts';

const makeBalanceFacts = (amounts: Readonly<Record<string, string>>, filing: Partial<Fact>) =>
  Object.entries(amounts).map(([concept, value]) => makeFact({ concept, value, start: null, ...filing }));

const BALANCE_KEYS = ['assets', 'liabilities', 'stockholders_equity', 'total_equity'];

function listBalances(facts: readonly Fact[], asOf: string | null = null): string[] {
  const { reportedValues } = deriveCompanyFigures(facts, [], { releaseDate: '2026-08-20' });
  return listFigureValues(reportedValues, { keys: BALANCE_KEYS, asOf }).map(({ metricKey, value, inputs }) =>
    [metricKey, value, ...inputs.flatMap(({ reported }) => (asOf === null ? (reported.unconfirmed ?? []) : []))].join(
      ' ',
    ),
  );
}

test('liabilities are shown with a mark if later filings restate equity alone', () => {
  // Microsoft's reports of 2018 restate equity of June 2016 for new rules on revenue, but not assets or liabilities.
  const dayFields = { end: '2016-06-30' };
  const totalAmounts = { Assets: '193468000000', Liabilities: '121471000000', StockholdersEquity: '71997000000' };
  const microsoftFacts = [
    ...makeBalanceFacts(totalAmounts, { ...dayFields, accession: '0001564590-17-014900', filed: '2017-08-02' }),
    ...makeBalanceFacts(
      { StockholdersEquity: '83090000000' },
      { ...dayFields, accession: '0001564590-18-019062', filed: '2018-08-03' },
    ),
  ];
  expect(listBalances(microsoftFacts)).toEqual([
    'assets 193468000000 assets = liabilities + equity, with the latest values from all filings',
    'liabilities 121471000000 assets = liabilities + equity, with the latest values from all filings',
    'stockholders_equity 83090000000 assets = liabilities + equity, with the latest values from all filings',
  ]);
  expect(listBalances(microsoftFacts, '2018-08-02')).toEqual([
    'assets 193468000000',
    'liabilities 121471000000',
    'stockholders_equity 71997000000',
  ]);
});

test('equity is not current if a later filing restates assets and liabilities without it', () => {
  // Facebook's annual report of 2016 restates the first quarter for new rules on share-based compensation.
  const dayFields = { end: '2016-03-31' };
  const facebookFacts = [
    ...makeBalanceFacts(
      { Assets: '52075000000', Liabilities: '4925000000', StockholdersEquity: '47150000000' },
      { ...dayFields, form: '10-Q', accession: '0001326801-16-000067', filed: '2016-04-28' },
    ),
    ...makeBalanceFacts(
      { Assets: '52262000000', Liabilities: '3674000000' },
      { ...dayFields, accession: '0001326801-17-000007', filed: '2017-02-03' },
    ),
  ];
  expect(listBalances(facebookFacts)).toEqual(['assets 52262000000', 'liabilities 3674000000']);
});

test('assets of zero, and in thousands, are not read: liabilities and equity are', () => {
  const filing = { end: '2024-12-31', accession: '0000000001-25-000001', filed: '2025-02-20' };
  const LiabilitiesAndStockholdersEquity = '1001000000';
  for (const Assets of ['0', '1001000']) {
    const amounts = { Assets, AssetsCurrent: '300000000', LiabilitiesAndStockholdersEquity };
    expect(listBalances(makeBalanceFacts(amounts, filing))).toEqual(['assets 1001000000']);
  }
});

test('total assets below the current assets of the same day are not read, unless a filing restates both', () => {
  // SUNation Energy, June 2021: the report of the next year tags the assets of a segment.
  const dayFields = { end: '2021-06-30', form: '10-Q' };
  const originalReport = { ...dayFields, accession: '0000022701-21-000005', filed: '2021-08-16' };
  const sunationFacts = [
    ...makeBalanceFacts({ Assets: '51997332', AssetsCurrent: '34126256' }, originalReport),
    ...makeBalanceFacts(
      { Assets: '4163000' },
      { ...dayFields, accession: '0000022701-22-000012', filed: '2022-08-22' },
    ),
  ];
  expect(listBalances(sunationFacts)).toEqual(['assets 51997332']);
  // Assets that fell below the former current assets are a restatement if a filing restates current assets, too.
  const restatement = { ...dayFields, accession: '0000022701-22-000013', filed: '2022-08-23' };
  const restatedFacts = makeBalanceFacts({ Assets: '4163000', AssetsCurrent: '3000000' }, restatement);
  expect(listBalances([...sunationFacts, ...restatedFacts])).toEqual(['assets 4163000']);
});

test('a flow with a reversed sign is not read if the other lines of its filing give its amount to the digit', () => {
  // Kadant's report of June 2011 states the loss of its owners where it had a profit.
  const quarter = { start: '2010-04-04', end: '2010-07-03', form: '10-Q' };
  const kadantFacts = Object.entries({
    ProfitLoss: '5273000',
    NetIncomeLoss: '-5220000',
    NetIncomeLossAttributableToNoncontrollingInterest: '53000',
  }).map(([concept, value]) =>
    makeFact({ concept, value, ...quarter, accession: '0000886346-11-000082', filed: '2011-08-11' }),
  );
  const { reportedValues, decisions } = deriveCompanyFigures(kadantFacts, [], { releaseDate: '2026-08-20' });
  const keys = ['net_income', 'consolidated_net_income'];
  expect(listFigureValues(reportedValues, { keys }).map(({ metricKey }) => metricKey)).toEqual([
    'consolidated_net_income',
  ]);
  expect(decisions.contradicted).toEqual({ 'an amount that breaks an equation of its statement': 1 });
});
