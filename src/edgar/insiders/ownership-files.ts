/**
 * Reads the ownership filings among the public files: forms as XML, alone or in complete submissions, loose or
 * zipped, and quarterly sets.
 */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { normalizeAccession } from '../../contract/identifiers.ts';
import { openArchive } from '../files/archive.ts';
import { cikOf } from '../files/cik.ts';
import type { ListedFile } from '../files/list-files.ts';
import type { SkippedRows } from '../files/skipped-rows.ts';
import type { IndexRow } from '../filings/filing-index.ts';
import { isFileName } from '../filings/filing-page.ts';
import { readSgmlSubmission } from '../filings/sgml-submission.ts';
import { readInsiderSet } from './insider-data-set.ts';
import type { OwnershipFiling } from './ownership-document.ts';
import { readOwnershipDocument } from './ownership-document.ts';

const SET = /(?:^|\/)\d{4}q[1-4]_form345\.zip$/i;
const FORMS = /(?:^|\/)ownership[^/]*\.zip$/i;
const LOOSE = /^ownership\/.*\.(?:xml|txt|nc)$/i;
const FORM = /\.(?:xml|txt|nc)$/i;
const TRADED = /<transactionCode>\s*[PS]\s*</;
const MAX_FORM_BYTES = 32 * 1024 * 1024;

/** A filing and where it was read: a form has more figures, and more exact ones, than a set. */
export interface SourcedOwnershipFiling {
  /** Its accession number is null if neither the text nor the name of the file or folder has it. */
  readonly filing: Omit<OwnershipFiling, 'accession'> & { readonly accession: string | null };
  /** The file, for messages. */
  readonly source: string;
  readonly origin: 'form' | 'set';
  /** YYYY-MM-DDTHH:MM:SS in New York; only for a complete submission. */
  readonly acceptedEastern: string | null;
  /** The form's file name in the filing's folder, if known. */
  readonly document: string | null;
}

export function isOwnershipFile(name: string): boolean {
  return SET.test(name) || FORMS.test(name) || LOOSE.test(name);
}

/**
 * Passes the filings of the wanted issuers to `take`, and those that an incomplete set lists to `list`; counts
 * anything that is not a filing. Throws the errors of reading a file.
 */
export async function readOwnershipFile(
  { name, path, bytes }: ListedFile,
  wanted: (issuerCik: number) => boolean,
  take: (found: SourcedOwnershipFiling) => void,
  skipped: SkippedRows,
  list: (filing: IndexRow) => void,
): Promise<void> {
  const takeForm = (member: string, text: string) => {
    const found = readForm(member, text);
    if (typeof found === 'string') skipped.add(found);
    else if (wanted(found.filing.issuerCik)) take({ ...found, source: member === name ? name : `${name}: ${member}` });
    else skipped.add(outside(name));
  };
  if (LOOSE.test(name)) {
    if (bytes > MAX_FORM_BYTES) skipped.add('an ownership filing that is too large to read');
    else takeForm(name, await readFile(path, 'utf8'));
    return;
  }
  const isSet = SET.test(name);
  const archive = await openArchive(path, MAX_FORM_BYTES, isSet ? 'base' : 'path');
  try {
    if (isSet) {
      const counted = (cik: number) => {
        const isWanted = wanted(cik);
        if (!isWanted) skipped.add(outside(name));
        return isWanted;
      };
      for (const filing of await readInsiderSet(archive, counted, skipped, list)) {
        take({ filing, source: name, origin: 'set', acceptedEastern: null, document: null });
      }
      return;
    }
    for (const member of archive.names.filter((candidate) => FORM.test(candidate))) {
      takeForm(member, (await archive.read(member)).toString('utf8'));
    }
  } finally {
    archive.close();
  }
}

const outside = (file: string): string => `an ownership filing about a company that is not in the release (${file})`;

/**
 * Returns the issuers of forms with a purchase or sale; empty for a quarterly set. Throws the errors of reading a
 * file.
 */
export async function issuersWithTrades({ name, path, bytes }: ListedFile): Promise<ReadonlySet<number>> {
  const issuers = new Set<number>();
  const add = (text: string) => {
    if (!TRADED.test(text)) return;
    const cik = cikOf(/<issuerCik>\s*(\d{1,10})\s*</.exec(text)?.[1]);
    if (cik !== null) issuers.add(cik);
  };
  if (LOOSE.test(name)) {
    if (bytes <= MAX_FORM_BYTES) add(await readFile(path, 'utf8'));
  } else if (FORMS.test(name)) {
    const archive = await openArchive(path, MAX_FORM_BYTES, 'path');
    try {
      for (const member of archive.names.filter((candidate) => FORM.test(candidate))) {
        add((await archive.read(member)).toString('utf8'));
      }
    } finally {
      archive.close();
    }
  }
  return issuers;
}

/** The accession number is in the submission's header, or in the name of the file or its folder. */
function readForm(name: string, text: string): Omit<SourcedOwnershipFiling, 'source'> | string {
  if (/\.xml$/i.test(name)) {
    const document = readOwnershipDocument(text);
    if (typeof document === 'string') return document;
    const accession = accessionIn(name);
    const file = basename(name);
    return {
      filing: { ...document, accession, filed: null },
      origin: 'form',
      acceptedEastern: null,
      // A file named by its accession number has lost its original name.
      document: isFileName(file) && accessionIn(file) === null ? file : null,
    };
  }
  const submission = readSgmlSubmission(text);
  if (typeof submission === 'string') return submission;
  const own = submission.documents.find(({ type }) => type === submission.form);
  if (own === undefined) return 'a submission without the document of its form';
  const document = readOwnershipDocument(own.body);
  if (typeof document === 'string') return document;
  const { accession, filed, acceptedEastern } = submission;
  return {
    filing: { ...document, accession, filed },
    origin: 'form',
    acceptedEastern,
    document: isFileName(own.fileName) ? own.fileName : null,
  };
}

function accessionIn(name: string): string | null {
  const dashed = /(?<!\d)\d{10}-\d{2}-\d{6}(?!\d)/.exec(name);
  const bare = /(?<!\d)\d{18}(?!\d)/.exec(name);
  return normalizeAccession(dashed?.[0] ?? bare?.[0] ?? '');
}
