/**
 * Explains why an answer is empty, from the question, the answer, and the cache or a local release. Sends no requests.
 */

import { explainAbsence } from '../../contract/absent-words.ts';
import { nullIfFailure } from '../../contract/failure.ts';
import { METRIC_KEYS } from '../../contract/figures.ts';
import { splitNameIntoWords } from '../../contract/identifiers.ts';
import { didYouMean } from '../../contract/nearest.ts';
import type { OperationId } from '../../contract/operations.ts';
import { findGivenText, type RawParameters, withoutParameters, withParameter } from '../../contract/question.ts';
import type { Holder } from '../../contract/resources/holders.ts';
import type { InsiderActivityPage } from '../../contract/resources/insiders.ts';
import type { Prices } from '../../contract/resources/prices.ts';
import type { Segments } from '../../contract/resources/segments.ts';
import { PRICED_COLUMNS } from '../../contract/screen-columns.ts';
import { quote } from '../../contract/text/quote.ts';
import { call, joinTexts, option, say, type Text } from '../../contract/text/text.ts';
import { listKeysOfFilters } from '../values/screen-filters.ts';
import { type EmptyAnswer, explainNoFigures, explainNoRevisions, readRows } from './no-figures.ts';

type ReasonFinder = (emptyAnswer: EmptyAnswer) => Text | null | Promise<Text | null>;

const REASON_FINDERS: Readonly<Partial<Record<OperationId, ReasonFinder>>> = {
  metrics: explainNoFigures,
  lineage: explainNoFigures,
  revisions: explainNoRevisions,
  filings: explainNoFilings,
  insiders: explainNoTrades,
  'insider-activity': explainNoTrades,
  prices: explainNoPrices,
  segments: explainNoSegments,
  screen: explainNoMatch,
  search: ({ parameters }) =>
    explainWords('No ticker starts with the search text, and no company name matches it.', parameters, 'query'),
  'raw-concepts': ({ parameters }) =>
    findGivenText(parameters, 'search') === undefined
      ? null
      : explainWords('No concept of this company has these words in its name.', parameters, 'search'),
  manager: ({ answer }) =>
    (answer.data as Holder).positions === 0 ? 'The report states that the manager holds nothing.' : null,
  managers: () => 'No name of a manager matches the search text.',
  holders: () => 'No manager in this release reports holding the security.',
};

/** Returns the reason as sentences; null if it is unknown. */
export async function explainEmptyAnswer(empty: EmptyAnswer): Promise<Text | null> {
  const findReason = REASON_FINDERS[empty.operation];
  const { offset = 0 } = empty.answer.meta;
  if (findReason === undefined || offset > 0) return null;
  // A Failure while finding the reason is ignored, because the question itself was answered.
  return (async () => findReason(empty))().catch(nullIfFailure);
}

/** Adds a second sentence if the words of a parameter name something that fin does not have. */
function explainWords(sentence: string, parameters: RawParameters, name: string): string {
  const text = explainAbsence(findGivenText(parameters, name) ?? '', METRIC_KEYS);
  return text === null ? sentence : `${sentence} ${text}`;
}

/** Common form types; a text similar to one of them is probably a typing error. */
const COMMON_FORMS = '10-K,10-K/A,10-Q,10-Q/A,8-K,8-K/A,20-F,40-F,6-K,DEF 14A,S-1,4,144'.split(',');

async function explainNoFilings({ parameters, lookUp }: EmptyAnswer): Promise<Text | null> {
  const [forms, items] = [findGivenText(parameters, 'forms'), findGivenText(parameters, 'items')];
  const [since, until] = [findGivenText(parameters, 'since'), findGivenText(parameters, 'until')];
  if ([forms, items, since, until].every((text) => text === undefined)) return null;
  const unfiltered = withoutParameters(parameters, 'forms', 'items', 'since', 'until');
  const list = await lookUp('filings', withParameter(unfiltered, 'limit', '500'));
  const rows = list === null ? [] : readRows(list);
  const knownForms = [...new Set([...COMMON_FORMS, ...rows.map(({ form }) => String(form))])];
  const suggestions = (forms?.split(',') ?? [])
    .map((form) => form.trim().toUpperCase())
    .filter((form) => form !== '' && !knownForms.includes(form))
    .map((form) => didYouMean(form, knownForms));
  const filter = [
    ...(forms === undefined ? [] : [`of form ${forms.split(',').join(' or ')}`]),
    ...(items === undefined
      ? []
      : [`${forms === undefined ? 'an 8-K ' : ''}with item ${items.split(',').join(' and ')}`]),
    ...(since === undefined ? [] : [`filed on or after ${since}`]),
    ...(until === undefined ? [] : [since === undefined ? `filed by ${until}` : `and by ${until}`]),
  ].join(' ');
  const total = list?.meta.total ?? (rows.length > 0 ? rows.length : null);
  if (total === 0) return 'The release has no filings of this company.';
  const subject =
    total === null
      ? 'No filing is'
      : total === 1
        ? "The company's only filing is not"
        : `None of the company's ${total} filings is`;
  return `${subject} ${filter}.${suggestions.join('')}`;
}

async function explainNoTrades({ operation, parameters, lookUp }: EmptyAnswer): Promise<Text | null> {
  const [since, kind] = [findGivenText(parameters, 'since'), findGivenText(parameters, 'kind')];
  const scope = 'The list has only open-market purchases and sales that Forms 4 and 5 report.';
  if (since === undefined && (kind === undefined || kind === 'all')) return scope;
  const list = await lookUp(operation, withParameter(withoutParameters(parameters, 'since', 'kind'), 'limit', '1'));
  if (list === null) return scope;
  const names = [...(since === undefined ? [] : ['since']), ...(kind === undefined ? [] : ['kind'])];
  const texts = names.map((name) => option(name));
  const options = joinTexts(texts, ' and ');
  const [latest] = (list.data as InsiderActivityPage).filings;
  if (latest === undefined) return say`Removing ${options} gives no trades either. ${scope}`;
  const day = latest.transactions[0]?.transaction_date;
  return say`To see trades${day == null ? '' : `, such as one on ${day},`} remove ${options}.`;
}

async function explainNoPrices({ parameters: query, answer, lookUp }: EmptyAnswer): Promise<Text | null> {
  const { from, to, latest } = answer.data as Prices;
  if (latest == null) return 'The release has no price of this security.';
  const series = await lookUp('prices', withParameter(withoutParameters(query, 'from', 'to', 'range'), 'range', 'max'));
  const first = series === null ? undefined : (series.data as Prices).days[0];
  const absence = `The release has no prices from ${from} to ${to}.`;
  return first === undefined
    ? `${absence} The security's latest price is from ${latest.day}.`
    : `${absence} The security has prices from ${first} to ${latest.day}.`;
}

async function explainNoSegments({ parameters, answer, lookUp }: EmptyAnswer): Promise<Text | null> {
  const otherPeriod = findGivenText(parameters, 'period') === 'quarterly' ? 'annual' : 'quarterly';
  const other = await lookUp('segments', withParameter(parameters, 'period', otherPeriod));
  if (other !== null && (other.data as Segments).axes.length > 0)
    return say`To see the segments of other periods: ${option('period', otherPeriod)}`;
  const { documents } = answer.data as Segments;
  if (documents === 0)
    return 'Segments are read from XBRL reports, and the release has no such report of this company.';
  return documents === 1
    ? 'The only XBRL report of this company in the release has no segments.'
    : `None of the ${documents} XBRL reports of this company in the release has segments.`;
}

async function explainNoMatch({ parameters, answer, lookUp }: EmptyAnswer): Promise<Text | null> {
  const filters = parameters.flatMap(([name, text]) => (name === 'where' ? [text] : []));
  const { universe, set_aside: setAside = 0 } = answer.meta;
  const [industry, sic] = [findGivenText(parameters, 'industry'), findGivenText(parameters, 'sic')];
  const asOf = findGivenText(parameters, 'as_of');
  if (universe === 0 && asOf !== undefined) {
    const unfiltered = withParameter(withoutParameters(parameters, 'industry', 'sic', 'where'), 'limit', '1');
    const list = await lookUp('screen', unfiltered);
    if (list?.meta.universe === 0)
      return `By ${asOf}, no company of this release had reported a fiscal year that ended within the 18 months before.`;
  }
  if (universe === 0 && industry !== undefined) {
    const list = await lookUp('screen', Object.entries({ columns: 'industry', limit: '500' }));
    const words = list === null ? [] : readRows(list).flatMap((row) => splitNameIntoWords(String(row.industry ?? '')));
    return say`No screened company has ${quote(industry)} in its industry description.${didYouMean(industry, [...new Set(words)])} List of industries: ${call('screen', { by: 'industry' })}`;
  }
  if (universe === 0)
    return sic === undefined ? null : say`No screened company has a SIC code that matches ${option('sic', sic)}.`;
  if (filters.length === 0 || universe === undefined) return null;
  if (setAside === universe) {
    const priced = listKeysOfFilters(filters).filter((key) => PRICED_COLUMNS.has(key));
    const needs = priced.length === 0 ? '' : ` These figures need a recent price: ${priced.join(', ')}`;
    const start = universe === 1 ? 'The only screened company does not have' : `None of the ${universe} companies has`;
    return `${start} all figures used in the filters.${needs}`;
  }
  const start =
    universe - setAside === 1
      ? 'The only company that has all figures used in the filters does not pass'
      : `None of the ${universe - setAside} companies that have all figures used in the filters passes`;
  if (filters.length === 1) return `${start} ${filters[0]}.`;
  const impossibleFilters: string[] = [];
  const unfiltered = withoutParameters(parameters, 'where', 'sort', 'columns');
  const minimal = withParameter(withParameter(unfiltered, 'columns', 'revenue'), 'limit', '1');
  for (const filter of filters) {
    const answer = await lookUp('screen', [...minimal, ['where', filter]]);
    if (answer?.meta.total === 0) impossibleFilters.push(filter);
  }
  return `${start} all filters.${impossibleFilters.length === 0 ? '' : ` Filters that no company passes: ${impossibleFilters.join(', ')}`}`;
}
