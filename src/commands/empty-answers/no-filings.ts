/** Why there are no filings, insider trades, prices or segments. */
import { didYouMean } from '../../contract/nearest.ts';
import type { InsiderActivityPage } from '../../contract/resources/insiders.ts';
import type { Prices } from '../../contract/resources/prices.ts';
import type { Segments } from '../../contract/resources/segments.ts';
import { count } from '../../output/wording.ts';
import { having, textOf, without } from '../pipeline/raw-parameters.ts';
import { type EmptyAnswer, listOf } from './empty-answer.ts';

/** Common forms: a form near one of them was probably mistyped. */
const FORMS = ['10-K', '10-K/A', '10-Q', '10-Q/A', '8-K', '8-K/A', '20-F', '40-F', '6-K', 'DEF 14A', 'S-1', '4', '144'];

export async function whyNoFilings({ parameters, lookUp }: EmptyAnswer): Promise<string | null> {
  const [forms, items] = [textOf(parameters, 'forms'), textOf(parameters, 'items')];
  if (forms === undefined && items === undefined) return null;
  const all = await lookUp('filings', having(without(parameters, 'forms', 'items'), 'limit', '500'));
  const rows = all === null ? [] : listOf(all);
  const known = [...new Set([...FORMS, ...rows.map(({ form }) => String(form))])];
  const suggestions = (forms === undefined ? [] : forms.split(','))
    .map((form) => form.trim().toUpperCase())
    .filter((form) => form !== '' && !known.includes(form))
    .map((form) => didYouMean(form, known));
  const wanted = [
    ...(forms === undefined ? [] : [`of form ${forms.split(',').join(' or ')}`]),
    ...(items === undefined ? [] : [`with item ${items.split(',').join(' and ')}`]),
  ].join(' ');
  const total = all?.meta.total ?? (rows.length > 0 ? rows.length : null);
  if (total === 0) return 'The release has none of its filings.';
  return `${total === null ? 'No filing' : `None of its ${count(total, 'filing')}`} is ${wanted}.${suggestions.join('')}`;
}

export async function whyNoTrades({ operation, parameters, lookUp }: EmptyAnswer): Promise<string | null> {
  const [since, kind] = [textOf(parameters, 'since'), textOf(parameters, 'kind')];
  const scope = 'Only open-market purchases and sales of Forms 4 and 5 are listed.';
  if (since === undefined && (kind === undefined || kind === 'all')) return scope;
  const all = await lookUp(operation, having(without(parameters, 'since', 'kind'), 'limit', '1'));
  if (all === null) return scope;
  const options = [...(since === undefined ? [] : ['--since']), ...(kind === undefined ? [] : ['--kind'])];
  const [latest] = (all.data as InsiderActivityPage).filings;
  if (latest === undefined) return `There are none without ${options.join(' and ')} either. ${scope}`;
  const day = latest.transactions[0]?.transaction_date;
  return `There are some without ${options.join(' and ')}${day == null ? '' : `, such as one on ${day}`}.`;
}

export async function whyNoPrices({ parameters, answer, lookUp }: EmptyAnswer): Promise<string | null> {
  const { from, to, latest } = answer.data as Prices;
  if (latest == null) return 'No price is known.';
  const all = await lookUp('prices', having(without(parameters, 'from', 'to', 'range'), 'range', 'max'));
  const first = all === null ? undefined : (all.data as Prices).days[0];
  const known =
    first === undefined ? `Latest price: ${latest.day}` : `Prices from ${first} to ${latest.day} are known.`;
  return `No price is known from ${from} to ${to}. ${known}`;
}

export async function whyNoSegments({ parameters, answer, lookUp }: EmptyAnswer): Promise<string | null> {
  const other = textOf(parameters, 'period') === 'quarterly' ? 'annual' : 'quarterly';
  const others = await lookUp('segments', having(parameters, 'period', other));
  if (others !== null && (others.data as Segments).axes.length > 0) return `There are some for --period ${other}.`;
  const { documents } = answer.data as Segments;
  return documents === 0
    ? 'None of its reports was read for segments.'
    : `${count(documents, 'report')} of it ${documents === 1 ? 'was' : 'were'} read for segments.`;
}
