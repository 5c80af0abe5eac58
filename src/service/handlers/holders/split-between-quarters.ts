/** Finds the splits between two quarter ends, because numbers of shares before and after a split are not comparable. */
import type { Decimal } from '../../../contract/decimal-text.ts';
import { convertRatioToDecimal, NO_SPLIT } from '../../../contract/split-ratio.ts';
import { createRatioFinderByDays, findWidenedSplitBounds } from '../../../figures/prices/price-observations.ts';
import type { Split } from '../../../figures/shares/splits.ts';
import { findTradingDay } from '../../../platform/trading-calendar.ts';
import type { ReleaseReader } from '../../../store/reader.ts';
import type { Security } from '../../../store/schema/companies.ts';
import { readSecurityPrices } from '../prices/security-prices.ts';

/**
 * The ratio of the splits between two quarter ends. Absent if there was no split; null if a split may have been between
 * them, but its date is unproven.
 */
export interface SplitRatioField {
  readonly split_ratio?: Decimal | null;
}

/** Returns the field for a security, given the splits that its company's filings report. */
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
  return ratio === NO_SPLIT ? {} : { split_ratio: convertRatioToDecimal(ratio) };
}
