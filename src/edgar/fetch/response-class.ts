/** Classifies the response to a request for a file. */
import { findRedirectTarget, isRedirect } from '../../http/addresses.ts';
import { findRefusal, isUrlOnSite, type Site } from '../../http/sec/site.ts';
import type { FileRecord } from './file-records.ts';
import type { PartialDownload } from './partial-file.ts';
import type { RemoteFile } from './remote-files.ts';

export interface ResponseHead {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

export type ResponseClass =
  /** The file has not changed since the last download. */
  | { readonly kind: 'unchanged' }
  /** The body is the file; `totalBytes` is its length, if known. */
  | { readonly kind: 'complete'; readonly totalBytes: number | null }
  /** The body has the bytes that the partial file lacks. */
  | { readonly kind: 'remainder'; readonly totalBytes: number | null }
  /** The partial file lacks no bytes: an earlier process ended while it checked the content. */
  | { readonly kind: 'already-whole' }
  /** The partial file is unusable; the file must be fetched from its beginning. */
  | { readonly kind: 'restart' }
  | { readonly kind: 'absent' }
  /** The site received too many requests: a 429, or a 403 that has no other known reason. */
  | { readonly kind: 'rate-limited' }
  /** The site rejects the given contact. */
  | { readonly kind: 'contact-refused' }
  /** Another request may help. */
  | { readonly kind: 'unavailable'; readonly reason: string }
  /** Another request would not help; `reason` is the predicate of a sentence. */
  | { readonly kind: 'unexpected'; readonly reason: string };

/**
 * Returns the request headers. They ask for the bytes that a partial file lacks, or contain the validators of a
 * complete copy on disk.
 */
export function makeRequestHeaders(
  { kind }: RemoteFile,
  copy: Pick<FileRecord, 'etag' | 'lastModified'> | null,
  partial: PartialDownload | null,
): Readonly<Record<string, string>> {
  // A range counts encoded bytes, so zips are requested without content coding.
  const header = { 'accept-encoding': kind === 'zip' ? 'identity' : 'gzip, deflate' };
  const tag = partial === null ? null : findRangeValidator(partial);
  if (partial !== null && tag !== null) return { ...header, range: `bytes=${partial.bytes}-`, 'if-range': tag };
  return {
    ...header,
    ...(copy?.etag ? { 'if-none-match': copy.etag } : {}),
    ...(copy?.lastModified ? { 'if-modified-since': copy.lastModified } : {}),
  };
}

/**
 * Returns the validator for resuming a partial file: a strong ETag, otherwise the date; null if the partial file is
 * empty or has no validator. A weak ETag does not guarantee equal bytes.
 */
function findRangeValidator({ bytes, etag, lastModified }: PartialDownload): string | null {
  if (bytes === 0) return null;
  return etag?.startsWith('"') === true ? etag : lastModified;
}

const TRANSIENT_STATUSES: ReadonlySet<number> = new Set([408, 500, 502, 503, 504]);

/**
 * Classifies a response from its status, its headers and the beginning of its body.
 * @param url the address of the response, after redirects
 * @param start the beginning of the body, as text
 */
export function classifyResponse(
  site: Site,
  file: RemoteFile,
  url: string,
  { status, headers }: ResponseHead,
  start: string,
  partial: PartialDownload | null,
): ResponseClass {
  if (isRedirect(status)) {
    const target = findRedirectTarget(headers.location, url);
    if (target !== null && isUrlOnSite(site, target)) return { kind: 'unexpected', reason: 'redirects too many times' };
    const place = headers.location === undefined ? 'without an address' : 'to another site';
    return { kind: 'unexpected', reason: `sent a redirect ${place}` };
  }
  const refusal = findRefusal(status, start);
  if (refusal !== null) return { kind: refusal };
  if (status === 304) return { kind: 'unchanged' };
  if (status === 416) return { kind: isPartialComplete(headers, partial) ? 'already-whole' : 'restart' };
  if (TRANSIENT_STATUSES.has(status)) return { kind: 'unavailable', reason: `answered ${status}` };
  if (status === 206) return classifyRange(headers, partial);
  if (status !== 200) return { kind: 'unexpected', reason: `answered ${status}` };
  return findWrongBody(file, headers, start) ?? { kind: 'complete', totalBytes: readFileLength(headers) };
}

/** Whether the partial file is complete: the site states the same length, and does not state a different ETag. */
function isPartialComplete({ etag, 'content-range': range }: ResponseHead['headers'], partial: PartialDownload | null) {
  if (partial === null || range !== `bytes */${partial.bytes}`) return false;
  return etag === undefined || etag === partial.etag;
}

function classifyRange(headers: ResponseHead['headers'], partial: PartialDownload | null): ResponseClass {
  const match = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15}|\*)$/.exec(headers['content-range'] ?? '');
  if (match === null || partial === null)
    return { kind: 'unexpected', reason: 'sent a range that was not requested or has no valid Content-Range header' };
  const totalBytes = match[3] === '*' ? null : Number(match[3]);
  const isExpected = Number(match[1]) === partial.bytes && (totalBytes === null || Number(match[2]) === totalBytes - 1);
  return isExpected ? { kind: 'remainder', totalBytes } : { kind: 'restart' };
}

/**
 * Returns the class of a response whose body does not begin like a file of this kind, for example because the body is
 * an HTML page; otherwise null.
 */
function findWrongBody({ kind }: RemoteFile, headers: ResponseHead['headers'], start: string): ResponseClass | null {
  const isHtml = /^\s*text\/html\b/i.test(headers['content-type'] ?? '') || /^[\s\u{FEFF}]*</u.test(start);
  if (isHtml && kind !== 'document')
    return { kind: 'unexpected', reason: `sent a web page instead of ${KIND_LABELS[kind]}` };
  if (start === '') return { kind: 'unexpected', reason: 'sent an empty response' };
  const pattern = { json: /^[\s\u{FEFF}]*[{[]/u, zip: /^PK/, text: /^/, document: /^/ }[kind];
  return pattern.test(start) ? null : { kind: 'unexpected', reason: `sent something that is not ${KIND_LABELS[kind]}` };
}

const KIND_LABELS: Readonly<Record<RemoteFile['kind'], string>> = {
  json: 'JSON',
  zip: 'a zip',
  text: 'a text file',
  document: 'a document',
};

/** Returns the length of the file; null if the response states no length, or only the length of an encoded body. */
function readFileLength(headers: ResponseHead['headers']): number | null {
  const encoding = headers['content-encoding'] ?? 'identity';
  const length = headers['content-length'] ?? '';
  return encoding === 'identity' && /^\d{1,15}$/.test(length) ? Number(length) : null;
}
