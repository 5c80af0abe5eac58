/** `/v1/securities/{ticker}/filings`: a company's filings, newest first. */
import { FILINGS, type FilingRow } from '../../../release/schema/filings.ts';
import type { Handler } from '../../handler.ts';
import { nameOf } from '../company-names.ts';
import { coveredSecurity } from '../covered-security.ts';
import { requireTable } from '../included-tables.ts';
import { filingResource, itemsOf } from './filing-resource.ts';
import { periodsOf } from './report-periods.ts';

export const filings: Handler<'filings'> = async ({ release, parameters }) => {
  const { ticker, forms, items = [], limit } = parameters;
  const covered = await coveredSecurity(release, ticker);
  const { cik } = covered.company;
  requireTable(release, FILINGS, 'Filings');
  const matching = (await release.rowsOf(FILINGS, cik))
    .filter((row) => forms === undefined || forms.includes(row.form.toUpperCase()))
    .filter((row) => hasAll(row, items));
  const rows = matching.slice(0, limit);
  const periods = await periodsOf(release, cik, rows);
  return {
    data: rows.map((row) => filingResource(row, nameOf(covered), periods(row))),
    meta: { ticker: covered.security.ticker, total: matching.length },
  };
};

/** Whether the filing has every one of the items; where none is asked for, no column of it is read. */
function hasAll(row: FilingRow, items: readonly string[]): boolean {
  if (items.length === 0) return true;
  const own = itemsOf(row);
  return items.every((item) => own.includes(item));
}
