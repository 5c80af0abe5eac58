import { expect, test } from 'vitest';
import { deriveCompanyFigures } from '../../src/figures/company.ts';
import { listFigureValues, selectFiguresOfPeriods } from '../../src/figures/figure-values.ts';
import { readFiledFacts } from './filed-facts.ts';

/**
 * Figures copied from the companies' filings: a column per fiscal period, and a row per metric and unit. `*` marks values
 * that no filing states, `-` figures that fin does not derive from the facts of the test.
 */
const EXPECTED_FIGURES_BY_FILE: Readonly<Record<string, { about: string; figures: string }>> = {
  jpm: {
    about: 'a bank: total net revenue, December year end',
    figures: `
      period                2024FY        2024Q4       2024Q3       2024Q2       2024Q1
      end               2024-12-31    2024-12-31   2024-09-30   2024-06-30   2024-03-31
      revenue:USD     177556000000             -            -            -            -
      net_income:USD   58471000000  14005000000*  12898000000  18149000000  13419000000`,
  },
  tsm: {
    about: 'an IFRS filer with a translation into dollars',
    figures: `
      period                         2024FY         2023FY
      end                        2024-12-31     2023-12-31
      revenue:TWD             2894307700000  2161735800000
      revenue:USD               88268000000    70598800000
      net_income:TWD          1158380200000   851740000000
      eps_diluted:TWD/shares          44.67          32.85`,
  },
  aapl: {
    about: 'a 52/53-week year that ends in September',
    figures: `
      period                2025FY         2025Q4       2025Q3       2025Q2        2025Q1
      end               2025-09-27     2025-09-27   2025-06-28   2025-03-29    2024-12-28
      revenue:USD     416161000000  102466000000*  94036000000  95359000000  124300000000
      net_income:USD  112010000000   27466000000*  23434000000  24780000000   36330000000`,
  },
  jnj: {
    about: 'a year that ends on the first of January, restated for a divested business, with a reported fourth quarter',
    figures: `
      period               2022FY       2022Q4       2022Q3       2022Q2       2022Q1
      end              2023-01-01   2023-01-01   2022-10-02   2022-07-03   2022-04-03
      revenue:USD     79990000000  19939000000  19996000000  20215000000  19840000000
      net_income:USD  17941000000   3520000000   4458000000   4814000000   5149000000`,
  },
  cost: {
    about: 'quarters of 12, 12, 12 and 17 weeks',
    figures: `
      period                2023FY        2023Q4       2023Q3       2023Q2       2023Q1
      end               2023-09-03    2023-09-03   2023-05-07   2023-02-12   2022-11-20
      revenue:USD     242290000000  78939000000*  53648000000  55266000000  54437000000
      net_income:USD    6292000000   2160000000*   1302000000   1466000000   1364000000`,
  },
  nvda: {
    about: 'a January year end named after the year it ends in, and a ten for one split',
    figures: `
      period                               2024FY        2024Q4       2024Q3       2024Q2      2024Q1
      end                              2024-01-28    2024-01-28   2023-10-29   2023-07-30  2023-04-30
      revenue:USD                     60922000000  22103000000*  18120000000  13507000000  7192000000
      net_income:USD                  29760000000  12285000000*   9243000000   6188000000  2043000000
      eps_diluted:USD/shares                 1.19             -         0.37         0.25        0.82
      weighted_shares_diluted:shares  24940000000             -  24940000000  24994000000  2490000000`,
  },
  wmt: {
    about: 'a January year end with calendar months',
    figures: `
      period                2025FY         2025Q4        2025Q3        2025Q2        2025Q1
      end               2025-01-31     2025-01-31    2024-10-31    2024-07-31    2024-04-30
      revenue:USD     680985000000  180554000000*  169588000000  169335000000  161508000000
      net_income:USD   19436000000    5254000000*    4577000000    4501000000    5104000000`,
  },
  tgt: {
    about: 'a year of 53 weeks that ends in February, named after the previous calendar year',
    figures: `
      period                2023FY        2023Q4       2023Q3       2023Q2       2023Q1
      end               2024-02-03    2024-02-03   2023-10-28   2023-07-29   2023-04-29
      revenue:USD     107412000000  31919000000*  25398000000  24773000000  25322000000
      net_income:USD    4138000000    1382000000    971000000    835000000    950000000`,
  },
  msft: {
    about: 'a June year end, with a current report that states the year again',
    figures: `
      period                2024FY        2024Q4       2024Q3       2024Q2       2024Q1
      end               2024-06-30    2024-06-30   2024-03-31   2023-12-31   2023-09-30
      revenue:USD     245122000000  64727000000*  61858000000  62020000000  56517000000
      net_income:USD   88136000000  22036000000*  21939000000  21870000000  22291000000`,
  },
  pg: {
    about: 'a June year end',
    figures: `
      period               2025FY        2025Q4       2025Q3       2025Q2       2025Q1
      end              2025-06-30    2025-06-30   2025-03-31   2024-12-31   2024-09-30
      revenue:USD     84284000000  20889000000*  19776000000  21882000000  21737000000
      net_income:USD  15974000000   3615000000*   3769000000   4630000000   3959000000`,
  },
  googl: {
    about: 'a twenty for one split',
    figures: `
      period                        2021FY        2021Q4       2021Q3       2021Q2       2021Q1
      end                       2021-12-31    2021-12-31   2021-09-30   2021-06-30   2021-03-31
      revenue:USD             257637000000             -            -  61880000000  55314000000
      net_income:USD           76033000000  20642000000*  18936000000  18525000000  17930000000
      eps_diluted:USD/shares          5.61             -          1.4         1.36        26.29`,
  },
  khc: {
    about: 'a restatement of two years and all their quarters',
    figures: `
      period               2017FY      2017Q4      2017Q3      2017Q2      2017Q1
      end              2017-12-30  2017-12-30  2017-09-30  2017-07-01  2017-04-01
      revenue:USD     26076000000  6841000000  6279000000  6634000000  6322000000
      net_income:USD  10941000000  7989000000   913000000  1156000000   883000000`,
  },
  mdxg: {
    about: 'a restatement three years later, of the year but not of its quarters',
    figures: `
      period              2016FY      2016Q4      2016Q3      2016Q2      2016Q1
      end             2016-12-31  2016-12-31  2016-09-30  2016-06-30  2016-03-31
      revenue:USD      221712000           -           -           -           -
      net_income:USD      390000     5481000     3321000     1975000     1197000`,
  },
};

/** Returns the cells of a table as lines of metric and unit, period, end and value. */
function listFigures(table: string): string[] {
  const [[, ...periods] = [], [, ...ends] = [], ...rows] = table
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/ +/));
  return rows.flatMap(([name, ...values]) =>
    values.flatMap((value, index) => (value === '-' ? [] : [`${name} ${periods[index]} ${ends[index]} ${value}`])),
  );
}

for (const [factsFile, { about, figures }] of Object.entries(EXPECTED_FIGURES_BY_FILE)) {
  test(`derived figures of ${factsFile} equal those in its filings: ${about}`, () => {
    const company = deriveCompanyFigures(readFiledFacts(factsFile), [], { releaseDate: '2026-08-20' });
    const values = listFigureValues(company.reportedValues);
    const derivedFigures = (['annual', 'quarterly'] as const)
      .flatMap((choice) => selectFiguresOfPeriods(values, choice))
      // Repeats net income unless there are noncontrolling interests.
      .filter(({ metricKey }) => metricKey !== 'consolidated_net_income')
      .map(({ metricKey, unit, fiscalYear, fiscalPeriod, end, value, valueKind }) => {
        const mark = valueKind === 'derived' ? '*' : '';
        return `${metricKey}:${unit} ${fiscalYear}${fiscalPeriod} ${end} ${value}${mark}`;
      });
    expect(derivedFigures.sort()).toEqual(listFigures(figures).sort());
  });
}
