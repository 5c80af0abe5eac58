/** A company's filings, put together from its own list, the indexes, and what single filings say of themselves. */

import type { IndexRow } from '../../../edgar/filings/filing-index.ts';
import type { FilingPage } from '../../../edgar/filings/filing-page.ts';
import type { FilingRecord } from '../../../edgar/filings/submissions.ts';
import type { SourcedOwnershipFiling } from '../../../edgar/insiders/ownership-files.ts';
import { acceptedOnWall, announcementTiming, clockOf } from '../../../figures/filings/acceptance.ts';
import { instantOf, type WallTime } from '../../../figures/periods/new-york.ts';
import type { DocumentRow, FilingRow } from '../../schema/filings.ts';
import { compare } from '../../schema/row-order.ts';

export interface CompanySources {
  readonly cik: number;
  /** The company's own list. */
  readonly list: readonly FilingRecord[];
  readonly indexed: readonly IndexRow[];
  readonly pages: readonly FilingPage[];
  /** Ownership filings on the company that were read. */
  readonly owned: readonly SourcedOwnershipFiling[];
  /** The release's date. */
  readonly date: string;
}

/**
 * Once per accession, the latest first. The list says most; a filing's own page knows when it was accepted; an index and the
 * ownership filings that were read add what came after the list, or where there is none. Nothing filed after the release's date.
 */
export function filingRows({ cik, list, indexed, pages, owned, date }: CompanySources): FilingRow[] {
  const clock = clockOf(list);
  const rows = new Map<string, FilingRow>();
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
    ...owned.flatMap(({ filing, acceptedEastern }) =>
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
  for (const { filing, acceptedEastern, document: primaryDocument } of owned) {
    const { accession, form, periodOfReport: reportDate } = filing;
    const filed = filing.filed ?? days.get(accession);
    if (filed !== undefined) put({ accession, form, filed, reportDate, primaryDocument, items: [] }, acceptedEastern);
  }
  for (const { accession, form, filed } of indexed) {
    put({ accession, form, filed, reportDate: null, primaryDocument: null, items: [] }, null);
  }
  return [...rows.values()].sort(latestFirst);
}

function latestFirst(a: FilingRow, b: FilingRow): number {
  return (
    compare(b.filed, a.filed) || compare(b.acceptedAt ?? '', a.acceptedAt ?? '') || compare(b.accession, a.accession)
  );
}

/** Tagged data beside the document that people read. */
const DATA = /^EX-(?:10[1-4](?:\.|$)|27(?:\.|$))/;

/** The form's own document, then the exhibits, of each filing whose page is at hand; in order of accession. */
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
