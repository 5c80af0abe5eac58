/** Tests that need more than node and this repository; they are skipped with the missing program or file as reason. */
import { test } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    /** Names of the tests for which a skipped test stands. */
    skippedTests?: readonly string[];
  }
}

/** Programs without which a file of tests has one skipped test in place of all that need the program. */
const OPTIONAL_PROGRAMS = ['redis-server', 'fish', 'zsh', 'mandoc', 'Chromium'];

/** Names of the tests of the current file that need a missing program, by program. */
const testNamesByProgram = new Map<string, string[]>();

/** Called before each file. */
export const forgetMissingPrograms = (): void => testNamesByProgram.clear();

/** Declares tests that need `what`. Without it they are skipped, and are listed as skipped at the end of the run. */
export const testNeeding =
  (what: string, isAvailable: boolean, declare: typeof test.concurrent = test) =>
  (name: string, run: () => void | Promise<void>, timeout?: number): void => {
    const program = isAvailable ? undefined : OPTIONAL_PROGRAMS.find((optional) => what.endsWith(optional));
    if (program !== undefined) {
      declareSkipped(program, name);
      return;
    }
    declare(
      name,
      async (context) => {
        context.skip(!isAvailable, `needs ${what}`);
        await run();
      },
      timeout,
    );
  };

function declareSkipped(program: string, name: string): void {
  const declaredNames = testNamesByProgram.get(program);
  if (declaredNames !== undefined) {
    declaredNames.push(name);
    return;
  }
  const names = [name];
  testNamesByProgram.set(program, names);
  test(`tests that need ${program}`, ({ task, skip }) => {
    task.meta.skippedTests = names;
    skip(`needs ${program}`);
  });
}
