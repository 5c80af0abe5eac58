/** Tests that need more than node and this repository; they are skipped with the missing program or file as reason. */
import { test } from 'vitest';

/** Declares tests that need `what`. Without it they are skipped, and are listed as skipped at the end of the run. */
export const testNeeding =
  (what: string, isAvailable: boolean, declare: typeof test.concurrent = test) =>
  (name: string, run: () => void | Promise<void>, timeout?: number): void =>
    declare(
      name,
      async (context) => {
        context.skip(!isAvailable, `needs ${what}`);
        await run();
      },
      timeout,
    );
