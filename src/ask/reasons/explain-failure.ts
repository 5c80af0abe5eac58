/** Adds a hint to the Failure of a question: what the user probably meant, and the command to run. */

import type { Client } from '../../client/client.ts';
import type { Connection } from '../../client/connection.ts';
import { explainAbsence } from '../../contract/absent-words.ts';
import { Failure, isFailure, nullIfFailure, withHint } from '../../contract/failure.ts';
import { isScreenOnly, METRIC_KEYS } from '../../contract/figures.ts';
import { isNameOfConcept } from '../../contract/identifiers.ts';
import { didYouMean } from '../../contract/nearest.ts';
import { findCompany, findGivenText, type Question } from '../../contract/question.ts';
import type { MetricCatalogEntry } from '../../contract/resources/metrics.ts';
import { FILTER_COLUMNS } from '../../contract/screen-columns.ts';
import { quote } from '../../contract/text/quote.ts';
import { API_WORDING, call, formatText, joinTexts, say, type Text } from '../../contract/text/text.ts';
import { makeSeveralNamesHint } from '../command/inputs.ts';
import { makeCatalogQuestion, selectMetricsWithKey } from '../fetch/whole-metrics.ts';
import { findValueHint, makeScreenOnlyHint } from '../values/value-hints.ts';

/**
 * Returns the error, with a hint if one is available.
 * @param looksUp whether to look up names, which costs a request
 */
export async function explainFailure(
  error: unknown,
  question: Question,
  connection: Pick<Connection, 'client' | 'sample'>,
  looksUp: boolean,
): Promise<unknown> {
  if (!isFailure(error) || (error.kind !== 'usage' && error.kind !== 'not_found')) return error;
  const hint = error.kind === 'usage' ? makeUsageHint(error, question) : makeNotFoundHint(error, question);
  const hintedError = hint === error.hint ? error : withHint(error, hint);
  const isUnknown = error.kind === 'not_found' && hint === undefined;
  const explained = isUnknown ? withHint(error, makeUnknownTickerHint(question, connection.sample)) : hintedError;
  const { client } = connection;
  if (listNamedMetrics(question).some(isConcept)) return suggestMetricsOfConcepts(explained, question, client);
  if (!looksUp) return explained;
  const names = await import('./named-companies.ts').catch(() => null);
  const original = isUnknown ? withHint(error, makeExistingCompanyHint(question)) : hintedError;
  return names === null ? explained : names.withCandidates(explained, question, client, original);
}

/** Returns a hint for a not-found Failure about something other than the ticker, such as a metric key. */
function makeNotFoundHint({ hint, message }: Failure, { operation, rawParameters }: Question): Text | undefined {
  if (hint !== undefined) return hint;
  const key = findGivenText(rawParameters, 'metric_key');
  if (key !== undefined && isScreenOnly(key)) return makeScreenOnlyHint([key]);
  if (key !== undefined && !METRIC_KEYS.includes(key) && !FILTER_COLUMNS.includes(key)) {
    const hint = didYouMean(key, [...new Set([...METRIC_KEYS, ...FILTER_COLUMNS])]).trim();
    // The message of fin's own service already suggests a key.
    const isSuggested = hint === '' || message.includes(explainAbsence(key, []) ?? hint);
    return joinTexts([...(isSuggested ? [] : [hint]), say`List of metrics: ${call('catalog')}`], ' ');
  }
  // With a quarter, the message already names the manager's quarters, so no hint is needed.
  const isUnknownManager = operation.id === 'manager' && findGivenText(rawParameters, 'quarter') === undefined;
  return isUnknownManager ? say`Find managers by name: ${call('managers', { query: '<name>' })}` : undefined;
}

/**
 * Returns a hint for a not-found Failure if the company exists, but its peers or the requested concept were not found.
 */
function makeExistingCompanyHint({ rawParameters }: Question): Text | undefined {
  const ticker = findGivenText(rawParameters, 'peers_of');
  if (ticker !== undefined)
    return say`Choose an industry by SIC code: ${call('peers', { peers_of: ticker, sic: '<codes>' })}`;
  if (findGivenText(rawParameters, 'concept') === undefined) return undefined;
  return say`Find concepts of the company: ${call('facts', { ticker: findGivenText(rawParameters, 'ticker') ?? '', search: '<words>' })}`;
}

function makeUnknownTickerHint(question: Question, sample: Connection['sample']): Text | undefined {
  const company = findCompany(question);
  if (company === undefined || company.trim() === '') return undefined;
  if (sample === null || makeSeveralNamesHint(company) !== '') return makeTickerHint(company);
  const fetch = call(`data fetch ${formatTicker(company)}`);
  return say`The built-in sample has only ${sample.companies} companies. To get the data of this company from the SEC: ${fetch}, then ${call('data build')}. To search by name: ${call('search', { query: company })}`;
}

/** Returns a ticker as it can be typed in a command; a placeholder if the text is not a ticker. */
const formatTicker = (text: string) =>
  /^[A-Z0-9.-]{1,10}$/i.test(text.trim()) ? text.trim().toUpperCase() : '<ticker>';

/**
 * Returns a hint for a rejected parameter. If the service rejects a value that also breaks one of fin's own rules
 * (`source` is `ours`), the hint states that rule.
 */
function makeUsageHint({ hint, problem, message }: Failure, question: Question): Text | undefined {
  const { operation, rawParameters, faults } = question;
  const keys = (findGivenText(rawParameters, 'keys') ?? '').split(',').filter(isScreenOnly);
  if (keys.length > 0) return makeScreenOnlyHint(keys);
  const [fault] = faults;
  // If the client rejected the question, the message already states the fault.
  const detail = hint ?? (problem === undefined ? [] : faults).find(({ source }) => source === 'ours')?.detail;
  const ticker = findGivenText(rawParameters, 'ticker');
  const parameter = operation.parameters.find(({ name }) => name === fault?.parameter);
  const isTicker = fault?.parameter === 'ticker' && ticker !== undefined;
  const advice = isTicker ? makeTickerHint(ticker) : fault && findValueHint(fault.parameter, parameter);
  const repeatsMessage = (text: Text): boolean => formatText(text, API_WORDING) === message;
  const hints = [detail, advice].filter((text) => text !== undefined).filter((text) => !repeatsMessage(text));
  return hints.length === 0 ? undefined : joinTexts(hints, ' ');
}

function makeTickerHint(ticker: string): Text {
  const severalNamesHint = makeSeveralNamesHint(ticker);
  // The search refuses an empty text, too.
  const query = ticker.trim() === '' ? '<name>' : ticker;
  const search = say`Find a ticker by name: ${call('search', { query })}`;
  return severalNamesHint === '' ? search : joinTexts([severalNamesHint, search], ' ');
}

const listNamedMetrics = ({ rawParameters }: Question): string[] =>
  [findGivenText(rawParameters, 'metric_key') ?? '', ...(findGivenText(rawParameters, 'keys') ?? '').split(',')]
    .map((name) => name.trim())
    .filter((name) => name !== '');

/** Whether a name has the form of an XBRL concept (with or without taxonomy) rather than of a metric key. */
const isConcept = (name: string): boolean =>
  /^[\w-]+:\w+$|^[A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*$/.test(name) && explainAbsence(name, []) === null;

/**
 * Returns a Failure whose message names the metrics that use each concept; returns the failure unchanged if the catalog
 * is unavailable.
 */
async function suggestMetricsOfConcepts(failure: Failure, question: Question, client: Client): Promise<Failure> {
  const response = await client.ask(makeCatalogQuestion()).catch(nullIfFailure);
  if (response === null) return failure;
  const catalog = selectMetricsWithKey(response.envelope);
  const names = listNamedMetrics(question);
  const texts = names.filter(isConcept).map((name) => {
    const keys = listMetricsOfConcept(name, catalog);
    return `${quote(name)} is an XBRL concept, not a metric. ${keys.length === 0 ? 'No metric uses the concept.' : `Metrics that use the concept: ${keys.join(', ')}.`}`;
  });
  const keys = [...new Set(names.flatMap((name) => (isConcept(name) ? listMetricsOfConcept(name, catalog) : [name])))];
  const { kind, problem, cause } = failure;
  return new Failure(kind, texts.join(' '), { hint: makeConceptHint(question, keys), problem, cause });
}

function makeConceptHint({ operation, rawParameters }: Question, keys: readonly string[]): Text {
  const ticker = findGivenText(rawParameters, 'ticker') ?? '';
  const [key] = keys;
  if (key === undefined)
    return say`To list the company's concepts, without values: ${call('raw-concepts', { ticker })}`;
  const lineage = call('lineage', { ticker, metric_key: key });
  if (operation.id !== 'metrics') return say`${call(operation.id, { ticker, metric_key: key })}`;
  return say`Values of these metrics: ${call('metrics', { ticker, keys })}. Source facts of ${key}: ${lineage}`;
}

const listMetricsOfConcept = (name: string, catalog: readonly MetricCatalogEntry[]): string[] =>
  catalog.filter(({ mappings }) => mappings.some((mapping) => isNameOfConcept(name, mapping))).map(({ key }) => key);
