/** One filing as a resource of the interface, for a company's list and for the page of a day. */
import type { Filing } from '../../../contract/resources/filings.ts';
import { documentUrl, listingUrl } from '../../../edgar/filings/addresses.ts';
import { type FocusValue, fiscalFocus, periodEnd } from '../../../figures/filings/fiscal-focus.ts';
import { hasItems } from '../../../figures/filings/forms.ts';
import type { FilingRow } from '../../../release/schema/filings.ts';
import type { CompanyName } from '../company-names.ts';

/** Metrics that every company reports: their values say which period a report is about. */
export const PERIOD_METRICS = ['net_income', 'assets', 'revenue'];

/** @param values of {@link PERIOD_METRICS}, for a report; other filings need none */
export function filingResource(
  row: FilingRow,
  { entityName, exchange, ticker }: CompanyName,
  values: readonly FocusValue[] = [],
): Filing {
  const { fiscalYear, fiscalPeriod } = fiscalFocus(row, values);
  return {
    cik: row.cik,
    entity_name: entityName,
    form: row.form,
    accession_number: row.accession,
    accepted_at: row.acceptedAt,
    announcement_timing: row.timing,
    exchange,
    filed_at: row.filed,
    fiscal_period: fiscalPeriod,
    fiscal_year: fiscalYear,
    items: itemsOf(row),
    primary_document: row.primaryDocument,
    report_date: periodEnd(row, values),
    source_url: sourceUrl(row),
    ticker,
  };
}

/** Of an 8-K; other forms, such as D, number other things by that name. */
export function itemsOf({ form, items }: FilingRow): string[] {
  return items === '' || !hasItems(form) ? [] : items.split(',');
}

/** The address of the document itself where the list names it, else of the page that lists all documents. */
export function sourceUrl({ cik, accession, primaryDocument }: FilingRow): string {
  return primaryDocument === null ? listingUrl(cik, accession) : documentUrl(cik, accession, primaryDocument);
}
