/** Facts of real filings as rows of a release, which the service's tests read. */
import type { ReportedValue } from '../../src/figures/revisions/revision-chain.ts';
import type { Manifest } from '../../src/store/releases/manifest.ts';
import type { Company, Security } from '../../src/store/schema/companies.ts';
import { NULL_VALUE_FIELDS } from '../figures/filed-facts.ts';
import type { ReleaseRows } from './memory-release.ts';

export const APPLE_CIK = 320193;
export const AGNICO_CIK = 2809;
export const ALPHABET_CIK = 1652044;
export const JPMORGAN_CIK = 19617;
export const MICROSOFT_CIK = 789019;

interface SourceFiling {
  readonly accession: string;
  readonly form: string;
  readonly filed: string;
}

const makeFiling = (accession: string, form: string, filed: string): SourceFiling => ({ accession, form, filed });

const FY2019_FILING = makeFiling('0000320193-19-000119', '10-K', '2019-10-31');
const FY2020_FILING = makeFiling('0000320193-20-000096', '10-K', '2020-10-30');
const FY2021_FILING = makeFiling('0000320193-21-000105', '10-K', '2021-10-29');
const FY2024_FILING = makeFiling('0000320193-24-000123', '10-K', '2024-11-01');
const Q1_2025_FILING = makeFiling('0000320193-25-000008', '10-Q', '2025-01-31');
const Q2_2025_FILING = makeFiling('0000320193-25-000057', '10-Q', '2025-05-02');
const Q3_2025_FILING = makeFiling('0000320193-25-000073', '10-Q', '2025-08-01');
const FY2025_FILING = makeFiling('0000320193-25-000079', '10-K', '2025-10-31');
const Q1_2026_FILING = makeFiling('0000320193-26-000006', '10-Q', '2026-01-30');
const AEM_2021_FILING = makeFiling('0001104659-22-037577', '40-F', '2022-03-25');
const AEM_2022_FILING = makeFiling('0001104659-23-037010', '40-F', '2023-03-27');

type FigureContext = Pick<
  ReportedValue,
  'metricKey' | 'unit' | 'start' | 'end' | 'periodKind' | 'fiscalYear' | 'fiscalPeriod'
> &
  Pick<ReportedValue, 'taxonomy' | 'concept'>;
type ReportedRevision = readonly [
  sourceFiling: SourceFiling,
  value: string,
  kind: ReportedValue['kind'],
  splitRatio?: string,
];

function makeRevisionChain(context: FigureContext, ...revisions: ReportedRevision[]): ReportedValue[] {
  return revisions.map(([sourceFiling, value, kind, splitRatio = null], index) => ({
    ...context,
    ...sourceFiling,
    rank: index + 1,
    kind,
    value,
    rawValue: value,
    splitRatio,
    ...NULL_VALUE_FIELDS,
  }));
}

const makeDurationContextMakers = (metricKey: string, concept: string, unit = 'USD', taxonomy = 'us-gaap') => {
  const metric = { metricKey, concept, unit, taxonomy };
  return {
    year: (fiscalYear: number, start: string, end: string): FigureContext => ({
      ...metric,
      start,
      end,
      fiscalYear,
      periodKind: 'annual',
      fiscalPeriod: 'FY',
    }),
    partOfYear: (
      periodKind: ReportedValue['periodKind'],
      fiscalYear: number,
      fiscalPeriod: string,
      start: string,
      end: string,
    ): FigureContext => ({ ...metric, start, end, fiscalYear, periodKind, fiscalPeriod }),
  };
};

const revenueContexts = makeDurationContextMakers('revenue', 'RevenueFromContractWithCustomerExcludingAssessedTax');
const operatingCashFlowContexts = makeDurationContextMakers(
  'operating_cash_flow',
  'NetCashProvidedByUsedInOperatingActivities',
);
const capexContexts = makeDurationContextMakers('capital_expenditures', 'PaymentsToAcquirePropertyPlantAndEquipment');
const epsContexts = makeDurationContextMakers('eps_diluted', 'EarningsPerShareDiluted', 'USD/shares');
const ifrsRevenueContexts = makeDurationContextMakers('revenue', 'Revenue', 'USD', 'ifrs-full');

export const APPLE_REPORTED_VALUES: readonly ReportedValue[] = [
  ...makeRevisionChain(
    revenueContexts.year(2024, '2023-10-01', '2024-09-28'),
    [FY2024_FILING, '391035000000', 'first'],
    [FY2025_FILING, '391035000000', 'same'],
  ),
  ...makeRevisionChain(revenueContexts.year(2025, '2024-09-29', '2025-09-27'), [
    FY2025_FILING,
    '416161000000',
    'first',
  ]),
  ...makeRevisionChain(
    revenueContexts.partOfYear('quarter', 2025, 'Q1', '2024-09-29', '2024-12-28'),
    [Q1_2025_FILING, '124300000000', 'first'],
    [Q1_2026_FILING, '124300000000', 'same'],
  ),
  ...makeRevisionChain(revenueContexts.partOfYear('quarter', 2025, 'Q2', '2024-12-29', '2025-03-29'), [
    Q2_2025_FILING,
    '95359000000',
    'first',
  ]),
  ...makeRevisionChain(revenueContexts.partOfYear('quarter', 2025, 'Q3', '2025-03-30', '2025-06-28'), [
    Q3_2025_FILING,
    '94036000000',
    'first',
  ]),
  ...makeRevisionChain(revenueContexts.partOfYear('nine_month', 2025, '9M', '2024-09-29', '2025-06-28'), [
    Q3_2025_FILING,
    '313695000000',
    'first',
  ]),
  ...makeRevisionChain(
    operatingCashFlowContexts.year(2024, '2023-10-01', '2024-09-28'),
    [FY2024_FILING, '118254000000', 'first'],
    [FY2025_FILING, '118254000000', 'same'],
  ),
  ...makeRevisionChain(operatingCashFlowContexts.year(2025, '2024-09-29', '2025-09-27'), [
    FY2025_FILING,
    '111482000000',
    'first',
  ]),
  ...makeRevisionChain(
    capexContexts.year(2024, '2023-10-01', '2024-09-28'),
    [FY2024_FILING, '9447000000', 'first'],
    [FY2025_FILING, '9447000000', 'same'],
  ),
  ...makeRevisionChain(capexContexts.year(2025, '2024-09-29', '2025-09-27'), [FY2025_FILING, '12715000000', 'first']),
  ...makeRevisionChain(
    epsContexts.year(2019, '2018-09-30', '2019-09-28'),
    [FY2019_FILING, '11.89', 'first'],
    [FY2020_FILING, '2.97', 're_expressed', '4'],
    [FY2021_FILING, '2.97', 'same'],
  ),
  ...makeRevisionChain(
    {
      metricKey: 'assets',
      taxonomy: 'us-gaap',
      concept: 'Assets',
      unit: 'USD',
      start: null,
      end: '2025-09-27',
      periodKind: 'instant',
      fiscalYear: 2025,
      fiscalPeriod: 'FY',
    },
    [FY2025_FILING, '359241000000', 'first'],
    [Q1_2026_FILING, '359241000000', 'same'],
  ),
];

const AGNICO_REPORTED_VALUES = makeRevisionChain(
  ifrsRevenueContexts.year(2021, '2021-01-01', '2021-12-31'),
  [AEM_2021_FILING, '3823878000', 'first'],
  [AEM_2022_FILING, '3869625000', 'revised'],
);

const makeCompany = (cik: number, entityName: string, changes: Partial<Company> = {}): Company => ({
  cik,
  entityName,
  coverageState: 'covered',
  filingCount: 0,
  rawFactCount: 0,
  metricValueCount: 0,
  latestFilingAt: null,
  lastReport: null,
  gone: null,
  sic: null,
  industry: null,
  industrySource: null,
  partialFacts: null,
  ...changes,
});

const makeSecurity = (ticker: string, cik: number, changes: Partial<Security> = {}): Security => ({
  ticker,
  tickerNormalized: ticker,
  exchange: 'Nasdaq',
  cik,
  isPrimary: true,
  isActive: true,
  coverageState: 'covered',
  ...changes,
});

export const MANIFEST: Manifest = {
  layout: '2.0',
  date: '2026-05-01',
  stamp: '2026-05-01-0a1b2c3d',
  publishedAt: '2026-05-02T00:00:00Z',
  checks: 'passed',
  checkResults: [],
  tables: {},
  sources: [],
  skipped: {},
  about: null,
};

const makeScreenRow = (
  cik: number,
  ticker: string,
  exchange: string,
  name: string,
  figures: ReleaseRows['screen'][number],
) => ({
  cik,
  ticker,
  exchange,
  entity_name: name,
  coverage_state: 'covered',
  ...figures,
});

export const RELEASE_ROWS: ReleaseRows = {
  manifest: MANIFEST,
  companies: [
    makeCompany(APPLE_CIK, 'Apple Inc.', {
      filingCount: 1000,
      rawFactCount: 24852,
      metricValueCount: 11,
      latestFilingAt: '2026-05-01',
    }),
    makeCompany(AGNICO_CIK, 'AGNICO EAGLE MINES LTD', { metricValueCount: 1 }),
    makeCompany(ALPHABET_CIK, 'Alphabet Inc.'),
    makeCompany(JPMORGAN_CIK, 'JPMORGAN CHASE & CO'),
    makeCompany(MICROSOFT_CIK, 'MICROSOFT CORP'),
    makeCompany(1067983, 'BERKSHIRE HATHAWAY INC', { coverageState: 'partial' }),
  ],
  securities: [
    makeSecurity('AAPL', APPLE_CIK),
    makeSecurity('AEM', AGNICO_CIK, { exchange: 'NYSE' }),
    makeSecurity('GOOG', ALPHABET_CIK, { isPrimary: false }),
    makeSecurity('GOOGL', ALPHABET_CIK),
    makeSecurity('JPM', JPMORGAN_CIK, { exchange: 'NYSE' }),
    makeSecurity('JPM-PC', JPMORGAN_CIK, { exchange: 'NYSE', isPrimary: false }),
    makeSecurity('MSFT', MICROSOFT_CIK),
    makeSecurity('BRK-B', 1067983, { exchange: 'NYSE', coverageState: 'partial' }),
    makeSecurity('BRKOLD', 1067983, { isActive: false, isPrimary: false, coverageState: 'inactive' }),
  ],
  statements: new Map([
    [APPLE_CIK, APPLE_REPORTED_VALUES],
    [AGNICO_CIK, AGNICO_REPORTED_VALUES],
  ]),
  rawConcepts: new Map([
    [
      APPLE_CIK,
      [
        {
          taxonomy: 'dei',
          concept: 'EntityPublicFloat',
          unit: 'USD',
          factCount: 17,
          earliestEnd: '2009-03-28',
          latestEnd: '2025-03-28',
        },
        {
          taxonomy: 'us-gaap',
          concept: 'Assets',
          unit: 'USD',
          factCount: 142,
          earliestEnd: '2008-09-27',
          latestEnd: '2026-03-28',
        },
      ],
    ],
  ]),
  screen: [
    makeScreenRow(APPLE_CIK, 'AAPL', 'Nasdaq', 'Apple Inc.', {
      revenue: '416161000000',
      revenue_prior: '391035000000',
      gross_profit: '195201000000',
      assets: '359241000000',
      revenue_yoy: '0.0642551178',
      fiscal_year: 2025,
      annual_end_date: '2025-09-27',
    }),
    makeScreenRow(AGNICO_CIK, 'AEM', 'NYSE', 'AGNICO EAGLE MINES LTD', {
      revenue: '3869625000',
      revenue_prior: '3138113000',
      revenue_yoy: '0.2331066',
      fiscal_year: 2021,
      annual_end_date: '2021-12-31',
    }),
    makeScreenRow(ALPHABET_CIK, 'GOOGL', 'Nasdaq', 'Alphabet Inc.', {
      revenue: '350018000000',
      revenue_prior: '307394000000',
      gross_profit: '203712000000',
      revenue_yoy: '0.1386624332',
      fiscal_year: 2024,
      annual_end_date: '2024-12-31',
    }),
    makeScreenRow(JPMORGAN_CIK, 'JPM', 'NYSE', 'JPMORGAN CHASE & CO', {
      revenue: '177556000000',
      assets: '4002814000000',
      fiscal_year: 2024,
      annual_end_date: '2024-12-31',
    }),
    makeScreenRow(MICROSOFT_CIK, 'MSFT', 'Nasdaq', 'MICROSOFT CORP', {
      revenue: '245122000000.00',
      gross_profit: '171008000000',
      assets: '512163000000',
      revenue_yoy: '0.1567',
      fiscal_year: 2024,
      annual_end_date: '2024-06-30',
    }),
  ],
  coverage: new Map([
    ['revenue', 2],
    ['free_cash_flow', 1],
    ['gross_margin', 3],
  ]),
};
