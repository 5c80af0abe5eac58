/**
 * A partially fetched file, stored in a separate directory until complete. A later process can resume a zip, so its
 * partial file and its validators (such as the ETag) are kept. Partial files of other kinds belong to one process.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeDirectory } from '../../platform/files/directories.ts';
import { parseObject, toNonEmptyText } from '../../platform/json-object.ts';
import { findZipEndOffset, MAX_ZIP_END_BYTES } from '../files/zip-end.ts';
import { type ContentFault, findContentFault } from './content-check.ts';
import { FETCH_FOLDER } from './file-records.ts';
import type { RemoteFile } from './site.ts';

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

export type ReceiveResult = { readonly bytes: number; readonly sha256: string } | ContentFault;

export class PartialFile {
  readonly #path: string;
  /** Path of the metadata (address and validators). Only zips have metadata. */
  readonly #metadataPath: string;
  readonly #isResumable: boolean;

  constructor(
    readonly directory: string,
    readonly remoteFile: RemoteFile,
  ) {
    this.#isResumable = remoteFile.kind === 'zip';
    const uniqueSuffix = this.#isResumable ? '' : `.${process.pid}-${nextSerialNumber++}`;
    this.#path = join(directory, PARTIAL_FOLDER, `${remoteFile.file.replaceAll('/', '~')}${uniqueSuffix}.part`);
    this.#metadataPath = `${this.#path}.json`;
  }

  /** Returns the partial file of an earlier attempt; null if the download cannot be resumed. */
  async read(): Promise<PartialDownload | null> {
    if (!this.#isResumable) return null;
    const stats = await stat(this.#path).catch(() => null);
    const metadata = parseObject(await readFile(this.#metadataPath, 'utf8').catch(() => ''));
    // An earlier run may have fetched the file from another site.
    if (stats === null || metadata?.url !== this.remoteFile.url || stats.size > this.remoteFile.maxBytes) return null;
    return {
      bytes: stats.size,
      etag: toNonEmptyText(metadata.etag),
      lastModified: toNonEmptyText(metadata.lastModified),
    };
  }

  /**
   * Writes the body to the partial file, and checks that the file is complete. Appends if `resumedFrom` is given,
   * otherwise replaces the file. If reading the body fails, throws the error, but keeps the bytes received so far.
   * @param totalBytes the length of the complete file, if known
   * @param onBytesReceived called with the length of every chunk
   */
  async receive(
    body: AsyncIterable<Uint8Array>,
    resumedFrom: PartialDownload | null,
    validators: Validators,
    totalBytes: number | null,
    onBytesReceived: (bytes: number) => void,
    signal: AbortSignal,
  ): Promise<ReceiveResult> {
    const { kind, maxBytes } = this.remoteFile;
    const maxSizeAdvice = kind === 'zip' ? '; to allow more, set --max-size' : '';
    const tooLongFault = {
      fault: `has a file of more than the allowed ${maxBytes} bytes${maxSizeAdvice}`,
      isTransient: false,
    };
    if (totalBytes !== null && totalBytes > maxBytes) return tooLongFault;
    const file = await this.#open(resumedFrom, validators);
    try {
      for await (const chunk of body) {
        if (file.bytes + chunk.length > maxBytes) return tooLongFault;
        await file.write(chunk);
        onBytesReceived(chunk.length);
      }
      if (totalBytes !== null && file.bytes !== totalBytes) {
        return { fault: `sent ${file.bytes} bytes instead of ${totalBytes}`, isTransient: true };
      }
      const truncationFault = await findTruncation(this.#path, kind);
      if (truncationFault !== null) return { fault: truncationFault, isTransient: true };
      const sha256 = await file.finish();
      if (sha256 === null)
        return {
          fault: 'sent the file, but another program changed the partial copy on this computer',
          isTransient: true,
        };
      return (await findContentFault(this.#path, this.remoteFile, signal)) ?? { bytes: file.bytes, sha256 };
    } finally {
      await file.close();
    }
  }

  async #open(resumedFrom: PartialDownload | null, validators: Validators): Promise<OpenPartialFile> {
    makeDirectory(dirname(this.#path));
    if (resumedFrom === null) {
      await this.remove();
      if (this.#isResumable)
        await writeFile(this.#metadataPath, JSON.stringify({ url: this.remoteFile.url, ...validators }));
    }
    return OpenPartialFile.open(this.#path, resumedFrom?.bytes ?? 0);
  }

  /** Moves the complete file into the directory of the public files. */
  async publish(): Promise<void> {
    const finalPath = join(this.directory, this.remoteFile.file);
    makeDirectory(dirname(finalPath));
    await rename(this.#path, finalPath);
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

/** A partial file that is open for appending; its bytes are hashed as they are written. */
class OpenPartialFile {
  readonly #hash = createHash('sha256');

  private constructor(
    readonly handle: FileHandle,
    public bytes: number,
  ) {}

  static async open(path: string, startOffset: number): Promise<OpenPartialFile> {
    const file = new OpenPartialFile(await open(path, 'a'), startOffset);
    if (startOffset > 0) {
      for await (const chunk of createReadStream(path, { end: startOffset - 1, highWaterMark: 1 << 20 })) {
        file.#hash.update(chunk as Buffer);
      }
    }
    return file;
  }

  async write(chunk: Uint8Array): Promise<void> {
    await this.handle.appendFile(chunk);
    this.#hash.update(chunk);
    this.bytes += chunk.length;
  }

  /** Syncs the file to disk, and returns its SHA-256; null if another program wrote to the file. */
  async finish(): Promise<string | null> {
    await this.handle.sync();
    if ((await this.handle.stat()).size !== this.bytes) return null;
    return this.#hash.digest('hex');
  }

  close(): Promise<void> {
    return this.handle.close();
  }
}

/**
 * Returns a fault if the end of the file is missing, such as "sent incomplete JSON" (the name of a host precedes it).
 * Null if the end is valid, and for text files, whose end cannot be checked.
 */
async function findTruncation(path: string, kind: RemoteFile['kind']): Promise<string | null> {
  if (kind === 'text') return null;
  const handle = await open(path, 'r');
  try {
    const { size } = await handle.stat();
    const tailLength = Math.min(size, MAX_ZIP_END_BYTES);
    const { buffer } = await handle.read(Buffer.alloc(tailLength), 0, tailLength, size - tailLength);
    if (kind === 'zip') return findZipEndOffset(buffer) === null ? 'sent an incomplete zip file' : null;
    return /[}\]]\s*$/.test(buffer.toString('latin1', Math.max(0, tailLength - 64))) ? null : 'sent incomplete JSON';
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
