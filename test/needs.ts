/** Tests that need more than node and this repository; they are skipped, with the missing program or file as the reason. */
import { test } from 'vitest';

/** Declares tests that are skipped, and listed as such at the end of the run, unless `what` is available. */
export const needs =
  (what: string, available: boolean, declare: typeof test.concurrent = test) =>
  (name: string, run: () => void | Promise<void>, timeout?: number): void =>
    declare(
      name,
      async (context) => {
        context.skip(!available, `needs ${what}`);
        await run();
      },
      timeout,
    );
