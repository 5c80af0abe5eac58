import type { Answer } from '../ask/command/answer.ts';
import { defineCommand } from '../ask/command/command.ts';
import { makeFolderUrlIfValid } from '../contract/identifiers.ts';
import type { MetricLineage } from '../contract/resources/metrics.ts';
import { encodeUrlPart } from '../contract/text/quote.ts';
import { type Cell, makeFigureCell } from '../result/blocks.ts';
import { findMeasure, formatFiscalPeriod, formatPeriodDates, isSameValue, makeDisplayName } from '../result/labels.ts';
import { makeNote, type Notice } from '../result/notice.ts';
import { type Column, makeFieldColumns, makeNestedColumns, makeTable } from '../result/table.ts';
import { makePartialFactsNotices, PARTIAL_FACTS_COLUMN } from './reports/report-notices.ts';
import { makeUndatedSplitNotices } from './statements/statement-blocks.ts';

export default defineCommand({
  operation: 'lineage',
  args: [{ parameter: 'ticker' }, { parameter: 'metric_key' }],
  fetchesAllRows: true,
  examples: {
    'lineage AAPL revenue': 'the XBRL fact and the filing that each value comes from',
    'lineage AAPL free_cash_flow --as-of 2022-01-01':
      'the facts that a derived figure is computed from, as filed by 1 January 2022',
  },
  result: (answer, { parameters }) => {
    const { data, items } = answer;
    const [first] = data;
    const adjusts = parameters.split_adjusted === true || data.some((row) => row.split_ratio !== undefined);
    return {
      title: first === undefined ? null : `${first.entity_name} (${first.ticker ?? first.cik}): ${first.metric_label}`,
      tables: [
        makeTable<MetricLineage>({
          name: 'facts',
          columns: [...COLUMNS, ...(adjusts ? makeFieldColumns('split_ratio') : [])],
          shownKeys: [
            ...['role', 'raw_value', 'raw_unit', 'concept', 'taxonomy', 'form', 'filed_at', 'accession_number'],
            // The column is shown only if a filing's own document was read.
            ...(data.some(({ location }) => location != null) ? ['line'] : []),
            ...(data.some(({ unconfirmed }) => unconfirmed !== undefined) ? ['unconfirmed'] : []),
          ],
          records: items,
          section: (row, previous) =>
            previous !== undefined && isSameValue(previous, row) ? null : formatHeading(row),
        }),
      ],
      notes: data.some(({ role }) => role === CONTRADICTED_ROLE) ? [CONTRADICTED_NOTE] : [],
      notices: [
        ...makePartialFactsNotices(data),
        ...makeUndatedSplitNotices(data),
        ...makeIncompleteNotices(answer, Number(answer.meta.limit ?? parameters.limit)),
      ],
    };
  },
});

const CONTRADICTED_NOTE =
  'Contradicted: other facts of the company show that the filed value is wrong, so fin does not use the value.';

/**
 * Warns that facts of the last value may be on the next page. A reported value needs no warning, because it has only
 * one fact.
 */
function makeIncompleteNotices({ data, isPage }: Answer<readonly MetricLineage[]>, limit: number): readonly Notice[] {
  const lastRow = data.at(-1);
  if (!isPage || data.length !== limit || lastRow === undefined) return [];
  if (lastRow.role === REPORTED_VALUE_ROLE || lastRow.role === CONTRADICTED_ROLE) return [];
  const period = formatFiscalPeriod(lastRow) ?? formatPeriodDates(lastRow);
  const text = `The facts of the last value (${period}) may be incomplete, because the list has reached its maximum number of rows.`;
  return [makeNote('value_cut', text, { value: period })];
}

/** Role of the only fact of a reported value. */
const REPORTED_VALUE_ROLE = 'value';

/** Role of a reported value that other facts of the company contradict. */
const CONTRADICTED_ROLE = 'contradicted';

/** Returns the value; null if it cannot be converted to today's shares. */
const findShown = ({ metric_value: value, split_ratio: ratio }: MetricLineage) => (ratio === null ? null : value);

/** Returns the heading of a value: its period and the value itself. */
function formatHeading(row: MetricLineage): readonly Cell[] {
  const period = formatFiscalPeriod(row);
  return [
    `${period === null ? '' : `${period}, `}${formatPeriodDates(row)}:`,
    makeFigureCell(findShown(row), findMeasure(row.metric_key, row.metric_unit)),
    ...(row.metric_unit === 'pure' ? [] : [row.metric_unit]),
  ];
}

/** Shows where the fact is: the line of the filing's document, with a link to that document at the SEC. */
function makeLineCell({ cik, accession_number: number, location }: MetricLineage): Cell {
  if (location == null) return null;
  const { match_quality: quality, document, line_id: lineId } = location;
  const text = `${lineId ?? ''}${TEXTS_BY_MATCH_QUALITY.get(quality) ?? ` (${makeDisplayName(quality)})`}`;
  const folder = lineId == null || document == null || number == null ? null : makeFolderUrlIfValid(cik, number);
  if (folder === null || lineId == null || document == null) return { text, tone: 'quiet' };
  return { text, link: `${folder}${encodeUrlPart(document)}#${encodeUrlPart(lineId)}` };
}

const TEXTS_BY_MATCH_QUALITY: ReadonlyMap<string, string> = new Map([
  ['unique', ''],
  ['ambiguous', ', and other lines'],
  ['hidden_only', 'tagged in the document, but not visible'],
  ['none', 'not in the document'],
]);

const makeFactCell = (row: MetricLineage): Cell => makeFigureCell(row.raw_value, findMeasure('', row.raw_unit));

const COLUMNS: readonly Column<MetricLineage>[] = [
  ...makeFieldColumns('ticker', 'exchange', 'cik', 'entity_name', 'metric_key', 'metric_label'),
  { key: 'metric_value', value: findShown },
  ...makeFieldColumns('metric_unit', 'period_kind', 'fiscal_year', 'fiscal_period', 'start_date', 'end_date', 'role'),
  { key: 'taxonomy', tone: 'quiet', drop: 5 },
  // Names of concepts differ at both ends, so these names are never cut.
  { key: 'concept', shrinkTo: 50, wrapped: 'anywhere' },
  { key: 'raw_unit', label: 'Unit', drop: 4 },
  { key: 'raw_value', label: 'Fact', align: 'right', cell: makeFactCell },
  { key: 'accession_number', tone: 'quiet', drop: 1 },
  { key: 'form', drop: 2 },
  ...makeFieldColumns('filed_at', 'frame', 'fact_source', 'unconfirmed'),
  ...makeNestedColumns('location', 'match_quality', 'context', 'document', 'line_id'),
  ...makeFieldColumns('metric_value_id', 'raw_fact_id'),
  ...makeNestedColumns('location', 'concept'),
  ...makeFieldColumns('raw_ingestion_run_id', 'source_payload_id'),
  PARTIAL_FACTS_COLUMN,
  { key: 'line', value: null, drop: 3, cell: makeLineCell },
];
