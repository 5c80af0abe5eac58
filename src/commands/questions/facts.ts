import { command } from '../../ask/command.ts';
import type { RawConcept, TaggedFact } from '../../contract/resources/metrics.ts';
import { call, say } from '../../contract/text/text.ts';
import { figure } from '../../result/blocks.ts';
import { measureOf, periodDays } from '../../result/labels.ts';
import { noteOf } from '../../result/notice.ts';
import { fieldColumns, makeTable } from '../../result/table.ts';
import { conceptColumns } from './shared/concept-columns.ts';
import { revisionKindCell } from './shared/revision-kind.ts';

/** A fact together with its concept and its company. */
type ConceptFact = TaggedFact & Omit<RawConcept, 'facts'>;

export default command({
  operation: 'raw-concepts',
  name: 'facts',
  parameters: ['search', 'as_of', 'limit'],
  args: [{ parameter: 'ticker' }, { parameter: 'concept', optional: true }],
  examples: [
    { line: 'facts AAPL us-gaap:InventoryNet', shows: 'every filing of the concept, by period' },
    { line: 'facts AAPL InventoryNet --as-of 2020-01-31', shows: 'those filed by a day' },
    { line: 'facts AAPL --search lease', shows: 'the concepts with the word in their names' },
  ],
  help:
    'Facts are shown as filed: no sign is changed, nothing is derived. Kinds: first, the earliest filing of a period; same, filed ' +
    'again; revised, another value than the filing before. A release has the facts of the companies for which it was built ' +
    '(fin data build --facts).',
  result: ({ data, items }, { args: [ticker = '', concept] }) => {
    const [firstConcept] = data;
    const company = firstConcept === undefined ? null : `${firstConcept.entity_name} (${firstConcept.ticker})`;
    if (concept === undefined) {
      const nextStep = say`Facts of one of them: ${call('facts', { ticker, concept: '<concept>' })}`;
      const notices = data.length === 0 ? [] : [noteOf('facts_of_concept', nextStep)];
      return {
        title: company,
        tables: [makeTable({ name: 'concepts', ...conceptColumns, records: items })],
        notices,
      };
    }
    const names = [...new Set(data.map((row) => `${row.taxonomy}:${row.concept}`))].join(', ');
    return {
      title: company === null ? null : `${company}: ${names}`,
      tables: [
        makeTable<ConceptFact>({
          name: 'facts',
          columns: [
            ...fieldColumns('ticker', 'exchange', 'cik', 'entity_name', 'taxonomy', 'concept', 'unit'),
            ...fieldColumns('start_date', 'end_date', 'revision_rank'),
            { key: 'value', align: 'right', cell: (row) => figure(row.value, measureOf('', row.unit)) },
            { key: 'kind', cell: revisionKindCell },
            { key: 'form' },
            { key: 'filed_at' },
            { key: 'accession_number', tone: 'quiet', drop: 1 },
            ...fieldColumns('focus_year', 'focus_period', 'source_url'),
          ],
          shown: ['filed_at', 'form', 'kind', 'value', 'accession_number'],
          records: function* () {
            for (const row of items()) yield* factsOf(row);
          },
          section: (row, previousRow) =>
            previousRow !== undefined && isSamePeriod(previousRow, row) ? null : headingOf(row),
        }),
      ],
    };
  },
});

function* factsOf({ facts = [], ...concept }: RawConcept): Generator<ConceptFact> {
  for (const fact of facts) yield { ...concept, ...fact };
}

const isSamePeriod = (a: ConceptFact, b: ConceptFact): boolean =>
  a.concept === b.concept && a.unit === b.unit && a.start_date === b.start_date && a.end_date === b.end_date;

const headingOf = (row: ConceptFact): string => `${periodDays(row)} (${row.unit})`;
