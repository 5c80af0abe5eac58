/** The family of the tables of past screens. */
import type { Check } from '../../store/releases/manifest.ts';
import { TABLES_BY_FAMILY } from '../../store/schema/layout.ts';
import { compareByTicker } from '../../store/schema/listings.ts';
import { HISTORY_COMPANIES, HISTORY_PRICES, type HistoryCompany } from '../../store/schema/screen.ts';
import type { ScreenMonthsTask } from '../history/screen-months.ts';
import type { FamilyContext, TableFamily } from './family.ts';

export const HISTORY_FAMILY: TableFamily = { name: 'history', tables: TABLES_BY_FAMILY.history, build: buildHistory };

async function buildHistory(context: FamilyContext): Promise<Check[]> {
  const { appendPart, companyLists, market, omitTables, runTasks, sinkOf } = context;
  const makeTasks = (tables: ScreenMonthsTask['tables']) =>
    companyLists.getNumberedSlices(tables).map(({ number: year, slices }): ScreenMonthsTask => {
      // Only the tasks of the release's year and later depend on the release's date, so earlier years stay cached.
      const lastDay = tables === 'states' && String(year) >= context.date.slice(0, 4) ? context.date : null;
      return { kind: 'screen months', tables, lastStateDay: lastDay, lines: slices };
    });
  const ciks = new Set<number>();
  for await (const result of runTasks(makeTasks('states'))) {
    for (const part of result.parts) appendPart(part);
    for (const cik of result.ciks) ciks.add(cik);
  }
  if (ciks.size === 0) omitTables(HISTORY_FAMILY.tables);
  else sinkOf(HISTORY_COMPANIES).add(0, makeHistoryCompanies(context, ciks));
  for await (const { parts } of runTasks(makeTasks('quotes'))) for (const part of parts) appendPart(part);
  if (market.files.length === 0) omitTables([HISTORY_PRICES]);
  return [];
}

/** Returns the companies with their primary tickers, sorted by ticker. */
function makeHistoryCompanies({ companies, securities }: FamilyContext, ciks: ReadonlySet<number>): HistoryCompany[] {
  const primaryByCik = new Map(securities.filter(({ isPrimary }) => isPrimary).map((item) => [item.cik, item]));
  return companies
    .flatMap(({ cik, entityName, lastReport, gone, sic, industry }): HistoryCompany[] => {
      const security = primaryByCik.get(cik);
      if (security === undefined || !ciks.has(cik)) return [];
      const { ticker, exchange, isActive } = security;
      return [{ cik, ticker, exchange, isActive, entityName, lastReport, gone, sic, industry }];
    })
    .sort(compareByTicker);
}
