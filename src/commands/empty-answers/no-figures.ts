/** Why there are no figures, and why a figure has no revisions. */
import { figureOf, formulaText, isScreenOnly, METRIC_KEYS, operandsOf } from '../../contract/figures.ts';
import { shellWord } from '../../contract/quote.ts';
import { dayNumber, dayOfNumber } from '../../platform/dates.ts';
import type { Answer, RawParameters } from '../command.ts';
import { having, textOf, without } from '../pipeline/raw-parameters.ts';
import { screenOnlyHint } from '../questions/shared/screen-only-figures.ts';
import type { EmptyAnswer } from './why-empty.ts';

export async function whyNoFigures(nothing: EmptyAnswer): Promise<string | null> {
  const { operation, parameters: given } = nothing;
  const keys = keysOf(given);
  if (keys.length > 0 && keys.every(isScreenOnly)) return screenOnlyHint(keys);
  return (
    (await whyNotThen(nothing)) ??
    (await whyNotThatValue(nothing)) ??
    (operation === 'metrics' ? await whyNotOfThatPeriod(nothing) : null) ??
    whyNone(nothing)
  );
}

export async function whyNoRevisions(nothing: EmptyAnswer): Promise<string | null> {
  const { parameters: given } = nothing;
  const [key = ''] = keysOf(given);
  const formula = formulaOf(key);
  if (formula !== null) return derived(key, formula, textOf(given, 'ticker') ?? '');
  if (isScreenOnly(key)) return screenOnlyHint([key]);
  return (await whyNotThatValue(nothing)) ?? (await whyNotOfThatYear(nothing)) ?? whyNone(nothing);
}

const keysOf = (given: RawParameters): string[] =>
  (textOf(given, 'metric_key') ?? textOf(given, 'keys') ?? '').split(',').filter((key) => key !== '');

/** Nothing was on file on the day; where everything can be seen, also since when there is. */
async function whyNotThen({
  operation,
  parameters: given,
  answer,
  local,
  lookUp: look,
}: EmptyAnswer): Promise<string | null> {
  const day = textOf(given, 'as_of');
  if (day === undefined) return null;
  const standing = await look(operation, without(given, 'as_of'));
  if (standing === null) return `What was asked for was not on file on ${day}.`;
  if (rowsOf(standing).length === 0) return null;
  const last = answer.meta.release?.date;
  if (!local || last === undefined) return `It was not on file on ${day}; without --as-of there is an answer.`;
  const isThere = async (as: string): Promise<boolean> => {
    const then = await look(operation, having(having(given, 'as_of', as), 'limit', '1'));
    return then !== null && rowsOf(then).length > 0;
  };
  return `The first of it was filed on ${await firstDay(day, last, isThere)}, after --as-of ${day}.`;
}

/** What is on file once stays on file, so the first day is found by halves. */
async function firstDay(before: string, after: string, isThere: (day: string) => Promise<boolean>): Promise<string> {
  let [low, high] = [dayNumber(before), dayNumber(after)];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (await isThere(dayOfNumber(middle))) high = middle;
    else low = middle;
  }
  return dayOfNumber(high);
}

async function whyNotThatValue({ operation, parameters: given, lookUp: look }: EmptyAnswer): Promise<string | null> {
  if (textOf(given, 'metric_value_id') === undefined) return null;
  const others = await look(operation, without(given, 'metric_value_id'));
  return others !== null && rowsOf(others).length > 0 ? 'No value of this metric has that --metric-value-id.' : null;
}

async function whyNotOfThatPeriod({ operation, parameters: given, lookUp: look }: EmptyAnswer): Promise<string | null> {
  const all = await look(operation, having(having(given, 'period', 'all'), 'limit', '500'));
  const kinds = [...new Set(all === null ? [] : rowsOf(all).map(({ period_kind: kind }) => String(kind)))];
  if (kinds.length === 0) return null;
  const ways = ['annual', 'quarterly', 'all'].filter((way) => way === 'all' || kinds.includes(KIND_OF[way] ?? ''));
  return `There is none for --period ${textOf(given, 'period') ?? 'latest'}; there is for --period ${ways[0]}.`;
}

const KIND_OF: Readonly<Record<string, string>> = { annual: 'annual', quarterly: 'quarter' };

/** Of which years and periods there are chains, where the ones asked for have none. */
async function whyNotOfThatYear({ operation, parameters: given, lookUp: look }: EmptyAnswer): Promise<string | null> {
  const [year, period] = [textOf(given, 'fiscal_year'), textOf(given, 'fiscal_period')?.toUpperCase()];
  if (year === undefined && period === undefined) return null;
  const all = await look(operation, having(without(given, 'fiscal_year', 'fiscal_period'), 'limit', '500'));
  const rows = all === null ? [] : rowsOf(all);
  if (rows.length === 0) return null;
  const asked = `No filing states it for ${[period, year].filter((part) => part !== undefined).join(' ')}`;
  const ofYear = rows.filter((row) => year === undefined || String(row.fiscal_year) === year);
  const periods = [...new Set(ofYear.map((row) => String(row.fiscal_period)))].sort();
  // A fourth quarter is what the year leaves: reports state the year.
  if (ofYear.length > 0) return `${asked}; filings state ${periods.join(', ')}.`;
  const years = rows.flatMap((row) => (typeof row.fiscal_year === 'number' ? [row.fiscal_year] : []));
  return years.length === 0 ? null : `${asked}; the latest year on file is ${Math.max(...years)}.`;
}

/** Nothing of a company on file, or nothing of what was asked. */
async function whyNone({ operation, parameters: given, lookUp: look }: EmptyAnswer): Promise<string | null> {
  const ticker = textOf(given, 'ticker') ?? '';
  const profile = await look('profile', [['ticker', ticker]]);
  if (profile === null) return null;
  const { metric_value_count: figures, filing_count: filings } = Object(profile.data);
  const name = shellWord(ticker);
  if (figures === 0) {
    return `No figures of ${ticker} are on file${filings > 0 ? `, but its filings are: fin filings ${name}` : ''}.`;
  }
  const keys = keysOf(given);
  if (keys.length === 0) return null;
  return `${ticker} has no ${keys.join(', ')} on file${operation === 'metrics' ? '' : `; fin metrics ${name} shows what it has`}.`;
}

function derived(key: string, formula: string, ticker: string): string {
  const name = shellWord(ticker);
  const changes = inputsOf(key).map((input) => `fin revisions ${name} ${input}`);
  const ways = [
    ...(isScreenOnly(key) ? [] : [`The facts behind it: fin lineage ${name} ${key}.`]),
    ...(changes.length === 0 ? [] : [`What changed in them: ${changes.join(', ')}.`]),
  ];
  return [`${key} is derived (${formula}); filings state only what it is derived from.`, ...ways].join(' ');
}

function formulaOf(key: string): string | null {
  const figure = figureOf(key);
  return figure === null ? null : formulaText(figure);
}

/** The reported metrics that a formula comes down to. */
function inputsOf(key: string): string[] {
  const formula = figureOf(key)?.formula;
  if (formula === undefined) return METRIC_KEYS.includes(key) ? [key] : [];
  return [...new Set(operandsOf(formula).flatMap(inputsOf))];
}

/** Rows of an answer that is a list, as what is read of them here. */
const rowsOf = ({ data }: Answer<unknown>): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(data) ? data : [];
