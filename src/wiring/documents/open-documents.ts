/** Reads the documents of filings: determines which file is requested, and where the file is. */
import type { DocumentChoice, DocumentSettings, DocumentSource, FiledDocument } from '../../client/request/ports.ts';
import { makeNotCachedFailure } from '../../client/request/request.ts';
import { Failure } from '../../contract/failure.ts';
import type { FilingSource } from '../../contract/resources/filings.ts';
import { quote } from '../../contract/text/quote.ts';
import { call, option, say } from '../../contract/text/text.ts';
import { isFileName, readFilingPage } from '../../edgar/filings/filing-page.ts';
import { readSgmlSubmission } from '../../edgar/filings/sgml-submission.ts';
import { checkAddress } from '../../http/addresses.ts';
import { makeMirrorSite, SEC_SITE } from '../../http/sec/site.ts';
import { type AllowedSites, checkDocument, checkFolder, type FolderAddress } from './addresses.ts';
import { openDocumentFiles } from './document-files.ts';
import { type DocumentRequests, openDocumentRequests } from './request-document.ts';

/** An entry in a list of documents. */
interface Entry {
  readonly name: string;
  /** Form type, or exhibit number with `EX-`. */
  readonly type: string;
  /** The content of a document in a complete submission. */
  readonly body?: string;
}

export function openDocuments(settings: DocumentSettings): DocumentSource {
  const { options, report, site, allowedOrigin, localOnly } = settings;
  const mirror = site === null ? SEC_SITE : makeMirrorSite(checkAddress(site, 'site'));
  const sites: AllowedSites = { site: mirror.filesUrl, allowedOrigin };
  const files = openDocumentFiles(settings);
  let requests: DocumentRequests | null = null;

  /** Returns a file of the folder, from this machine if possible; null if the filing has no such file. */
  async function fetchFile(filing: FilingSource, folder: FolderAddress, name: string): Promise<Buffer | null> {
    const localBytes = files.readPublic(filing.accession_number, name);
    if (localBytes !== null) return localBytes;
    if (localOnly) throw makeNotLocalFailure(filing, name);
    const url = folder.requestUrl + name;
    const cached = files.readCached(url);
    if (cached !== null) {
      report({ type: 'cached', url, age: 0, why: options.offline ? 'offline' : 'release' });
      return cached;
    }
    if (options.offline) throw makeNotCachedFailure(url);
    requests ??= openDocumentRequests(settings);
    const bytes = await requests.get(url, folder.isSec);
    if (bytes !== null) files.store(url, bytes);
    return bytes;
  }

  /** Returns the documents that the filing's index page lists. */
  async function readIndexPage(filing: FilingSource, folder: FolderAddress): Promise<readonly Entry[]> {
    const html = await fetchFile(filing, folder, makeIndexName(filing));
    const page = html === null ? 'no such page' : readFilingPage(html.toString('utf8'));
    if (typeof page === 'string') {
      const text = `The list of documents of filing ${filing.accession_number} cannot be read: ${page}.`;
      throw new Failure('service', text);
    }
    return page.documents.map(({ name, kind }) => ({ name, type: kind }));
  }

  async function readFile(filing: FilingSource, folder: FolderAddress, { name, type }: Entry): Promise<FiledDocument> {
    const bytes = await fetchFile(filing, folder, name);
    if (bytes === null)
      throw new Failure('not_found', `${folder.requestUrl}${name} does not exist.`, { hint: makeOpenHint(filing) });
    return { name, type, url: folder.url + name, bytes };
  }

  /** Reads a document of a filing that consists of one complete submission, with all documents in it. */
  async function readFromSubmission(filing: FilingSource, folder: FolderAddress, name: string, choice: DocumentChoice) {
    const file = await readFile(filing, folder, { name, type: filing.form });
    if (choice.kind === 'file' && choice.name === name) return file;
    // Decodes each byte as one character, so that the bytes of a document do not change.
    const submission = readSgmlSubmission(Buffer.from(file.bytes).toString('latin1'));
    if (typeof submission === 'string') throw new Failure('service', `${file.url} cannot be read: ${submission}.`);
    const entries = submission.documents.map(({ fileName: name, type, body }) => ({ name, type, body }));
    const { body = '', ...document } = chooseDocument(filing, entries, choice);
    return { ...file, ...document, bytes: Buffer.from(body, 'latin1') };
  }

  return {
    async read(filing, choice) {
      const folder = checkFolder(filing, sites);
      const submission = findSubmissionName(filing);
      if (submission !== null) return readFromSubmission(filing, folder, submission, choice);
      const listedEntry = findListed(filing, folder, choice);
      const document = listedEntry ?? chooseDocument(filing, await readIndexPage(filing, folder), choice);
      return readFile(filing, folder, document);
    },
    countRequests(filing, choice) {
      const folder = checkFolder(filing, sites);
      const isHere = (name: string) =>
        files.hasPublic(filing.accession_number, name) || files.hasCached(folder.requestUrl + name);
      const name = findSubmissionName(filing) ?? findListed(filing, folder, choice)?.name;
      if (name !== undefined) return isHere(name) ? 0 : 1;
      return isHere(makeIndexName(filing)) ? 1 : 2;
    },
    async close() {
      await requests?.close();
      await files.sweep();
    },
  };
}

const makeIndexName = ({ accession_number: accession }: FilingSource): string => `${accession}-index.htm`;

/** Returns the documents that the service lists. Throws a usage Failure for an address outside the filing's folder. */
function listDocuments({ documents }: FilingSource, folder: FolderAddress): Entry[] {
  for (const { url, document } of documents) checkDocument(url, document, folder);
  return documents.map(({ document, kind }) => ({ name: document, type: kind }));
}

/** Returns the name of the complete submission if it is the only document. */
function findSubmissionName({ documents, accession_number: accession }: FilingSource): string | null {
  const name = `${accession}.txt`;
  return documents.length === 0 || (documents.length === 1 && documents[0]?.document === name) ? name : null;
}

/** Returns the requested document; null for an exhibit that the service does not list. */
function findListed(filing: FilingSource, folder: FolderAddress, choice: DocumentChoice): Entry | null {
  if (choice.kind !== 'file') return findDocument(filing, listDocuments(filing, folder), choice);
  const { name } = choice;
  if (!isFileName(name))
    throw new Failure('usage', say`${option('document', name)} is not the name of one file in a filing's folder.`);
  return { name, type: filing.documents.find(({ document }) => document === name)?.kind ?? '' };
}

/** Returns the requested document; null for an exhibit or a file that the list lacks. */
function findDocument(filing: FilingSource, documents: readonly Entry[], choice: DocumentChoice): Entry | null {
  if (choice.kind === 'exhibit') return findExhibit(filing, documents, choice.number);
  if (choice.kind === 'file') return documents.find(({ name }) => name === choice.name) ?? null;
  const ownDocument = documents.find(({ type }) => type === filing.form) ?? documents[0];
  if (ownDocument !== undefined) return ownDocument;
  throw new Failure('not_found', `The service lists no document of filing ${filing.accession_number}.`);
}

/** Returns the requested document of a complete list. If it is missing, throws a Failure that names the listed ones. */
function chooseDocument(filing: FilingSource, documents: readonly Entry[], choice: DocumentChoice): Entry {
  const document = findDocument(filing, documents, choice);
  if (document !== null) return document;
  const { accession_number: accession } = filing;
  if (choice.kind !== 'exhibit') {
    const names = documents.map(({ name }) => name).join(', ');
    throw new Failure('not_found', `Filing ${accession} has no such document. It has ${names}.`);
  }
  const types = [...new Set(documents.map(({ type }) => type).filter((type) => /^EX-/i.test(type)))];
  const list = types.length === 0 ? 'It has no exhibits.' : `It has ${types.join(', ')}.`;
  const text = `Filing ${accession} has no exhibit ${quote(choice.number)}. ${list}`;
  throw new Failure('not_found', text, { hint: makeOpenHint(filing) });
}

/** Returns the parts of an exhibit's number without leading zeros: 99.01 becomes 99 and 1. */
const splitExhibit = (text: string): string[] =>
  text
    .replace(/^EX-?/i, '')
    .split('.')
    .map((part) => part.replace(/^0+(?=.)/, '').toUpperCase());

/**
 * Finds an exhibit by its number, however it is written: 99.1 also finds 99.01, and the only exhibit with the number 99.
 * Returns null if no exhibit matches. Throws a usage Failure if several match.
 */
function findExhibit(filing: FilingSource, documents: readonly Entry[], number: string): Entry | null {
  const [main = '', sub = ''] = splitExhibit(number);
  const family = documents.filter(({ type }) => /^EX-/i.test(type) && splitExhibit(type)[0] === main);
  const exact = family.filter(({ type }) => (splitExhibit(type)[1] ?? '') === sub);
  const [match, ...otherMatches] = exact.length > 0 || (family.length > 1 && sub !== '') ? exact : family;
  if (match === undefined) return null;
  if (otherMatches.length === 0) return match;
  const names = [match, ...otherMatches].map(({ name, type }) => `${name} (${type})`).join(', ');
  const hint = say`Name one: ${option('document', match.name)}`;
  throw new Failure('usage', `Filing ${filing.accession_number} has several exhibits ${quote(number)}: ${names}.`, {
    hint,
  });
}

const makeOpenHint = ({ accession_number }: FilingSource) =>
  say`To see all documents: ${call('open', { accession: accession_number })}`;

const makeNotLocalFailure = ({ accession_number: accession }: FilingSource, name: string): Failure =>
  new Failure('not_found', `${name} of filing ${accession} is not among the documents on the server.`, {
    hint: 'The operator adds documents with: fin data fetch <ticker> --documents',
  });
