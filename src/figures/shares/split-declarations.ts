/** The splits a company has declared, and the days it gives for them. */

import { divide } from '../../contract/decimal.ts';
import type { Decimal } from '../../contract/decimal-text.ts';
import { isZero } from '../../contract/decimal-text.ts';
import type { Fact } from '../../edgar/facts/fact-row.ts';
import type { FilingRecord } from '../../edgar/filings/submissions.ts';
import { addDays, dayNumber, daysBetween } from '../../platform/dates.ts';

export const DECLARED = 'StockholdersEquityNoteStockSplitConversionRatio1';

/** A split ratio in a filing. It proves no split: companies declare ahead, tag wrong dates, and repeat a ratio for years. */
export interface Declaration {
  readonly ratio: Decimal;
  /** The first day on the new basis, if the declaration dates the split itself. */
  readonly effective: string;
}

/** Longer periods are those of the report, not of the split. */
const LONGEST_DAYS = 31;
/** A period as short as this ends with the split. */
const SHORT_DAYS = 7;
/** The items of a current report for changes to the rights of shareholders and to the charter. */
const CHANGE_ITEMS: readonly string[] = ['3.03', '5.03'];

/** From facts of any concept. A declaration of a whole month is dated by the filing on the change of the charter. */
export function declarationsOf(facts: readonly Fact[], filings: readonly FilingRecord[]): Declaration[] {
  return facts.flatMap((fact) => {
    if (fact.concept !== DECLARED || isZero(fact.value) || fact.value.startsWith('-')) return [];
    if (fact.start !== null && daysBetween(fact.start, fact.end) > LONGEST_DAYS) return [];
    // Shares are distributed after the close.
    const effective = nextWeekday(dayOfSplit(fact, filings));
    // A reverse split is declared as 0.02 or as 50; the figures decide between the two.
    const inverse = divide('1', fact.value);
    return [fact.value, ...(inverse === null ? [] : [inverse])].map((ratio) => ({ ratio, effective }));
  });
}

function dayOfSplit({ start, end }: Fact, filings: readonly FilingRecord[]): string {
  if (start === null || daysBetween(start, end) <= SHORT_DAYS) return end;
  const changes = filings
    .filter(({ form, items }) => form.startsWith('8-K') && items.some((item) => CHANGE_ITEMS.includes(item)))
    .map(({ reportDate, filed }) => reportDate ?? filed)
    .filter((day) => day >= start && day <= end)
    .sort();
  return changes.at(-1) ?? end;
}

function nextWeekday(day: string): string {
  // 1970-01-01 was a Thursday: 0 is Sunday.
  const weekday = (dayNumber(day) + 4) % 7;
  return addDays(day, weekday === 5 ? 3 : weekday === 6 ? 2 : 1);
}
