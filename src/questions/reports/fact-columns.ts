/** Columns for lists of tagged XBRL concepts, and of revisions with their marks and their option `--since`. */

import type { GivenOptions, OptionSpec } from '../../ask/command/option-spec.ts';
import { readSinceDay } from '../../ask/values/past-day.ts';
import type { MetricRevision, RawConcept } from '../../contract/resources/metrics.ts';
import { formatSplitRatio } from '../../contract/split-ratio.ts';
import { type Cell, makeFigureCell, makeSignedFigureCell } from '../../result/blocks.ts';
import { findMeasure, makeDisplayName, UNCONFIRMED_MARK, UNCONFIRMED_NOTE } from '../../result/labels.ts';
import { type Column, makeFieldColumns } from '../../result/table.ts';
import { PARTIAL_FACTS_COLUMN } from './report-notices.ts';

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

export const SINCE_OPTION: OptionSpec = {
  name: 'since',
  value: 'day',
  help: 'Show only filings from this date on; a length of time such as 90d or 1y counts back from today',
};

/** Returns the day of `--since`; null without it. Throws a usage Failure for anything but a day. */
export function readSince(options: GivenOptions): string | null {
  const text = options.get('since')?.at(-1);
  return text === undefined ? null : readSinceDay(text);
}

/** Not `*`, which marks derived figures in other tables. */
const CURRENT_VALUE_MARK = '•';

export const REVISION_LEGEND = [
  [CURRENT_VALUE_MARK, 'the current value'],
  [UNCONFIRMED_MARK, UNCONFIRMED_NOTE],
] as const;

export const makeRevisionColumns = (
  data: readonly MetricRevision[],
  wantsSplitAdjusted: boolean,
): readonly Column<MetricRevision>[] => [
  ...makeFieldColumns('ticker', 'exchange', 'cik', 'entity_name', 'metric_key', 'metric_label'),
  ...makeFieldColumns('metric_unit', 'period_kind', 'fiscal_year', 'fiscal_period', 'start_date'),
  ...makeFieldColumns('end_date', 'revision_rank'),
  { key: 'kind', cell: makeRevisionKindCell },
  { key: 'value', align: 'right', value: findShown, cell: makeValueCell },
  { key: 'previous_value', label: 'Before', align: 'right', cell: makePreviousCell },
  { key: 'delta', label: 'Change', align: 'right', cell: makeDeltaCell },
  {
    key: 'split_ratio',
    ...{ label: 'Split', align: 'right' },
    cell: ({ split_ratio: ratio }) => (ratio == null ? '' : formatSplitRatio(ratio)),
  },
  { key: 'standing' },
  { key: 'accession_number', tone: 'quiet', drop: 1 },
  ...makeFieldColumns('form', 'filed_at', 'metric_value_id', 'raw_fact_id', 'unconfirmed'),
  ...(wantsSplitAdjusted || data.some((row) => row.adjustment_ratio !== undefined)
    ? makeFieldColumns('adjustment_ratio')
    : []),
  PARTIAL_FACTS_COLUMN,
];

/** Returns the value; null if it cannot be converted to today's shares. */
const findShown = ({ value, adjustment_ratio: ratio }: MetricRevision): string | null =>
  ratio === null ? null : value;

const makeValueCell = (row: MetricRevision): Cell => ({
  ...makeFigureCell(findShown(row), findMeasure(row.metric_key, row.metric_unit)),
  mark: (row.unconfirmed === undefined ? '' : UNCONFIRMED_MARK) + (row.standing ? CURRENT_VALUE_MARK : ' '),
});

const makePreviousCell = ({ previous_value: value, metric_key: key, metric_unit: unit }: MetricRevision): Cell =>
  makeFigureCell(value, findMeasure(key, unit));

const makeDeltaCell = (row: MetricRevision): Cell =>
  row.delta == null ? '' : makeSignedFigureCell(row.delta, findMeasure(row.metric_key, row.metric_unit));
