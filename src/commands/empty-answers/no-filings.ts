/** Why there are no filings, no insider trades and no prices. */
import { didYouMean } from '../../contract/nearest.ts';
import { having, textOf, without } from '../pipeline/raw-parameters.ts';
import type { EmptyAnswer } from './why-empty.ts';

/** Forms that are asked for most: a name near one of them was probably meant so. */
const FORMS = ['10-K', '10-K/A', '10-Q', '10-Q/A', '8-K', '8-K/A', '20-F', '40-F', '6-K', 'DEF 14A', 'S-1', '4', '144'];

export async function whyNoFilings({ parameters: given, lookUp: look }: EmptyAnswer): Promise<string | null> {
  const [forms, items] = [textOf(given, 'forms'), textOf(given, 'items')];
  if (forms === undefined && items === undefined) return null;
  const all = await look('filings', having(without(given, 'forms', 'items'), 'limit', '500'));
  const rows: readonly Readonly<Record<string, unknown>>[] = all !== null && Array.isArray(all.data) ? all.data : [];
  const known = [...new Set([...FORMS, ...rows.map(({ form }) => String(form))])];
  const meant = (forms ?? '')
    .split(',')
    .map((form) => form.trim().toUpperCase())
    .filter((form) => form !== '' && !known.includes(form))
    .map((form) => didYouMean(form, known))
    .join('');
  const asked = [
    ...(forms === undefined ? [] : [`of form ${forms.split(',').join(' or ')}`]),
    ...(items === undefined ? [] : [`with item ${items.split(',').join(' and ')}`]),
  ].join(' ');
  const total = all?.meta.total ?? (rows.length > 0 ? rows.length : null);
  if (total === 0) return 'None of its filings are on file.';
  return `${total === null ? 'No filing' : `None of its ${total} filings`} on file is ${asked}.${meant}`;
}

export async function whyNoTrades({ operation, parameters: given, lookUp: look }: EmptyAnswer): Promise<string | null> {
  const [since, kind] = [textOf(given, 'since'), textOf(given, 'kind')];
  const said = 'Only open-market purchases and sales of Forms 4 and 5 are listed.';
  if (since === undefined && (kind === undefined || kind === 'all')) return said;
  const all = await look(operation, having(without(given, 'since', 'kind'), 'limit', '1'));
  if (all === null) return said;
  const [latest] = Object(all.data).filings;
  const narrowed = [...(since === undefined ? [] : ['--since']), ...(kind === undefined ? [] : ['--kind'])].join(
    ' and ',
  );
  if (latest === undefined) return `Without ${narrowed} there are none either. ${said}`;
  const [{ transaction_date: day = null } = {}] = latest.transactions;
  return `Without ${narrowed} there are some${day === null ? '' : `, such as one of ${day}`}.`;
}

export async function whyNoPrices({ parameters: given, answer, lookUp: look }: EmptyAnswer): Promise<string | null> {
  const { from, to, latest } = Object(answer.data);
  if (latest == null) return 'No price is on file.';
  const all = await look('prices', having(without(given, 'from', 'to', 'range'), 'range', 'max'));
  const days: readonly unknown[] = Object(all?.data).days ?? [];
  const [first = null] = days;
  const span = first === null ? `the latest is of ${latest.day}` : `there are some from ${first} to ${latest.day}`;
  return `No price is on file from ${from} to ${to}; ${span}.`;
}

export async function whyNoSegments({ parameters: given, answer, lookUp: look }: EmptyAnswer): Promise<string | null> {
  const other = textOf(given, 'period') === 'quarterly' ? 'annual' : 'quarterly';
  const there = await look('segments', having(given, 'period', other));
  if (Object(there?.data).axes?.length > 0) return `There are some for --period ${other}.`;
  const { documents } = Object(answer.data);
  return documents === 0 ? 'No report of it was read for segments.' : `Reports read for it: ${documents}.`;
}
