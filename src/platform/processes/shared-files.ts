/**
 * Files through which the processes of one user share state. Queues and counts change only by appended short lines: the
 * system orders such writes and performs each write atomically.
 */
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { writeAtomically } from '../files/atomic-write.ts';
import { makePrivateDirectory } from '../files/directories.ts';
import { openRegularFile, readRegularFile } from '../files/regular-file.ts';
import { readErrorCode } from '../files/system-error.ts';

export interface SharedFiles {
  list(): readonly string[];
  /** Returns a file's text, starting at byte `from`; empty if the file is missing. */
  read(name: string, from?: number): string;
  size(name: string): number;
  /** Appends to a file; creates the file if it is missing. */
  append(name: string, text: string): void;
  /** Appends to an existing file; returns false if the file is missing. */
  appendTo(name: string, text: string): boolean;
  /**
   * Creates an empty file; returns false if it exists. If several processes try, the result is true for exactly one
   * process.
   */
  createEmpty(name: string): boolean;
  /** Creates a file or replaces its whole content. */
  replace(name: string, text: string): void;
  remove(name: string): void;
}

/** Returns the result of `run`; returns `fallback` if `run` throws a system error with the given code. */
function runWithFallback<T>(code: string, fallback: T, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (readErrorCode(error) === code) return fallback;
    throw error;
  }
}

function readFrom(file: string, start: number): string {
  const fileDescriptor = openRegularFile(file);
  try {
    const bytes = Buffer.alloc(Math.max(0, fstatSync(fileDescriptor).size - start));
    return bytes.toString('latin1', 0, readSync(fileDescriptor, bytes, 0, bytes.length, start));
  } finally {
    closeSync(fileDescriptor);
  }
}

/** Appends to a file without ever blocking: if the file is a pipe that nothing reads, opening the pipe fails. */
function appendTo(file: string, text: string, createFlag = 0): void {
  const appendDescriptor = openSync(
    file,
    constants.O_WRONLY | constants.O_APPEND | (constants.O_NONBLOCK ?? 0) | createFlag,
    0o600,
  );
  try {
    writeFileSync(appendDescriptor, text);
  } finally {
    closeSync(appendDescriptor);
  }
}

export function openDiskFiles(directory: string): SharedFiles {
  const makePath = (name: string) => join(directory, name);
  const runCreatingDirectory = <T>(run: () => T): T => {
    try {
      return run();
    } catch (error) {
      if (readErrorCode(error) !== 'ENOENT') throw error;
      makePrivateDirectory(directory);
      return run();
    }
  };
  return {
    list: () => runWithFallback('ENOENT', [], () => readdirSync(directory)),
    read: (name, start = 0) =>
      runWithFallback('ENOENT', '', () =>
        start === 0 ? readRegularFile(makePath(name), 'latin1') : readFrom(makePath(name), start),
      ),
    size: (name) => runWithFallback('ENOENT', 0, () => statSync(makePath(name)).size),
    append: (name, text) => runCreatingDirectory(() => appendTo(makePath(name), text, constants.O_CREAT)),
    appendTo: (name, text) =>
      runWithFallback('ENOENT', false, () => {
        appendTo(makePath(name), text);
        return true;
      }),
    createEmpty: (name) =>
      runWithFallback('EEXIST', false, () => {
        closeSync(runCreatingDirectory(() => openSync(makePath(name), 'ax', 0o600)));
        return true;
      }),
    replace: (name, text) => writeAtomically(makePath(name), text),
    remove: (name) => runWithFallback('ENOENT', undefined, () => unlinkSync(makePath(name))),
  };
}

/** Returns files in memory, which only this process sees, with the operations of files on disk. */
export function openMemoryFiles(): SharedFiles {
  const textByName = new Map<string, string>();
  const read = (name: string, start = 0) => (textByName.get(name) ?? '').slice(start);
  return {
    list: () => [...textByName.keys()],
    read,
    size: (name) => read(name).length,
    append: (name, text) => void textByName.set(name, read(name) + text),
    appendTo: (name, text) => textByName.has(name) && textByName.set(name, read(name) + text) !== undefined,
    createEmpty: (name) => !textByName.has(name) && textByName.set(name, '') !== undefined,
    replace: (name, text) => void textByName.set(name, text),
    remove: (name) => void textByName.delete(name),
  };
}

/** Uses files in a directory until the first error, then memory. `onFailure` is called once with that error. */
export function openFilesWithFallback(directory: string, onFailure: (error: unknown) => void): SharedFiles {
  let files = openDiskFiles(directory);
  let isDiskBroken = false;
  const withFallback =
    <Args extends unknown[], Result>(selectOperation: (files: SharedFiles) => (...args: Args) => Result) =>
    (...args: Args): Result => {
      try {
        return selectOperation(files)(...args);
      } catch (error) {
        if (isDiskBroken) throw error;
        isDiskBroken = true;
        onFailure(error);
        files = openMemoryFiles();
        return selectOperation(files)(...args);
      }
    };
  return {
    list: withFallback((ownFiles) => ownFiles.list),
    read: withFallback((ownFiles) => ownFiles.read),
    size: withFallback((ownFiles) => ownFiles.size),
    append: withFallback((ownFiles) => ownFiles.append),
    appendTo: withFallback((ownFiles) => ownFiles.appendTo),
    createEmpty: withFallback((ownFiles) => ownFiles.createEmpty),
    replace: withFallback((ownFiles) => ownFiles.replace),
    remove: withFallback((ownFiles) => ownFiles.remove),
  };
}
