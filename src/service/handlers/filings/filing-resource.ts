/** One filing as the interface shows it, in a company's list as on the page of its day. */
import type { Filing } from '../../../contract/resources/filings.ts';
import { type FocusValue, fiscalFocus, periodEnd } from '../../../figures/filings/fiscal-focus.ts';
import type { FilingRow } from '../../../release/schema/filings.ts';
import type { CompanyName } from '../company-names.ts';
import { documentUrl, listingUrl } from './filing-links.ts';

/** @param statements of the company, which say what period a report is about; none for a filing that is no report */
export function filingResource(row: FilingRow, issuer: CompanyName, statements: readonly FocusValue[] = []): Filing {
  const { fiscalYear, fiscalPeriod } = fiscalFocus(row, statements);
  return {
    cik: row.cik,
    entity_name: issuer.entityName,
    form: row.form,
    accession_number: row.accession,
    accepted_at: row.acceptedAt,
    announcement_timing: row.timing,
    exchange: issuer.exchange,
    filed_at: row.filed,
    fiscal_period: fiscalPeriod,
    fiscal_year: fiscalYear,
    items: itemsOf(row),
    primary_document: row.primaryDocument,
    report_date: periodEnd(row, statements),
    source_url: sourceUrl(row),
    ticker: issuer.ticker,
  };
}

export function itemsOf({ items }: FilingRow): string[] {
  return items === '' ? [] : items.split(',');
}

/** The document itself where the list names it, else the page that lists all documents. */
export function sourceUrl({ cik, accession, primaryDocument }: FilingRow): string {
  return primaryDocument === null ? listingUrl(cik, accession) : documentUrl(cik, accession, primaryDocument);
}
