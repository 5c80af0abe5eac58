/** Writes a Parquet file: encoded row groups, then the footer. */
import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { explainWriteErrors } from '../platform/files/system-error.ts';
import { PARQUET_MAGIC } from './parquet/format/thrift.ts';
import { type FileDescription, Footer, type RowGroupEntry } from './parquet/write/footer.ts';

export class ParquetFile {
  readonly #file: OutputFile;
  readonly #footer: Footer;

  constructor(path: string, file: FileDescription) {
    this.#file = new OutputFile(path);
    this.#footer = new Footer(file);
    this.#file.write(PARQUET_MAGIC);
  }

  get rows(): number {
    return this.#footer.rows;
  }

  get rowGroupCount(): number {
    return this.#footer.rowGroupCount;
  }

  /**
   * Appends a row group and returns its byte offset in the file.
   * @param bytes the row group's column chunks, in one or more arrays
   */
  append(group: RowGroupEntry, bytes: readonly Uint8Array[]): number {
    const offset = this.#file.length;
    this.#footer.add(group, offset);
    for (const chunks of bytes) this.#file.write(chunks);
    return offset;
  }

  /**
   * Writes the footer and closes the file.
   * @param syncsToDisk whether to sync the file to disk before closing
   */
  finish({ syncsToDisk }: { readonly syncsToDisk: boolean }): { bytes: number; sha256: string } {
    for (const piece of this.#footer.pieces()) this.#file.write(piece);
    return this.#file.finish(syncsToDisk);
  }

  /** Closes the incomplete file of a failed build. */
  abandon(): void {
    this.#file.abandon();
  }

  /** Closes and removes the file. */
  remove(): void {
    this.#file.abandon();
    rmSync(this.#file.path);
  }
}

/**
 * Size of the output buffer. Output is buffered, because a system call for each footer entry would take longer than
 * encoding the entry.
 */
const OUTPUT_BUFFER_BYTES = 256 * 1024;

/** A file that is written once, sequentially, and hashed while it is written. */
export class OutputFile {
  readonly #descriptor: number;
  readonly #hash = createHash('sha256');
  readonly #buffer = Buffer.allocUnsafeSlow(OUTPUT_BUFFER_BYTES);
  /** Number of buffered bytes that are not yet written. */
  #bufferedBytes = 0;
  #isOpen = true;
  length = 0;

  constructor(readonly path: string) {
    this.#descriptor = this.#explainSystemError(() => openSync(path, 'wx'));
  }

  write(bytes: Uint8Array): void {
    this.length += bytes.length;
    if (this.#bufferedBytes + bytes.length > OUTPUT_BUFFER_BYTES) this.#flush();
    if (bytes.length > OUTPUT_BUFFER_BYTES) this.#writeToFile(bytes);
    else {
      this.#buffer.set(bytes, this.#bufferedBytes);
      this.#bufferedBytes += bytes.length;
    }
  }

  /** Closes the file and returns its size and hash. */
  finish(syncsToDisk = false): { bytes: number; sha256: string } {
    this.#flush();
    if (syncsToDisk) this.#explainSystemError(() => fsyncSync(this.#descriptor));
    this.abandon();
    return { bytes: this.length, sha256: this.#hash.digest('hex') };
  }

  #flush(): void {
    this.#writeToFile(this.#buffer.subarray(0, this.#bufferedBytes));
    this.#bufferedBytes = 0;
  }

  #writeToFile(bytes: Uint8Array): void {
    this.#hash.update(bytes);
    this.#explainSystemError(() => {
      for (let written = 0; written < bytes.length; ) written += writeSync(this.#descriptor, bytes, written);
    });
  }

  abandon(): void {
    if (this.#isOpen) closeSync(this.#descriptor);
    this.#isOpen = false;
  }

  #explainSystemError<T>(write: () => T): T {
    return explainWriteErrors(`The release file ${this.path}`, write);
  }
}
