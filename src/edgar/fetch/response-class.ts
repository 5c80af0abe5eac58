/** What an answer means. Pure: nothing is asked, read or written here. */
import type { FileRecord } from './file-records.ts';
import { redirectWithin, type Site } from './site.ts';
import type { DownloadResponse, RemoteFile } from './types.ts';

/** What is known of a file of which only the beginning is there. */
export interface PartialContent {
  readonly bytes: number;
  readonly etag: string | null;
  readonly lastModified: string | null;
}

export type ResponseClass =
  /** The file is as it was when we fetched it. */
  | { readonly is: 'unchanged' }
  /** The body is the file; `total` is its length, where that is said. */
  | { readonly is: 'whole'; readonly total: number | null }
  /** The body is what the part lacks. */
  | { readonly is: 'rest'; readonly total: number | null }
  /** The part is of no use. */
  | { readonly is: 'restart' }
  | { readonly is: 'absent' }
  | { readonly is: 'moved'; readonly to: string }
  /** Too many requests, or an answer that says so without saying it. */
  | { readonly is: 'refused' }
  /** The site does not know who asks. */
  | { readonly is: 'undeclared' }
  /** It may pass. */
  | { readonly is: 'failing'; readonly why: string }
  /** Not an answer to this question: `why` is the predicate of a sentence. */
  | { readonly is: 'strange'; readonly why: string };

/** Where the site does not say how long, it stays closed for ten minutes (its rules of fair access). */
export const DEFAULT_PAUSE_MS = 10 * 60_000;

/** The headers of a request for a file, given the good copy (`held`) or the beginning (`part`) that is there. */
export function requestHeaders(
  { kind }: RemoteFile,
  held: Pick<FileRecord, 'etag' | 'lastModified'> | null,
  part: PartialContent | null,
): Readonly<Record<string, string>> {
  // A range counts the bytes as they come, so a zip is asked for as it lies there.
  const coding = { 'accept-encoding': kind === 'zip' ? 'identity' : 'gzip, deflate' };
  const validator = part === null ? null : rangeValidator(part);
  if (part !== null && validator !== null) return { ...coding, range: `bytes=${part.bytes}-`, 'if-range': validator };
  return {
    ...coding,
    ...(held?.etag ? { 'if-none-match': held.etag } : {}),
    ...(held?.lastModified ? { 'if-modified-since': held.lastModified } : {}),
  };
}

/** What a part can be gone on with by; a weak ETag does not promise the same bytes. */
export function rangeValidator({ bytes, etag, lastModified }: PartialContent): string | null {
  if (bytes === 0) return null;
  return etag?.startsWith('"') === true ? etag : lastModified;
}

const MOVED: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const MAY_PASS: ReadonlySet<number> = new Set([408, 500, 502, 503, 504]);

/** @param start the beginning of the body, as text */
export function classifyResponse(
  site: Site,
  step: RemoteFile,
  url: string,
  { status, headers }: Pick<DownloadResponse, 'status' | 'headers'>,
  start: string,
  part: PartialContent | null,
): ResponseClass {
  if (MOVED.has(status)) {
    const to = redirectWithin(site, url, headers.location);
    return to === null ? { is: 'strange', why: `sent us on to ${away(headers.location)}` } : { is: 'moved', to };
  }
  if (status === 304) return { is: 'unchanged' };
  if (status === 404 || status === 410) return { is: 'absent' };
  if (status === 416) return { is: 'restart' };
  if (status === 429) return { is: 'refused' };
  if (status === 403) return forbidden(start);
  if (MAY_PASS.has(status)) return { is: 'failing', why: `answered ${status}` };
  if (status === 206) return judgeRange(headers, part);
  if (status !== 200) return { is: 'strange', why: `answered ${status}` };
  return judgeStart(step, headers, start) ?? { is: 'whole', total: lengthOf(headers) };
}

const away = (location: string | undefined) =>
  location === undefined ? 'nowhere' : 'an address that is not part of the site';

function forbidden(start: string): ResponseClass {
  if (/undeclared automated tool/i.test(start)) return { is: 'undeclared' };
  // The store behind the site answers so for a file that it does not have.
  if (/<Code>AccessDenied<\/Code>/.test(start)) return { is: 'absent' };
  return { is: 'refused' };
}

function judgeRange(headers: DownloadResponse['headers'], part: PartialContent | null): ResponseClass {
  const match = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15}|\*)$/.exec(headers['content-range'] ?? '');
  if (match === null || part === null) return { is: 'strange', why: 'sent a part that was not asked for' };
  const total = match[3] === '*' ? null : Number(match[3]);
  const fits = Number(match[1]) === part.bytes && (total === null || Number(match[2]) === total - 1);
  return fits ? { is: 'rest', total } : { is: 'restart' };
}

/** Null where the body begins as such a file does. A page in HTML is never taken for a file. */
function judgeStart({ kind }: RemoteFile, headers: DownloadResponse['headers'], start: string): ResponseClass | null {
  const isPage = /^\s*text\/html\b/i.test(headers['content-type'] ?? '') || /^[\s\u{FEFF}]*</u.test(start);
  if (isPage && /request rate threshold|undeclared automated tool/i.test(start)) return forbidden(start);
  if (isPage) return { is: 'strange', why: `sent a page instead of ${NAMES[kind]}` };
  if (start === '') return { is: 'strange', why: 'sent nothing' };
  const begins = { json: /^[\s\u{FEFF}]*[{[]/u, zip: /^PK/, text: /^/ }[kind];
  return begins.test(start) ? null : { is: 'strange', why: `sent something that is not ${NAMES[kind]}` };
}

const NAMES: Readonly<Record<RemoteFile['kind'], string>> = { json: 'JSON', zip: 'a zip', text: 'a text' };

/** Of a coded body the length says nothing. */
function lengthOf(headers: DownloadResponse['headers']): number | null {
  const coding = headers['content-encoding'] ?? 'identity';
  const length = headers['content-length'] ?? '';
  return coding === 'identity' && /^\d{1,15}$/.test(length) ? Number(length) : null;
}
