/** Adds a hint to the Failure of a question: what the user probably meant, and the command to run. */

import type { Connection } from '../../client/connection.ts';
import { type Failure, isFailure, withHint } from '../../contract/failure.ts';
import { isScreenOnly, METRIC_KEYS } from '../../contract/figures.ts';
import { companyIn, givenText, type Question } from '../../contract/question/question.ts';
import { SCREEN_FILTERS } from '../../contract/screen-columns.ts';
import { didYouMean } from '../../contract/text/nearest.ts';
import { call, INTERFACE, joinTexts, say, type Text, writeText } from '../../contract/text/text.ts';
import { severalNamesHint } from '../inputs.ts';
import { valueHint } from '../values/value-hints.ts';
import { isConcept, namedMetrics } from './named-metrics.ts';
import { screenOnlyHint } from './screen-only-figures.ts';

/**
 * Returns the error, with a hint if one is available.
 * @param canLookUpNames whether to look up names, which costs a request
 */
export async function explainFailure(
  error: unknown,
  question: Question,
  connection: Pick<Connection, 'client' | 'isInProcess' | 'sample'>,
  canLookUpNames: boolean,
): Promise<unknown> {
  if (!isFailure(error) || (error.kind !== 'usage' && error.kind !== 'not_found')) return error;
  const hint =
    error.kind === 'usage' ? usageHint(error, question) : notFoundHint(error, question, connection.isInProcess);
  const failureWithHint = hint === error.hint ? error : withHint(error, hint);
  const isUnknownTicker = error.kind === 'not_found' && hint === undefined;
  const explainedFailure = isUnknownTicker
    ? withHint(error, unknownTickerHint(question, connection.sample))
    : failureWithHint;
  if (namedMetrics(question).some(isConcept)) {
    const { suggestMetricsOfConcepts } = await import('./concepts-as-metrics.ts');
    return suggestMetricsOfConcepts(explainedFailure, question, connection.client);
  }
  if (!canLookUpNames) return explainedFailure;
  return (await import('./named-companies.ts')).withCandidates(
    explainedFailure,
    question,
    connection.client,
    isUnknownTicker ? withHint(error, knownTickerHint(question)) : failureWithHint,
  );
}

/** Returns a hint for a not-found Failure about something other than the ticker, such as a metric key. */
function notFoundHint(
  { hint }: Failure,
  { operation, rawParameters }: Question,
  isInProcess: boolean,
): Text | undefined {
  if (hint !== undefined) return hint;
  const key = givenText(rawParameters, 'metric_key');
  if (key !== undefined && isScreenOnly(key)) return screenOnlyHint([key]);
  if (key !== undefined && !METRIC_KEYS.includes(key) && !SCREEN_FILTERS.includes(key)) {
    // If fin's own service answered, its message already suggests a key.
    const suggestionText = isInProcess ? '' : didYouMean(key, [...new Set([...METRIC_KEYS, ...SCREEN_FILTERS])]).trim();
    return joinTexts(
      [...(suggestionText === '' ? [] : [suggestionText]), say`List of metrics: ${call('catalog')}`],
      ' ',
    );
  }
  return operation.id === 'manager' ? say`Find managers by name: ${call('managers', { query: '<name>' })}` : undefined;
}

/** Returns a hint for a not-found Failure if the company exists, but the requested item does not. */
function knownTickerHint({ rawParameters }: Question): Text | undefined {
  const peerTicker = givenText(rawParameters, 'peers_of');
  if (peerTicker !== undefined)
    return say`Choose an industry by SIC code: ${call('peers', { peers_of: peerTicker, sic: '<codes>' })}`;
  if (givenText(rawParameters, 'concept') === undefined) return undefined;
  return say`Find concepts of the company: ${call('facts', { ticker: givenText(rawParameters, 'ticker') ?? '', search: '<words>' })}`;
}

function unknownTickerHint(question: Question, sample: Connection['sample']): Text | undefined {
  const ticker = companyIn(question);
  if (ticker === undefined || ticker.trim() === '') return undefined;
  if (sample === null || severalNamesHint(ticker) !== '') return tickerHint(ticker);
  return joinTexts(
    [
      say`The built-in sample has only ${sample.companies} companies. To get the data of this company from the SEC: ${call(`data fetch ${formatTicker(ticker)}`)}, then ${call('data build')}.`,
      say`To search by name: ${call('search', { query: ticker })}`,
    ],
    ' ',
  );
}

/** Returns a ticker as it can be typed in a command; a placeholder if the text is not a ticker. */
const formatTicker = (text: string): string =>
  /^[A-Z0-9.-]{1,10}$/i.test(text.trim()) ? text.trim().toUpperCase() : '<ticker>';

/**
 * Returns a hint for a rejected parameter. If the service rejects a question with a value outside bounds that only fin
 * defines, these bounds are the probable cause.
 */
function usageHint(
  { hint, problem, message }: Failure,
  { operation, rawParameters, faults }: Question,
): Text | undefined {
  const screenOnlyKeys = (givenText(rawParameters, 'keys') ?? '').split(',').filter(isScreenOnly);
  if (screenOnlyKeys.length > 0) return screenOnlyHint(screenOnlyKeys);
  const [fault] = faults;
  // If the client rejected the question, the message already states the fault.
  const guessedHint = hint ?? (problem === undefined ? [] : faults).find(({ source }) => source === 'ours')?.detail;
  const ticker = givenText(rawParameters, 'ticker');
  const advice =
    fault === undefined
      ? undefined
      : fault.parameter === 'ticker' && ticker !== undefined
        ? tickerHint(ticker)
        : valueHint(
            fault.parameter,
            operation.parameters.find(({ name }) => name === fault.parameter),
          );
  const isInMessage = (text: Text): boolean => writeText(text, INTERFACE) === message;
  const hints = [guessedHint, advice].filter((text) => text !== undefined).filter((text) => !isInMessage(text));
  return hints.length === 0 ? undefined : joinTexts(hints, ' ');
}

function tickerHint(ticker: string): Text {
  const severalHint = severalNamesHint(ticker);
  const findHint = say`Find a ticker by name: ${call('search', { query: ticker })}`;
  return severalHint === '' ? findHint : joinTexts([severalHint, findHint], ' ');
}
