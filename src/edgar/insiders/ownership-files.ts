/**
 * Reads the ownership filings in the public files: forms as XML or in complete submissions, in zips or as separate
 * files, and quarterly data sets.
 */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { normalizeAccession } from '../../contract/identifiers.ts';
import { useArchive } from '../files/archive.ts';
import { toCik } from '../files/fields.ts';
import type { ListedFile } from '../files/list-files.ts';
import type { SkippedRowCounts } from '../files/skipped-rows.ts';
import type { FilingIndexRow } from '../filings/filing-index.ts';
import { isFileName } from '../filings/filing-page.ts';
import { readSgmlSubmission } from '../filings/sgml-submission.ts';
import { readInsiderDataSet } from './insider-data-set.ts';
import { type OwnershipFiling, readOwnershipDocument } from './ownership-document.ts';

const DATA_SET_PATTERN = /(?:^|\/)\d{4}q[1-4]_form345\.zip$/i;
const FORMS_ZIP_PATTERN = /(?:^|\/)ownership[^/]*\.zip$/i;
const SEPARATE_FORM_PATTERN = /^ownership\/.*\.(?:xml|txt|nc)$/i;
const FORM_FILE_PATTERN = /\.(?:xml|txt|nc)$/i;
const TRADE_CODE_PATTERN = /<transactionCode>\s*[PS]\s*</;
const MAX_FORM_BYTES = 32 * 1024 * 1024;

/** A filing and its source file. If both a form and a data set contain a filing, the form has more exact figures. */
export interface SourcedOwnershipFiling {
  /** A filing; its accession number is null if neither the text nor the path of the file contains the number. */
  readonly filing: Omit<OwnershipFiling, 'accession'> & { readonly accession: string | null };
  /** The source file's name, for messages. */
  readonly source: string;
  readonly origin: 'form' | 'set';
  /** New York time, YYYY-MM-DDTHH:MM:SS. Only complete submissions state this time; otherwise null. */
  readonly acceptedEastern: string | null;
  /** The form's file name in the filing's folder; null if unknown. */
  readonly document: string | null;
}

export const isOwnershipFile = (name: string): boolean =>
  DATA_SET_PATTERN.test(name) || FORMS_ZIP_PATTERN.test(name) || SEPARATE_FORM_PATTERN.test(name);

/**
 * Passes the filings of the wanted issuers to `onFiling`. Counts unreadable and unwanted filings. Throws the errors of
 * reading the file or zip. If a data set lacks a table other than SUBMISSION, throws TableError, but first passes the
 * wanted filings in SUBMISSION to `onListed`.
 */
export async function readOwnershipFile(
  { name, path, bytes }: ListedFile,
  wantsIssuer: (issuerCik: number) => boolean,
  onFiling: (filing: SourcedOwnershipFiling) => void,
  skipped: SkippedRowCounts,
  onListed: (filing: FilingIndexRow) => void,
): Promise<void> {
  const handle = (member: string, text: string) => {
    const filing = readForm(member, text);
    if (typeof filing === 'string') skipped.add(filing);
    else if (wantsIssuer(filing.filing.issuerCik))
      onFiling({ ...filing, source: member === name ? name : `${name}: ${member}` });
    else skipped.add(describeUnwantedFiling(name));
  };
  if (SEPARATE_FORM_PATTERN.test(name) && bytes > MAX_FORM_BYTES)
    skipped.add('an ownership filing that is too large to read');
  else if (!DATA_SET_PATTERN.test(name) || SEPARATE_FORM_PATTERN.test(name)) await readForms({ name, path }, handle);
  else
    await useArchive(path, MAX_FORM_BYTES, 'base', async (archive) => {
      const wants = (cik: number) => {
        const isWanted = wantsIssuer(cik);
        if (!isWanted) skipped.add(describeUnwantedFiling(name));
        return isWanted;
      };
      for (const filing of await readInsiderDataSet(archive, wants, skipped, onListed))
        onFiling({ filing, source: name, origin: 'set', acceptedEastern: null, document: null });
    });
}

/** Passes the name and the text of each form in a zip, or of a separate form, to `onForm`. */
async function readForms(
  { name, path }: Pick<ListedFile, 'name' | 'path'>,
  onForm: (name: string, text: string) => void,
): Promise<void> {
  if (SEPARATE_FORM_PATTERN.test(name)) onForm(name, await readFile(path, 'utf8'));
  else
    await useArchive(path, MAX_FORM_BYTES, 'path', async (archive) => {
      for (const member of archive.names.filter((candidate) => FORM_FILE_PATTERN.test(candidate)))
        onForm(member, (await archive.read(member)).toString('utf8'));
    });
}

const describeUnwantedFiling = (file: string): string =>
  `an ownership filing about a company that is not in the release (${file})`;

/**
 * Returns the CIKs of issuers whose forms contain a purchase or sale; empty for a quarterly data set. Throws
 * ArchiveError for a damaged zip, and file system errors.
 */
export async function findIssuersWithTrades({ name, path, bytes }: ListedFile): Promise<ReadonlySet<number>> {
  const issuers = new Set<number>();
  const addIssuer = (_: string, text: string) => {
    if (!TRADE_CODE_PATTERN.test(text)) return;
    const cik = toCik(/<issuerCik>\s*(\d{1,10})\s*</.exec(text)?.[1]);
    if (cik !== null) issuers.add(cik);
  };
  const isReadable = SEPARATE_FORM_PATTERN.test(name) ? bytes <= MAX_FORM_BYTES : FORMS_ZIP_PATTERN.test(name);
  if (isReadable) await readForms({ name, path }, addIssuer);
  return issuers;
}

/**
 * Returns the filing of a form, or the reason why the form cannot be read. The accession number is in the header of a
 * complete submission, otherwise in the name of the file or its folder.
 */
function readForm(name: string, text: string): Omit<SourcedOwnershipFiling, 'source'> | string {
  if (/\.xml$/i.test(name)) {
    const document = readOwnershipDocument(text);
    if (typeof document === 'string') return document;
    const accession = findAccession(name);
    const fileName = basename(name);
    return {
      filing: { ...document, accession, filed: null },
      origin: 'form',
      acceptedEastern: null,
      // If the file is named by an accession number, its original name is unknown.
      document: isFileName(fileName) && findAccession(fileName) === null ? fileName : null,
    };
  }
  const submission = readSgmlSubmission(text);
  if (typeof submission === 'string') return submission;
  const formDocument = submission.documents.find(({ type }) => type === submission.form);
  if (formDocument === undefined) return 'an ownership submission that contains no document of its form type';
  const document = readOwnershipDocument(formDocument.body);
  if (typeof document === 'string') return document;
  const { accession, filed, acceptedEastern } = submission;
  return {
    filing: { ...document, accession, filed },
    origin: 'form',
    acceptedEastern,
    document: isFileName(formDocument.fileName) ? formDocument.fileName : null,
  };
}

function findAccession(name: string): string | null {
  const withDashes = /(?<!\d)\d{10}-\d{2}-\d{6}(?!\d)/.exec(name);
  const digitsOnly = /(?<!\d)\d{18}(?!\d)/.exec(name);
  return normalizeAccession(withDashes?.[0] ?? digitsOnly?.[0] ?? '');
}
