import type { Client } from '../../client/client.ts';
import type { ClientResponse } from '../../client/response.ts';
import { Failure, isFailure } from '../../contract/failure.ts';
import { COMPANY_KEYS } from '../../contract/figures.ts';
import { changeQuestion, parseQuestion, type Question } from '../../contract/question/question.ts';
import type { Meta } from '../../contract/resources/envelope.ts';
import type { MetricValue } from '../../contract/resources/metrics.ts';
import type { Answer, QuestionCommand } from '../command.ts';
import { exitCode, failureLines, PARTIAL, problemDocument } from '../failure-report.ts';
import { inOrder, stopsAll } from '../pipeline/batch.ts';
import { readNames } from '../pipeline/inputs.ts';
import { refuseFaults } from '../pipeline/parameters.ts';
import { DAYS_HINT, readPastDay } from '../pipeline/past-day.ts';
import { CONCURRENCY } from '../pipeline/run-question.ts';
import { suggest } from '../pipeline/suggest.ts';
import type { Report } from '../report.ts';
import { optionText, type UtilityCall, type UtilityCommand } from '../utilities/utility.ts';
import { type Choice, type Company, type ComparedPeriod, compareCompanies, PERIODS } from './align.ts';
import { comparisonBlocks, comparisonNotices, comparisonRows } from './report.ts';

/** What is compared where no metrics are named. */
const USUAL = 'revenue,operating_income,net_income,eps_diluted,free_cash_flow,operating_margin,net_margin,roe';
const USUAL_YEARS = 5;
const MOST_YEARS = 100;

/** The question that is asked of each company, for what its errors and hints say. */
const ASKED = {
  operation: 'metrics',
  args: [{ parameter: 'ticker', many: true }],
  valueHints: { keys: 'List of metrics: fin catalog', as_of: DAYS_HINT },
} as const satisfies Pick<QuestionCommand, 'operation' | 'args' | 'valueHints'>;

const compare: UtilityCommand = {
  args: [{ name: 'ticker', help: 'Tickers of covered companies; - reads them from stdin', many: true }],
  options: [
    {
      name: 'keys',
      value: 'names',
      offered: COMPANY_KEYS,
      help: 'Metrics to compare, by key (default: a few common ones)',
    },
    { name: 'period', value: 'name', values: PERIODS, help: 'Periods to compare (default: annual)' },
    {
      name: 'years',
      value: 'count',
      help: 'Show the periods of so many years (default: 5 of one metric, else one period)',
    },
    { name: 'as-of', value: 'day', help: 'Show values as reported by this date' },
    { name: 'plan', help: 'Print the requests and time this would take, and exit' },
    { name: 'xlsx', value: 'file', help: 'Write an Excel spreadsheet: the rows, with links to the filings' },
  ],
  examples: [
    { line: 'compare AAPL MSFT GOOGL', shows: 'common figures of the latest year that all have' },
    { line: 'compare AAPL MSFT GOOGL --keys revenue --years 5', shows: 'one metric, year by year' },
    {
      line: 'compare AAPL MSFT --keys revenue,net_income --period quarterly --years 1 --csv',
      shows: 'a row for each value',
    },
  ],
  help:
    'Asks fin metrics of each company: one request each. A period stands in the calendar year or quarter it ends in; one ' +
    'that ends within a week after it, as years of 52 or 53 weeks do, counts to the one before. Nothing is converted or ' +
    'computed: amounts in another currency name it, and what a company does not report stays empty. Twelve months ' +
    '(--period ttm) are those of the service.',
  run: runCompare,
};

export default compare;

async function runCompare(call: UtilityCall): Promise<Report | undefined> {
  const { globals, io } = call;
  const choice = readChoice(call);
  const question = questionOf(call, choice);
  const tickers = readNames(call.args, ASKED.args[0], io);
  if (call.options.plan === true) {
    const { planQuestion } = await import('../pipeline/plan.ts');
    const { client } = await call.connect();
    return planQuestion({ inputs: inputsOf(tickers), question, all: false, client, target: call.target() });
  }
  const answers = await askEach(call, question, tickers);
  const companies: Company[] = answers.found.map(({ ticker, answer }) => ({ ticker, values: answer.data }));
  const comparison = compareCompanies(companies, choice);
  const rows = comparisonRows(comparison);
  if (!globals.quiet) {
    for (const text of [...comparisonNotices(comparison), ...releaseNotice(answers.found)]) io.log(text);
  }
  const meta = answers.found.at(-1)?.answer.meta;
  const { columns } = rows;
  const records = [...rows.rows].map((row) =>
    Object.fromEntries(columns.map((name, index) => [name, row[index] ?? null])),
  );
  return {
    json: {
      data: records,
      meta: {
        release: meta?.release ?? null,
        period: choice.period,
        keys: choice.keys,
        aligned_by: ALIGNED[choice.period],
      },
      ...(answers.failed.length === 0
        ? {}
        : { failed: answers.failed.map(({ input, problem }) => ({ input, problem })) }),
    },
    rows: comparisonRows(comparison),
    view: comparisonBlocks(comparison),
    about: meta?.release == null ? [] : [['Release', meta.release.stamp]],
    exitCode: codeOf(answers),
  };
}

const ALIGNED: Readonly<Record<ComparedPeriod, string>> = {
  annual: 'calendar year of the end',
  quarterly: 'calendar quarter of the end',
  ttm: 'calendar quarter of the end',
};

async function* inputsOf(tickers: AsyncIterable<string>) {
  for await (const ticker of tickers) yield { name: ticker, parameters: [['ticker', ticker]] as const };
}

function readChoice(call: UtilityCall): Choice {
  const named = (optionText(call, 'keys') ?? USUAL).split(',').map((key) => key.trim());
  const keys = [...new Set(named)];
  const period = PERIODS.find((known) => known === call.options.period) ?? 'annual';
  const years = readYears(optionText(call, 'years'));
  const count = years ?? (keys.length === 1 ? USUAL_YEARS : null);
  if (count === null) return { period, keys, count };
  return { period, keys, count: period === 'annual' ? count : 4 * Math.min(count, years ?? 2) };
}

function readYears(text: string | null): number | null {
  if (text === null) return null;
  const years = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (years > 0 && years <= MOST_YEARS) return years;
  throw new Failure('usage', `--years ${JSON.stringify(text)} is not a whole number from 1 to ${MOST_YEARS}.`);
}

/** Throws a usage Failure for what the interface refuses, before any company is asked. */
function questionOf(call: UtilityCall, { keys, period }: Choice): Question {
  const asOf = optionText(call, 'as-of');
  const question = parseQuestion('metrics', [
    // Twelve months are given under all periods: the interface has no name for them alone.
    ['period', period === 'ttm' ? 'all' : period],
    ['keys', keys.join(',')],
    ['collapse', 'true'],
    ['limit', '5000'],
    ...(asOf === null ? [] : [['as_of', readPastDay(asOf)] as const]),
  ]);
  if (!call.globals.unchecked) refuseFaults(ASKED, question);
  return question;
}

/** A CIK costs a request more, for its ticker. */
async function askByName(client: Client, asked: Question): Promise<ClientResponse> {
  const { withoutCik } = await import('../pipeline/named-companies.ts');
  return client.ask(await withoutCik(asked, client));
}

interface Found {
  readonly ticker: string;
  readonly answer: Answer<readonly MetricValue[]>;
}

interface Answers {
  readonly found: readonly Found[];
  readonly failed: readonly { readonly input: string; readonly problem: object; readonly code: number }[];
}

/** Asks each company once, four at a time. Throws what concerns the question, the account or the address. */
async function askEach({ connect, globals, io }: UtilityCall, question: Question, tickers: AsyncIterable<string>) {
  const { client } = await connect();
  const [found, failed]: [Found[], Answers['failed'][number][]] = [[], []];
  const seen = new Set<string>();
  const results = inOrder(tickers, CONCURRENCY, async (ticker) => {
    const asked = changeQuestion(question, [['ticker', ticker]]);
    return askByName(client, asked).then(
      (response) => ({ ticker, response }),
      (error: unknown) => ({ ticker, error: suggest(error, ASKED, asked) }),
    );
  });
  for await (const result of results) {
    if ('response' in result) {
      const answer = answerOf(result.response);
      const ticker = answer.meta.ticker ?? answer.data[0]?.ticker ?? result.ticker.toUpperCase();
      if (!seen.has(ticker)) found.push({ ticker, answer });
      seen.add(ticker);
      continue;
    }
    const { ticker: input, error } = result;
    if (!isFailure(error) || error.kind === 'usage' || stopsAll(error)) throw error;
    failed.push({ input, problem: problemDocument(error), code: exitCode(error) });
    if (globals.format === 'json') io.log(JSON.stringify({ input, ...problemDocument(error) }));
    else for (const line of failureLines(error)) io.log(line.replace(/^fin: /, () => `fin: ${input}: `));
  }
  return { found, failed };
}

/** The client has checked it against the resource of the operation. */
const answerOf = ({ envelope }: ClientResponse): Answer<readonly MetricValue[]> => ({
  data: envelope.data as readonly MetricValue[],
  meta: envelope.meta satisfies Partial<Meta>,
});

function codeOf({ found, failed }: Answers): number {
  const [first, ...others] = new Set(failed.map(({ code }) => code));
  if (first === undefined) return 0;
  return found.length === 0 && others.length === 0 ? first : PARTIAL;
}

function releaseNotice(found: readonly Found[]): string[] {
  const stamps = [...new Set(found.flatMap(({ answer }) => answer.meta.release?.stamp ?? []))];
  return stamps.length < 2 ? [] : [`The answers are of several releases: ${stamps.join(', ')}. Ask again for one.`];
}
