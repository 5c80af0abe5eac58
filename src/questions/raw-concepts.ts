import { defineCommand } from '../ask/command/command.ts';
import type { RawConcept } from '../contract/resources/metrics.ts';
import type { Cell } from '../result/blocks.ts';
import { makeDisplayName } from '../result/labels.ts';
import { type Column, makeFieldColumns, makeTable } from '../result/table.ts';
import { makePartialFactsNotices, PARTIAL_FACTS_COLUMN } from './reports/report-notices.ts';

const columns: readonly Column<RawConcept>[] = [
  ...makeFieldColumns('ticker', 'exchange', 'cik', 'entity_name'),
  { key: 'taxonomy', tone: 'quiet', drop: 2 },
  // Names of concepts are never truncated, because other commands require the complete name.
  { key: 'concept', shrinkTo: 50, wrapped: 'anywhere' },
  { key: 'unit', drop: 1 },
  { key: 'fact_count', label: 'Facts', align: 'right' },
  { key: 'earliest_end_date', label: 'First', drop: 3 },
  { key: 'latest_end_date', label: 'Last' },
  PARTIAL_FACTS_COLUMN,
];

export const conceptTableLayout = {
  columns,
  shownKeys: ['concept', 'taxonomy', 'unit', 'fact_count', 'earliest_end_date', 'latest_end_date'],
} as const;

/** Returns the table cell for a kind of revision: `first`, `same`, `revised` or `re_expressed`. */
export const makeRevisionKindCell = ({ kind }: { readonly kind: string }): Cell => ({
  text: makeDisplayName(kind),
  tone: kind === 'revised' ? 'warn' : kind === 'same' ? 'quiet' : 'plain',
});

export default defineCommand({
  operation: 'raw-concepts',
  parameters: ['limit', 'search'],
  args: [{ parameter: 'ticker', many: true }],
  examples: {
    'raw-concepts AAPL': 'the XBRL concepts that a company uses, with first and last dates',
    'raw-concepts AAPL --all --csv': 'up to 500 concepts, as rows',
  },
  help:
    'Lists the concepts, but not their values. To show the values of a concept as filed: fin facts <ticker> <concept>. To find the ' +
    'metric that uses a concept: fin catalog us-gaap:Revenues',
  result: ({ data, items }) => ({
    title: data[0] === undefined ? null : `${data[0].entity_name} (${data[0].ticker})`,
    tables: [makeTable({ name: 'concepts', ...conceptTableLayout, records: items })],
    notices: makePartialFactsNotices(data),
  }),
});
