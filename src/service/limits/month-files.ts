/**
 * Counts that survive the process: one file per account and month, one byte per counted request.
 *
 * A byte is appended by one write of the system, so that a process killed at any moment has counted whole
 * requests only, and the size of the file is the count.
 */
import { closeSync, fstatSync, mkdirSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { monthOf } from './calendar.ts';

export interface MonthFiles {
  read(account: string, month: string): number;
  add(account: string, month: string): void;
  close(): void;
}

const OPEN_MAX = 256;
const MONTH = /^\d{4}-\d{2}$/;
const MARK = Buffer.from('.');

/** @param directory made if need be; months before the one before `month` are removed from it */
export function openMonthFiles(directory: string, month: string): MonthFiles {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const before = monthOf(Date.parse(`${month}-01T00:00:00Z`) - 1);
  for (const name of readdirSync(directory)) {
    if (MONTH.test(name) && name < before) rmSync(join(directory, name), { recursive: true });
  }
  const open = new Map<string, number>();

  function descriptorOf(account: string, of: string): number {
    const name = `${of}/${account}`;
    const known = open.get(name);
    if (known !== undefined) return known;
    for (const [oldest, descriptor] of open) {
      if (open.size < OPEN_MAX) break;
      closeSync(descriptor);
      open.delete(oldest);
    }
    mkdirSync(join(directory, of), { recursive: true, mode: 0o700 });
    const descriptor = openSync(join(directory, of, account), 'a', 0o600);
    open.set(name, descriptor);
    return descriptor;
  }

  return {
    read: (account, of) => fstatSync(descriptorOf(account, of)).size,
    add: (account, of) => {
      writeSync(descriptorOf(account, of), MARK);
    },
    close: () => {
      for (const descriptor of open.values()) closeSync(descriptor);
      open.clear();
    },
  };
}
