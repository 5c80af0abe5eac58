/** A company's filings from its own list, the indexes, the filings' own pages and its ownership filings. */

import type { StatedFiling } from '../../../edgar/facts/company-facts.ts';
import type { IndexRow } from '../../../edgar/filings/filing-index.ts';
import type { FilingPage } from '../../../edgar/filings/filing-page.ts';
import type { FilingRecord } from '../../../edgar/filings/submissions.ts';
import { acceptedOnWall, announcementTiming, clockOf } from '../../../figures/filings/acceptance.ts';
import { instantOf, type WallTime } from '../../../figures/periods/new-york.ts';
import type { DocumentRow, ListedFiling } from '../../schema/filings.ts';
import { compare, compareNullsFirst } from '../../schema/table.ts';
import type { IdentifiedFiling } from './identify-forms.ts';

export interface CompanySources {
  readonly cik: number;
  /** The company's own list. */
  readonly list: readonly FilingRecord[];
  readonly indexed: readonly IndexRow[];
  readonly pages: readonly FilingPage[];
  /** Ownership filings on the company's securities. */
  readonly ownership: readonly IdentifiedFiling[];
  /** Filings that figures were read from, whether or not they are listed. */
  readonly stated: readonly StatedFiling[];
  /** The release's date. */
  readonly date: string;
}

/**
 * One row per accession number, the latest first. The company's list has most; a filing's own page has the time of its
 * acceptance; indexes, ownership filings and the figures' own filings add what is not in the list. Nothing filed after
 * the release's date.
 */
export function filingRows({ cik, list, indexed, pages, ownership, stated, date }: CompanySources): ListedFiling[] {
  const clock = clockOf(list);
  const rows = new Map<string, ListedFiling>();
  const put = (filing: Omit<FilingRecord, 'accepted'>, wall: WallTime | null) => {
    if (filing.filed > date || rows.has(filing.accession)) return;
    rows.set(filing.accession, {
      cik,
      accession: filing.accession,
      form: filing.form,
      filed: filing.filed,
      acceptedAt: wall === null ? null : instantOf(wall),
      timing: announcementTiming(filing.form, filing.items, wall),
      items: filing.items.join(','),
      primaryDocument: filing.primaryDocument,
      reportDate: filing.reportDate,
    });
  };
  const walls = new Map([
    ...pages.map(({ accession, acceptedEastern }) => [accession, acceptedEastern] as const),
    ...ownership.flatMap(({ filing, acceptedEastern }) =>
      acceptedEastern === null ? [] : [[filing.accession, acceptedEastern] as const],
    ),
  ]);
  for (const filing of list) put(filing, walls.get(filing.accession) ?? acceptedOnWall(filing.accepted, clock));
  for (const page of pages) {
    const { accession, form, filed, period, items, acceptedEastern } = page;
    const primaryDocument = page.documents.find(({ kind }) => kind === form)?.name ?? null;
    if (filed !== null) {
      put({ accession, form, filed, reportDate: period, primaryDocument, items }, acceptedEastern);
    }
  }
  const days = new Map(indexed.map(({ accession, filed }) => [accession, filed]));
  for (const { filing, acceptedEastern, document: primaryDocument } of ownership) {
    const { accession, form, periodOfReport: reportDate } = filing;
    const filed = filing.filed ?? days.get(accession);
    if (filed !== undefined) put({ accession, form, filed, reportDate, primaryDocument, items: [] }, acceptedEastern);
  }
  for (const { accession, form, filed } of [...indexed, ...stated]) {
    put({ accession, form, filed, reportDate: null, primaryDocument: null, items: [] }, null);
  }
  return [...rows.values()].sort(latestFirst);
}

function latestFirst(a: ListedFiling, b: ListedFiling): number {
  return (
    compare(b.filed, a.filed) || compareNullsFirst(b.acceptedAt, a.acceptedAt) || compare(b.accession, a.accession)
  );
}

/** Exhibits of tagged data, which repeat the main document. */
const DATA = /^EX-(?:10[1-4](?:\.|$)|27(?:\.|$))/;

/** The main document and the exhibits of each filing whose page was read, in order of accession number. */
export function documentRows(pages: readonly FilingPage[]): DocumentRow[] {
  const byAccession = new Map(pages.map((page) => [page.accession, page]));
  return [...byAccession.values()]
    .sort((a, b) => compare(a.accession, b.accession))
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
