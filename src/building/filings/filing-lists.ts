/** Makes a company's lists of filings and insider trades while the company is derived. */

import type { PublicFiles } from '../../edgar/files/public-files.ts';
import { SkippedRowCounts } from '../../edgar/files/skipped-rows.ts';
import { isDeregistrationForm, isPeriodicReportForm } from '../../edgar/filings/forms.ts';
import type { FilingRecord } from '../../edgar/filings/submissions.ts';
import { REPORT_PERIOD_METRICS } from '../../figures/filings/fiscal-focus.ts';
import type { ReportedValue } from '../../figures/revisions/revision-chain.ts';
import type { Split } from '../../figures/shares/splits.ts';
import type { JudgedFiling } from '../../ownership/insiders/judge.ts';
import { createClosingPriceFinder } from '../../ownership/insiders/value-status.ts';
import { getOrInsert } from '../../platform/collections.ts';
import type { FilingActivity } from '../../store/schema/companies.ts';
import { FILING_DOCUMENTS, FILINGS, type FilingRow } from '../../store/schema/filings.ts';
import { encodePart } from '../../store/table-part.ts';
import { readFilingList } from '../market/securities-index.ts';
import { encodeAccessionPairs } from './accession-index.ts';
import { findLaterFilings, makeDocumentRows, makeFilingRows, type UnlistedFiling } from './company-filings.ts';
import { encodeInsiders, findEarliestFilingDay, type InsiderOptions, makeCompanyInsiders } from './company-insiders.ts';
import { makeQuarterLines } from './filing-days.ts';
import { identifyForms } from './identify-forms.ts';
import { makeInsiderLines } from './insider-days.ts';
import type { FilingsListedElsewhere } from './read-filings.ts';
import { createShareLimitFinder } from './share-limits.ts';

/** Data of one company for its lists of filings and trades. */
interface CompanyData {
  readonly cik: number;
  /** The company's list of filings. */
  readonly list: readonly FilingRecord[];
  /** Filings that reported facts but are missing from the list. */
  readonly unlistedFilings: readonly UnlistedFiling[];
  /** All reported values, sorted as in their table. */
  readonly reportedValues: readonly ReportedValue[];
  readonly splits: readonly Split[];
  /** Prices of the company's shares; empty if no ownership filings are about the company. */
  readonly closingPrices: readonly { readonly day: string; readonly price: string }[];
}

/**
 * Tables made from the output of all companies, in parts: `days` (filings) by quarter, `insiders` by year, `places`
 * (accession numbers) by the highest bits of the key, `states` (rows of past screens) and `quotes` (prices of past
 * screens) by year.
 */
type SharedTablesName = 'days' | 'insiders' | 'places' | 'states' | 'quotes';

/** Returns the name of the group that collects all companies' output for one part of shared tables. */
export const makeSharedGroupName = (tables: SharedTablesName, number: number): string => `${tables} ${number}`;

/** A company's output for one part of shared tables. */
export interface SharedOutput {
  readonly tables: SharedTablesName;
  /** Number of the part: a year or its key, a quarter, or the highest bits of a key. */
  readonly number: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The counts before any company is added. */
export const NO_FILING_COUNTS = {
  filingRows: 0,
  /** Number of filings with an acceptance time. */
  timedFilings: 0,
  /** Number of filings accepted outside the hours of EDGAR. */
  oddHourFilings: 0,
  insiderFilings: 0,
  trades: 0,
  /** Number of insider filings without a known filing date. */
  undatedFilings: 0,
};

/** Counts for the checks of filings. */
export type FilingCounts = Readonly<typeof NO_FILING_COUNTS>;

/** EDGAR accepts filings from 6 a.m. to 10 p.m. New York time, and completes submissions that began before 10 p.m. */
const EARLIEST_ACCEPTANCE_TIME = '06:00';
const LATEST_ACCEPTANCE_TIME = '22:10';

/** Makes a company's lists. Skips, counts and reports bad forms. */
export async function makeFilingLists(
  files: PublicFiles,
  { cik, list, unlistedFilings, reportedValues, splits, closingPrices }: CompanyData,
  { indexRows, pages, ownershipFilings }: FilingsListedElsewhere,
  { date, withoutFootnotes }: Pick<InsiderOptions, 'date' | 'withoutFootnotes'>,
) {
  const skipped = new SkippedRowCounts();
  const problems: string[] = [];
  const lists = new Map<number, Promise<readonly FilingRecord[]>>();
  const getList = (otherCik: number) => getOrInsert(lists, otherCik, () => readFilingList(files, otherCik));
  const filings = await identifyForms(ownershipFilings, list, getList, { skipped, problems });
  const periodValues = reportedValues.filter(({ metricKey }) => REPORT_PERIOD_METRICS.includes(metricKey));
  const rows = makeFilingRows({
    cik,
    list,
    indexRows,
    pages,
    ownershipFilings: filings,
    factFilings: unlistedFilings,
    reportedValues: periodValues,
    date,
  });
  const laterFilings = findLaterFilings({ list, indexRows, pages, date });
  for (const { reason } of laterFilings) skipped.add(reason);
  const insiders = makeCompanyInsiders(filings, {
    market: {
      findPrice: createClosingPriceFinder(closingPrices),
      findShareLimit: createShareLimitFinder(reportedValues, splits),
    },
    filedByAccession: new Map(
      filings.length === 0 ? [] : [...laterFilings, ...rows].map((filing) => [filing.accession, filing.filed] as const),
    ),
    date,
    withoutFootnotes,
  });
  skipped.addAll(insiders.skipped);
  const values = periodValues.filter(({ metricKey }) => metricKey === 'revenue');
  const places = encodeAccessionPairs(cik, [...rows, ...insiders.filings]);
  return {
    profileCounts: makeFilingActivity(rows, list.length > 0),
    parts: [
      encodePart(FILINGS, cik, rows),
      encodePart(FILING_DOCUMENTS, cik, makeDocumentRows(pages)),
      ...encodeInsiders(cik, insiders.filings),
    ],
    sharedOutputs: [
      ...makeTextOutputs('days', makeQuarterLines(rows, values)),
      ...makeTextOutputs('insiders', makeInsiderLines(cik, insiders.filings)),
      ...places.map(([number, bytes]): SharedOutput => ({ tables: 'places', number, bytes })),
    ],
    issuerSymbols: insiders.issuerSymbols,
    counts: countFilings(rows, insiders.filings),
    /** Whether filings after the release's date were skipped. */
    hasLaterFilings:
      laterFilings.length > 0 ||
      insiders.laterFilingCount > 0 ||
      ownershipFilings.some(({ filing }) => findEarliestFilingDay(filing) > date),
    skipped: skipped.getCounts(),
    problems,
  };
}

function makeFilingActivity(rows: readonly FilingRow[], hasFilingList: boolean): FilingActivity {
  const findLast = (isWanted: (form: string) => boolean) => rows.find(({ form }) => isWanted(form))?.filed ?? null;
  return {
    filingCount: rows.length,
    latestFilingAt: rows[0]?.filed ?? null,
    lastReport: findLast(isPeriodicReportForm),
    hasFilingList,
    deregistered: findLast(isDeregistrationForm),
  };
}

function countFilings(rows: readonly FilingRow[], filings: readonly JudgedFiling[]): FilingCounts {
  const times: string[] = [];
  for (const { acceptedAt } of rows) if (acceptedAt !== null) times.push(acceptedAt.slice(11, 16));
  return {
    filingRows: rows.length,
    timedFilings: times.length,
    oddHourFilings: times.filter((time) => time < EARLIEST_ACCEPTANCE_TIME || time > LATEST_ACCEPTANCE_TIME).length,
    insiderFilings: filings.length,
    trades: filings.reduce((sum, { trades }) => sum + trades.length, 0),
    undatedFilings: filings.filter(({ filed }) => filed === null).length,
  };
}

const ENCODER = new TextEncoder();

/** @param texts the lines for each part of the tables */
export const makeTextOutputs = (
  tables: SharedTablesName,
  texts: Iterable<readonly [number: number, text: string]>,
): SharedOutput[] => Array.from(texts, ([number, text]) => ({ tables, number, bytes: ENCODER.encode(text) }));
