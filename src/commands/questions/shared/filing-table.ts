/** The table of filings, of one company or of a day. */
import type { Filing } from '../../../contract/resources/filings.ts';
import { type Cell, type Column, quiet, type TableBlock, table } from '../../../output/blocks.ts';
import { displayName, fiscalLabel } from './labels.ts';

/** @param day of which the filings are: then each row names its company and its time; else all are of one company */
export function filingTable(filings: readonly Filing[], day: string | null): TableBlock {
  const company: Column[] =
    day !== null
      ? [
          { key: 'ticker', title: 'Ticker' },
          { key: 'entity_name', title: 'Company', shrinkTo: 14 },
        ]
      : [];
  return table(
    [
      { key: 'filed_at', title: day === null ? 'Filed' : 'Accepted' },
      ...company,
      { key: 'form', title: 'Form' },
      { key: 'period', title: 'Period', drop: day === null ? 2 : 4 },
      { key: 'items', title: 'Items', shrinkTo: 8, drop: day === null ? 3 : 1 },
      { key: 'announcement_timing', title: 'Timing', drop: day === null ? 4 : 2 },
      { key: 'accession_number', title: 'Accession', drop: day === null ? 1 : 3 },
    ],
    filings.map((filing): Cell[] => [
      (day === null ? null : timeOf(filing.accepted_at, day)) ?? filing.filed_at ?? null,
      ...(day !== null ? [filing.ticker ?? null, filing.entity_name] : []),
      { text: filing.form, tone: 'strong' },
      periodOf(filing),
      filing.items?.join(' ') ?? '',
      filing.announcement_timing == null ? '' : displayName(filing.announcement_timing),
      {
        text: filing.accession_number,
        tone: 'quiet',
        ...(filing.source_url == null ? {} : { link: filing.source_url }),
      },
    ]),
  );
}

function periodOf(filing: Filing): Cell {
  const { report_date: end } = filing;
  if (end == null) return quiet('');
  const label = fiscalLabel(filing);
  return label === null ? end : `${label} (${end})`;
}

/** The time of a date-time as written, without its offset, after its date where that is another day than `day`; or null. */
export function timeOf(instant: string | null | undefined, day: string): string | null {
  const [, date, time] = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})/.exec(instant ?? '') ?? [];
  if (date === undefined || time === undefined) return null;
  return date === day ? time : `${date.slice('2026-'.length)} ${time}`;
}

export const FILING_COLUMNS = [
  'ticker',
  'exchange',
  'cik',
  'entity_name',
  'form',
  'accession_number',
  'filed_at',
  'accepted_at',
  'announcement_timing',
  'report_date',
  'fiscal_year',
  'fiscal_period',
  'items',
  'primary_document',
  'source_url',
];
