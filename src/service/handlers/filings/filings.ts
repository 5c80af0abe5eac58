/** `/v1/securities/{ticker}/filings`: a company's filings, newest first. */

import { isPeriodReport } from '../../../figures/filings/forms.ts';
import { FILINGS, type FilingRow } from '../../../release/schema/filings.ts';
import { integer, list, text } from '../../parameters.ts';
import type { Handler } from '../../types.ts';
import { coveredSecurity } from '../covered-security.ts';
import { requireTable } from '../included-tables.ts';
import { filingResource, itemsOf } from './filing-resource.ts';

/** Every company that reports states these; they say what period a report is about. */
const LABELLING = ['net_income', 'assets', 'revenue'];

export const filings: Handler = async ({ release, parameters }) => {
  const { security, company } = await coveredSecurity(release, text(parameters, 'ticker'));
  requireTable(release, FILINGS, 'Filings');
  const forms = list(parameters, 'forms');
  const items = list(parameters, 'items') ?? [];
  const found = (await release.rowsOf(FILINGS, company.cik))
    .filter((row) => forms === undefined || forms.includes(row.form.toUpperCase()))
    .filter((row) => hasAll(row, items));
  const rows = found.slice(0, integer(parameters, 'limit'));
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
