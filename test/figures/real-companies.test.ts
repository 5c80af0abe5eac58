import { expect, test } from 'vitest';
import { deriveCompanyFigures } from '../../src/figures/company.ts';
import { listFigureValues, selectFiguresOfPeriods } from '../../src/figures/figure-values.ts';
import { readFiledFacts } from './filed-facts.ts';

// Metric, unit, fiscal period, end and value, copied from the companies' filings. `derived` marks values that no filing
// states.
const EXPECTED_FIGURES_BY_FILE: Readonly<Record<string, { about: string; annual: string; quarterly: string }>> = {
  jpm: {
    about: 'a bank: total net revenue, December year end',
    annual: `
      revenue USD 2024FY 2024-12-31 177556000000
      net_income USD 2024FY 2024-12-31 58471000000`,
    quarterly: `
      net_income USD 2024Q4 2024-12-31 14005000000 derived
      net_income USD 2024Q3 2024-09-30 12898000000
      net_income USD 2024Q2 2024-06-30 18149000000
      net_income USD 2024Q1 2024-03-31 13419000000`,
  },
  tsm: {
    about: 'an IFRS filer with a translation into dollars',
    annual: `
      revenue TWD 2024FY 2024-12-31 2894307700000
      revenue USD 2024FY 2024-12-31 88268000000
      revenue TWD 2023FY 2023-12-31 2161735800000
      revenue USD 2023FY 2023-12-31 70598800000
      net_income TWD 2024FY 2024-12-31 1158380200000
      net_income TWD 2023FY 2023-12-31 851740000000
      eps_diluted TWD/shares 2024FY 2024-12-31 44.67
      eps_diluted TWD/shares 2023FY 2023-12-31 32.85`,
    quarterly: '',
  },
  aapl: {
    about: 'a 52/53-week year that ends in September',
    annual: `
      revenue USD 2025FY 2025-09-27 416161000000
      net_income USD 2025FY 2025-09-27 112010000000`,
    quarterly: `
      revenue USD 2025Q4 2025-09-27 102466000000 derived
      revenue USD 2025Q3 2025-06-28 94036000000
      revenue USD 2025Q2 2025-03-29 95359000000
      revenue USD 2025Q1 2024-12-28 124300000000
      net_income USD 2025Q4 2025-09-27 27466000000 derived
      net_income USD 2025Q3 2025-06-28 23434000000
      net_income USD 2025Q2 2025-03-29 24780000000
      net_income USD 2025Q1 2024-12-28 36330000000`,
  },
  jnj: {
    about: 'a year that ends on the first of January, restated for a divested business, with a reported fourth quarter',
    annual: `
      revenue USD 2022FY 2023-01-01 79990000000
      net_income USD 2022FY 2023-01-01 17941000000`,
    quarterly: `
      revenue USD 2022Q4 2023-01-01 19939000000
      revenue USD 2022Q3 2022-10-02 19996000000
      revenue USD 2022Q2 2022-07-03 20215000000
      revenue USD 2022Q1 2022-04-03 19840000000
      net_income USD 2022Q4 2023-01-01 3520000000
      net_income USD 2022Q3 2022-10-02 4458000000
      net_income USD 2022Q2 2022-07-03 4814000000
      net_income USD 2022Q1 2022-04-03 5149000000`,
  },
  cost: {
    about: 'quarters of 12, 12, 12 and 17 weeks',
    annual: `
      revenue USD 2023FY 2023-09-03 242290000000
      net_income USD 2023FY 2023-09-03 6292000000`,
    quarterly: `
      revenue USD 2023Q4 2023-09-03 78939000000 derived
      revenue USD 2023Q3 2023-05-07 53648000000
      revenue USD 2023Q2 2023-02-12 55266000000
      revenue USD 2023Q1 2022-11-20 54437000000
      net_income USD 2023Q4 2023-09-03 2160000000 derived
      net_income USD 2023Q3 2023-05-07 1302000000
      net_income USD 2023Q2 2023-02-12 1466000000
      net_income USD 2023Q1 2022-11-20 1364000000`,
  },
  nvda: {
    about: 'a January year end named after the year it ends in, and a ten for one split',
    annual: `
      revenue USD 2024FY 2024-01-28 60922000000
      net_income USD 2024FY 2024-01-28 29760000000
      eps_diluted USD/shares 2024FY 2024-01-28 1.19
      weighted_shares_diluted shares 2024FY 2024-01-28 24940000000`,
    quarterly: `
      revenue USD 2024Q4 2024-01-28 22103000000 derived
      revenue USD 2024Q3 2023-10-29 18120000000
      revenue USD 2024Q2 2023-07-30 13507000000
      revenue USD 2024Q1 2023-04-30 7192000000
      net_income USD 2024Q4 2024-01-28 12285000000 derived
      net_income USD 2024Q3 2023-10-29 9243000000
      net_income USD 2024Q2 2023-07-30 6188000000
      net_income USD 2024Q1 2023-04-30 2043000000
      eps_diluted USD/shares 2024Q3 2023-10-29 0.37
      eps_diluted USD/shares 2024Q2 2023-07-30 0.25
      eps_diluted USD/shares 2024Q1 2023-04-30 0.82
      weighted_shares_diluted shares 2024Q3 2023-10-29 24940000000
      weighted_shares_diluted shares 2024Q2 2023-07-30 24994000000
      weighted_shares_diluted shares 2024Q1 2023-04-30 2490000000`,
  },
  wmt: {
    about: 'a January year end with calendar months',
    annual: `
      revenue USD 2025FY 2025-01-31 680985000000
      net_income USD 2025FY 2025-01-31 19436000000`,
    quarterly: `
      revenue USD 2025Q4 2025-01-31 180554000000 derived
      revenue USD 2025Q3 2024-10-31 169588000000
      revenue USD 2025Q2 2024-07-31 169335000000
      revenue USD 2025Q1 2024-04-30 161508000000
      net_income USD 2025Q4 2025-01-31 5254000000 derived
      net_income USD 2025Q3 2024-10-31 4577000000
      net_income USD 2025Q2 2024-07-31 4501000000
      net_income USD 2025Q1 2024-04-30 5104000000`,
  },
  tgt: {
    about: 'a year of 53 weeks that ends in February, named after the previous calendar year',
    annual: `
      revenue USD 2023FY 2024-02-03 107412000000
      net_income USD 2023FY 2024-02-03 4138000000`,
    quarterly: `
      revenue USD 2023Q4 2024-02-03 31919000000 derived
      revenue USD 2023Q3 2023-10-28 25398000000
      revenue USD 2023Q2 2023-07-29 24773000000
      revenue USD 2023Q1 2023-04-29 25322000000
      net_income USD 2023Q4 2024-02-03 1382000000
      net_income USD 2023Q3 2023-10-28 971000000
      net_income USD 2023Q2 2023-07-29 835000000
      net_income USD 2023Q1 2023-04-29 950000000`,
  },
  msft: {
    about: 'a June year end, with a current report that states the year again',
    annual: `
      revenue USD 2024FY 2024-06-30 245122000000
      net_income USD 2024FY 2024-06-30 88136000000`,
    quarterly: `
      revenue USD 2024Q4 2024-06-30 64727000000 derived
      revenue USD 2024Q3 2024-03-31 61858000000
      revenue USD 2024Q2 2023-12-31 62020000000
      revenue USD 2024Q1 2023-09-30 56517000000
      net_income USD 2024Q4 2024-06-30 22036000000 derived
      net_income USD 2024Q3 2024-03-31 21939000000
      net_income USD 2024Q2 2023-12-31 21870000000
      net_income USD 2024Q1 2023-09-30 22291000000`,
  },
  pg: {
    about: 'a June year end',
    annual: `
      revenue USD 2025FY 2025-06-30 84284000000
      net_income USD 2025FY 2025-06-30 15974000000`,
    quarterly: `
      revenue USD 2025Q4 2025-06-30 20889000000 derived
      revenue USD 2025Q3 2025-03-31 19776000000
      revenue USD 2025Q2 2024-12-31 21882000000
      revenue USD 2025Q1 2024-09-30 21737000000
      net_income USD 2025Q4 2025-06-30 3615000000 derived
      net_income USD 2025Q3 2025-03-31 3769000000
      net_income USD 2025Q2 2024-12-31 4630000000
      net_income USD 2025Q1 2024-09-30 3959000000`,
  },
  googl: {
    about: 'a twenty for one split',
    annual: `
      revenue USD 2021FY 2021-12-31 257637000000
      net_income USD 2021FY 2021-12-31 76033000000
      eps_diluted USD/shares 2021FY 2021-12-31 5.61`,
    quarterly: `
      revenue USD 2021Q2 2021-06-30 61880000000
      revenue USD 2021Q1 2021-03-31 55314000000
      net_income USD 2021Q4 2021-12-31 20642000000 derived
      net_income USD 2021Q3 2021-09-30 18936000000
      net_income USD 2021Q2 2021-06-30 18525000000
      net_income USD 2021Q1 2021-03-31 17930000000
      eps_diluted USD/shares 2021Q3 2021-09-30 1.4
      eps_diluted USD/shares 2021Q2 2021-06-30 1.36
      eps_diluted USD/shares 2021Q1 2021-03-31 26.29`,
  },
  khc: {
    about: 'a restatement of two years and all their quarters',
    annual: `
      revenue USD 2017FY 2017-12-30 26076000000
      net_income USD 2017FY 2017-12-30 10941000000`,
    quarterly: `
      revenue USD 2017Q4 2017-12-30 6841000000
      revenue USD 2017Q3 2017-09-30 6279000000
      revenue USD 2017Q2 2017-07-01 6634000000
      revenue USD 2017Q1 2017-04-01 6322000000
      net_income USD 2017Q4 2017-12-30 7989000000
      net_income USD 2017Q3 2017-09-30 913000000
      net_income USD 2017Q2 2017-07-01 1156000000
      net_income USD 2017Q1 2017-04-01 883000000`,
  },
  mdxg: {
    about: 'a restatement three years later, of the year but not of its quarters',
    annual: `
      revenue USD 2016FY 2016-12-31 221712000
      net_income USD 2016FY 2016-12-31 390000`,
    quarterly: `
      net_income USD 2016Q4 2016-12-31 5481000
      net_income USD 2016Q3 2016-09-30 3321000
      net_income USD 2016Q2 2016-06-30 1975000
      net_income USD 2016Q1 2016-03-31 1197000`,
  },
};

const splitLines = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

for (const [factsFile, { about, annual, quarterly }] of Object.entries(EXPECTED_FIGURES_BY_FILE)) {
  test(`derived figures of ${factsFile} equal those in its filings: ${about}`, () => {
    const company = deriveCompanyFigures(readFiledFacts(factsFile), [], { releaseDate: '2026-08-20' });
    const values = listFigureValues(company.reportedValues);
    const formatFigures = (choice: 'annual' | 'quarterly') =>
      selectFiguresOfPeriods(values, choice)
        .map(({ metricKey, unit, fiscalYear, fiscalPeriod, end, value, valueKind }) =>
          [metricKey, unit, `${fiscalYear}${fiscalPeriod}`, end, value, valueKind === 'derived' ? 'derived' : ''].join(
            ' ',
          ),
        )
        .map((line) => line.trim());
    expect(formatFigures('annual')).toEqual(splitLines(annual));
    expect(formatFigures('quarterly')).toEqual(splitLines(quarterly));
  });
}
