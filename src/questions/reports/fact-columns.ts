/** Columns for a list of tagged XBRL concepts, and cells for kinds of revisions. */
import type { RawConcept } from '../../contract/resources/metrics.ts';
import type { Cell } from '../../result/blocks.ts';
import { makeDisplayName } from '../../result/labels.ts';
import { type Column, makeFieldColumns } from '../../result/table.ts';
import { PARTIAL_FACTS_COLUMN } from './partial-facts.ts';

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
