/** The family of filings and insider trades. Makes its tables by day after all companies are derived. */

import type { Check } from '../../store/releases/manifest.ts';
import { FILING_TABLES } from '../../store/schema/filings.ts';
import { INSIDER_TABLES } from '../../store/schema/insiders.ts';
import type { AccessionIndexTask } from '../filings/accession-index.ts';
import { makeFilingDaysTasks } from '../filings/filing-days.ts';
import type { FilingCounts } from '../filings/filing-lists.ts';
import { writeInsiderDays } from '../filings/insider-days.ts';
import type { FamilyContext, TableFamily } from './family.ts';

export const FILINGS_FAMILY: TableFamily = {
  name: 'filings',
  tables: [...FILING_TABLES, ...INSIDER_TABLES],
  build: buildFilings,
};

async function buildFilings(context: FamilyContext): Promise<Check[]> {
  const { companyLists: lists, findings } = context;
  if (!context.hasOwnership) context.omitTables(INSIDER_TABLES);
  if (!context.hasFilings && findings.filings.filingRows === 0) context.omitTables(FILING_TABLES);
  let listedFilingCount = 0;
  for await (const { parts, filings: count } of context.runTasks(
    makeFilingDaysTasks(lists.getNumberedSlices('days')),
  )) {
    for (const part of parts) context.appendPart(part);
    listedFilingCount += count;
  }
  const tasks = lists
    .getNumberedSlices('places')
    .map(({ slices: pairs }): AccessionIndexTask => ({ kind: 'accession index', pairs }));
  for await (const { parts } of context.runTasks(tasks)) for (const part of parts) context.appendPart(part);
  writeInsiderDays(lists.getNumberedSlices('insiders'), context.sinkOf);
  return checkFilings(findings.filings, listedFilingCount);
}

/**
 * Maximum fraction of acceptance times outside EDGAR's hours. Not zero, because a conversion of EDGAR's data changed
 * several thousand acceptance times of the early 2000s.
 */
const MAX_ODD_HOUR_FRACTION = 0.05;

/** @param count number of filings in the tables by day */
const checkFilings = (
  { filingRows, timedFilings, oddHourFilings, insiderFilings, trades, undatedFilings }: FilingCounts,
  count: number,
): Check[] => [
  {
    name: 'filing days',
    passed: count <= filingRows && (count > 0 || filingRows === 0),
    detail: `the lists by company have ${filingRows} filings; the lists by day, which list a filing of several companies only once, have ${count}`,
  },
  {
    name: 'acceptance',
    passed: oddHourFilings <= timedFilings * MAX_ODD_HOUR_FRACTION,
    detail: `${oddHourFilings} of ${timedFilings} acceptance times are outside the opening hours of the SEC's filing system`,
  },
  {
    name: 'insider trades',
    passed: trades >= insiderFilings,
    detail: `${trades} purchases and sales in ${insiderFilings} filings, of which ${undatedFilings} have no known filing date`,
  },
];
