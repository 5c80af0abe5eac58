/** Removes what tests leave behind when all tests of their file are done, so that tests may run concurrently. */
import { afterAll } from 'vitest';

const tasks: (() => unknown)[] = [];

afterAll(async () => {
  for (const task of tasks.splice(0).reverse()) await task();
});

/** Tasks run in reverse order: what was made last is removed first. */
export function cleanUp(task: () => unknown): void {
  tasks.push(task);
}
