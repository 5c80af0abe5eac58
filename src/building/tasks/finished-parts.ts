/**
 * What builds have finished, kept by the hash of everything it was made from, so that the next build makes only what
 * changed, and one that was killed goes on where it was. A part that is damaged, or cannot be kept, is made again.
 */
import { createHash, hash } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { writeAtomically } from '../../platform/atomic-write.ts';
import { makePrivate } from '../../platform/directories.ts';
import { readRegularBytes } from '../../platform/regular-file.ts';
import { codeOf } from '../../platform/system-error.ts';

/** Where finished parts are, and which program may use them: one that makes parts otherwise has another version. */
export interface PartsPlace {
  readonly directory: string;
  readonly version: string;
}

/** The version of the program in a directory: changes with any of its bundles, and with node and the libraries it is linked with. */
export function versionOf(directory: string): string {
  const bundles = readdirSync(directory).filter((name) => name.endsWith('.cjs'));
  const hashes = bundles.sort().map((name) => `${name} ${hash('sha256', readFileSync(join(directory, name)), 'hex')}`);
  return hash('sha256', [JSON.stringify(process.versions), ...hashes].join('\n'), 'hex');
}

const HASH_BYTES = 32;

/** Makes a file count as used when parts are removed. */
export function touch(path: string): void {
  const now = new Date();
  utimesSync(path, now, now);
}

export class FinishedParts {
  readonly #place: PartsPlace;

  constructor(place: PartsPlace) {
    this.#place = place;
  }

  /** @param inputs everything that the part is made from, beside the program */
  keyOf(inputs: readonly string[]): string {
    return hash('sha256', JSON.stringify([this.#place.version, ...inputs]), 'hex');
  }

  /** What was kept under a key; null where nothing was, or it is damaged. */
  read(key: string): unknown {
    const path = this.#pathOf(key);
    try {
      // In memory of its own, because it moves to another thread.
      const bytes = new Uint8Array(readRegularBytes(path));
      const value = bytes.subarray(HASH_BYTES);
      if (!sealOf(key, value).equals(bytes.subarray(0, HASH_BYTES))) return null;
      touch(path);
      return deserialize(value);
    } catch {
      return null;
    }
  }

  /** Makes a part count as used, where it is there. */
  use(key: string): void {
    unlessRefused(() => touch(this.#pathOf(key)));
  }

  keep(key: string, part: unknown): void {
    const value = serialize(part);
    unlessRefused(() => writeAtomically(this.#pathOf(key), Buffer.concat([sealOf(key, value), value])));
  }

  /** Where the file that a part's task left is kept. */
  leftBy(key: string): string {
    return `${this.#pathOf(key)}.left`;
  }

  /** Takes the file that a task left, to be kept with its part; returns whether that was possible. */
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

/** Whether the system did it: a full or read-only disk costs the next build time, and this one nothing. */
function unlessRefused(run: () => void): boolean {
  try {
    run();
    return true;
  } catch (cause) {
    if (codeOf(cause) === null) throw cause;
    return false;
  }
}

/** Tells that a part is whole, and the one of its key: a file may have been put in another's place. */
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

/** What earlier builds left may take this much, or as much as the last build used where that is more. */
const MIN_KEPT_BYTES = 256 * 1024 * 1024;

/** Removes parts that the build begun at a time did not use, the oldest first, until they take no more than those that it used. */
export function removeOldParts(directory: string, begun: Date): void {
  // The release is published by now, and no worse for what stays.
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
