/** Makes the tables with a few rows per company, after all companies are derived. */

import { compareText } from '../../contract/compare-text.ts';
import { toCikTicker } from '../../contract/identifiers.ts';
import { DATE_COLUMNS, SCREEN_FIGURES, UNCONFIRMED } from '../../contract/screen-columns.ts';
import type { FormerTicker } from '../../ownership/issuers/cusip-map.ts';
import { findLastSymbolByCik } from '../../ownership/issuers/issuer-symbols.ts';
import { addMonths } from '../../platform/dates.ts';
import type { Company, FilingActivity, Security } from '../../store/schema/companies.ts';
import { compareByTicker } from '../../store/schema/listings.ts';
import type { Coverage, ScreenRow } from '../../store/schema/screen.ts';
import type { CompanyResult } from '../companies/company-task.ts';
import { makeBrandRows } from '../segments/brand-rows.ts';
import type { BuildInputs } from '../sources/build-inputs.ts';

export type SmallTables = ReturnType<typeof makeSmallTables>;

/**
 * Returns the rows of the small tables.
 * @param results sorted by CIK
 * @param coverage number of companies by metric or ratio
 * @param screenSince companies whose figures all end before this day are omitted from the screener; null includes all
 */
export function makeSmallTables(
  results: readonly CompanyResult[],
  coverage: ReadonlyMap<string, number>,
  { cikByTicker, market, date }: Pick<BuildInputs, 'cikByTicker' | 'market' | 'date'>,
  screenSince: string | null,
) {
  const { securities, contested } = assignTickers(results, cikByTicker, market.formerTickers);
  const primaryByCik = new Map(securities.filter((row) => row.isPrimary && row.isActive).map((row) => [row.cik, row]));
  const all = results.flatMap((item) => toScreenRows(item, primaryByCik.get(item.company.cik))).sort(compareByTicker);
  const rows = all.filter((row) => screenSince === null || findLatestPeriodEnd(row) >= screenSince);
  return {
    companies: results.map((result) => addFilingFields(result, date)),
    securities,
    formerNames: results.flatMap(({ company: { cik }, formerNames }) => formerNames.map((name) => ({ cik, ...name }))),
    brands: makeBrandRows(results.map(({ company, memberNames }) => ({ ...company, memberNames }))),
    splits: results.flatMap(({ company: { cik }, splits }) => splits.map((split) => ({ cik, ...split }))),
    screen: rows,
    coverage: makeCoverageRows(coverage),
    /** Number of companies' claims to a ticker that was assigned to another company. */
    contestedTickers: contested,
    /** Number of companies omitted from the screener because all their figures are too old. */
    outdatedScreenRows: all.length - rows.length,
  };
}

/** Number of months for which a company counts as reporting after its last annual or interim report. */
const MAX_SILENT_MONTHS = 18;

/** Adds the fields that depend on a company's filings. */
function addFilingFields({ company, filings }: CompanyResult, date: string): Company {
  const { filingCount, latestFilingAt, lastReport } = filings;
  return { ...company, filingCount, latestFilingAt, lastReport, gone: isCompanyGone(filings, date) };
}

/**
 * Whether a company has stopped reporting: no report for MAX_SILENT_MONTHS, but a Form 15 (end of the duty to report)
 * since the last report, or other filings after these months. With a recent report, a company has not stopped, even if
 * only its facts name the report. Null if unknown: without a report, or if the list of filings is missing or may be
 * outdated.
 */
function isCompanyGone(activity: FilingActivity, date: string): boolean | null {
  const { hasFilingList, lastReport, deregistered, latestFilingAt } = activity;
  if (lastReport === null) return null;
  const graceEnd = addMonths(lastReport, MAX_SILENT_MONTHS);
  if (graceEnd >= date) return false;
  if (!hasFilingList) return null;
  const hasEnded = deregistered !== null && deregistered >= lastReport;
  return hasEnded || (latestFilingAt !== null && latestFilingAt > graceEnd) ? true : null;
}

/**
 * Assigns each ticker to one company: by the ticker lists, otherwise to the claimant with the latest filing. If a
 * company does not get its primary ticker, its first ticker becomes primary. A company with figures but no ticker gets
 * the last ticker in its ownership filings that belongs to no other company, otherwise its CIK.
 */
function assignTickers(
  results: readonly CompanyResult[],
  listed: ReadonlyMap<string, number>,
  former: readonly FormerTicker[],
) {
  const cikByTicker = new Map(listed);
  const latestFirst = [...results].sort(
    (a, b) =>
      compareText(b.filings.latestFilingAt ?? '', a.filings.latestFilingAt ?? '') || a.company.cik - b.company.cik,
  );
  for (const { company, securities } of latestFirst) {
    for (const { tickerNormalized } of securities) {
      if (!cikByTicker.has(tickerNormalized)) cikByTicker.set(tickerNormalized, company.cik);
    }
  }
  const symbols = findLastSymbolByCik(
    results.map(({ company: { cik }, issuerSymbols }) => ({ cik, issuerSymbols })),
    [...cikByTicker.keys(), ...former.map(({ symbol }) => symbol)],
  );
  let contested = 0;
  const assigned: Security[] = [];
  for (const { company, securities } of results) {
    const uncontested = securities.filter((security) => cikByTicker.get(security.tickerNormalized) === company.cik);
    contested += securities.length - uncontested.length;
    if (uncontested.length === 0 && company.coverageState !== 'none')
      assigned.push(createInactiveSecurity(company.cik, symbols.get(company.cik)));
    const primary = uncontested.find((security) => security.isPrimary) ?? uncontested[0];
    for (const security of uncontested) {
      assigned.push({
        ...security,
        cik: company.cik,
        isPrimary: security === primary,
        // Ticker lists and submissions contain only current tickers.
        isActive: true,
        coverageState: company.coverageState,
      });
    }
  }
  return { securities: assigned.sort(compareByTicker), contested };
}

/** Returns the security of a company without a current ticker. If `last` is undefined, the CIK is the ticker. */
function createInactiveSecurity(cik: number, last: string | undefined): Security {
  const ticker = last ?? toCikTicker(cik);
  const fields = { exchange: '', isPrimary: true, isActive: false, coverageState: 'inactive' } as const;
  return { ticker, tickerNormalized: ticker, cik, ...fields };
}

function toScreenRows({ company, screen }: CompanyResult, security: Security | undefined): ScreenRow[] {
  if (screen === null || security === undefined) return [];
  const figures = SCREEN_FIGURES.map(({ key }) => [key, screen.figures[key]] as const);
  const dates = DATE_COLUMNS.map((name) => [name, screen.dates[name]] as const);
  const cells = [...figures, ...dates].map(([name, cell]) => {
    if (cell === undefined) throw new Error(`The screener row of CIK ${company.cik} was made without ${name}.`);
    return [name, cell] as const;
  });
  return [
    {
      cik: company.cik,
      ticker: security.ticker,
      exchange: security.exchange,
      entity_name: company.entityName,
      coverage_state: company.coverageState,
      fiscal_year: screen.fiscalYear,
      sic: company.sic,
      industry: company.industry,
      currency: screen.currency,
      ...Object.fromEntries(cells),
      [UNCONFIRMED]: screen.unconfirmed,
    },
  ];
}

/** Returns the end of the latest fiscal year or balance sheet with figures in the row. */
const findLatestPeriodEnd = ({ annual_end_date: yearEnd, instant_end_date: instant }: ScreenRow): string =>
  [String(yearEnd ?? ''), String(instant ?? '')].sort()[1] ?? '';

const makeCoverageRows = (counts: ReadonlyMap<string, number>): Coverage[] =>
  [...counts]
    .map(([metricKey, count]) => ({ metricKey, companyCount: count }))
    .sort((a, b) => compareText(a.metricKey, b.metricKey));
