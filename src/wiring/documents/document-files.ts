/** Documents on this machine: the public files that `fin data fetch --documents` stores, and the cache. */
import { hash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { openFileCache, readCacheMaxBytes } from '../../client/cache/file-cache.ts';
import type { DocumentSettings } from '../../client/request/ports.ts';
import { makeDocumentPath } from '../../edgar/fetch/remote-files.ts';
import { describeCause, isMissingPathError } from '../../platform/files/system-error.ts';
import { parseObject } from '../../platform/json-object.ts';
import { MAX_DOCUMENT_BYTES, makeSizeFailure } from './request-document.ts';

/** Compresses at level 4, which takes half the time of level 5 and a tenth more space. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

/** Returns a cache key of the same form as a response's key, with an empty account and an empty base URL. */
const makeKey = (url: string) => `\n\n${url}`;

export function openDocumentFiles({ directories, options, env, report }: DocumentSettings) {
  const { data, cache } = directories;
  const folder = options.noCache || cache === null ? null : join(cache, 'documents');
  const warn = (error: unknown) =>
    report({ type: 'notice', text: `Documents cannot be cached in ${folder}: ${describeCause(error)}.` });
  const files = folder === null ? null : openFileCache(folder, warn);
  const findPublic = (accession: string, name: string) =>
    data === null ? null : join(data, 'sources', makeDocumentPath(accession, name));
  const readCached = (url: string): Buffer | null => {
    const file = options.fresh ? null : (files?.read(makeKey(url)) ?? null);
    const bytes = file === null ? null : parseEntry(file.bytes, url);
    if (file !== null && bytes !== null) files?.confirm(makeKey(url), file.confirmedMs);
    return bytes;
  };
  return {
    /** Returns a public file of the filing; null if it was not fetched. */
    readPublic(accession: string, name: string): Buffer | null {
      const path = findPublic(accession, name);
      try {
        if (path === null) return null;
        if (statSync(path).size > MAX_DOCUMENT_BYTES) throw makeSizeFailure(path);
        return readFileSync(path);
      } catch (error) {
        if (isMissingPathError(error)) return null;
        throw error;
      }
    },
    hasPublic: (accession: string, name: string): boolean => existsSync(findPublic(accession, name) ?? ''),
    readCached,
    hasCached: (url: string): boolean => readCached(url) !== null,
    store: (url: string, bytes: Buffer): void => files?.write(makeKey(url), serializeEntry(url, bytes)),
    /** Removes the least recently used documents if the cache is too large. */
    sweep: async (): Promise<void> => files?.sweep(readCacheMaxBytes(env, 'FIN_DOCUMENTS_MAX_MB')),
  };
}

/** Serializes an entry as `head\nbody`: the address and the SHA-256 of the content, then the content, compressed. */
function serializeEntry(url: string, bytes: Buffer): Buffer {
  const head = JSON.stringify({ v: 1, url, sha256: hash('sha256', bytes) });
  return Buffer.concat([Buffer.from(`${head}\n`), brotliCompressSync(bytes, BROTLI)]);
}

/** Returns the content; null for an entry that is damaged or of another address. */
function parseEntry(entry: Buffer, url: string): Buffer | null {
  const end = entry.indexOf(10);
  const head = end < 0 ? null : parseObject(entry.toString('utf8', 0, end));
  if (head?.v !== 1 || head.url !== url) return null;
  try {
    const bytes = brotliDecompressSync(entry.subarray(end + 1), { maxOutputLength: MAX_DOCUMENT_BYTES });
    return hash('sha256', bytes) === head.sha256 ? bytes : null;
  } catch {
    return null;
  }
}
