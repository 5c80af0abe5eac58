/** A company's filings from its own list, from indexes, from filings' index pages and from ownership filings. */

import { compareNullsFirst, compareText } from '../../contract/compare-text.ts';
import type { FilingReference } from '../../edgar/facts/company-facts.ts';
import type { IndexRow } from '../../edgar/filings/filing-index.ts';
import type { FilingPage } from '../../edgar/filings/filing-page.ts';
import type { FilingRecord } from '../../edgar/filings/submissions.ts';
import { acceptanceTimes, announcementTiming } from '../../figures/filings/acceptance.ts';
import { type FocusValue, reportPeriod } from '../../figures/filings/fiscal-focus.ts';
import { instantOf, type WallTime } from '../../figures/periods/new-york.ts';
import type { DocumentRow, FilingRow } from '../../store/schema/filings.ts';
import type { IdentifiedFiling } from './identify-forms.ts';

export interface CompanySources {
  readonly cik: number;
  /** The company's own list. */
  readonly list: readonly FilingRecord[];
  readonly indexed: readonly IndexRow[];
  readonly pages: readonly FilingPage[];
  /** Ownership filings on the company's securities. */
  readonly ownership: readonly IdentifiedFiling[];
  /** Filings that figures were read from, listed or not. */
  readonly stated: readonly FilingReference[];
  /** All reported values of the company that tell the period a filing reports on. */
  readonly values: readonly FocusValue[];
  /** The release's date. */
  readonly date: string;
}

/** A filing and the time of its acceptance. */
type Timed = readonly [filing: Omit<FilingRecord, 'accepted'>, wall: WallTime | null];

/**
 * One row per accession number, the latest first. Most come from the company's list; a filing's own page adds the
 * time of its acceptance; indexes, ownership filings and figures add filings that the list lacks. Leaves out filings
 * after the release's date.
 */
export function filingRows(sources: CompanySources): FilingRow[] {
  const { cik, list, pages, ownership, values, date } = sources;
  const walls = new Map([
    ...pages.map(({ accession, acceptedEastern }) => [accession, acceptedEastern] as const),
    ...ownership.flatMap(({ filing, acceptedEastern }) =>
      acceptedEastern === null ? [] : [[filing.accession, acceptedEastern] as const],
    ),
  ]);
  const rows: FilingRow[] = [];
  const put = (...[filing, wall]: Timed) => {
    const { accession, form, filed, items, primaryDocument, reportDate } = filing;
    const { fiscalYear, fiscalPeriod, periodEnd } = reportPeriod(filing, values);
    rows.push({
      cik,
      accession,
      form,
      filed,
      acceptedAt: wall === null ? null : instantOf(wall),
      timing: announcementTiming(form, items, wall),
      items: items.join(','),
      primaryDocument,
      reportDate,
      fiscalYear,
      fiscalPeriod,
      periodEnd,
    });
  };
  const times = acceptanceTimes(list);
  list.forEach((filing, index) => {
    if (filing.filed <= date) put(filing, walls.get(filing.accession) ?? times[index] ?? null);
  });
  const others = unlisted(sources);
  const known = new Set(others.length === 0 ? [] : rows.map(({ accession }) => accession));
  for (const other of others) {
    const [{ accession, filed }] = other;
    if (filed > date || known.has(accession)) continue;
    known.add(accession);
    put(...other);
  }
  return rows.sort(latestFirst);
}

/** Filings that the company's list lacks, from other sources; the most detailed source first. */
function unlisted({
  indexed,
  pages,
  ownership,
  stated,
}: Pick<CompanySources, 'indexed' | 'pages' | 'ownership' | 'stated'>): Timed[] {
  const days = new Map(indexed.map(({ accession, filed }) => [accession, filed]));
  return [
    ...pages.flatMap(({ accession, form, filed, period: reportDate, items, acceptedEastern, documents }): Timed[] => {
      const primaryDocument = documents.find(({ kind }) => kind === form)?.name ?? null;
      return filed === null ? [] : [[{ accession, form, filed, reportDate, primaryDocument, items }, acceptedEastern]];
    }),
    ...ownership.flatMap(({ filing, acceptedEastern, document: primaryDocument }): Timed[] => {
      const { accession, form, periodOfReport: reportDate } = filing;
      const filed = filing.filed ?? days.get(accession);
      if (filed === undefined) return [];
      return [[{ accession, form, filed, reportDate, primaryDocument, items: [] }, acceptedEastern]];
    }),
    ...[...indexed, ...stated].map(({ accession, form, filed }): Timed => {
      return [{ accession, form, filed, reportDate: null, primaryDocument: null, items: [] }, null];
    }),
  ];
}

/** The filings of indexes and pages as records of a list, each once; a page has more details than an index. */
export function filingsListedElsewhere({ indexed, pages }: Pick<CompanySources, 'indexed' | 'pages'>): FilingRecord[] {
  const timed = unlisted({ indexed, pages, ownership: [], stated: [] });
  const records = timed.map(([filing]): FilingRecord => ({ ...filing, accepted: null }));
  return [...new Map(records.toReversed().map((record) => [record.accession, record])).values()];
}

function latestFirst(a: FilingRow, b: FilingRow): number {
  return (
    compareText(b.filed, a.filed) ||
    compareNullsFirst(b.acceptedAt, a.acceptedAt) ||
    compareText(b.accession, a.accession)
  );
}

/** Exhibits of tagged data; they repeat the main document. */
const DATA = /^EX-(?:10[1-4](?:\.|$)|27(?:\.|$))/;

/** The main document and exhibits of each filing with a page, in order of accession number. */
export function documentRows(pages: readonly FilingPage[]): DocumentRow[] {
  const byAccession = new Map(pages.map((page) => [page.accession, page]));
  return [...byAccession.values()]
    .sort((a, b) => compareText(a.accession, b.accession))
    .flatMap(({ accession, form, documents }) => {
      const own = documents.filter(({ kind }) => kind === form);
      const exhibits = documents.filter(({ kind }) => kind.startsWith('EX-') && !DATA.test(kind));
      const seen = new Set<string>();
      return [...own, ...exhibits].flatMap(({ name, kind }) => {
        if (seen.has(name)) return [];
        seen.add(name);
        return [{ accession, document: name, kind }];
      });
    });
}
