import { defineCommand } from '../ask/command/command.ts';
import type { MetricRevision } from '../contract/resources/metrics.ts';
import { formatSplitRatio } from '../contract/split-ratio.ts';
import { type Cell, makeFigureCell, makeSignedFigureCell } from '../result/blocks.ts';
import {
  findMeasure,
  formatFiscalPeriod,
  formatPeriodDates,
  isSameValue,
  UNCONFIRMED_MARK,
  UNCONFIRMED_NOTE,
} from '../result/labels.ts';
import { makeFieldColumns, makeTable } from '../result/table.ts';
import { makeAnnouncementNotices } from './reports/announcements.ts';
import { makeRevisionKindCell } from './reports/fact-columns.ts';
import { makePartialFactsNotices, PARTIAL_FACTS_COLUMN } from './reports/partial-facts.ts';

/** Not `*`, which marks derived figures in other tables. */
const CURRENT_VALUE_MARK = '•';

export default defineCommand({
  operation: 'revisions',
  args: [{ parameter: 'ticker' }, { parameter: 'metric_key' }],
  fetchesAllRows: true,
  examples: {
    'revisions AAPL eps_diluted --fiscal-year 2019': 'the value that each filing reported for one year',
    'revisions KHC net_income --fiscal-period FY': 'a restatement, with the change',
    'revisions NVDA eps_diluted --csv': 'one row for each filing that reports the value',
  },
  help:
    'Kinds of values: first (from the earliest filing that reports the figure), same (reported again, unchanged), ' +
    'revised (different from the value filed before), re-expressed (the same figure, adjusted for a stock split).',
  result: async ({ data, items }, { parameters: { ticker, split_adjusted: wantsSplitAdjusted }, lookUp }) => {
    const [firstRow] = data;
    const adjusts = wantsSplitAdjusted === true || data.some((row) => row.adjustment_ratio !== undefined);
    const first = data.findLast(({ kind, filed_at: filedAt }) => kind === 'first' && filedAt != null);
    return {
      title:
        firstRow === undefined
          ? null
          : `${firstRow.entity_name} (${firstRow.ticker ?? firstRow.cik}): ${firstRow.metric_label}`,
      tables: [
        makeTable<MetricRevision>({
          name: 'revisions',
          columns: [
            ...makeFieldColumns('ticker', 'exchange', 'cik', 'entity_name', 'metric_key', 'metric_label'),
            ...makeFieldColumns('metric_unit', 'period_kind', 'fiscal_year', 'fiscal_period', 'start_date'),
            ...makeFieldColumns('end_date', 'revision_rank'),
            { key: 'kind', cell: makeRevisionKindCell },
            { key: 'value', align: 'right', value: findShown, cell: makeValueCell },
            { key: 'previous_value' },
            { key: 'delta', label: 'Change', align: 'right', cell: makeDeltaCell },
            {
              key: 'split_ratio',
              ...{ label: 'Split', align: 'right' },
              cell: ({ split_ratio: ratio }) => (ratio == null ? '' : formatSplitRatio(ratio)),
            },
            { key: 'standing' },
            { key: 'accession_number', tone: 'quiet', drop: 1 },
            ...makeFieldColumns('form', 'filed_at', 'metric_value_id', 'raw_fact_id', 'unconfirmed'),
            ...(adjusts ? makeFieldColumns('adjustment_ratio') : []),
            PARTIAL_FACTS_COLUMN,
          ],
          shownKeys: [
            ...['filed_at', 'form', 'kind', 'value', 'delta'],
            ...(data.some((row) => row.split_ratio != null) ? ['split_ratio'] : []),
            'accession_number',
          ],
          records: items,
          section: (row, previous) =>
            previous !== undefined && isSameValue(previous, row) ? null : formatHeading(row),
          legend: [
            [CURRENT_VALUE_MARK, 'the current value'],
            [UNCONFIRMED_MARK, UNCONFIRMED_NOTE],
          ],
        }),
      ],
      notices: [
        ...makePartialFactsNotices(data),
        ...(first?.filed_at == null
          ? []
          : await makeAnnouncementNotices({ ticker: `${ticker}`, end: first.end_date, filed: first.filed_at }, lookUp)),
      ],
    };
  },
});

function formatHeading(row: MetricRevision): string {
  const period = formatFiscalPeriod(row);
  return `${period === null ? '' : `${period}, `}${formatPeriodDates(row)} (${row.metric_unit})`;
}

/** Returns the value; null if it cannot be converted to today's shares. */
const findShown = ({ value, adjustment_ratio: ratio }: MetricRevision): string | null =>
  ratio === null ? null : value;

const makeValueCell = (row: MetricRevision): Cell => ({
  ...makeFigureCell(findShown(row), findMeasure(row.metric_key, row.metric_unit)),
  mark: (row.unconfirmed === undefined ? '' : UNCONFIRMED_MARK) + (row.standing ? CURRENT_VALUE_MARK : ' '),
});

const makeDeltaCell = (row: MetricRevision): Cell =>
  row.delta == null ? '' : makeSignedFigureCell(row.delta, findMeasure(row.metric_key, row.metric_unit));
