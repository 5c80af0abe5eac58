/** Merges a company's filings from its list, from indexes, from index pages and from ownership filings. */

import { compareNullsFirst, compareText } from '../../contract/compare-text.ts';
import type { FilingReference } from '../../edgar/facts/company-facts.ts';
import type { FilingIndexRow } from '../../edgar/filings/filing-index.ts';
import type { FilingPage } from '../../edgar/filings/filing-page.ts';
import type { FilingRecord } from '../../edgar/filings/submissions.ts';
import { classifyAnnouncement, readAcceptanceTimes, readEasternTime } from '../../figures/filings/acceptance.ts';
import { type FocusValue, findReportPeriod } from '../../figures/filings/fiscal-focus.ts';
import { appendOffset, type WallTime } from '../../figures/periods/new-york.ts';
import type { DocumentRow, FilingRow } from '../../store/schema/filings.ts';
import type { IdentifiedFiling } from './identify-forms.ts';

/** A filing that reported facts but is missing from the company's list. */
export interface UnlistedFiling extends FilingReference {
  /** The last day of the report's period, from a data set. */
  readonly reportDate?: string | null;
  /** New York time of acceptance, as a data set states it. */
  readonly accepted?: string | null;
}

export interface FilingRowSources {
  readonly cik: number;
  /** The company's list of filings. */
  readonly list: readonly FilingRecord[];
  readonly indexRows: readonly FilingIndexRow[];
  readonly pages: readonly FilingPage[];
  /** Ownership filings about the company's securities. */
  readonly ownershipFilings: readonly IdentifiedFiling[];
  /** Filings that reported facts but are missing from the list. */
  readonly factFilings: readonly UnlistedFiling[];
  /** Reported values from which the period of each filing is determined. */
  readonly reportedValues: readonly FocusValue[];
  /** The release's date. */
  readonly date: string;
}

type TimedFiling = readonly [filing: Omit<FilingRecord, 'accepted'>, easternTime: WallTime | null];

/**
 * Returns one row per accession number, latest first, without filings after the release's date. Most rows come from the
 * company's list. The other sources add filings that the list lacks; index pages and ownership filings also add
 * acceptance times.
 */
export function makeFilingRows(sources: FilingRowSources): FilingRow[] {
  const { cik, list, pages, ownershipFilings, reportedValues, date } = sources;
  const easternTimeByAccession = new Map([
    ...pages.map(({ accession, acceptedEastern }) => [accession, acceptedEastern] as const),
    ...ownershipFilings.flatMap(({ filing, acceptedEastern }) =>
      acceptedEastern === null ? [] : [[filing.accession, acceptedEastern] as const],
    ),
  ]);
  const rows: FilingRow[] = [];
  const add = (...[filing, eastern]: TimedFiling) => {
    const { accession, form, filed, items, primaryDocument, reportDate } = filing;
    const { fiscalYear, fiscalPeriod, periodEnd } = findReportPeriod(filing, reportedValues);
    rows.push({
      cik,
      accession,
      form,
      filed,
      acceptedAt: eastern === null ? null : appendOffset(eastern),
      timing: classifyAnnouncement(form, items, eastern),
      items: items.join(','),
      primaryDocument,
      reportDate,
      fiscalYear,
      fiscalPeriod,
      periodEnd,
    });
  };
  const times = readAcceptanceTimes(list);
  list.forEach((filing, index) => {
    if (filing.filed <= date) add(filing, easternTimeByAccession.get(filing.accession) ?? times[index] ?? null);
  });
  const unlistedFilings = collectUnlistedFilings(sources);
  const addedAccessions = new Set(unlistedFilings.length === 0 ? [] : rows.map(({ accession }) => accession));
  for (const filing of unlistedFilings) {
    const [{ accession, filed }] = filing;
    if (filed > date || addedAccessions.has(accession)) continue;
    addedAccessions.add(accession);
    add(...filing);
  }
  return rows.sort(compareLatestFirst);
}

/** A filing that is not in the release because it was filed after the release's date. */
interface LaterFiling {
  readonly accession: string;
  readonly filed: string;
  /** The reason under which the filing is counted as skipped. */
  readonly reason: string;
}

/**
 * Returns one entry per filing after the release's date in the company's list, in indexes and on index pages. Facts,
 * reports and ownership filings after this date are counted where they are read.
 */
export function findLaterFilings(from: Pick<FilingRowSources, 'list' | 'indexRows' | 'pages' | 'date'>): LaterFiling[] {
  const { list, indexRows, pages, date } = from;
  const later = new Map<string, LaterFiling>();
  const add = (reason: string, filings: readonly { readonly accession: string; readonly filed: string | null }[]) => {
    for (const { accession, filed } of filings) {
      if (filed !== null && filed > date && !later.has(accession)) later.set(accession, { accession, filed, reason });
    }
  };
  add('a filing in a list of filings, filed after the date of the release', list);
  add('a filing in an index, filed after the date of the release', [...indexRows, ...pages]);
  return [...later.values()];
}

/** Returns the filings that may be missing from the company's list; sources with more details come first. */
function collectUnlistedFilings({
  indexRows,
  pages,
  ownershipFilings,
  factFilings,
}: Pick<FilingRowSources, 'indexRows' | 'pages' | 'ownershipFilings' | 'factFilings'>): TimedFiling[] {
  const filedByAccession = new Map(indexRows.map(({ accession, filed }) => [accession, filed]));
  return [
    ...pages.flatMap(({ accession, form, filed, period: date, items, acceptedEastern, documents }): TimedFiling[] => {
      const primary = documents.find(({ kind }) => kind === form)?.name ?? null;
      if (filed === null) return [];
      return [[{ accession, form, filed, reportDate: date, primaryDocument: primary, items }, acceptedEastern]];
    }),
    ...ownershipFilings.flatMap(({ filing, acceptedEastern, document: primary }): TimedFiling[] => {
      const { accession, form, periodOfReport: date } = filing;
      const filed = filing.filed ?? filedByAccession.get(accession);
      if (filed === undefined) return [];
      return [[{ accession, form, filed, reportDate: date, primaryDocument: primary, items: [] }, acceptedEastern]];
    }),
    ...factFilings.flatMap(({ accession, form, filed, reportDate = null, accepted = null }): TimedFiling[] => {
      if (reportDate === null && accepted === null) return [];
      const filing = { accession, form, filed, reportDate, primaryDocument: null, items: [] };
      return [[filing, readEasternTime({ ...filing, accepted })]];
    }),
    ...[...indexRows, ...factFilings].map(({ accession, form, filed }): TimedFiling => {
      return [{ accession, form, filed, reportDate: null, primaryDocument: null, items: [] }, null];
    }),
  ];
}

/**
 * Returns the filings in indexes and index pages as filing records, without duplicates. Index pages take precedence,
 * because they have more details.
 */
export function collectFilingsListedElsewhere(sources: Pick<FilingRowSources, 'indexRows' | 'pages'>): FilingRecord[] {
  const timedFilings = collectUnlistedFilings({ ...sources, ownershipFilings: [], factFilings: [] });
  const records = timedFilings.map(([filing]): FilingRecord => ({ ...filing, accepted: null }));
  return [...new Map(records.toReversed().map((record) => [record.accession, record])).values()];
}

const compareLatestFirst = (a: FilingRow, b: FilingRow): number =>
  compareText(b.filed, a.filed) ||
  compareNullsFirst(b.acceptedAt, a.acceptedAt) ||
  compareText(b.accession, a.accession);

/** Matches exhibits with machine-readable data: XBRL, asset-level data, and financial data schedules (EX-27). */
const DATA_EXHIBIT_PATTERN = /^EX-(?:10[1-4](?:\.|$)|27(?:\.|$))/;

/** Returns the main document and the exhibits of each filing that has an index page, sorted by accession number. */
export function makeDocumentRows(pages: readonly FilingPage[]): DocumentRow[] {
  const pageByAccession = new Map(pages.map((page) => [page.accession, page]));
  return [...pageByAccession.values()]
    .sort((a, b) => compareText(a.accession, b.accession))
    .flatMap(({ accession, form, documents }) => {
      const main = documents.filter(({ kind }) => kind === form);
      const exhibits = documents.filter(({ kind }) => kind.startsWith('EX-') && !DATA_EXHIBIT_PATTERN.test(kind));
      const seen = new Set<string>();
      return [...main, ...exhibits].flatMap(({ name, kind }) => {
        if (seen.has(name)) return [];
        seen.add(name);
        return [{ accession, document: name, kind }];
      });
    });
}
