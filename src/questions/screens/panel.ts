/** `fin screen --as-of A..B --every month`: screens as of many days, requested one by one; each row has its day. */
import type { Answer } from '../../ask/command/answer.ts';
import type { Delegation, QuestionCommand, ResultContext, ResultMembers } from '../../ask/command/command.ts';
import type { OptionSpec, ParsedArguments } from '../../ask/command/option-spec.ts';
import { DAYS_HINT, readPastDay } from '../../ask/values/past-day.ts';
import { failUsage } from '../../contract/failure.ts';
import { isDay } from '../../contract/identifiers.ts';
import { withParameter } from '../../contract/question.ts';
import { formatAlternatives, quote } from '../../contract/text/quote.ts';
import { option, say } from '../../contract/text/text.ts';
import { addDays, addMonths } from '../../platform/dates.ts';
import { toObjects } from '../../result/rows.ts';
import { makeFieldColumns, makeRows, makeTable, type Table } from '../../result/table.ts';
import { FORMULA_OPTIONS } from '../formulas/formulas.ts';
import { COMPANY_LIST_OPTIONS, YEAR_ENDED_WITHIN } from './company-filters.ts';
import { DAY_COLUMN, type ScreenAnswer } from './screen-table.ts';

const MONTHS_BY_STEP: Readonly<Record<string, number>> = { month: 1, quarter: 3, year: 12 };
const DAYS_BY_STEP: Readonly<Record<string, number>> = { day: 1, week: 7 };
const STEPS = [...Object.keys(DAYS_BY_STEP), ...Object.keys(MONTHS_BY_STEP)];

const EVERY_HELP = 'With --as-of A..B: the time between two days (default: month)';

export const PANEL_OPTIONS: readonly OptionSpec[] = [
  { name: 'every', value: 'step', values: STEPS, help: EVERY_HELP },
  { name: 'per-day', help: 'With --as-of A..B: show counts of companies for each day instead of the companies' },
];

/** Options by which the client filters companies itself. */
const OWN_FILTERS = [...COMPANY_LIST_OPTIONS, YEAR_ENDED_WITHIN, ...FORMULA_OPTIONS].map(({ name }) => name);

/** Maximum number of days: more than ten years of daily screens. */
const MAX_DAYS = 4000;

export const isPanel = ({ options }: ParsedArguments): boolean =>
  PANEL_OPTIONS.some(({ name }) => options.has(name)) ||
  options.get('as-of')?.some((text) => text.includes('..')) === true;

type MakeTable = (answer: ScreenAnswer, context: ResultContext) => Promise<Table>;

/**
 * Returns the command that requests a screen for each day, and its arguments. Throws a usage Failure for invalid days.
 * @param screen the command that requests the screen of one day
 * @param makeDay makes the table of that screen, without its notices
 */
export function delegatePanel(screen: QuestionCommand, { options }: ParsedArguments, makeDay: MakeTable): Delegation {
  if (['summary', 'by'].some((name) => options.has(name)))
    failUsage(say`${option('summary')} describes one screen: give one day to ${option('as_of')}.`);
  const { delegate: _, ...command } = screen;
  const days = listDays(options.get('as-of') ?? [], options.get('every') ?? []);
  const combineAnswers = (answers: readonly Answer[]) => makeDaysContent(answers as readonly ScreenAnswer[]);
  const kept = new Map([...options].filter(([name]) => name !== 'as-of'));
  return {
    command: {
      ...command,
      args: [{ parameter: 'as_of', many: true }],
      isSequential: true,
      request: async (parsed) => {
        const first = ['as_of', days[0] ?? ''] as const;
        const request = await screen.request?.({ ...parsed, givenParameters: [...parsed.givenParameters, first] });
        if (request === undefined) throw new Error('a screen has a request');
        // Without a filter of the client, the counts are in `meta`, so one row per day is enough.
        if (options.has('per-day') && request.narrowing == null)
          return { ...request, parameters: withParameter(request.parameters, 'limit', '1'), extent: { kind: 'page' } };
        return { ...request, extent: { kind: 'pages' } };
      },
      result: async (answer, context) => {
        const ofDay = answer as ScreenAnswer;
        if (options.has('per-day')) return makeDaysContent([ofDay]);
        const day = answer.meta.as_of ?? String(context.parameters.as_of);
        const table = await makeDay(ofDay, context);
        // A view has the day as its title.
        const columns = [{ key: DAY_COLUMN, value: () => day }, ...table.columns];
        return { title: day, tables: [{ ...table, columns }] };
      },
      // All days are one table of counts. With a filter of the client, each day is counted separately instead, so that
      // the rows of only one day are in memory.
      ...(options.has('per-day') && !OWN_FILTERS.some((name) => options.has(name)) ? { combineAnswers } : {}),
    },
    parsed: { args: days, options: kept },
  };
}

/** Returns a row of counts per day: companies screened, without a filtered figure, matching, no longer reporting. */
function makeDaysContent(answers: readonly ScreenAnswer[]): ResultMembers {
  const days = makeTable({
    name: 'days',
    columns: makeFieldColumns('as_of', 'universe', 'set_aside', 'matching', 'no_longer_reporting'),
    records: () =>
      answers.map(({ meta, data, isPage }) => {
        const { as_of = null, universe = null, set_aside = null, no_longer_reporting = null, total } = meta;
        return { as_of, universe, set_aside, matching: isPage ? (total ?? null) : data.length, no_longer_reporting };
      }),
  });
  return { tables: [days], document: () => [JSON.stringify({ data: toObjects(makeRows(days)) })] };
}

function listDays(ranges: readonly string[], steps: readonly string[]): readonly string[] {
  const [range = '', ...otherRanges] = ranges;
  const [step = 'month', ...otherSteps] = steps;
  if (otherRanges.length + otherSteps.length > 0)
    failUsage(say`${option('as_of')} and ${option('every')} can be given once.`);
  if (!STEPS.includes(step))
    failUsage(say`${option('every')} must be ${formatAlternatives(STEPS)}, not ${quote(step)}.`);
  const [first = '', last = first, ...others] = range.split('..').map((text) => readPastDay(text.trim()));
  if (others.length > 0 || !isDay(first) || !isDay(last) || first > last)
    failUsage(say`Write two days in order, such as ${option('as_of', '2010-06-30..2019-12-31')}.`, DAYS_HINT);
  const days: string[] = [];
  for (let day = first; day <= last; day = addSteps(first, days.length, step)) {
    const every = option('every');
    if (days.length === MAX_DAYS)
      failUsage(say`${option('as_of', range)} has more than ${MAX_DAYS} days: screen fewer of them with ${every}.`);
    days.push(day);
  }
  return days;
}

/** Returns the day after a number of steps. Months after the last day of a month lead to last days of months. */
function addSteps(first: string, count: number, step: string): string {
  const days = DAYS_BY_STEP[step];
  if (days !== undefined) return addDays(first, count * days);
  const months = count * (MONTHS_BY_STEP[step] ?? 1);
  const next = addDays(first, 1);
  return next.endsWith('-01') ? addDays(addMonths(next, months), -1) : addMonths(first, months);
}
