/** When an earnings announcement came, against the trading day of New York: 09:30 to 16:00. */

import { isTradingDay } from '../../platform/trading-calendar.ts';
import type { WallTime } from '../periods/new-york.ts';

export type AnnouncementTiming = 'before_open' | 'during_market' | 'after_close';

/** Results of operations: the item of a current report under which earnings are announced. */
const EARNINGS = '2.02';
const OPEN = '09:30:00';
const CLOSE = '16:00:00';

/**
 * Null for every filing but an earnings announcement with a known time. One that comes on a day without trading comes
 * before the next open.
 */
export function announcementTiming(
  form: string,
  items: readonly string[],
  accepted: WallTime | null,
): AnnouncementTiming | null {
  if (form !== '8-K' || !items.includes(EARNINGS) || accepted === null) return null;
  const [day = '', time = ''] = accepted.split('T');
  if (time < OPEN || !isTradingDay(day)) return 'before_open';
  return time < CLOSE ? 'during_market' : 'after_close';
}
