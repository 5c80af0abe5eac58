/** The table of filings, of one company or of a day. */
import type { Filing } from '../../../contract/resources/filings.ts';
import { type Cell, type Column, quiet, type TableBlock, table } from '../../../output/blocks.ts';
import { displayName, fiscalLabel } from './labels.ts';

/** @param shows whether the filings are of several companies, so that each row names its own */
export function filingTable(filings: readonly Filing[], shows: { readonly company: boolean }): TableBlock {
  const company: Column[] = shows.company
    ? [
        { key: 'ticker', title: 'Ticker' },
        { key: 'entity_name', title: 'Company', shrinkTo: 14 },
      ]
    : [];
  return table(
    [
      { key: 'filed_at', title: shows.company ? 'Accepted' : 'Filed' },
      ...company,
      { key: 'form', title: 'Form' },
      { key: 'period', title: 'Period', drop: 2 },
      { key: 'items', title: 'Items', shrinkTo: 8, drop: 3 },
      { key: 'announcement_timing', title: 'Timing', drop: 4 },
      { key: 'accession_number', title: 'Accession', drop: 1 },
    ],
    filings.map((filing): Cell[] => [
      (shows.company ? timeOf(filing.accepted_at) : null) ?? filing.filed_at ?? null,
      ...(shows.company ? [filing.ticker ?? null, filing.entity_name] : []),
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

/** The time of a date-time as written, without its offset; null where there is none. */
export function timeOf(instant: string | null | undefined): string | null {
  return instant == null ? null : (/T(\d{2}:\d{2})/.exec(instant)?.[1] ?? null);
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
