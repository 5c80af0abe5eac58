/** `/v1/securities/{ticker}/filings`: a company's filings, newest first; and the resource of a filing, also for a day. */
import { makeDocumentUrl, makeFilingIndexUrl } from '../../../contract/identifiers.ts';
import type { ParametersOf } from '../../../contract/operations.ts';
import type { Filing } from '../../../contract/resources/filings.ts';
import { hasItems, isPeriodicReportForm } from '../../../edgar/filings/forms.ts';
import { findReportPeriod, REPORT_PERIOD_METRICS, type ReportPeriod } from '../../../figures/filings/fiscal-focus.ts';
import { findReportedRevenue } from '../../../figures/filings/reported-revenue.ts';
import type { ReleaseReader } from '../../../store/reader.ts';
import type { FilingByDayRow, FilingRow, ListedFiling } from '../../../store/schema/filings.ts';
import { FILINGS, FILINGS_BY_DAY, FISCAL_YEAR_COLUMN } from '../../../store/schema/filings.ts';
import type { CellCondition } from '../../../store/table-reader.ts';
import type { Handler } from '../../request/handler.ts';
import { findSecurity, toCompanyName } from '../coverage/covered-security.ts';
import type { CompanyName } from '../coverage/find-listings.ts';
import { requireTable } from '../coverage/included-tables.ts';

export const handleFilings: Handler<'filings'> = async ({ release, parameters }) => {
  const { ticker, limit, offset } = parameters;
  const security = await findSecurity(release, ticker);
  const { cik } = security.company;
  requireTable(release, FILINGS, 'Filings');
  const { rows, total } = await release.pageOf(FILINGS, cik, { offset, limit }, ...makeConditions(parameters));
  const periodOf = await readPeriodFinder(release, cik, rows);
  return {
    data: rows.map((row) => toFilingResource(row, toCompanyName(security), periodOf(row))),
    meta: { ticker: security.security.ticker, total },
  };
};

/**
 * Yields conditions that select filings of the period with one of the forms and all of the items. A column that no
 * parameter needs is not read.
 */
function* makeConditions({ forms, items, since, until }: ParametersOf<'filings'>): Generator<CellCondition> {
  if (forms !== undefined) yield { column: 'form', passes: (form) => forms.includes(String(form).toUpperCase()) };
  if (items !== undefined) {
    yield { column: 'form', passes: (form) => hasItems(String(form)) };
    yield { column: 'items', passes: (cell) => items.every((item) => String(cell).split(',').includes(item)) };
  }
  if (since === undefined && until === undefined) return;
  yield {
    column: 'filed_at',
    passes: (day) => day !== null && String(day) >= (since ?? '') && (until === undefined || String(day) <= until),
  };
}

export const toFilingResource = (
  row: ListedFiling,
  { entityName, exchange, ticker }: CompanyName,
  { fiscalYear, fiscalPeriod, periodEnd }: ReportPeriod,
): Filing => ({
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
  items: listItems(row),
  primary_document: row.primaryDocument,
  report_date: periodEnd ?? row.reportDate,
  source_url: makeSourceUrl(row),
  ticker,
});

/**
 * Returns the item numbers of an 8-K; empty for other forms, because items have another meaning there, for example in a
 * Form D.
 */
const listItems = ({ form, items }: ListedFiling): string[] =>
  items === '' || !hasItems(form) ? [] : items.split(',');

/**
 * Returns the address of the main document; if its name is unknown, the address of the page that lists all documents.
 */
export const makeSourceUrl = ({ cik, accession, primaryDocument }: ListedFiling): string =>
  primaryDocument === null ? makeFilingIndexUrl(cik, accession) : makeDocumentUrl(cik, accession, primaryDocument);

/** Returns a function from a filing of the company to the filing's report period. */
async function readPeriodFinder(
  release: ReleaseReader,
  cik: number,
  rows: readonly FilingRow[],
): Promise<(row: FilingRow) => ReportPeriod> {
  if (release.includes(FILINGS, FISCAL_YEAR_COLUMN)) return (row) => row;
  const values = rows.some(({ form }) => isPeriodicReportForm(form))
    ? await release.reportedValues(cik, REPORT_PERIOD_METRICS)
    : [];
  return (row) => findReportPeriod(row, values);
}

/**
 * Returns report period and revenue of a filing. Derives both from the company's reported values if an older version of
 * fin built the release without them.
 */
export async function readPeriodAndRevenue(release: ReleaseReader, row: FilingByDayRow) {
  if (release.includes(FILINGS_BY_DAY, FISCAL_YEAR_COLUMN)) return row;
  const values = await release.reportedValues(row.cik, REPORT_PERIOD_METRICS);
  const revenues = values.filter(({ metricKey }) => metricKey === 'revenue');
  return { ...findReportPeriod(row, values), ...findReportedRevenue(row, revenues) };
}
