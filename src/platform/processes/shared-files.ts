/**
 * Files through which the processes of one user share state. Queues and counts change only by appended short lines: the
 * system orders such writes and performs each write atomically.
 */
import { closeSync, constants, openSync, readdirSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeAtomically } from '../files/atomic-write.ts';
import { makePrivateDirectory } from '../files/directories.ts';
import { readRegularFile } from '../files/regular-file.ts';
import { readErrorCode } from '../files/system-error.ts';

export type SharedFiles = ReturnType<typeof openDiskFiles>;

/** Returns the result of `run`; returns `fallback` if `run` throws a system error with the given code. */
function runWithFallback<T>(code: string, fallback: T, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (readErrorCode(error) === code) return fallback;
    throw error;
  }
}

/** Appends to a file without ever blocking: if the file is a pipe that nothing reads, opening the pipe fails. */
function appendTo(file: string, text: string, flag = 0): void {
  const fd = openSync(file, constants.O_WRONLY | constants.O_APPEND | (constants.O_NONBLOCK ?? 0) | flag, 0o600);
  try {
    writeFileSync(fd, text);
  } finally {
    closeSync(fd);
  }
}

export function openDiskFiles(folder: string) {
  const makePath = (name: string) => join(folder, name);
  /** Runs a file operation; if the directory is missing, creates it and runs the operation again. */
  const runInFolder = <T>(run: () => T): T => {
    try {
      return run();
    } catch (error) {
      if (readErrorCode(error) !== 'ENOENT') throw error;
      makePrivateDirectory(folder);
      return run();
    }
  };
  return {
    list: (): readonly string[] => runWithFallback('ENOENT', [], () => readdirSync(folder)),
    /** Returns a file's text, starting at byte `start`; empty if the file is missing. */
    read: (name: string, start = 0) =>
      runWithFallback('ENOENT', '', () => readRegularFile(makePath(name), 'latin1').slice(start)),
    size: (name: string) => runWithFallback('ENOENT', 0, () => statSync(makePath(name)).size),
    /** Appends to a file; creates the file if it is missing. */
    append: (name: string, text: string) => runInFolder(() => appendTo(makePath(name), text, constants.O_CREAT)),
    /** Appends to an existing file; returns false if the file is missing. */
    appendTo: (name: string, text: string) =>
      runWithFallback('ENOENT', false, () => {
        appendTo(makePath(name), text);
        return true;
      }),
    /** Creates an empty file; returns false if it exists. If several processes try, only one gets true. */
    createEmpty: (name: string) =>
      runWithFallback('EEXIST', false, () => {
        closeSync(runInFolder(() => openSync(makePath(name), 'ax', 0o600)));
        return true;
      }),
    /** Creates a file or replaces its whole content. */
    replace: (name: string, text: string) => writeAtomically(makePath(name), text),
    // Node.js 23 and 24 on Windows: rmSync removes nothing, or ends the process, if the path is not ASCII.
    remove: (name: string) => runWithFallback('ENOENT', undefined, () => unlinkSync(makePath(name))),
  };
}

/** Returns files in memory, which only this process sees, with the operations of files on disk. */
export function openMemoryFiles(): SharedFiles {
  const texts = new Map<string, string>();
  const read = (name: string, start = 0) => (texts.get(name) ?? '').slice(start);
  return {
    list: () => [...texts.keys()],
    read,
    size: (name) => read(name).length,
    append: (name, text) => void texts.set(name, read(name) + text),
    appendTo: (name, text) => texts.has(name) && texts.set(name, read(name) + text) !== undefined,
    createEmpty: (name) => !texts.has(name) && texts.set(name, '') !== undefined,
    replace: (name, text) => void texts.set(name, text),
    remove: (name) => void texts.delete(name),
  };
}

/** Uses files in a directory until the first error, then memory. `onFailure` is called once with that error. */
export function openFilesWithFallback(folder: string, onFailure: (error: unknown) => void): SharedFiles {
  const disk = openDiskFiles(folder);
  let memory: SharedFiles | null = null;
  const call = (name: string | symbol, args: unknown[]): unknown => {
    try {
      return Reflect.get(memory ?? disk, name)(...args);
    } catch (error) {
      if (memory !== null) throw error;
      memory = openMemoryFiles();
      onFailure(error);
      return call(name, args);
    }
  };
  const get = (_: SharedFiles, name: string | symbol) =>
    name in disk ? (...args: unknown[]) => call(name, args) : undefined;
  return new Proxy(disk, { get });
}
