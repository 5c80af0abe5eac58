/** Removes what tests leave behind when all tests of their file are done, so that tests may run concurrently. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const tasks: (() => unknown)[] = [];

/** Runs what is registered, after each file: `each-file.ts` calls it, since files share their modules. */
export async function runCleanUps(): Promise<void> {
  for (const task of tasks.splice(0).reverse()) await task();
}

/** Tasks run in reverse order: what was made last is removed first. */
export function cleanUp(task: () => unknown): void {
  tasks.push(task);
}

/** An empty directory, removed when the tests of the file are done. */
export function temporaryFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `fin-${name}-`));
  cleanUp(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }));
  return folder;
}
