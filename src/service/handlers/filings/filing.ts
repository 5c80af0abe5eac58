/** `/v1/filings/{accession}`: one filing and its documents, without fetching them. */

import { makeDocumentUrl, makeFilingFolderUrl } from '../../../contract/identifiers.ts';
import type { FilingSource, FilingSourceDocument } from '../../../contract/resources/filings.ts';
import type { ReleaseReader } from '../../../store/reader.ts';
import type { FilingRow } from '../../../store/schema/filings.ts';
import { ACCESSION_INDEX, computeAccessionKey, FILING_DOCUMENTS, FILINGS } from '../../../store/schema/filings.ts';
import { INSIDER_FILINGS } from '../../../store/schema/insiders.ts';
import { TAGGED_REPORTS } from '../../../store/schema/segments.ts';
import { type Handler, ProblemError } from '../../request/handler.ts';
import { readNameFinder } from '../coverage/find-listings.ts';
import { requireTable } from '../coverage/included-tables.ts';

/**
 * Matches the folder xslF345X05/ in a name such as xslF345X05/form4.xml. The SEC lists this HTML rendering as the main
 * document of an ownership form. The name without the folder is the name of the XML document.
 */
const RENDERED_FOLDER_PATTERN = /^xsl[^/]*\//;

type FilingSummary = Pick<FilingRow, 'cik' | 'accession' | 'form' | 'acceptedAt' | 'primaryDocument'> & {
  readonly filed: string | null;
};

export const handleFiling: Handler<'filing'> = async ({ release, parameters }) => {
  requireTable(release, FILINGS, 'Filings');
  const { accession } = parameters;
  const row = await findFiling(release, accession);
  if (row === null)
    throw new ProblemError('not_found', `The release has no filing with the accession number ${accession}.`);
  const { entityName, ticker } = (await readNameFinder(release, [row]))(row.cik);
  const data: FilingSource = {
    accession_number: accession,
    cik: row.cik,
    entity_name: entityName,
    form: row.form,
    folder: makeFilingFolderUrl(row.cik, accession),
    documents: await readDocuments(release, row),
    accepted_at: row.acceptedAt,
    filed_at: row.filed,
    ticker,
  };
  return { data };
};

/**
 * Finds the companies in the index of accession numbers, then the filing among their filings and insider filings. The
 * index uses checksums as keys, so it may also return companies without this filing.
 */
async function findFiling(release: ReleaseReader, accession: string): Promise<FilingSummary | null> {
  for (const { cik } of await release.rowsOf(ACCESSION_INDEX, computeAccessionKey(accession))) {
    const row = (await release.rowsOf(FILINGS, cik)).find((row) => row.accession === accession);
    if (row !== undefined) return row;
    const filing = (await release.rowsOf(INSIDER_FILINGS, cik)).find((row) => row.accession === accession);
    // The tables of insider trades lack these two fields.
    const emptyFields = { acceptedAt: null, primaryDocument: null };
    if (filing !== undefined) return { ...emptyFields, cik, accession, form: filing.form, filed: filing.filed };
  }
  return null;
}

/**
 * Returns the documents, the main document first. If the release lacks the filing's index page, returns only the main
 * document, or the complete submission text if the main document's name is unknown.
 */
async function readDocuments(release: ReleaseReader, row: FilingSummary): Promise<FilingSourceDocument[]> {
  const { cik, accession, form } = row;
  const primaryDocumentName = row.primaryDocument?.replace(RENDERED_FOLDER_PATTERN, '') ?? `${accession}.txt`;
  const listed = (await release.rowsOf(FILING_DOCUMENTS, cik)).filter((row) => row.accession === accession);
  const mainRead = await hasFiguresFromMainDocument(release, row);
  const documents = listed.length > 0 ? listed : [{ document: primaryDocumentName, kind: form }];
  return documents.map(({ document, kind }, index) => ({
    document,
    kind,
    url: makeDocumentUrl(cik, accession, document),
    read: mainRead && index === 0,
  }));
}

/** Whether a figure of this release was read from the main document. */
async function hasFiguresFromMainDocument(release: ReleaseReader, { cik, accession }: FilingSummary): Promise<boolean> {
  const filings = await release.rowsOf(INSIDER_FILINGS, cik);
  if (filings.some((insider) => insider.accession === accession)) return true;
  const reports = await release.rowsOf(TAGGED_REPORTS, cik);
  return reports.some((report) => report.accession === accession && report.kind !== 'data_set');
}
