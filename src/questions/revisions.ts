import { type ClientFilter, defineCommand } from '../ask/command/command.ts';
import type { MetricRevision } from '../contract/resources/metrics.ts';
import { formatCount } from '../contract/text/format-counts.ts';
import { option, say } from '../contract/text/text.ts';
import { formatFiscalPeriod, formatPeriodDates, isSameValue } from '../result/labels.ts';
import { makeNote } from '../result/notice.ts';
import { makeTable } from '../result/table.ts';
import { makeRevisionColumns, REVISION_LEGEND, readSince, SINCE_OPTION } from './reports/fact-columns.ts';
import { makeAnnouncementNotices, makePartialFactsNotices } from './reports/report-notices.ts';

export default defineCommand({
  operation: 'revisions',
  args: [{ parameter: 'ticker' }, { parameter: 'metric_key', optional: true, many: true }],
  fetchesAllRows: true,
  options: [SINCE_OPTION],
  examples: {
    'revisions AAPL eps_diluted --fiscal-year 2019': 'the value that each filing reported for one year',
    'revisions KHC net_income --fiscal-period FY': 'a restatement, with the change',
    'revisions NVDA eps_diluted --csv': 'one row for each filing that reports the value',
    'revisions KHC --since 2019-01-01': 'every figure that a filing since this day changed',
    'revisions AAPL MSFT KO --since 1y --csv': 'the same of several companies; "-" reads tickers from stdin',
  },
  help:
    'Kinds of values: first (from the earliest filing that reports the figure), same (reported again, unchanged), ' +
    'revised (different from the value filed before), re-expressed (the same figure, adjusted for a stock split).\n\n' +
    'Without a metric, shows every figure that a later filing changed: the value before and after, and the filing. ' +
    'Write tickers of further companies in capital letters. ' +
    'Figures that fin derives change with their inputs and are not listed. One request lists the figures, and one for ' +
    'each changed metric gets their filings: --plan counts the requests. More than 240 metrics need --all, except on this machine.',
  delegate: async (parsed) =>
    parsed.args[1] === undefined || isTicker(parsed.args[1])
      ? { command: (await import('./reports/changed-figures.ts')).default, parsed }
      : null,
  request: ({ givenParameters, options }) => {
    const since = readSince(options);
    return { parameters: givenParameters, narrowing: since === null ? null : makeSinceFilter(since) };
  },
  result: async ({ data, items }, { parameters: { ticker, split_adjusted: wantsSplitAdjusted }, lookUp }) => {
    const [row] = data;
    const first = data.findLast(({ kind, filed_at: filedAt }) => kind === 'first' && filedAt != null);
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
      notices: [
        ...makePartialFactsNotices(data),
        ...(first?.filed_at == null
          ? []
          : await makeAnnouncementNotices({ ticker: `${ticker}`, end: first.end_date, filed: first.filed_at }, lookUp)),
      ],
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
