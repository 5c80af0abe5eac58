/** `/v1/filings/day`: the filings of covered companies on a day. */

import { makeFilingIndexUrl } from '../../../contract/identifiers.ts';
import { FORMS_LISTED_IF_NAMED } from '../../../contract/parameters.ts';
import type { FilingsDay, FilingsDayReport, FilingsDayTrade } from '../../../contract/resources/filings.ts';
import { isCurrentEventForm, isPeriodicReportForm } from '../../../edgar/filings/forms.ts';
import { addDays, toDayNumber } from '../../../platform/dates.ts';
import type { ReleaseReader } from '../../../store/reader.ts';
import type { FilingByDayRow, FilingDayTotals } from '../../../store/schema/filings.ts';
import { FILING_DAY_FORMS, FILING_DAYS, FILINGS_BY_DAY } from '../../../store/schema/filings.ts';
import { INSIDER_DAYS, LARGEST_TRADES, type LargestTrade } from '../../../store/schema/insiders.ts';
import { type Handler, ProblemError } from '../../request/handler.ts';
import { type CompanyNameFinder, readNameFinder } from '../coverage/find-listings.ts';
import { requireTable } from '../coverage/included-tables.ts';
import { makeSourceUrl, readPeriodAndRevenue, toFilingResource } from './filings.ts';

const MAX_EVENT_FILINGS = 1500;
const MAX_SHOWN_DAYS = 14;

const NO_FILINGS = { filings: 0, companies: 0, updatedAt: null };
const NO_TRADES = { purchases: 0, purchaseValue: '0', sales: 0, saleValue: '0' };

export const handleDay: Handler<'day'> = async ({ release, parameters }) => {
  requireTable(release, FILING_DAYS, 'Filings');
  const days = await release.allOf(FILING_DAYS);
  const { date, latest } = findDay(days, parameters.date);
  const firstDay = addDays(date, 1 - MAX_SHOWN_DAYS);
  const recentDays = days.filter((row) => row.date >= firstDay && row.date <= date);
  const { filings, companies, updatedAt } = recentDays.find((row) => row.date === date) ?? NO_FILINGS;
  const day = toDayNumber(date);
  const { forms } = parameters;
  const dayFilings = (await release.rowsOf(FILINGS_BY_DAY, day)).filter(
    ({ form }) => forms === undefined || forms.includes(form.toUpperCase()),
  );
  const events = dayFilings.filter(
    ({ form }) => isCurrentEventForm(form) || (forms !== undefined && FORMS_LISTED_IF_NAMED.has(form)),
  );
  const largest = await release.rowsOf(LARGEST_TRADES, day);
  const reports = dayFilings.filter(({ form }) => isPeriodicReportForm(form));
  const lines = events.slice(0, MAX_EVENT_FILINGS);
  const nameOf = await readNameFinder(release, [...lines, ...reports, ...largest]);
  const data: FilingsDay = {
    date,
    latest,
    filings,
    companies,
    lines: lines.map((row) => toFilingResource(row, nameOf(row.cik), row)),
    lines_total: events.length,
    reports: await readPeriodicReports(release, nameOf, reports),
    insiders: await summarizeInsiderTrades(release, nameOf, date, largest),
    forms: (await release.rowsOf(FILING_DAY_FORMS, day)).map(({ form, filings: count }) => ({ form, filings: count })),
    days: recentDays.map(({ date, filings: count }) => ({ date, filings: count })),
    // Always false: a release is built from files, and does not change while it is served.
    live: false,
    ...(updatedAt === null ? {} : { updated_at: updatedAt }),
  };
  return { data, meta: { date } };
};

/**
 * Returns the requested day, or the latest day if none is requested, and the latest day of the release.
 * @throws {ProblemError} 404 if the release has no filings, or if the day is before the first or after the last day
 */
function findDay(days: readonly FilingDayTotals[], day: string | undefined): { date: string; latest: string } {
  const earliest = days[0]?.date;
  const latest = days.at(-1)?.date;
  if (earliest === undefined || latest === undefined)
    throw new ProblemError('not_found', 'The release includes no filings.');
  const date = day ?? latest;
  if (date >= earliest && date <= latest) return { date, latest };
  const detail = `The release includes filings from ${earliest} to ${latest}; ${date} is outside that period.`;
  throw new ProblemError('not_found', detail);
}

async function readPeriodicReports(
  release: ReleaseReader,
  nameOf: CompanyNameFinder,
  rows: readonly FilingByDayRow[],
): Promise<FilingsDayReport[]> {
  const reports: FilingsDayReport[] = [];
  for (const row of rows) {
    const report = await readPeriodAndRevenue(release, row);
    const { entityName, ticker, exchange } = nameOf(row.cik);
    reports.push({
      cik: row.cik,
      entity_name: entityName,
      form: row.form,
      accession_number: row.accession,
      accepted_at: row.acceptedAt,
      exchange,
      fiscal_period: report.fiscalPeriod,
      fiscal_year: report.fiscalYear,
      prior_revenue: report.priorRevenue,
      report_date: report.periodEnd ?? row.reportDate,
      revenue: report.revenue,
      revenue_end: report.revenueEnd,
      revenue_start: report.revenueStart,
      source_url: makeSourceUrl(row),
      ticker,
    });
  }
  return reports;
}

async function summarizeInsiderTrades(
  release: ReleaseReader,
  nameOf: CompanyNameFinder,
  date: string,
  largest: readonly LargestTrade[],
): Promise<FilingsDay['insiders']> {
  const totals = (await release.allOf(INSIDER_DAYS)).find((day) => day.date === date) ?? NO_TRADES;
  return {
    purchases: totals.purchases,
    purchase_value: totals.purchaseValue,
    sales: totals.sales,
    sale_value: totals.saleValue,
    largest: largest.map((trade): FilingsDayTrade => {
      const { entityName, ticker } = nameOf(trade.cik);
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
        source_url: makeFilingIndexUrl(trade.cik, trade.accession),
        officer_title: trade.officerTitle,
        owner_name: trade.ownerName,
        ticker,
      };
    }),
  };
}
