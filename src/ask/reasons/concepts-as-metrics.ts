/**
 * Explains a failure if the user gave XBRL concepts as metrics, and names the metrics that are read from each concept.
 */
import type { Client } from '../../client/client.ts';
import { Failure, isFailure } from '../../contract/failure.ts';
import { isNameOfConcept } from '../../contract/identifiers.ts';
import { findGivenText, type Question } from '../../contract/question/question.ts';
import type { MetricCatalogEntry } from '../../contract/resources/metrics.ts';
import { quote } from '../../contract/text/quote.ts';
import { call, say, type Text } from '../../contract/text/text.ts';
import { makeCatalogQuestion, selectMetricsWithKey } from '../fetch/whole-metrics.ts';
import { listNamedMetrics, looksLikeConcept } from './named-metrics.ts';

/**
 * Returns a Failure whose message names the metrics that use each concept; returns the failure unchanged if the catalog
 * is unavailable.
 */
export async function suggestMetricsOfConcepts(failure: Failure, question: Question, client: Client): Promise<Failure> {
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
  return new Failure(kind, sentences.join(' '), { hint: makeHint(question, keys), problem, cause });
}

function makeHint({ operation, rawParameters }: Question, keys: readonly string[]): Text {
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
