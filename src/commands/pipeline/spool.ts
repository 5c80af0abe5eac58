/** Texts set aside on disk, in order, so that what is being gathered is never held in memory whole. */

import { closeSync, openSync, readSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeAll } from '../../output/write-all.ts';
import { systemFailure } from '../../platform/system-error.ts';

export interface Spool {
  readonly count: number;
  add(text: string): void;
  /** Each text as it was added; may be walked several times. */
  each(): Generator<string>;
  close(): void;
}

let serial = 0;

/** A file of this user's own that has no name once it is open: nothing is left of it, however the process ends. */
export function openSpool(): Spool {
  const path = join(tmpdir(), `fin-${process.pid}-${Date.now().toString(36)}-${serial++}`);
  const file = open(path);
  // Where an open file keeps its name (Windows) it is removed when it is closed.
  const named = !remove(path);
  const lengths: number[] = [];
  return {
    get count() {
      return lengths.length;
    },
    add(text) {
      writeAll(file, text);
      lengths.push(Buffer.byteLength(text, 'utf8'));
    },
    *each() {
      let at = 0;
      for (const length of lengths) {
        yield read(file, at, length);
        at += length;
      }
    },
    close() {
      closeSync(file);
      if (named) remove(path);
    },
  };
}

function open(path: string): number {
  try {
    return openSync(path, 'wx+', 0o600);
  } catch (cause) {
    const advice = 'Set TMPDIR to a directory that can be written to.';
    throw systemFailure('data', `Pages cannot be stored in ${tmpdir()}`, cause, advice);
  }
}

function remove(path: string): boolean {
  try {
    unlinkSync(path);
    return true;
  } catch {
    return false;
  }
}

function read(file: number, from: number, length: number): string {
  const bytes = Buffer.allocUnsafe(length);
  for (let done = 0; done < length; ) {
    const got = readSync(file, bytes, done, length - done, from + done);
    if (got === 0) throw new Error('what was set aside has been cut off');
    done += got;
  }
  return bytes.toString('utf8');
}
