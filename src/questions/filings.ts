import { defineCommand } from '../ask/command/command.ts';
import type { Filing } from '../contract/resources/filings.ts';
import { formatInstant } from '../contract/text/format-counts.ts';
import type { Cell } from '../result/blocks.ts';
import { formatFiscalPeriod, makeDisplayName } from '../result/labels.ts';
import { type Column, makeFieldColumns, makeTable } from '../result/table.ts';

const COMPANY_COLUMNS = ['filed_at', 'form', 'period', 'items', 'announcement_timing', 'accession_number'];
export const DAY_FILING_COLUMNS = [
  ...['filed_at', 'ticker', 'entity_name', 'form'],
  ...['period', 'items', 'announcement_timing', 'accession_number'],
];

export default defineCommand({
  operation: 'filings',
  listsFilings: true,
  args: [{ parameter: 'ticker', many: true }],
  examples: {
    'filings AAPL --limit 10': 'the latest ten filings',
    'filings AAPL --forms 10-K,10-K/A': 'annual reports and their amendments',
    'filings AAPL --forms 8-K --items 2.02 --csv': 'earnings announcements, as CSV rows',
  },
  result: ({ data: [first], items }) => ({
    title: first === undefined ? null : `${first.entity_name} (${first.ticker ?? first.cik})`,
    tables: [
      makeTable({ name: 'filings', columns: makeFilingColumns(null), shownKeys: COMPANY_COLUMNS, records: items }),
    ],
  }),
});

/** @param day date of all filings, so that views omit it; empty if dates differ; null for the filings of a company */
export function makeFilingColumns(day: string | null): readonly Column<Filing>[] {
  const isDayList = day !== null;
  return [
    ...makeFieldColumns('ticker', 'exchange', 'cik'),
    { key: 'entity_name', shrinkTo: 14 },
    { key: 'form', tone: 'strong' },
    { key: 'accession_number', drop: isDayList ? 3 : 1, cell: makeAccessionCell },
    {
      key: 'filed_at',
      ...(isDayList ? { label: 'Accepted (UTC)' } : {}),
      cell: (filing) => (isDayList ? formatTime(filing.accepted_at, day) : null) ?? filing.filed_at ?? null,
    },
    { key: 'accepted_at' },
    {
      key: 'announcement_timing',
      ...{ label: 'Timing', drop: isDayList ? 2 : 4 },
      cell: ({ announcement_timing: timing }) => (timing == null ? '' : makeDisplayName(timing)),
    },
    ...makeFieldColumns('report_date', 'fiscal_year', 'fiscal_period'),
    { key: 'items', shrinkTo: 8, drop: isDayList ? 1 : 3, cell: ({ items }) => items?.join(' ') ?? '' },
    ...makeFieldColumns('primary_document', 'source_url'),
    { key: 'period', value: null, drop: isDayList ? 4 : 2, cell: makePeriodCell },
  ];
}

type LinkedFiling = { readonly accession_number: string; readonly source_url?: string | null };

export const makeAccessionCell = ({ accession_number: text, source_url: link }: LinkedFiling): Cell => ({
  ...{ text, tone: 'quiet' },
  ...(link == null ? {} : { link }),
});

function makePeriodCell(filing: Filing): Cell {
  const { report_date: date } = filing;
  if (date == null) return '';
  const label = formatFiscalPeriod(filing);
  return label === null ? date : `${label} (${date})`;
}

/**
 * Returns the UTC time of a date-time, preceded by its date if that differs from `day`; null if the UTC offset is
 * unknown.
 */
export function formatTime(instant: string | null | undefined, day: string): string | null {
  const [, date, time] = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}):\d{2} UTC$/.exec(formatInstant(instant) ?? '') ?? [];
  if (date === undefined || time === undefined) return null;
  return date === day ? time : `${date.slice('2026-'.length)} ${time}`;
}
