/**
 * Clean-up tasks. They run after the last test of a file and not after each test, because the tests of a file may run
 * concurrently.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const cleanUpTasks: (() => unknown)[] = [];

/**
 * Runs the registered tasks. Test files share this module, so `each-file.ts` calls this function after each test file.
 */
export async function runCleanUps(): Promise<void> {
  for (const task of cleanUpTasks.splice(0).reverse()) await task();
}

/** Registers a task that runs after the last test of the file. Tasks run in reverse order. */
export function registerCleanUp(task: () => unknown): void {
  cleanUpTasks.push(task);
}

/** Returns a new empty directory, which is removed after the tests of the file. */
export function makeTemporaryFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `fin-${name}-`));
  registerCleanUp(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }));
  return folder;
}
