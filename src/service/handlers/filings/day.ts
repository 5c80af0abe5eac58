/** `/v1/filings/day`: what the covered companies filed on a day. */

import type {
  FilingsDay,
  FilingsDayInsiders,
  FilingsDayReport,
  FilingsDayTrade,
} from '../../../contract/resources/filings.ts';
import { fiscalFocus, periodEnd } from '../../../figures/filings/fiscal-focus.ts';
import { isNews, isPeriodReport } from '../../../figures/filings/forms.ts';
import { reportedRevenue } from '../../../figures/filings/reported-revenue.ts';
import { addDays, dayNumber } from '../../../platform/dates.ts';
import {
  type DayFiling,
  FILING_DAY_FORMS,
  FILING_DAY_LINES,
  FILING_DAYS,
  type FilingDay,
} from '../../../release/schema/filings.ts';
import { INSIDER_DAYS, INSIDER_LARGEST } from '../../../release/schema/insiders.ts';
import type { ReleaseReader } from '../../../release/store/reader.ts';
import type { Handler } from '../../handler.ts';
import { ProblemError } from '../../problem-error.ts';
import { type CompanyNames, companyNames } from '../company-names.ts';
import { requireTable } from '../included-tables.ts';
import { listingUrl } from './filing-links.ts';
import { filingResource, sourceUrl } from './filing-resource.ts';

const MOST_LINES = 1500;
const DAYS_SHOWN = 14;
const LABELLING = ['net_income', 'assets', 'revenue'];

export const day: Handler<'day'> = async ({ release, parameters }) => {
  requireTable(release, FILING_DAYS, 'Filings');
  const days = await release.allOf(FILING_DAYS);
  const date = shownDay(days, parameters.date);
  const shown = days.find((one) => one.date === date);
  const number = dayNumber(date);
  const issuers = await companyNames(release);
  const filed = await release.rowsOf(FILING_DAY_LINES, number);
  const lines = filed.filter(({ form }) => isNews(form));
  const data: FilingsDay = {
    date,
    latest: days.at(-1)?.date ?? date,
    filings: shown?.filings ?? 0,
    companies: shown?.companies ?? 0,
    lines: lines.slice(0, MOST_LINES).map((row) => filingResource(row, issuers(row.cik))),
    lines_total: lines.length,
    reports: await reportsOf(release, issuers, filed),
    insiders: await insidersOf(release, issuers, date),
    forms: (await release.rowsOf(FILING_DAY_FORMS, number)).map(({ form, filings }) => ({ form, filings })),
    days: days
      .filter((one) => one.date <= date && one.date > addDays(date, -DAYS_SHOWN))
      .map(({ date: past, filings }) => ({ date: past, filings })),
    // A release is made of files: no wire adds to it.
    live: false,
    updated_at: shown?.updatedAt ?? null,
  };
  return { data, meta: { date } };
};

/** The day asked for, within what is on file. @throws {ProblemError} 404 outside it */
function shownDay(days: readonly FilingDay[], asked: string | undefined): string {
  const first = days[0]?.date;
  const latest = days.at(-1)?.date;
  if (first === undefined || latest === undefined) throw new ProblemError('not_found', 'No filing is on file.');
  if (asked === undefined) return latest;
  if (asked >= first && asked <= latest) return asked;
  throw new ProblemError('not_found', `Filings are on file from ${first} to ${latest}; there are none for ${asked}.`);
}

async function reportsOf(
  release: ReleaseReader,
  issuers: CompanyNames,
  filed: readonly DayFiling[],
): Promise<FilingsDayReport[]> {
  const reports: FilingsDayReport[] = [];
  for (const row of filed.filter(({ form }) => isPeriodReport(form))) {
    const statements = await release.reportedValues(row.cik, LABELLING);
    const { fiscalYear, fiscalPeriod } = fiscalFocus(row, statements);
    const revenue = reportedRevenue(
      row,
      statements.filter(({ metricKey }) => metricKey === 'revenue'),
    );
    const { entityName, ticker, exchange } = issuers(row.cik);
    reports.push({
      cik: row.cik,
      entity_name: entityName,
      form: row.form,
      accession_number: row.accession,
      accepted_at: row.acceptedAt,
      exchange,
      fiscal_period: fiscalPeriod,
      fiscal_year: fiscalYear,
      prior_revenue: revenue?.prior ?? null,
      report_date: periodEnd(row, statements),
      revenue: revenue?.revenue ?? null,
      revenue_end: revenue?.end ?? null,
      revenue_start: revenue?.start ?? null,
      source_url: sourceUrl(row),
      ticker,
    });
  }
  return reports;
}

async function insidersOf(release: ReleaseReader, issuers: CompanyNames, date: string): Promise<FilingsDayInsiders> {
  const totals = (await release.allOf(INSIDER_DAYS)).find((one) => one.date === date);
  const largest = await release.rowsOf(INSIDER_LARGEST, dayNumber(date));
  return {
    purchases: totals?.purchases ?? 0,
    purchase_value: totals?.purchaseValue ?? '0',
    sales: totals?.sales ?? 0,
    sale_value: totals?.saleValue ?? '0',
    largest: largest.map((trade): FilingsDayTrade => {
      const { entityName, ticker } = issuers(trade.cik);
      return {
        accession_number: trade.accession,
        cik: trade.cik,
        entity_name: entityName,
        kind: trade.code === 'P' ? 'purchase' : 'sale',
        is_director: trade.isDirector,
        is_officer: trade.isOfficer,
        is_ten_percent_owner: trade.isTenPercentOwner,
        shares: trade.shares,
        value: trade.value,
        source_url: listingUrl(trade.cik, trade.accession),
        officer_title: trade.officerTitle,
        owner_name: trade.ownerName,
        ticker,
      };
    }),
  };
}
