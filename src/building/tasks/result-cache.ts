/**
 * Caches results of build tasks by the hash of their inputs. So a build performs only tasks with changed inputs, and a
 * new build continues an interrupted build. A damaged or missing result is computed again.
 */
import { createHash, hash } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { sumNumbers } from '../../platform/collections.ts';
import { writeAtomically } from '../../platform/files/atomic-write.ts';
import { makePrivateDirectory } from '../../platform/files/directories.ts';
import { readRegularBytes } from '../../platform/files/regular-file.ts';
import { readErrorCode } from '../../platform/files/system-error.ts';

/** Directory of the cache, and version of the program: results of other versions are not used. */
export interface CacheLocation {
  readonly directory: string;
  readonly version: string;
}

/**
 * Returns the version of the program in a directory: a hash of its bundles, and of the version numbers of Node.js and
 * its libraries.
 */
export function computeProgramVersion(folder: string): string {
  const names = readdirSync(folder).filter((name) => name.endsWith('.cjs'));
  const hashes = names.sort().map((name) => `${name} ${hash('sha256', readFileSync(join(folder, name)), 'hex')}`);
  return hash('sha256', [JSON.stringify(process.versions), ...hashes].join('\n'), 'hex');
}

const HASH_BYTES = 32;

/** Sets a file's time of last use. Cleaning the cache removes the least recently used files first. */
export function touchFile(path: string): void {
  const now = new Date();
  utimesSync(path, now, now);
}

export class ResultCache {
  constructor(private readonly location: CacheLocation) {}

  /**
   * Returns the cache key for inputs.
   * @param inputs everything that the result is made from, other than the program
   */
  computeKey(inputs: readonly string[]): string {
    return hash('sha256', JSON.stringify([this.location.version, ...inputs]), 'hex');
  }

  /** Returns the cached value of a key; null if missing or damaged. */
  read(key: string): unknown {
    const path = this.#makePath(key);
    try {
      // Copied, because the result is transferred to another thread, and Node's pooled buffers cannot be transferred.
      const bytes = new Uint8Array(readRegularBytes(path));
      const content = bytes.subarray(HASH_BYTES);
      if (!computeChecksum(key, content).equals(bytes.subarray(0, HASH_BYTES))) return null;
      touchFile(path);
      return deserialize(content);
    } catch {
      return null;
    }
  }

  /** Marks a cached result as used, if it exists. */
  markUsed(key: string): void {
    tryFileAction(() => touchFile(this.#makePath(key)));
  }

  write(key: string, result: unknown): void {
    const value = serialize(result);
    tryFileAction(() => writeAtomically(this.#makePath(key), Buffer.concat([computeChecksum(key, value), value])));
  }

  /** Returns the path of a result's output file in the cache. */
  makeOutputPath(key: string): string {
    return `${this.#makePath(key)}.left`;
  }

  /** Moves a task's output file into the cache. Returns false if the file system refuses the move. */
  takeOutput(key: string, path: string): boolean {
    return tryFileAction(() => {
      makePrivateDirectory(dirname(this.makeOutputPath(key)));
      moveFile(path, this.makeOutputPath(key));
    });
  }

  #makePath(key: string): string {
    return join(this.location.directory, key.slice(0, 2), key);
  }
}

/**
 * Performs an action on files. If the file system refuses it, returns false instead of throwing, because an incomplete
 * cache only slows the next build.
 */
function tryFileAction(action: () => void): boolean {
  try {
    action();
    return true;
  } catch (cause) {
    if (readErrorCode(cause) === null) throw cause;
    return false;
  }
}

/** Returns a hash of key and value, which proves that a file is complete and has the value of this key. */
const computeChecksum = (key: string, value: Uint8Array) => createHash('sha256').update(key).update(value).digest();

function moveFile(source: string, target: string): void {
  try {
    renameSync(source, target);
  } catch (cause) {
    if (readErrorCode(cause) !== 'EXDEV') throw cause;
    writeAtomically(target, readFileSync(source));
    rmSync(source);
  }
}

/** Minimum number of bytes of unused results that cleaning the cache keeps. */
const MIN_KEPT_BYTES = 256 * 1024 * 1024;

/**
 * Removes results that were not used since `start`, least recently used first. Keeps as many bytes of them as the
 * build has used, but at least MIN_KEPT_BYTES.
 */
export function removeUnusedResults(folder: string, start: Date): void {
  // Errors are ignored, because the release is already complete.
  tryFileAction(() => {
    const entries = readdirSync(folder, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile());
    const paths = entries.map(({ parentPath, name }) => join(parentPath, name));
    const files = paths.flatMap((path) => {
      const stats = statSync(path, { throwIfNoEntry: false });
      return stats === undefined ? [] : [{ path, bytes: stats.size, usedAt: stats.mtimeMs }];
    });
    const usedFiles = files.filter(({ usedAt }) => usedAt >= start.getTime());
    const unusedFiles = files.filter(({ usedAt }) => usedAt < start.getTime());
    const limit = Math.max(MIN_KEPT_BYTES, sumNumbers(usedFiles.map(({ bytes }) => bytes)));
    let total = 0;
    for (const { path, bytes } of unusedFiles.sort((a, b) => b.usedAt - a.usedAt)) {
      total += bytes;
      if (total > limit) rmSync(path, { force: true });
    }
  });
}
