import { expect, test } from 'vitest';
import type { Fact } from '../../../src/edgar/facts/fact-row.ts';
import { deriveCompanyFigures } from '../../../src/figures/company.ts';
import { listFigureValues } from '../../../src/figures/figure-values.ts';
import { makeFact } from '../filed-facts.ts';

const annualReportFields = {
  start: '2024-01-01',
  end: '2024-12-31',
  accession: '0000000001-25-000001',
  filed: '2025-02-13',
};
const makeFlowFacts = (amounts: Readonly<Record<string, string>>) =>
  Object.entries(amounts).map(([concept, value]) => makeFact({ ...annualReportFields, concept, value }));
const makeBalanceFacts = (amounts: Readonly<Record<string, string>>) =>
  makeFlowFacts(amounts).map((balance) => ({ ...balance, start: null }));

function deriveValues(facts: readonly Fact[]): Record<string, string> {
  const { reportedValues } = deriveCompanyFigures(facts, [], { releaseDate: '2026-08-20' });
  const values = listFigureValues(reportedValues, { keys: ['capital_expenditures', 'free_cash_flow'] });
  return Object.fromEntries(values.map(({ metricKey, value }) => [metricKey, value]));
}

test('purchases of assets to rent out are capital expenditures', () => {
  // As filed by Herc for 2024.
  const hercFacts = makeFlowFacts({
    NetCashProvidedByUsedInOperatingActivities: '1225000000',
    PaymentsToAcquireEquipmentOnLease: '1048000000',
    PaymentsToAcquirePropertyPlantAndEquipment: '161000000',
  });
  expect(deriveValues(hercFacts)).toEqual({ capital_expenditures: '1209000000', free_cash_flow: '16000000' });
});

test('lines of a cash flow add up, even if a note states another amount of capital expenditures', () => {
  // As filed by SkyWest for 2024: the note's amount includes aircraft that were not paid.
  const amounts = {
    PaymentsForFlightEquipment: '265854000',
    PaymentsToAcquirePropertyPlantAndEquipment: '44895000',
    PaymentsToAcquireProductiveAssets: '439220000',
  };
  expect(deriveValues(makeFlowFacts(amounts))).toEqual({ capital_expenditures: '310749000' });
});

test('capital expenditures are withheld if a lessor tags its purchases of rental assets with concepts of its own', () => {
  // As filed by Hertz for 2024: vehicles are half of its assets.
  const cashFlowAmounts = {
    NetCashProvidedByUsedInOperatingActivities: '2224000000',
    PaymentsToAcquireOtherPropertyPlantAndEquipment: '105000000',
  };
  const vehicleAmounts = { PropertySubjectToOrAvailableForOperatingLeaseNet: '11963000000' };
  expect(
    deriveValues([
      ...makeFlowFacts(cashFlowAmounts),
      ...makeBalanceFacts({ Assets: '21802000000', ...vehicleAmounts }),
    ]),
  ).toEqual({});
  // With assets ten times as large, rented vehicles are a side business.
  expect(
    deriveValues([
      ...makeFlowFacts(cashFlowAmounts),
      ...makeBalanceFacts({ Assets: '218020000000', ...vehicleAmounts }),
    ]),
  ).toEqual({
    capital_expenditures: '105000000',
    free_cash_flow: '2119000000',
  });
});
