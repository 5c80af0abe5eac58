/** `/v1/securities/{ticker}/filings`: a company's filings, newest first. */
import { hasItems } from '../../../edgar/filings/forms.ts';
import { FILINGS } from '../../../store/schema/filings.ts';
import type { CellCondition } from '../../../store/table-reader.ts';
import type { Handler } from '../../request/handler.ts';
import { findSecurity, toCompanyName } from '../coverage/covered-security.ts';
import { requireTable } from '../coverage/included-tables.ts';
import { readPeriodFinder, toFilingResource } from './filing-resource.ts';

export const handleFilings: Handler<'filings'> = async ({ release, parameters }) => {
  const { ticker, forms, items = [], limit, offset, since, until } = parameters;
  const security = await findSecurity(release, ticker);
  const { cik } = security.company;
  requireTable(release, FILINGS, 'Filings');
  const conditions = [...makeConditions(forms, items), ...makeFilingDateConditions(since, until)];
  const { rows, total } = await release.pageOf(FILINGS, cik, { offset, limit }, ...conditions);
  const periodOf = await readPeriodFinder(release, cik, rows);
  return {
    data: rows.map((row) => toFilingResource(row, toCompanyName(security), periodOf(row))),
    meta: { ticker: security.security.ticker, total },
  };
};

function* makeFilingDateConditions(since: string | undefined, until: string | undefined): Generator<CellCondition> {
  if (since === undefined && until === undefined) return;
  yield {
    column: 'filed_at',
    passes: (day) => day !== null && String(day) >= (since ?? '') && (until === undefined || String(day) <= until),
  };
}

/**
 * Yields conditions that select filings with one of the forms and all of the items. Without requested items, the column
 * of items is not read.
 */
function* makeConditions(forms: readonly string[] | undefined, items: readonly string[]): Generator<CellCondition> {
  if (forms !== undefined) yield { column: 'form', passes: (form) => forms.includes(String(form).toUpperCase()) };
  if (items.length === 0) return;
  yield { column: 'form', passes: (form) => hasItems(String(form)) };
  yield { column: 'items', passes: (cell) => items.every((item) => String(cell).split(',').includes(item)) };
}
