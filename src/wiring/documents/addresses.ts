/** Checks which addresses of documents may be requested: as text, before any host is looked up or request is sent. */
import { Failure } from '../../contract/failure.ts';
import type { FilingSource } from '../../contract/resources/filings.ts';
import { quote } from '../../contract/text/quote.ts';
import { isFileName } from '../../edgar/filings/filing-page.ts';
import { SEC_SITE } from '../../http/sec/site.ts';

export interface AllowedSites {
  /** The SEC's site or its copy, without a trailing slash: the only address that gets the contact. */
  readonly site: string;
  /** An origin that the user allowed; null without one. */
  readonly allowedOrigin: string | null;
}

export interface FolderAddress {
  /** Address of the folder as the service sent it, with a trailing slash. */
  readonly url: string;
  /** Address of the same folder at the site to which requests are sent. */
  readonly requestUrl: string;
  /** Whether requests are sent to the SEC's site or its copy. */
  readonly isSec: boolean;
}

const FOLDER_PATTERN = /^\/Archives\/edgar\/data\/[1-9]\d{0,9}\/(\d{18})\/$/;

/**
 * Checks the address of a filing's folder. Throws a usage Failure for any origin but the SEC's, its copy's and the
 * allowed one, and for any path but that of the folder.
 */
export function checkFolder(
  { folder: url, accession_number: accession }: Pick<FilingSource, 'folder' | 'accession_number'>,
  { site, allowedOrigin }: AllowedSites,
): FolderAddress {
  const base = [SEC_SITE.filesUrl, site, allowedOrigin].find((base) => base !== null && url.startsWith(`${base}/`));
  if (base == null) throw makeOriginFailure(url);
  const path = url.slice(base.length);
  if (FOLDER_PATTERN.exec(path)?.[1] !== accession.replaceAll('-', '')) {
    const hint = 'The service named this address; nothing was requested from it.';
    throw new Failure('usage', `${quote(url)} is not the address of the folder of filing ${accession}.`, { hint });
  }
  const isSec = base !== allowedOrigin;
  return { url, requestUrl: isSec ? `${site}${path}` : url, isSec };
}

/** Throws a usage Failure unless the address is that of the named file in the folder. */
export function checkDocument(url: string, name: string, folder: FolderAddress): void {
  if (isFileName(name) && url === folder.url + name) return;
  if (!url.startsWith(`${new URL(folder.url).origin}/`)) throw makeOriginFailure(url);
  const hint = 'The service named this address; nothing was requested from it.';
  throw new Failure('usage', `${quote(url)} is not the address of a document in ${folder.url}.`, { hint });
}

/** Returns the Failure for an address to which fin sends no request, because of its origin. */
export function makeOriginFailure(url: string): Failure {
  const origin = URL.canParse(url) ? new URL(url).origin : url;
  return new Failure('usage', `Documents are not read from ${quote(origin)}, only from the SEC's site or its copy.`, {
    hint: 'If you trust this origin: fin config set document_origin <origin>. Nothing was sent to it.',
  });
}
