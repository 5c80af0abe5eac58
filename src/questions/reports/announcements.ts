/**
 * Finds the date on which results became public: companies announce results (8-K, item 2.02) before they file the
 * report with the figures.
 */
import type { LookUp } from '../../ask/command/command.ts';
import type { Filing } from '../../contract/resources/filings.ts';
import { option, say } from '../../contract/text/text.ts';
import { addDays } from '../../platform/dates.ts';
import { makeNote, type Notice } from '../../result/notice.ts';

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
  const filings = await lookUp('filings', [
    ['ticker', ticker],
    ['items', '2.02'],
    ['limit', ANNOUNCEMENT_LIMIT_TEXT],
  ]);
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
