/** Writes a Parquet file: row groups that were encoded elsewhere, one after the other, then the footer. */
import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { writingTo } from '../platform/system-error.ts';
import { type FileDescription, Footer, type RowGroupEntry } from './parquet/footer.ts';
import { MAGIC } from './parquet/format.ts';

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

  /** Returns where the row group begins in the file. @param bytes its column chunks, in one piece or several */
  append(group: RowGroupEntry, bytes: readonly Uint8Array[]): number {
    const offset = this.#file.length;
    this.#footer.add(group, offset);
    for (const piece of bytes) this.#file.write(piece);
    return offset;
  }

  /** Writes the footer and closes the file. @param force whether to force it to the disk */
  finish({ force }: { readonly force: boolean }): { readonly bytes: number; readonly sha256: string } {
    for (const piece of this.#footer.pieces()) this.#file.write(piece);
    return force ? this.#file.close() : this.#file.end();
  }

  /** Closes the file without a footer; for a build that has failed. */
  abandon(): void {
    this.#file.abandon();
  }

  /** Closes the file and removes it. */
  remove(): void {
    this.#file.abandon();
    rmSync(this.#file.path);
  }
}

/** Row groups and their entries are small: each by itself takes longer to hand over than to write. */
const BUFFER = 256 * 1024;

/** A file that is written once, from front to end, and hashed as it goes. */
export class OutputFile {
  readonly path: string;
  readonly #descriptor: number;
  readonly #hash = createHash('sha256');
  readonly #buffer = Buffer.allocUnsafeSlow(BUFFER);
  /** Bytes of the buffer that are not written yet. */
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

  /** Forces the file to the disk and closes it. */
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
