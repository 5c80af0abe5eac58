/** Adds a hint to the Failure of a question: what the user probably meant, and the command to run. */

import type { Client } from '../../client/client.ts';
import type { Connection } from '../../client/connection.ts';
import { Failure, isFailure, withHint } from '../../contract/failure.ts';
import { isScreenOnly, METRIC_KEYS } from '../../contract/figures.ts';
import { isNameOfConcept } from '../../contract/identifiers.ts';
import { findCompanyText, findGivenText, type Question } from '../../contract/question/question.ts';
import type { MetricCatalogEntry } from '../../contract/resources/metrics.ts';
import { FILTER_COLUMNS } from '../../contract/screen-columns.ts';
import { didYouMean } from '../../contract/text/nearest.ts';
import { quote } from '../../contract/text/quote.ts';
import { API_WORDING, call, formatText, joinTexts, say, type Text } from '../../contract/text/text.ts';
import { makeSeveralNamesHint } from '../command/inputs.ts';
import { makeCatalogQuestion, selectMetricsWithKey } from '../fetch/whole-metrics.ts';
import { findValueHint } from '../values/value-hints.ts';
import { makeScreenOnlyHint } from './screen-only-figures.ts';

/**
 * Returns the error, with a hint if one is available.
 * @param canLookUpNames whether to look up names, which costs a request
 */
export async function explainFailure(
  error: unknown,
  question: Question,
  connection: Pick<Connection, 'client' | 'sample'>,
  canLookUpNames: boolean,
): Promise<unknown> {
  if (!isFailure(error) || (error.kind !== 'usage' && error.kind !== 'not_found')) return error;
  const hint = error.kind === 'usage' ? makeUsageHint(error, question) : makeNotFoundHint(error, question);
  const failureWithHint = hint === error.hint ? error : withHint(error, hint);
  const isUnknownTicker = error.kind === 'not_found' && hint === undefined;
  const explainedFailure = isUnknownTicker
    ? withHint(error, makeUnknownTickerHint(question, connection.sample))
    : failureWithHint;
  if (listNamedMetrics(question).some(looksLikeConcept)) {
    return suggestMetricsOfConcepts(explainedFailure, question, connection.client);
  }
  if (!canLookUpNames) return explainedFailure;
  return (await import('./named-companies.ts')).withCandidates(
    explainedFailure,
    question,
    connection.client,
    isUnknownTicker ? withHint(error, makeExistingCompanyHint(question)) : failureWithHint,
  );
}

/** Returns a hint for a not-found Failure about something other than the ticker, such as a metric key. */
function makeNotFoundHint({ hint, message }: Failure, { operation, rawParameters }: Question): Text | undefined {
  if (hint !== undefined) return hint;
  const key = findGivenText(rawParameters, 'metric_key');
  if (key !== undefined && isScreenOnly(key)) return makeScreenOnlyHint([key]);
  if (key !== undefined && !METRIC_KEYS.includes(key) && !FILTER_COLUMNS.includes(key)) {
    const suggestionText = didYouMean(key, [...new Set([...METRIC_KEYS, ...FILTER_COLUMNS])]).trim();
    // The message of fin's own service already suggests a key.
    const isSuggested = suggestionText === '' || message.includes(suggestionText);
    return joinTexts([...(isSuggested ? [] : [suggestionText]), say`List of metrics: ${call('catalog')}`], ' ');
  }
  return operation.id === 'manager' ? say`Find managers by name: ${call('managers', { query: '<name>' })}` : undefined;
}

/**
 * Returns a hint for a not-found Failure if the company exists, but its peers or the requested concept were not found.
 */
function makeExistingCompanyHint({ rawParameters }: Question): Text | undefined {
  const peersOfTicker = findGivenText(rawParameters, 'peers_of');
  if (peersOfTicker !== undefined)
    return say`Choose an industry by SIC code: ${call('peers', { peers_of: peersOfTicker, sic: '<codes>' })}`;
  if (findGivenText(rawParameters, 'concept') === undefined) return undefined;
  return say`Find concepts of the company: ${call('facts', { ticker: findGivenText(rawParameters, 'ticker') ?? '', search: '<words>' })}`;
}

function makeUnknownTickerHint(question: Question, sample: Connection['sample']): Text | undefined {
  const companyText = findCompanyText(question);
  if (companyText === undefined || companyText.trim() === '') return undefined;
  if (sample === null || makeSeveralNamesHint(companyText) !== '') return makeTickerHint(companyText);
  return joinTexts(
    [
      say`The built-in sample has only ${sample.companies} companies. To get the data of this company from the SEC: ${call(`data fetch ${formatTicker(companyText)}`)}, then ${call('data build')}.`,
      say`To search by name: ${call('search', { query: companyText })}`,
    ],
    ' ',
  );
}

/** Returns a ticker as it can be typed in a command; a placeholder if the text is not a ticker. */
const formatTicker = (text: string): string =>
  /^[A-Z0-9.-]{1,10}$/i.test(text.trim()) ? text.trim().toUpperCase() : '<ticker>';

/**
 * Returns a hint for a rejected parameter. If the service rejects a value that also breaks one of fin's own rules
 * (`source` is `ours`), the hint states that rule.
 */
function makeUsageHint(
  { hint, problem, message }: Failure,
  { operation, rawParameters, faults }: Question,
): Text | undefined {
  const screenOnlyKeys = (findGivenText(rawParameters, 'keys') ?? '').split(',').filter(isScreenOnly);
  if (screenOnlyKeys.length > 0) return makeScreenOnlyHint(screenOnlyKeys);
  const [fault] = faults;
  // If the client rejected the question, the message already states the fault.
  const hintOrFaultDetail =
    hint ?? (problem === undefined ? [] : faults).find(({ source }) => source === 'ours')?.detail;
  const ticker = findGivenText(rawParameters, 'ticker');
  const advice =
    fault === undefined
      ? undefined
      : fault.parameter === 'ticker' && ticker !== undefined
        ? makeTickerHint(ticker)
        : findValueHint(
            fault.parameter,
            operation.parameters.find(({ name }) => name === fault.parameter),
          );
  const equalsMessage = (text: Text): boolean => formatText(text, API_WORDING) === message;
  const hints = [hintOrFaultDetail, advice].filter((text) => text !== undefined).filter((text) => !equalsMessage(text));
  return hints.length === 0 ? undefined : joinTexts(hints, ' ');
}

function makeTickerHint(ticker: string): Text {
  const severalNamesHint = makeSeveralNamesHint(ticker);
  // The search refuses an empty text, too.
  const query = ticker.trim() === '' ? '<name>' : ticker;
  const searchHint = say`Find a ticker by name: ${call('search', { query })}`;
  return severalNamesHint === '' ? searchHint : joinTexts([severalNamesHint, searchHint], ' ');
}

const listNamedMetrics = ({ rawParameters }: Question): string[] =>
  [findGivenText(rawParameters, 'metric_key') ?? '', ...(findGivenText(rawParameters, 'keys') ?? '').split(',')]
    .map((name) => name.trim())
    .filter((name) => name !== '');

/** Whether a name has the form of an XBRL concept (with or without taxonomy) rather than of a metric key. */
const looksLikeConcept = (name: string): boolean => /^[\w-]+:\w+$|^[A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*$/.test(name);

/**
 * Returns a Failure whose message names the metrics that use each concept; returns the failure unchanged if the catalog
 * is unavailable.
 */
async function suggestMetricsOfConcepts(failure: Failure, question: Question, client: Client): Promise<Failure> {
  const response = await client.ask(makeCatalogQuestion()).catch((error: unknown) => {
    if (isFailure(error)) return null;
    throw error;
  });
  if (response === null) return failure;
  const catalog = selectMetricsWithKey(response.envelope);
  const names = listNamedMetrics(question);
  const sentences = names.filter(looksLikeConcept).map((name) => {
    const keys = listMetricsOfConcept(name, catalog);
    return `${quote(name)} is an XBRL concept, not a metric. ${keys.length === 0 ? 'No metric uses the concept.' : `Metrics that use the concept: ${keys.join(', ')}.`}`;
  });
  const keys = [
    ...new Set(names.flatMap((name) => (looksLikeConcept(name) ? listMetricsOfConcept(name, catalog) : [name]))),
  ];
  const { kind, problem, cause } = failure;
  return new Failure(kind, sentences.join(' '), { hint: makeConceptHint(question, keys), problem, cause });
}

function makeConceptHint({ operation, rawParameters }: Question, keys: readonly string[]): Text {
  const ticker = findGivenText(rawParameters, 'ticker') ?? '';
  const [key] = keys;
  if (key === undefined)
    return say`To list the company's concepts, without values: ${call('raw-concepts', { ticker })}`;
  const lineageCall = call('lineage', { ticker, metric_key: key });
  if (operation.id !== 'metrics') return say`${call(operation.id, { ticker, metric_key: key })}`;
  return say`Values of these metrics: ${call('metrics', { ticker, keys })}. Source facts of ${key}: ${lineageCall}`;
}

const listMetricsOfConcept = (name: string, catalog: readonly MetricCatalogEntry[]): string[] =>
  catalog.filter(({ mappings }) => mappings.some((mapping) => isNameOfConcept(name, mapping))).map(({ key }) => key);
