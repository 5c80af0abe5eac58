/**
 * Cached results of build tasks, by the hash of their inputs. The next build runs only tasks with changed inputs, and
 * an interrupted build continues where it stopped. A result that is damaged, or cannot be stored, is made again.
 */
import { createHash, hash } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { writeAtomically } from '../../platform/atomic-write.ts';
import { makePrivate } from '../../platform/directories.ts';
import { readRegularBytes } from '../../platform/regular-file.ts';
import { codeOf } from '../../platform/system-error.ts';

/**
 * The directory of cached results, and the version of the program that made them: only the same version may use them.
 */
export interface PartsPlace {
  readonly directory: string;
  readonly version: string;
}

/**
 * The version of the program in a directory. It changes with each of its bundles, with Node.js, and with the
 * libraries that Node.js is linked with.
 */
export function versionOf(directory: string): string {
  const bundles = readdirSync(directory).filter((name) => name.endsWith('.cjs'));
  const hashes = bundles.sort().map((name) => `${name} ${hash('sha256', readFileSync(join(directory, name)), 'hex')}`);
  return hash('sha256', [JSON.stringify(process.versions), ...hashes].join('\n'), 'hex');
}

const HASH_BYTES = 32;

/** Sets a file's time of last use, which decides what is removed. */
export function touch(path: string): void {
  const now = new Date();
  utimesSync(path, now, now);
}

export class FinishedParts {
  readonly #place: PartsPlace;

  constructor(place: PartsPlace) {
    this.#place = place;
  }

  /** @param inputs everything that the part is made from, other than the program */
  keyOf(inputs: readonly string[]): string {
    return hash('sha256', JSON.stringify([this.#place.version, ...inputs]), 'hex');
  }

  /** Returns the cached value of a key; null if it is missing or damaged. */
  read(key: string): unknown {
    const path = this.#pathOf(key);
    try {
      // Copied, because it is transferred to another thread.
      const bytes = new Uint8Array(readRegularBytes(path));
      const value = bytes.subarray(HASH_BYTES);
      if (!sealOf(key, value).equals(bytes.subarray(0, HASH_BYTES))) return null;
      touch(path);
      return deserialize(value);
    } catch {
      return null;
    }
  }

  /** Marks a part as used, if it exists. */
  use(key: string): void {
    unlessRefused(() => touch(this.#pathOf(key)));
  }

  keep(key: string, part: unknown): void {
    const value = serialize(part);
    unlessRefused(() => writeAtomically(this.#pathOf(key), Buffer.concat([sealOf(key, value), value])));
  }

  /** Returns the path of a part's output file. */
  leftBy(key: string): string {
    return `${this.#pathOf(key)}.left`;
  }

  /** Moves the output file of a task into the cache; returns whether that succeeded. */
  take(key: string, path: string): boolean {
    return unlessRefused(() => {
      makePrivate(dirname(this.leftBy(key)));
      moveFile(path, this.leftBy(key));
    });
  }

  #pathOf(key: string): string {
    return join(this.#place.directory, key.slice(0, 2), key);
  }
}

/** Returns whether the file system allowed it. A full or read-only disk only makes the next build slower. */
function unlessRefused(run: () => void): boolean {
  try {
    run();
    return true;
  } catch (cause) {
    if (codeOf(cause) === null) throw cause;
    return false;
  }
}

/**
 * Returns a hash of key and value: it proves that a part is complete and that its file was not swapped with another.
 */
function sealOf(key: string, value: Uint8Array): Buffer {
  return createHash('sha256').update(key).update(value).digest();
}

function moveFile(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (cause) {
    if (codeOf(cause) !== 'EXDEV') throw cause;
    writeAtomically(to, readFileSync(from));
    rmSync(from);
  }
}

/** Minimum size of the cache, in bytes; larger if the last build used more. */
const MIN_KEPT_BYTES = 256 * 1024 * 1024;

/** Removes parts that were not used since a time, the oldest first, until the cache has its allowed size. */
export function removeOldParts(directory: string, begun: Date): void {
  // An error here is ignored: the release is already published.
  unlessRefused(() => removeUnused(directory, begun));
}

function removeUnused(directory: string, begun: Date): void {
  const files = filesIn(directory).map((path) => ({ path, info: statSync(path, { throwIfNoEntry: false }) }));
  const known = files.flatMap(({ path, info }) => (info === undefined ? [] : [{ path, info }]));
  const used = known.filter(({ info }) => info.mtimeMs >= begun.getTime());
  const others = known.filter(({ info }) => info.mtimeMs < begun.getTime());
  const room = Math.max(
    MIN_KEPT_BYTES,
    used.reduce((sum, { info }) => sum + info.size, 0),
  );
  let kept = 0;
  for (const { path, info } of others.sort((a, b) => b.info.mtimeMs - a.info.mtimeMs)) {
    kept += info.size;
    if (kept > room) rmSync(path, { force: true });
  }
}

function filesIn(directory: string): string[] {
  try {
    return readdirSync(directory, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name));
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return [];
    throw cause;
  }
}
