/**
 * Notices about the reports that figures come from: a release has only some facts, reports for later periods were filed,
 * a long time lies between reports, or results were announced (8-K, item 2.02) before the report was filed.
 */

import type { LookUp } from '../../ask/command/command.ts';
import { MAX_DAYS_BETWEEN_ANNUAL_REPORTS } from '../../contract/max-ages.ts';
import type { RawParameters } from '../../contract/question.ts';
import type { Filing } from '../../contract/resources/filings.ts';
import type { MetricValue } from '../../contract/resources/metrics.ts';
import { capitalize } from '../../contract/text/format-counts.ts';
import { call, option, say } from '../../contract/text/text.ts';
import { addDays, countDaysBetween } from '../../platform/dates.ts';
import { findLatest } from '../../result/labels.ts';
import { makeNote, makeWarning, type Notice } from '../../result/notice.ts';
import type { Column } from '../../result/table.ts';

type MarkedRow = { readonly cik: number; readonly ticker?: string | null; readonly partial_facts?: boolean };

const isPartial = (row: MarkedRow): boolean => row.partial_facts === true;
export const PARTIAL_FACTS_COLUMN: Column<MarkedRow> = { key: 'partial_facts', value: isPartial };

/** Returns one notice about all companies whose rows are marked by the service; empty if no row is marked. */
export function makePartialFactsNotices(rows: readonly MarkedRow[]): readonly Notice[] {
  const partial = rows.filter(isPartial);
  const tickers = [...new Set(partial.map(({ ticker, cik }) => ticker ?? `CIK ${cik}`))];
  if (tickers.length === 0) return [];
  const text = `This release has only some facts of ${tickers.join(', ')}, so figures may be missing.`;
  return [makeWarning('partial_facts', text, { tickers })];
}

const ANNUAL_FORMS = ['10-K', '10-KT', '20-F', '40-F'];
const QUARTERLY_FORMS = ['10-Q', '10-QT'];

/**
 * Number of reports in the first request, which is usually enough. If all of these reports were filed after the
 * figures' latest period, there may be more, so `MAX_REPORTS` reports are requested.
 */
const FIRST_REQUEST_REPORT_COUNT = 6;
const MAX_REPORTS = 500;

/**
 * If a report's end date is at most this number of days after the latest end date of the figures, both count as the
 * same period.
 */
const MAX_SAME_PERIOD_DAYS = 10;

export interface LaterReportsQuery {
  readonly ticker: string;
  /** If `annual`, only annual reports are considered. */
  readonly period: string;
  /**
   * If set, only reports filed by this date count as later reports; reports filed after it are used only to find a long
   * gap.
   */
  readonly asOf?: string | undefined;
}

type Figures = readonly MetricValue[];

/**
 * Returns a notice if the company has filed reports for later periods than any of its figures. For a past date, adds a
 * notice if the date lies in a long gap between reports.
 * @param figures the company's figures of the period; null if they are incomplete or unknown, so that all figures are
 * requested
 */
export async function makeLaterReportsNotices(query: LaterReportsQuery, figures: Figures | null, lookUp: LookUp) {
  const newest = findNewestEnd(figures ?? (await loadAllFigures(query, lookUp)));
  return newest === null ? [] : makeNoticesOfReportsAfter(newest, query, lookUp);
}

/**
 * Returns notices about reports for periods that end after `newest`, and about a long gap between the reports before
 * and after `asOf`.
 * @param newest end date of the latest period with values
 * @param noun word for these values in the notices
 */
export async function makeNoticesOfReportsAfter(
  newest: string,
  { ticker, period, asOf }: LaterReportsQuery,
  lookUp: LookUp,
  noun: 'figures' | 'segments' = 'figures',
): Promise<readonly Notice[]> {
  const forms = period === 'annual' ? ANNUAL_FORMS : [...ANNUAL_FORMS, ...QUARTERLY_FORMS];
  const last = addDays(newest, MAX_SAME_PERIOD_DAYS);
  const parameters: RawParameters = Object.entries({ ticker, forms: forms.join(',') });
  const limits = asOf === undefined ? [FIRST_REQUEST_REPORT_COUNT, MAX_REPORTS] : [MAX_REPORTS];
  const loaded = await loadReportsSince(last, parameters, lookUp, limits);
  const later = loaded.filter(
    ({ report_date: day, filed_at: filedAt }) =>
      day != null && day > last && filedAt != null && (asOf === undefined || filedAt <= asOf),
  );
  const gaps = asOf === undefined ? [] : makeReportingGapNotices(loaded, { ticker, period }, asOf);
  const [latestReport] = later;
  if (latestReport === undefined) return gaps;
  const latest = `a ${latestReport.form} for ${latestReport.report_date}, filed ${latestReport.filed_at}`;
  const reports = later.length === 1 ? latest : `${later.length} reports, the latest ${latest}`;
  const filings = call('filings', { ticker, forms: [...new Set(later.map(({ form }) => form))] });
  const text = say`The latest ${noun} are for the period to ${newest}. ${capitalize(noun)} of later reports are not in this release: ${reports}. See: ${filings}`;
  return [makeNote('later_reports', text, { ticker, figures_end: newest, reports: later.length }), ...gaps];
}

/** Returns a notice if a long time lies between the last report filed by `asOf` and the next report. */
function makeReportingGapNotices(reports: readonly Filing[], { ticker, period }: LaterReportsQuery, asOf: string) {
  const days = reports.flatMap(({ filed_at: day }) => day ?? []).sort();
  const lastDay = days.findLast((day) => day <= asOf);
  const nextDay = days.find((day) => day > asOf);
  if (lastDay === undefined || nextDay === undefined) return [];
  if (countDaysBetween(lastDay, nextDay) <= MAX_DAYS_BETWEEN_ANNUAL_REPORTS) return [];
  const noun = period === 'annual' ? 'annual report' : 'annual or quarterly report';
  const text = `No ${noun} is listed between ${lastDay} and ${nextDay}. "fin screen --as-of <day>" leaves out companies whose last reported fiscal year ended more than 18 months before that day.`;
  return [makeNote('reporting_gap', text, { ticker, last_report: lastDay, next_report: nextDay })];
}

/**
 * Returns all reports filed after a date, and possibly older reports. The first limit is small, because usually few
 * reports were filed after the date.
 */
async function loadReportsSince(since: string, parameters: RawParameters, lookUp: LookUp, limits: readonly number[]) {
  for (const limit of limits) {
    const answer = await lookUp('filings', [...parameters, ['limit', String(limit)]]);
    const reports = (answer?.data ?? []) as readonly Filing[];
    const oldest = reports.at(-1)?.filed_at;
    // The list is sorted newest first: if its last report was filed on or before `since`, the list contains all
    // reports filed after `since`.
    if (limit === MAX_REPORTS || reports.length < limit || (oldest != null && oldest <= since)) return reports;
  }
  return [];
}

async function loadAllFigures({ ticker, period, asOf }: LaterReportsQuery, lookUp: LookUp): Promise<MetricValue[]> {
  const parameters = { ticker, period, limit: '500', ...(asOf === undefined ? {} : { as_of: asOf }) };
  return ((await lookUp('metrics', Object.entries(parameters)))?.data ?? []) as MetricValue[];
}

/** Returns the latest end date. Ignores ratios, and cover pages, whose dates are later than the end of the period. */
const findNewestEnd = (figures: readonly MetricValue[]): string | null =>
  findLatest(
    figures.flatMap(({ statement, end_date: end }) => (statement == null || statement === 'cover' ? [] : end)),
  );

/** The report whose figures may have been announced before it was filed. */
interface ReportedPeriod {
  readonly ticker: string;
  /** End date of the report's latest period. */
  readonly end: string;
  /** The date on which the report was filed. */
  readonly filed: string;
  /** Latest date to consider; undefined for today. */
  readonly asOf?: string | undefined;
}

const ANNOUNCEMENT_LIMIT_TEXT = '100';
/** Maximum number of days from the end of a period to the announcement of its results. */
const MAX_DAYS_AFTER_PERIOD = 120;

/**
 * Returns a notice if results were announced before the report was filed; or if newer results were announced by `asOf`
 * that no report contains yet. Ignores filings without a filing date.
 */
export async function makeAnnouncementNotices(reported: ReportedPeriod, lookUp: LookUp): Promise<readonly Notice[]> {
  const { ticker, end, filed, asOf } = reported;
  const filings = await lookUp('filings', Object.entries({ ticker, items: '2.02', limit: ANNOUNCEMENT_LIMIT_TEXT }));
  const rows = (filings?.data ?? []) as readonly Filing[];
  const days = rows.flatMap(({ filed_at: day }) => day ?? []).sort();
  const unreported = asOf === undefined ? undefined : days.findLast((day) => day > filed && day <= asOf);
  if (unreported !== undefined) {
    const text = `Results announced on ${unreported} (8-K, item 2.02) are not included: the figures come from the 10-Q or 10-K, which is filed later.`;
    return [makeNote('announced_not_reported', text, { announced: unreported })];
  }
  const announced = days.find((day) => day > end && day <= filed && day <= addDays(end, MAX_DAYS_AFTER_PERIOD));
  if (announced === undefined || announced === filed) return [];
  const text = say`The results for the period to ${end} were announced on ${announced} (8-K, item 2.02) and reported on ${filed}. With ${option('as_of')}, they are included from ${filed} on.`;
  return [makeNote('announced', text, { period_end: end, announced, reported: filed })];
}
