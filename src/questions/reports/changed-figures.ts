/** `revisions` without a metric: every figure that a later filing changed, latest filing first. */
import { type ClientFilter, defineCommand } from '../../ask/command/command.ts';
import { compareText } from '../../contract/compare-text.ts';
import { failUsage } from '../../contract/failure.ts';
import type { MetricRevision } from '../../contract/resources/metrics.ts';
import { option, say } from '../../contract/text/text.ts';
import type { Cell } from '../../result/blocks.ts';
import { formatFiscalPeriod, formatPeriodDates } from '../../result/labels.ts';
import { makeNoteIf } from '../../result/notice.ts';
import { type Column, makeTable } from '../../result/table.ts';
import { makeRevisionColumns, REVISION_LEGEND, readSince, SINCE_OPTION } from './fact-columns.ts';
import { makePartialFactsNotices } from './report-notices.ts';

export default defineCommand({
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
          columns: [...makeRevisionColumns(data, wantsSplitAdjusted === true), PERIOD_COLUMN],
          shownKeys: ['metric_label', 'period', 'previous_value', 'value', 'delta', 'metric_unit'],
          records: items,
          section: (row, previous) =>
            previous?.accession_number === row.accession_number
              ? null
              : `${row.form ?? ''} filed ${row.filed_at ?? ''}, ${row.accession_number}`,
          legend: REVISION_LEGEND,
        }),
      ],
      notices: makePartialFactsNotices(data),
    };
  },
});

const PERIOD_COLUMN: Column<MetricRevision> = {
  key: 'period',
  value: null,
  cell: (row): Cell => formatFiscalPeriod(row) ?? formatPeriodDates(row),
};

/** Keeps the values that changed a figure, and sorts them by filing. Values after the current one changed nothing. */
const makeChangesFilter = (since: string | null): ClientFilter<readonly MetricRevision[]> => ({
  apply: (rows) => {
    const standing = rows.filter((row) => row.standing === true);
    const ranks = new Map(standing.map((row) => [row.metric_value_id, row.revision_rank]));
    return rows
      .filter(
        ({ kind, filed_at: filed, revision_rank: rank, metric_value_id: id }) =>
          kind === 'revised' && rank <= (ranks.get(id) ?? rank) && (since === null || (filed ?? '') >= since),
      )
      .toSorted(
        (a, b) =>
          compareText(b.filed_at ?? '', a.filed_at ?? '') || compareText(a.accession_number, b.accession_number),
      );
  },
  notices: (_, { length: count }) => {
    const period = since === null ? '' : ` since ${since}`;
    return makeNoteIf(count === 0, 'nothing_changed', `No filing${period} changed a figure of an earlier one.`);
  },
});
