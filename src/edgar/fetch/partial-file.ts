/**
 * A partially fetched file, stored in a separate directory until complete. A later process can resume a zip, so its
 * partial file and its validators (such as the ETag) are kept. Partial files of other kinds belong to one process.
 * Before a file is moved into place, it is read completely, because a valid end does not guarantee a valid file:
 * truncated JSON may end with a closing bracket, and a zip with an intact directory may have damaged members.
 */
import { open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeDirectory } from '../../platform/files/directories.ts';
import { parseJson, parseObject, toNonEmptyText } from '../../platform/json-object.ts';
import { ArchiveError, findZipEndOffset, MAX_ZIP_END_BYTES, useArchive } from '../files/archive.ts';
import { toCik } from '../files/fields.ts';
import { JsonReader } from '../files/json-reader.ts';
import { FETCH_FOLDER, hashStart } from './file-records.ts';
import type { RemoteFile } from './remote-files.ts';

export interface ContentFault {
  /** The site's fault, as the predicate of a sentence: "sent HTML instead of JSON". */
  readonly fault: string;
  /** Whether repeating the request may help. */
  readonly isTransient: boolean;
}

/**
 * Returns the fault of a fetched file: it is incomplete, or belongs to another company. Null for a good file; text
 * files are not checked.
 */
export async function findContentFault(
  path: string,
  { kind, cik }: Pick<RemoteFile, 'kind' | 'cik'>,
  signal: AbortSignal,
): Promise<ContentFault | null> {
  if (kind === 'json') {
    const bytes = await readFile(path);
    signal.throwIfAborted();
    return findJsonFault(bytes, cik ?? null);
  }
  return kind === 'zip' ? findZipFault(path, signal) : null;
}

function findJsonFault(bytes: Buffer, expected: number | null): ContentFault | null {
  try {
    const actual = readCik(bytes);
    if (expected === null || actual === expected) return null;
    const content = actual === null ? 'JSON without a CIK' : `the JSON of CIK ${actual}`;
    return { fault: `sent ${content} instead of the JSON of CIK ${expected}`, isTransient: false };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { fault: `sent JSON that is incomplete or damaged (${error.message})`, isTransient: true };
  }
}

/** Returns the CIK at the top level of a JSON file. Throws SyntaxError if the JSON is incomplete. */
function readCik(bytes: Buffer): number | null {
  const reader = new JsonReader(bytes);
  let cik: number | null = null;
  reader.visitMembers((key) => {
    if (key === 'cik') cik = toCik(parseJson(reader.readRaw()));
    else reader.skip();
  });
  reader.expectEnd();
  return cik;
}

async function findZipFault(path: string, signal: AbortSignal): Promise<ContentFault | null> {
  try {
    await useArchive(path, undefined, 'path', (archive) => archive.check(signal));
    return null;
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    return { fault: `sent a zip that is incomplete or damaged (${error.fault})`, isTransient: true };
  }
}

const PARTIAL_FOLDER = join(FETCH_FOLDER, 'parts');
/** Age in milliseconds from which a partial file is assumed to belong to a killed process. */
const STALE_AGE_MS = 3_600_000;

let nextSerialNumber = 0;

/** Number of bytes on disk, and the validators of the response that supplied these bytes. */
export interface PartialDownload {
  readonly bytes: number;
  readonly etag: string | null;
  readonly lastModified: string | null;
}

type Validators = Omit<PartialDownload, 'bytes'>;

type ReceiveResult = { readonly bytes: number; readonly sha256: string } | ContentFault;

export class PartialFile {
  readonly #path: string;
  /** Path of the metadata (address and validators). Only zips have metadata. */
  readonly #metadataPath: string;
  readonly #isResumable: boolean;

  constructor(
    readonly folder: string,
    readonly remote: RemoteFile,
  ) {
    this.#isResumable = remote.kind === 'zip';
    const suffix = this.#isResumable ? '' : `.${process.pid}-${nextSerialNumber++}`;
    this.#path = join(folder, PARTIAL_FOLDER, `${remote.file.replaceAll('/', '~')}${suffix}.part`);
    this.#metadataPath = `${this.#path}.json`;
  }

  /** Returns the partial file of an earlier attempt; null if the download cannot be resumed. */
  async read(): Promise<PartialDownload | null> {
    if (!this.#isResumable) return null;
    const stats = await stat(this.#path).catch(() => null);
    const metadata = parseObject(await readFile(this.#metadataPath, 'utf8').catch(() => ''));
    // An earlier run may have fetched the file from another site.
    if (stats === null || metadata?.url !== this.remote.url || stats.size > this.remote.maxBytes) return null;
    const { etag, lastModified } = metadata;
    return { bytes: stats.size, etag: toNonEmptyText(etag), lastModified: toNonEmptyText(lastModified) };
  }

  /**
   * Writes the body to the partial file, and checks that the file is complete. Appends if `from` is given,
   * otherwise replaces the file. If reading the body fails, throws the error, but keeps the bytes received so far.
   * @param total the length of the complete file, if known
   * @param onBytes called with the length of every chunk
   */
  async receive(
    body: AsyncIterable<Uint8Array>,
    from: PartialDownload | null,
    tags: Validators,
    total: number | null,
    onBytes: (bytes: number) => void,
    signal: AbortSignal,
  ): Promise<ReceiveResult> {
    const { kind, maxBytes } = this.remote;
    const advice = kind === 'zip' ? '; to allow more, set --max-size' : '';
    const tooLong = { fault: `has a file of more than the allowed ${maxBytes} bytes${advice}`, isTransient: false };
    if (total !== null && total > maxBytes) return tooLong;
    await this.#prepare(from, tags);
    const file = await open(this.#path, 'a');
    try {
      let bytes = from?.bytes ?? 0;
      const hash = await hashStart(this.#path, bytes);
      for await (const chunk of body) {
        if (bytes + chunk.length > maxBytes) return tooLong;
        await file.appendFile(chunk);
        hash.update(chunk);
        bytes += chunk.length;
        onBytes(chunk.length);
      }
      if (total !== null && bytes !== total)
        return { fault: `sent ${bytes} bytes instead of ${total}`, isTransient: true };
      const fault = await findTruncation(this.#path, kind);
      if (fault !== null) return { fault, isTransient: true };
      await file.sync();
      const changed = 'sent the file, but another program changed the partial copy on this computer';
      if ((await file.stat()).size !== bytes) return { fault: changed, isTransient: true };
      return (await findContentFault(this.#path, this.remote, signal)) ?? { bytes, sha256: hash.digest('hex') };
    } finally {
      await file.close();
    }
  }

  /** Makes the directory. Unless the file is resumed, removes what an earlier attempt left, and writes the metadata. */
  async #prepare(from: PartialDownload | null, tags: Validators): Promise<void> {
    makeDirectory(dirname(this.#path));
    if (from !== null) return;
    await this.remove();
    if (this.#isResumable) await writeFile(this.#metadataPath, JSON.stringify({ url: this.remote.url, ...tags }));
  }

  /** Moves the complete file into the directory of the public files. */
  async publish(): Promise<void> {
    const path = join(this.folder, this.remote.file);
    makeDirectory(dirname(path));
    await rename(this.#path, path);
    await rm(this.#metadataPath, { force: true });
  }

  /** Removes the file unless a later process can resume it. */
  async removeUnlessResumable(): Promise<void> {
    if (!this.#isResumable) await this.remove();
  }

  async remove(): Promise<void> {
    await rm(this.#path, { force: true });
    await rm(this.#metadataPath, { force: true });
  }
}

/**
 * Returns a fault if the end of the file is missing, such as "sent incomplete JSON" (the name of a host precedes it).
 * Null if the end is valid, and for text and documents, whose end cannot be checked.
 */
async function findTruncation(path: string, kind: RemoteFile['kind']): Promise<string | null> {
  if (kind === 'text' || kind === 'document') return null;
  const handle = await open(path, 'r');
  try {
    const { size } = await handle.stat();
    const length = Math.min(size, MAX_ZIP_END_BYTES);
    const { buffer } = await handle.read(Buffer.alloc(length), 0, length, size - length);
    if (kind === 'zip') return findZipEndOffset(buffer) === null ? 'sent an incomplete zip file' : null;
    return /[}\]]\s*$/.test(buffer.toString('latin1', Math.max(0, length - 64))) ? null : 'sent incomplete JSON';
  } finally {
    await handle.close();
  }
}

/** Removes partial files of killed processes, except files that can be resumed. */
export async function removeStalePartialFiles(directory: string): Promise<void> {
  const folder = join(directory, PARTIAL_FOLDER);
  for (const name of await readdir(folder).catch(() => [])) {
    if (!/\.\d+-\d+\.part$/.test(name)) continue;
    const stats = await stat(join(folder, name)).catch(() => null);
    if (stats !== null && Date.now() - stats.mtimeMs > STALE_AGE_MS) await rm(join(folder, name), { force: true });
  }
}
