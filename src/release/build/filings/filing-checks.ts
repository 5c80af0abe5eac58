/** What must hold of filings and insider trades before they are published. */
import type { Check } from '../../store/manifest.ts';

export interface FilingCounts {
  /** Rows of the companies' lists. */
  rows: number;
  /** Filings counted by day, those of several companies once. */
  days: number;
  withTime: number;
  /** Accepted when the filing system takes nothing: a clock misread. */
  oddHours: number;
  insiderFilings: number;
  trades: number;
  /** Insider filings whose day of filing is in no list. */
  undated: number;
}

/** The lists have some thousands of times of the early 2000s that are those of a conversion. */
const ODD_SHARE = 0.05;

export function checkFilings(counts: FilingCounts): Check[] {
  const { rows, days, withTime, oddHours, insiderFilings, trades, undated } = counts;
  return [
    {
      name: 'filing days',
      passed: days <= rows && (days > 0 || rows === 0),
      detail: `${rows} filings in the lists of companies, ${days} in those of days, where a filing of several companies stands once`,
    },
    {
      name: 'acceptance',
      passed: oddHours <= withTime * ODD_SHARE,
      detail: `${oddHours} of ${withTime} times of acceptance are outside the hours of the filing system`,
    },
    {
      name: 'insider trades',
      passed: trades >= insiderFilings,
      detail: `${trades} purchases and sales in ${insiderFilings} filings; the day of filing of ${undated} is not known`,
    },
  ];
}
