/** Removes files and processes of tests after all tests of their file, so that tests may run concurrently. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const tasks: (() => unknown)[] = [];

/** Runs the registered tasks after each test file; `each-file.ts` calls it, because test files share modules. */
export async function runCleanUps(): Promise<void> {
  for (const task of tasks.splice(0).reverse()) await task();
}

/** Registers a task. Tasks run in reverse order. */
export function cleanUp(task: () => unknown): void {
  tasks.push(task);
}

/** An empty directory, removed when the tests of the file are done. */
export function temporaryFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `fin-${name}-`));
  cleanUp(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }));
  return folder;
}
