import { type ClientFilter, defineCommand } from '../ask/command/command.ts';
import type { GivenOptions, OptionSpec } from '../ask/command/option-spec.ts';
import { readSinceDay } from '../ask/values/past-day.ts';
import { compareText } from '../contract/compare-text.ts';
import { failUsage } from '../contract/failure.ts';
import type { MetricRevision } from '../contract/resources/metrics.ts';
import { formatSplitRatio } from '../contract/split-ratio.ts';
import { formatCount } from '../contract/text/format-counts.ts';
import { option, say } from '../contract/text/text.ts';
import { type Cell, makeFigureCell, makeSignedCell } from '../result/blocks.ts';
import {
  findMeasure,
  formatFiscalPeriod,
  formatPeriodDates,
  isSameValue,
  UNCONFIRMED_MARK,
  UNCONFIRMED_NOTE,
} from '../result/labels.ts';
import { makeNote, makeNoteIf } from '../result/notice.ts';
import { type Column, makeFieldColumns, makeTable } from '../result/table.ts';
import { makeRevisionKindCell } from './raw-concepts.ts';
import { makeAnnouncementNotices, makePartialFactsNotices, PARTIAL_FACTS_COLUMN } from './reports/report-notices.ts';

const SINCE_OPTION: OptionSpec = {
  name: 'since',
  value: 'day',
  help: 'Show only filings from this date on; a length of time such as 90d or 1y counts back from today',
};

/** Not `*`, which marks derived figures in other tables. */
const CURRENT_VALUE_MARK = '•';

const REVISION_LEGEND = [
  [CURRENT_VALUE_MARK, 'the current value'],
  [UNCONFIRMED_MARK, UNCONFIRMED_NOTE],
] as const;

export default defineCommand({
  operation: 'revisions',
  args: [{ parameter: 'ticker' }, { parameter: 'metric_key', optional: true, many: true }],
  fetchesAllRows: true,
  options: [SINCE_OPTION],
  examples: {
    'revisions AAPL eps_diluted --fiscal-year 2019': 'the value that each filing reported for one year',
    'revisions KHC net_income --fiscal-period FY':
      'annual values, with the amount by which each restatement changed them',
    'revisions NVDA eps_diluted --csv': 'one row for each filing that reports the value',
    'revisions KHC --since 2019-01-01': 'every figure that was changed by a filing since this day',
    'revisions AAPL MSFT KO --since 1y --csv': 'changed figures of several companies; "-" reads tickers from stdin',
  },
  help:
    'Kinds of values: first (from the earliest filing that reports the figure), same (reported again, unchanged), ' +
    'revised (different from the value filed before), re-expressed (the same figure, adjusted for a stock split).\n\n' +
    'Without a metric, shows every figure that a later filing changed: the value before and after, and the filing. ' +
    'Write tickers of further companies in capital letters. ' +
    'Figures that fin derives change with their inputs and are not listed. One request lists the figures, and one for ' +
    'each changed metric gets their filings: --plan counts the requests. More than 240 metrics need --all, except on this machine.',
  delegate: async (parsed) =>
    parsed.args[1] === undefined || isTicker(parsed.args[1]) ? { command: changedFiguresCommand, parsed } : null,
  request: ({ givenParameters, options }) => {
    const since = readSince(options);
    return { parameters: givenParameters, narrowing: since === null ? null : makeSinceFilter(since) };
  },
  result: async ({ data, items }, { parameters: { ticker, split_adjusted: wantsSplitAdjusted }, lookUp }) => {
    const [row] = data;
    const first = data.findLast(({ kind, filed_at: day }) => kind === 'first' && day != null);
    const reported = first && { ticker: `${ticker}`, end: first.end_date, filed: first.filed_at ?? '' };
    const announcements = reported === undefined ? [] : await makeAnnouncementNotices(reported, lookUp);
    return {
      title: row === undefined ? null : `${row.entity_name} (${row.ticker ?? row.cik}): ${row.metric_label}`,
      tables: [
        makeTable<MetricRevision>({
          name: 'revisions',
          columns: makeRevisionColumns(data, wantsSplitAdjusted === true),
          shownKeys: [
            ...['filed_at', 'form', 'kind', 'value', 'delta'],
            ...(data.some((row) => row.split_ratio != null) ? ['split_ratio'] : []),
            'accession_number',
          ],
          records: items,
          section: (row, previous) =>
            previous !== undefined && isSameValue(previous, row) ? null : formatHeading(row),
          legend: REVISION_LEGEND,
        }),
      ],
      notices: [...makePartialFactsNotices(data), ...announcements],
    };
  },
});

/** Whether an argument is a company instead of a metric key, which has small letters. */
const isTicker = (text: string): boolean => /[A-Z0-9]/.test(text) && !/[a-z]/.test(text);

const makeSinceFilter = (since: string): ClientFilter<readonly MetricRevision[]> => ({
  apply: (rows) => rows.filter(({ filed_at: filed }) => filed != null && filed >= since),
  notices: (before, { length: kept }) => {
    const text = say`${option('since', since)} keeps ${kept} of ${formatCount(before.length, 'row')}.`;
    return [makeNote('narrowed', text, { kept, all: before.length })];
  },
});

function formatHeading(row: MetricRevision): string {
  const period = formatFiscalPeriod(row);
  return `${period === null ? '' : `${period}, `}${formatPeriodDates(row)} (${row.metric_unit})`;
}

/** `revisions` without a metric: every figure that a later filing changed, latest filing first. */
const changedFiguresCommand = defineCommand({
  operation: 'revisions',
  args: [{ parameter: 'ticker', many: true }],
  options: [SINCE_OPTION],
  examples: {},
  request: ({ givenParameters, options }) => {
    if (options.has('metric-value-id')) failUsage(say`${option('metric_value_id')} needs the metric of the value.`);
    const since = readSince(options);
    return {
      parameters: givenParameters,
      extent: { kind: 'changes', since, isUnlimited: options.has('all') },
      narrowing: makeChangesFilter(since),
    };
  },
  result: ({ data, items }, { parameters: { split_adjusted: wantsSplitAdjusted } }) => {
    const [first] = data;
    const subject = first === undefined ? null : `${first.entity_name} (${first.ticker ?? first.cik})`;
    return {
      title: subject === null ? null : `${subject}: figures that a later filing changed`,
      tables: [
        makeTable<MetricRevision>({
          name: 'revisions',
          columns: [
            ...makeRevisionColumns(data, wantsSplitAdjusted === true),
            { key: 'period', value: null, cell: (row) => formatFiscalPeriod(row) ?? formatPeriodDates(row) },
          ],
          shownKeys: ['metric_label', 'period', 'previous_value', 'value', 'delta', 'metric_unit'],
          records: items,
          section: ({ form, filed_at: filed, accession_number: number }, previous) =>
            previous?.accession_number === number ? null : `${form ?? ''} filed ${filed ?? ''}, ${number}`,
          legend: REVISION_LEGEND,
        }),
      ],
      notices: makePartialFactsNotices(data),
    };
  },
});

/** Keeps the values that changed a figure, and sorts them by filing. Values after the current one changed nothing. */
const makeChangesFilter = (since: string | null): ClientFilter<readonly MetricRevision[]> => ({
  apply: (rows) => {
    const standing = rows.filter((row) => row.standing === true);
    const ranks = new Map(standing.map((row) => [row.metric_value_id, row.revision_rank]));
    const isChange = ({ kind, filed_at: filed, revision_rank: rank, metric_value_id: id }: MetricRevision) =>
      kind === 'revised' && rank <= (ranks.get(id) ?? rank) && (since === null || (filed ?? '') >= since);
    const compare = (a: MetricRevision, b: MetricRevision): number =>
      compareText(b.filed_at ?? '', a.filed_at ?? '') || compareText(a.accession_number, b.accession_number);
    return rows.filter(isChange).sort(compare);
  },
  notices: (_, { length: count }) => {
    const period = since === null ? '' : ` since ${since}`;
    return makeNoteIf(count === 0, 'nothing_changed', `No filing${period} changed a figure of an earlier one.`);
  },
});

/** Returns the day of `--since`; null without the option. Throws a usage Failure if its value is not a day. */
function readSince(options: GivenOptions): string | null {
  const text = options.get('since')?.at(-1);
  return text === undefined ? null : readSinceDay(text);
}

const makeRevisionColumns = (data: readonly MetricRevision[], adjusts: boolean): readonly Column<MetricRevision>[] => [
  ...makeFieldColumns('ticker', 'exchange', 'cik', 'entity_name', 'metric_key', 'metric_label'),
  ...makeFieldColumns('metric_unit', 'period_kind', 'fiscal_year', 'fiscal_period', 'start_date'),
  ...makeFieldColumns('end_date', 'revision_rank'),
  { key: 'kind', cell: makeRevisionKindCell },
  { key: 'value', align: 'right', value: findShown, cell: makeValueCell },
  { key: 'previous_value', label: 'Before', align: 'right', cell: makePreviousCell },
  { key: 'delta', label: 'Change', align: 'right', cell: makeDeltaCell },
  { key: 'split_ratio', label: 'Split', align: 'right', cell: makeSplitCell },
  { key: 'standing' },
  { key: 'accession_number', tone: 'quiet', drop: 1 },
  ...makeFieldColumns('form', 'filed_at', 'metric_value_id', 'raw_fact_id', 'unconfirmed'),
  ...(adjusts || data.some((row) => row.adjustment_ratio !== undefined) ? makeFieldColumns('adjustment_ratio') : []),
  PARTIAL_FACTS_COLUMN,
];

/** Returns the value; null if it cannot be converted to today's shares. */
const findShown = ({ value, adjustment_ratio: ratio }: MetricRevision) => (ratio === null ? null : value);

const findOwnMeasure = ({ metric_key: key, metric_unit: unit }: MetricRevision) => findMeasure(key, unit);

const makeValueCell = (row: MetricRevision): Cell => ({
  ...makeFigureCell(findShown(row), findOwnMeasure(row)),
  mark: (row.unconfirmed === undefined ? '' : UNCONFIRMED_MARK) + (row.standing ? CURRENT_VALUE_MARK : ' '),
});

const makePreviousCell = (row: MetricRevision): Cell => makeFigureCell(row.previous_value, findOwnMeasure(row));

const makeSplitCell = ({ split_ratio: ratio }: MetricRevision): Cell => (ratio == null ? '' : formatSplitRatio(ratio));

const makeDeltaCell = (row: MetricRevision): Cell =>
  row.delta == null ? '' : makeSignedCell(row.delta, findOwnMeasure(row));
