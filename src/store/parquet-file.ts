/** Writes a Parquet file: encoded row groups, one after the other, then the footer. */
import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { writingTo } from '../platform/system-error.ts';
import { MAGIC } from './parquet/format.ts';
import { type FileDescription, Footer, type RowGroupEntry } from './parquet/write/footer.ts';

export class ParquetFile {
  readonly #file: OutputFile;
  readonly #footer: Footer;

  constructor(path: string, description: FileDescription) {
    this.#file = new OutputFile(path);
    this.#footer = new Footer(description);
    this.#file.write(MAGIC);
  }

  get rows(): number {
    return this.#footer.rows;
  }

  get rowGroups(): number {
    return this.#footer.rowGroups;
  }

  /**
   * Returns the row group's offset in the file.
   * @param bytes its column chunks, in one or more arrays
   */
  append(group: RowGroupEntry, bytes: readonly Uint8Array[]): number {
    const offset = this.#file.length;
    this.#footer.add(group, offset);
    for (const piece of bytes) this.#file.write(piece);
    return offset;
  }

  /**
   * Writes the footer and closes the file.
   * @param force whether to sync it to disk
   */
  finish({ force }: { readonly force: boolean }): { readonly bytes: number; readonly sha256: string } {
    for (const piece of this.#footer.pieces()) this.#file.write(piece);
    return force ? this.#file.close() : this.#file.end();
  }

  /** Closes the file without a footer, after a failed build. */
  abandon(): void {
    this.#file.abandon();
  }

  /** Closes the file and removes it. */
  remove(): void {
    this.#file.abandon();
    rmSync(this.#file.path);
  }
}

/**
 * Buffer size: row groups and their entries are so small that a system call for each would take longer than the
 * writing.
 */
const BUFFER = 256 * 1024;

/** A file that is written once, sequentially, and hashed at the same time. */
export class OutputFile {
  readonly path: string;
  readonly #descriptor: number;
  readonly #hash = createHash('sha256');
  readonly #buffer = Buffer.allocUnsafeSlow(BUFFER);
  /** Number of bytes in the buffer that are not yet written. */
  #waiting = 0;
  #open = true;
  length = 0;

  constructor(path: string) {
    this.path = path;
    this.#descriptor = this.#writing(() => openSync(path, 'wx'));
  }

  write(bytes: Uint8Array): void {
    this.length += bytes.length;
    if (this.#waiting + bytes.length > BUFFER) this.#flush();
    if (bytes.length > BUFFER) this.#put(bytes);
    else {
      this.#buffer.set(bytes, this.#waiting);
      this.#waiting += bytes.length;
    }
  }

  /** Syncs the file to disk and closes it. */
  close(): { bytes: number; sha256: string } {
    this.#flush();
    this.#writing(() => fsyncSync(this.#descriptor));
    return this.end();
  }

  /** Closes the file. */
  end(): { bytes: number; sha256: string } {
    this.#flush();
    this.abandon();
    return { bytes: this.length, sha256: this.#hash.digest('hex') };
  }

  #flush(): void {
    this.#put(this.#buffer.subarray(0, this.#waiting));
    this.#waiting = 0;
  }

  #put(bytes: Uint8Array): void {
    this.#hash.update(bytes);
    this.#writing(() => {
      for (let done = 0; done < bytes.length; ) done += writeSync(this.#descriptor, bytes, done);
    });
  }

  abandon(): void {
    if (this.#open) closeSync(this.#descriptor);
    this.#open = false;
  }

  #writing<T>(write: () => T): T {
    return writingTo(`The release file ${this.path}`, write);
  }
}
