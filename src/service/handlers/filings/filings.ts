/** `/v1/securities/{ticker}/filings`: a company's filings, newest first. */

import { isPeriodReport } from '../../../figures/filings/forms.ts';
import { FILINGS, type FilingRow } from '../../../release/schema/filings.ts';
import type { Handler } from '../../handler.ts';
import { coveredSecurity } from '../covered-security.ts';
import { requireTable } from '../included-tables.ts';
import { filingResource, itemsOf } from './filing-resource.ts';

/** Every company that reports states these; they say what period a report is about. */
const LABELLING = ['net_income', 'assets', 'revenue'];

export const filings: Handler<'filings'> = async ({ release, parameters }) => {
  const { security, company } = await coveredSecurity(release, parameters.ticker);
  requireTable(release, FILINGS, 'Filings');
  const forms = parameters.forms;
  const items = parameters.items ?? [];
  const found = (await release.rowsOf(FILINGS, company.cik))
    .filter((row) => forms === undefined || forms.includes(row.form.toUpperCase()))
    .filter((row) => hasAll(row, items));
  const rows = found.slice(0, parameters.limit);
  const statements = rows.some(({ form }) => isPeriodReport(form))
    ? await release.reportedValues(company.cik, LABELLING)
    : [];
  const issuer = { entityName: company.entityName, ticker: security.ticker, exchange: security.exchange };
  return {
    data: rows.map((row) => filingResource(row, issuer, statements)),
    meta: { ticker: security.ticker, total: found.length },
  };
};

/** A filing must carry every item that is asked for (choices.md). */
function hasAll(row: FilingRow, items: readonly string[]): boolean {
  const own = itemsOf(row);
  return items.every((item) => own.includes(item));
}
