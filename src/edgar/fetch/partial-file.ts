/**
 * A file that is being fetched, beside the sources until it is whole. Of a zip the part outlives its process, with what
 * tells the site which bytes it begins with; any other part is its process's own, and is nobody's after it.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isObject, textOf } from '../files/json.ts';
import { FETCH_FOLDER } from './file-records.ts';
import type { PartialContent } from './response-class.ts';
import type { RemoteFile } from './types.ts';

const PARTS = join(FETCH_FOLDER, 'parts');
/** A process's own part that nobody wrote to for so long is left over from a killed one. */
const STALE_MS = 3_600_000;

let serial = 0;

export class PartialFile {
  readonly #path: string;
  readonly #note: string;

  private constructor(
    readonly directory: string,
    readonly step: RemoteFile,
    readonly lasting: boolean,
  ) {
    const own = lasting ? '' : `.${process.pid}-${serial++}`;
    this.#path = join(directory, PARTS, `${step.file.replaceAll('/', '~')}${own}.part`);
    this.#note = `${this.#path}.json`;
  }

  static of(directory: string, step: RemoteFile): PartialFile {
    return new PartialFile(directory, step, step.kind === 'zip');
  }

  /** What is there from an earlier try, or null. */
  async read(): Promise<PartialContent | null> {
    if (!this.lasting) return null;
    const info = await stat(this.#path).catch(() => null);
    const note = parse(await readFile(this.#note, 'utf8').catch(() => ''));
    // It may have been begun for another site.
    if (info === null || note?.url !== this.step.url || info.size > this.step.largest) return null;
    return { bytes: info.size, etag: textOf(note.etag), lastModified: textOf(note.lastModified) };
  }

  /** Opens it for a body: at its end, or anew with a note of what begins here. */
  async open(rest: PartialContent | null, validators: Omit<PartialContent, 'bytes'>): Promise<OpenPartialFile> {
    await mkdir(dirname(this.#path), { recursive: true });
    if (rest === null) {
      await this.remove();
      if (this.lasting) await writeFile(this.#note, JSON.stringify({ url: this.step.url, ...validators }));
    }
    return OpenPartialFile.open(this.#path, rest?.bytes ?? 0);
  }

  /** Puts it in its place among the sources. */
  async publish(): Promise<void> {
    const path = join(this.directory, this.step.file);
    await mkdir(dirname(path), { recursive: true });
    await rename(this.#path, path);
    await rm(this.#note, { force: true });
  }

  async remove(): Promise<void> {
    await rm(this.#path, { force: true });
    await rm(this.#note, { force: true });
  }

  get path(): string {
    return this.#path;
  }
}

export class OpenPartialFile {
  readonly #hash = createHash('sha256');

  private constructor(
    readonly handle: FileHandle,
    public bytes: number,
  ) {}

  static async open(path: string, from: number): Promise<OpenPartialFile> {
    const part = new OpenPartialFile(await open(path, 'a'), from);
    if (from > 0) {
      for await (const chunk of createReadStream(path, { end: from - 1, highWaterMark: 1 << 20 })) {
        part.#hash.update(chunk as Buffer);
      }
    }
    return part;
  }

  async write(chunk: Uint8Array): Promise<void> {
    await this.handle.appendFile(chunk);
    this.#hash.update(chunk);
    this.bytes += chunk.length;
  }

  /** Its SHA-256, once all is on the disk; null where somebody else wrote to it. */
  async finish(): Promise<string | null> {
    await this.handle.sync();
    if ((await this.handle.stat()).size !== this.bytes) return null;
    return this.#hash.digest('hex');
  }

  close(): Promise<void> {
    return this.handle.close();
  }
}

/** Removes what killed processes left, but for parts that can be gone on with. */
export async function sweepPartialFiles(directory: string): Promise<void> {
  const folder = join(directory, PARTS);
  for (const name of await readdir(folder).catch(() => [])) {
    if (!/\.\d+-\d+\.part$/.test(name)) continue;
    const info = await stat(join(folder, name)).catch(() => null);
    if (info !== null && Date.now() - info.mtimeMs > STALE_MS) await rm(join(folder, name), { force: true });
  }
}

function parse(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
