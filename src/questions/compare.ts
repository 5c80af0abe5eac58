import type { Answer } from '../ask/command/answer.ts';
import type { FailedInput, GivenArguments, ResultContext, ResultMembers } from '../ask/command/command.ts';
import { defineCommand } from '../ask/command/command.ts';
import type { GivenOptions, OptionSpec } from '../ask/command/option-spec.ts';
import { makeProblemDocument } from '../ask/failure-report.ts';
import { respellParameters } from '../ask/values/spellings.ts';
import { failUsage } from '../contract/failure.ts';
import { COMPANY_METRIC_KEYS } from '../contract/figures.ts';
import { getOperation } from '../contract/operations.ts';
import type { RawParameters } from '../contract/question.ts';
import type { MetricValue } from '../contract/resources/metrics.ts';
import { MISSING_TEXT_PLACEHOLDER } from '../contract/text/missing-text.ts';
import { formatAlternatives, quote } from '../contract/text/quote.ts';
import { option, say } from '../contract/text/text.ts';
import { toObjects } from '../result/rows.ts';
import { makeRows, type Table } from '../result/table.ts';
import type { ComparedCompany, ComparedPeriodKind, Comparison, ComparisonChoice } from './compare/align.ts';
import { compareCompanies, findCalendarPeriod, matchesPeriod, PERIODS } from './compare/align.ts';
import { formatTitle, layOut, makeCharts, makeComparisonNotices, makeComparisonTable } from './compare/comparison.ts';
import { makeMissingFormulaValueNotices } from './formulas/evaluate.ts';
import { FORMULA_OPTIONS, readMetricFormulas } from './formulas/formulas.ts';
import { makePartialFactsNotices } from './reports/report-notices.ts';
import { type ComputedFormulas, computeFormulas } from './statements/formula-rows.ts';
import { replaceFormulaKeys } from './statements/periods.ts';

const DEFAULT_KEYS = 'revenue,operating_income,net_income,eps_diluted,free_cash_flow,operating_margin,net_margin,roe';
const DEFAULT_YEAR_COUNT = 5;
const MAX_YEARS = 100;

const COMPARE_OPTIONS: readonly OptionSpec[] = [
  {
    name: 'keys',
    value: 'names',
    offered: COMPANY_METRIC_KEYS,
    help: 'Keys of the metrics to compare (default: a few common metrics)',
  },
  { name: 'period', value: 'name', values: PERIODS, help: 'Periods to compare (default: annual)' },
  {
    name: 'years',
    value: 'count',
    help: 'Number of years to show (default: 5 years or 8 quarters of one metric, one period of several)',
  },
  ...FORMULA_OPTIONS,
];

type MetricValues = readonly MetricValue[];
type Answers = readonly Answer<MetricValues>[];
type Failed = readonly FailedInput[];

export default defineCommand({
  operation: 'metrics',
  name: 'compare',
  parameters: ['as_of', 'values', 'split_adjusted'],
  args: [{ parameter: 'ticker', many: true }],
  options: COMPARE_OPTIONS,
  hasCharts: true,
  examples: {
    'compare AAPL MSFT GOOGL': 'a few common metrics, for the latest year that most of the companies have reported',
    'compare AAPL MSFT GOOGL --keys revenue --years 5': 'one metric, year by year',
    'compare AAPL MSFT --keys revenue --chart': 'one metric as a bar chart',
    'compare AAPL MSFT --compute payback=total_debt/free_cash_flow': 'a figure of your own (see: fin help formulas)',
    'compare AAPL MSFT --keys revenue,net_income --period quarterly --years 1 --csv':
      'the quarters of one year, as CSV with one row for each value',
  },
  help:
    'Shows the values of "fin metrics" for each company. Each value is shown in the calendar year or quarter that its ' +
    'fiscal period mostly covers: a fiscal year that ends in January 2026 is shown in 2025. A year with six months in each ' +
    'of two calendar years is shown in the later one. Values are not converted: amounts in a currency other than that ' +
    'of the title are marked ' +
    'with the currency, and missing values stay empty. Trailing twelve months (--period ttm) come from the service.',
  fetchesAllRows: true,
  request: (given) => ({
    parameters: buildParameters(given),
    extent: { kind: 'metrics', choice: DEFAULT_METRICS_CHOICE, hasNames: false },
  }),
  result: (answer, context) => makeComparisonResult([answer], context, []),
  combineAnswers: makeComparisonResult,
});

/** The metrics that are compared if the user names none. */
const DEFAULT_METRICS_CHOICE = { name: 'metrics', choose: () => DEFAULT_KEYS.split(',') };

/** Returns the parameters to send. Throws a usage Failure for an invalid period or number of years. */
function buildParameters({ options, givenParameters, unchecked }: GivenArguments): RawParameters {
  const formulas = readMetricFormulas(options, unchecked);
  const { period, keys: names } = readComparisonChoice(options);
  const keys = formulas === null ? names : replaceFormulaKeys(names, formulas);
  return [
    // The HTTP API has no period for trailing twelve months alone, so all periods are requested.
    ['period', period === 'ttm' ? 'all' : period],
    ['keys', keys.join(',')],
    ['collapse', 'true'],
    ...givenParameters,
  ];
}

function readComparisonChoice(options: GivenOptions): ComparisonChoice {
  const formulas = readMetricFormulas(options)?.names ?? [];
  const named = options.get('keys')?.join(',') ?? (formulas.length === 0 ? DEFAULT_KEYS : undefined);
  const keys = [...new Set([...(named?.split(',').map((key) => key.trim()) ?? []), ...formulas])];
  const period = readPeriod(options.get('period')?.at(-1));
  const years = readYearCount(options.get('years')?.at(-1));
  const periodCount = years ?? (keys.length === 1 ? DEFAULT_YEAR_COUNT : null);
  if (periodCount === null) return { period, keys, periodCount };
  return { period, keys, periodCount: period === 'annual' ? periodCount : 4 * Math.min(periodCount, years ?? 2) };
}

function readPeriod(text = 'annual'): ComparedPeriodKind {
  const [[, periodText = text] = []] = respellParameters(getOperation('metrics'), [['period', text]]);
  const period = PERIODS.find((name) => name === periodText);
  if (period !== undefined) return period;
  const periods = formatAlternatives(PERIODS);
  failUsage(say`${option('period')} ${quote(text)} is not available in fin compare. Use ${periods}.`);
}

function readYearCount(text: string | undefined): number | null {
  if (text === undefined) return null;
  const years = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (years > 0 && years <= MAX_YEARS) return years;
  failUsage(say`${option('years')} ${quote(text)} is not a whole number from 1 to ${MAX_YEARS}.`);
}

function makeComparisonResult(answers: Answers, context: ResultContext, failed: Failed): ResultMembers {
  const { options, parameters } = context;
  const choice = readComparisonChoice(options);
  const formulas = readMetricFormulas(options);
  const companies = mergeByCompany(answers).map(({ ticker, values }) => {
    const computed = formulas && computeFormulas(values, formulas);
    return { ticker, computed, values: [...values, ...(computed?.rows ?? [])] };
  });
  const comparison = compareCompanies(companies, choice);
  const allValues = companies.flatMap(({ values }) => values);
  const nameless = allValues.filter(({ metric_key: key }) => key === MISSING_TEXT_PLACEHOLDER).length;
  const meta = answers.at(-1)?.meta ?? {};
  const table = makeComparisonTable(comparison, parameters.split_adjusted === true);
  return {
    tables: [table],
    title: formatTitle(comparison, meta.as_of),
    layout: () => layOut(comparison, meta.as_of),
    hasSheet: true,
    charts: { isShownByDefault: false, ...makeCharts(comparison) },
    notices: [
      ...makePartialFactsNotices(allValues),
      ...makeComparisonNotices(comparison, meta, nameless),
      ...makeFormulaNotices(comparison, companies),
    ],
    document: () => [JSON.stringify(makeComparisonDocument(table, choice, meta, failed), null, 2)],
  };
}

type ComputedCompany = { readonly ticker: string; readonly computed: ComputedFormulas | null };

/** Reports which companies lack a value of a formula in the compared periods, and why. */
function makeFormulaNotices({ periods, period }: Comparison, companies: readonly ComputedCompany[]) {
  const isShown = (row: MetricValue): boolean =>
    matchesPeriod(row, period) && periods.includes(findCalendarPeriod(row.end_date, period));
  const missing = companies.flatMap(({ ticker, computed }) =>
    (computed?.listMissing(isShown) ?? []).map((item) => ({ ...item, ticker })),
  );
  return makeMissingFormulaValueNotices(missing);
}

/** Returns one answer per company, because several arguments may name the same company. */
function mergeByCompany(answers: Answers): ComparedCompany[] {
  const companies = answers.map(({ data, meta }) => ({ ticker: meta.ticker ?? data[0]?.ticker ?? '', values: data }));
  return [...new Map(companies.toReversed().map((company) => [company.ticker, company])).values()].reverse();
}

const ALIGNMENTS: Readonly<Record<ComparedPeriodKind, string>> = {
  annual: 'calendar year that the fiscal year mostly covers',
  quarterly: 'calendar quarter that the fiscal quarter mostly covers',
  ttm: 'calendar quarter that the last quarter of the twelve months mostly covers',
};

function makeComparisonDocument(table: Table, choice: ComparisonChoice, meta: Answer['meta'], failed: Failed) {
  const { period, keys } = choice;
  const { release = null, as_of: day } = meta;
  const problems = failed.map(({ input, error }) => ({ input: input.name, problem: makeProblemDocument(error) }));
  return {
    data: toObjects(makeRows(table)),
    meta: { release, ...(day === undefined ? {} : { as_of: day }), period, keys, aligned_by: ALIGNMENTS[period] },
    ...(failed.length === 0 ? {} : { failed: problems }),
  };
}
