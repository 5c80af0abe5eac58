import type { MetricRevision } from '../../contract/resources/metrics.ts';
import { ratioText } from '../../contract/split-ratio.ts';
import { type Cell, change, figure, quiet, type TableRow, title } from '../../output/blocks.ts';
import { pick } from '../../output/rows.ts';
import { command } from '../command.ts';
import { displayName, fiscalLabel, isSameValue, measureOf, periodDays } from './shared/labels.ts';

const STANDING = '*';

export default command({
  operation: 'revisions',
  args: [{ parameter: 'ticker' }, { parameter: 'metric_key' }],
  examples: [
    { line: 'revisions AAPL eps_diluted --fiscal-year 2019', shows: 'what each filing reported for one year' },
    { line: 'revisions KHC net_income --fiscal-period FY', shows: 'a restatement, and what it changed' },
    { line: 'revisions NVDA eps_diluted --csv', shows: 'a row for each filing that reports it' },
  ],
  help:
    'Kinds: first, the earliest filing to report the figure; same, reported again; revised, changed by a later filing; ' +
    're-expressed, the same figure in shares after a split.',
  view: ({ data }) => {
    const [first] = data;
    if (first === undefined) return [];
    const splits = data.some((row) => row.split_ratio != null);
    return [
      title(`${first.entity_name} (${first.ticker ?? first.cik}): ${first.metric_label}`),
      {
        kind: 'table',
        columns: [
          { key: 'filed_at', title: 'Filed' },
          { key: 'form', title: 'Form' },
          { key: 'kind', title: 'Kind' },
          { key: 'value', title: 'Value', align: 'right' },
          { key: 'delta', title: 'Change', align: 'right' },
          ...(splits ? [{ key: 'split_ratio', title: 'Split', align: 'right' } as const] : []),
          { key: 'accession_number', title: 'Accession', drop: 1 },
        ],
        rows: data.flatMap((row, index) => [...sectionOf(row, data[index - 1]), cells(row, splits)]),
        legend: [[STANDING, 'the value in use today']],
      },
    ];
  },
  rows: ({ data }) => pick(COLUMNS, data),
});

function sectionOf(row: MetricRevision, before: MetricRevision | undefined): TableRow[] {
  if (before !== undefined && isSameValue(before, row)) return [];
  const name = fiscalLabel(row);
  return [{ section: `${name === null ? '' : `${name}, `}${periodDays(row)} (${row.metric_unit})` }];
}

function cells(row: MetricRevision, splits: boolean): Cell[] {
  const measure = measureOf(row.metric_key, row.metric_unit);
  return [
    row.filed_at ?? null,
    row.form ?? null,
    { text: displayName(row.kind), tone: row.kind === 'revised' ? 'warn' : row.kind === 'same' ? 'quiet' : 'plain' },
    { ...figure(row.value, measure), mark: row.standing ? STANDING : ' ' },
    row.delta == null ? '' : change(row.delta, measure),
    ...(splits ? [row.split_ratio == null ? '' : ratioText(row.split_ratio)] : []),
    quiet(row.accession_number),
  ];
}

const COLUMNS = [
  'ticker',
  'exchange',
  'cik',
  'entity_name',
  'metric_key',
  'metric_label',
  'metric_unit',
  'period_kind',
  'fiscal_year',
  'fiscal_period',
  'start_date',
  'end_date',
  'revision_rank',
  'kind',
  'value',
  'previous_value',
  'delta',
  'split_ratio',
  'standing',
  'accession_number',
  'form',
  'filed_at',
  'metric_value_id',
  'raw_fact_id',
];
