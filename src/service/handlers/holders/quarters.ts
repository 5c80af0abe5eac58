/** Quarters of holdings: checks the parameter `quarter`, finds quarters with reports, and splits between two quarters. */

import type { Decimal } from '../../../contract/decimal-text.ts';
import { convertToDecimal, NO_SPLIT } from '../../../contract/split-ratio.ts';
import { createRatioFinderByDays, findWidenedSplitBounds } from '../../../figures/prices/price-observations.ts';
import type { Split } from '../../../figures/shares/splits.ts';
import { isQuarterEnd } from '../../../ownership/holders/quarters.ts';
import { findTradingDay } from '../../../platform/trading-calendar.ts';
import type { ReleaseReader } from '../../../store/reader.ts';
import type { Security } from '../../../store/schema/companies.ts';
import { HOLDER_REPORTS } from '../../../store/schema/holders.ts';
import { keepPerRelease, ProblemError } from '../../request/handler.ts';
import { readSecurityPrices } from '../prices/security-prices.ts';

/** @throws {ProblemError} 400 if the day is not the end of a quarter */
export function refuseUnlessQuarterEnd(day: string | undefined): void {
  if (day === undefined || isQuarterEnd(day)) return;
  const detail = `"quarter" (${day}) is not the last day of a calendar quarter, such as 2025-06-30.`;
  throw new ProblemError('bad_request', detail);
}

/** Returns the last days of the quarters for which the release has reports of any manager, earliest first. */
export const readReportedQuarters = keepPerRelease(async (release): Promise<readonly string[]> => {
  const [periods] = (await release.columnsOf(HOLDER_REPORTS, ['period'])) as [string[]];
  return [...new Set(periods)].sort();
});

/**
 * The ratio of the splits between two quarter ends. Absent if there was no split. Null if a split may have taken effect
 * between them, but prices do not show its date.
 */
export interface SplitRatioField {
  readonly split_ratio?: Decimal | null;
}

/**
 * Returns the field for a security, because numbers of shares before and after a split are not comparable.
 * @param companySplits the splits that the company's filings report
 */
export async function readSplitRatio(
  release: ReleaseReader,
  security: Pick<Security, 'cik' | 'tickerNormalized'>,
  companySplits: readonly Split[],
  { previousPeriod, period }: { previousPeriod: string; period: string },
): Promise<SplitRatioField> {
  const [previous, day] = [findTradingDay(previousPeriod), findTradingDay(period)];
  // Prices are read only if they may be needed to date a split.
  const windows = companySplits.map(findWidenedSplitBounds);
  if (!windows.some(({ after, until }) => after < day && until > previous)) return {};
  const { splits } = await readSecurityPrices(release, security);
  const ratio = createRatioFinderByDays(splits)(previous, day);
  if (ratio === null) return { split_ratio: null };
  return ratio === NO_SPLIT ? {} : { split_ratio: convertToDecimal(ratio) };
}
