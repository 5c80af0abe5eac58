import { type ClientFilter, defineCommand, type ResultContext } from '../ask/command/command.ts';
import { failUsage } from '../contract/failure.ts';
import { findGivenText, type RawParameters } from '../contract/question.ts';
import type { RawConcept, TaggedFact } from '../contract/resources/metrics.ts';
import { formatCount } from '../contract/text/format-counts.ts';
import { call, option, say } from '../contract/text/text.ts';
import { makeFigureCell } from '../result/blocks.ts';
import { findMeasure, formatPeriodDates } from '../result/labels.ts';
import { makeNote } from '../result/notice.ts';
import { flatMap } from '../result/rows.ts';
import { makeFieldColumns, makeTable } from '../result/table.ts';
import { conceptTableLayout, makeRevisionKindCell } from './raw-concepts.ts';
import { makePartialFactsNotices } from './reports/report-notices.ts';

/** A fact together with its concept and its company. */
type ConceptFact = TaggedFact & Omit<RawConcept, 'facts'>;

export default defineCommand({
  operation: 'raw-concepts',
  name: 'facts',
  parameters: ['search', 'as_of', 'limit'],
  parameterHelp: { limit: 'Maximum number of rows (default: all facts of the concept; 25 concepts)' },
  args: [{ parameter: 'ticker' }, { parameter: 'concept', optional: true }],
  examples: {
    'facts AAPL us-gaap:InventoryNet': 'the values of a concept in each filing, by period',
    'facts AAPL InventoryNet --as-of 2020-01-31': 'only values filed by this date',
    'facts AAPL --search lease': 'concepts with this word in their names',
  },
  help:
    'Shows facts as filed, with unchanged signs; nothing is derived. Kinds of values: first (from the earliest filing that reports ' +
    'the period), same (reported again, unchanged), revised (different from the value filed before). A release has facts ' +
    'only if it was built with them: fin data build --facts <tickers>, or --all-facts for all companies.',
  request: ({ givenParameters, args: [ticker = '', concept] }) => {
    if (concept === undefined && findGivenText(givenParameters, 'as_of') !== undefined) {
      const text = say`${option('as_of')} needs a concept: the list of concepts covers all filings, whatever their date.`;
      failUsage(text, say`Concepts of the company: ${call('facts', { ticker })}`);
    }
    const limit = Number(findGivenText(givenParameters, 'limit'));
    const isLimited = concept !== undefined && Number.isInteger(limit) && limit >= 1;
    return { parameters: givenParameters, narrowing: isLimited ? makeFactLimitFilter(limit) : null };
  },
  result: async ({ data, items, unfiltered }, context) => {
    const [ticker = '', concept] = context.args;
    const [first] = data;
    const company = first === undefined ? null : `${first.entity_name} (${first.ticker})`;
    if (concept === undefined) {
      const nextSteps = first === undefined ? [] : await makeNextStepNotices(ticker, data, context);
      return {
        title: company,
        tables: [makeTable({ name: 'concepts', ...conceptTableLayout, records: items })],
        notices: [...makePartialFactsNotices(data), ...nextSteps],
      };
    }
    const concepts = [...new Set(data.map((row) => `${row.taxonomy}:${row.concept}`))].join(', ');
    return {
      title: company === null ? null : `${company}: ${concepts}`,
      total: countFacts(unfiltered),
      tables: [
        makeTable<ConceptFact>({
          name: 'facts',
          columns: [
            ...makeFieldColumns('ticker', 'exchange', 'cik', 'entity_name', 'taxonomy', 'concept', 'unit'),
            ...makeFieldColumns('start_date', 'end_date', 'revision_rank'),
            { key: 'value', align: 'right', cell: (row) => makeFigureCell(row.value, findMeasure('', row.unit)) },
            { key: 'kind', cell: makeRevisionKindCell },
            ...makeFieldColumns('form', 'filed_at'),
            { key: 'accession_number', tone: 'quiet', drop: 1 },
            ...makeFieldColumns('focus_year', 'focus_period', 'source_url'),
          ],
          shownKeys: ['filed_at', 'form', 'kind', 'value', 'accession_number'],
          records: () =>
            flatMap(items(), ({ facts = [], ...concept }) => facts.map((fact) => ({ ...concept, ...fact }))),
          section: (row, previous) =>
            previous !== undefined && isSameConceptAndPeriod(previous, row) ? null : formatHeading(row),
        }),
      ],
      notices: makePartialFactsNotices(data),
    };
  },
});

/** Maximum number of concepts that are looked up in order to find a concept with facts in the release. */
const MAX_TRIED_CONCEPTS = 5;

/**
 * Explains how to show the facts of one concept, or how to build a release with facts. Returns nothing if it is unknown
 * whether the release has facts: a remote service is not asked, only the cache.
 */
async function makeNextStepNotices(ticker: string, concepts: readonly RawConcept[], context: ResultContext) {
  const { lookUp, inProcess, isSample } = context;
  for (const { taxonomy, concept } of concepts.slice(0, MAX_TRIED_CONCEPTS)) {
    const parameters: RawParameters = Object.entries({ ticker, concept: `${taxonomy}:${concept}` });
    const example = call('facts', { ticker, concept });
    if ((await lookUp('raw-concepts', parameters)) !== null)
      return [makeNote('facts_of_concept', say`To see the facts of one concept: ${example}`)];
  }
  if (!inProcess) return [];
  const step = isSample ? say`${call(`data fetch ${ticker}`)}, then ` : '';
  const text = say`The release does not include the facts of these concepts. To include them: ${step}${call('data build', { facts: ticker })}`;
  return [makeNote('facts_not_included', text, { ticker })];
}

/** Limits the number of facts in the answer, because the service's own limit counts concepts. */
const makeFactLimitFilter = (limit: number): ClientFilter<readonly RawConcept[]> => ({
  apply: (rows) => {
    let remainingCount = limit;
    return rows.flatMap((row) => {
      const facts = (row.facts ?? []).slice(0, remainingCount);
      remainingCount -= facts.length;
      return facts.length === 0 ? [] : [{ ...row, facts }];
    });
  },
  notices: (allRows, shownRows) => {
    const [total, shown] = [countFacts(allRows), countFacts(shownRows)];
    if (shown === total) return [];
    const text = say`Showing ${shown} of ${formatCount(total, 'fact')}. To see all, remove ${option('limit')}.`;
    return [makeNote('page_cut', text, { first: 1, last: shown, total })];
  },
});

const countFacts = (rows: readonly RawConcept[]): number => rows.reduce((sum, { facts = [] }) => sum + facts.length, 0);

const isSameConceptAndPeriod = (a: ConceptFact, b: ConceptFact): boolean =>
  a.concept === b.concept && a.unit === b.unit && a.start_date === b.start_date && a.end_date === b.end_date;

const formatHeading = (row: ConceptFact): string => `${formatPeriodDates(row)} (${row.unit})`;
