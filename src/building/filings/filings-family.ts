/** The tables of filings and insider trades by day, made when every company's own lists are done. */

import type { Check } from '../../store/manifest.ts';
import { FILING_TABLES } from '../../store/schema/filings.ts';
import { INSIDER_TABLES } from '../../store/schema/insiders.ts';
import type { Family, FamilyContext } from '../family.ts';
import { filingDaysTasks } from './filing-days.ts';
import type { FilingCounts } from './filing-lists.ts';

export const FILINGS_FAMILY: Family = {
  name: 'filings',
  tables: [...FILING_TABLES, ...INSIDER_TABLES],
  build,
};

async function build(context: FamilyContext): Promise<Check[]> {
  const { sink, lists } = context;
  if (!lists.hasOwnership) context.omit(INSIDER_TABLES);
  if (!lists.hasFilings) context.omit(FILING_TABLES);
  let days = 0;
  for await (const { parts, filings } of context.results(filingDaysTasks(lists.leftFor('days')))) {
    for (const part of parts) context.append(part);
    days += filings;
  }
  const places = lists.leftFor('places').map(({ slices: pairs }) => ({ kind: 'filing places', pairs }) as const);
  for await (const { parts } of context.results(places)) for (const part of parts) context.append(part);
  lists.insiderDays.write(sink);
  return checks(lists.counts, days);
}

/**
 * Maximum share of times outside EDGAR's hours. Some thousands of times of the early 2000s are results of a
 * conversion.
 */
const ODD_SHARE = 0.05;

/** @param days number of filings that the tables of days count */
function checks({ rows, withTime, oddHours, insiderFilings, trades, undated }: FilingCounts, days: number): Check[] {
  return [
    {
      name: 'filing days',
      passed: days <= rows && (days > 0 || rows === 0),
      detail: `the lists by company have ${rows} filings and the lists by day ${days}, where a filing of several companies is listed once`,
    },
    {
      name: 'acceptance',
      passed: oddHours <= withTime * ODD_SHARE,
      detail: `${oddHours} of ${withTime} acceptance times are outside the opening hours of the SEC's filing system`,
    },
    {
      name: 'insider trades',
      passed: trades >= insiderFilings,
      detail: `${trades} purchases and sales in ${insiderFilings} filings, of which ${undated} have no known filing date`,
    },
  ];
}
