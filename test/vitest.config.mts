import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { SkippedReporter } from './skipped-reporter.mts';

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/**/*.test.ts'],
    reporters: ['default', new SkippedReporter()],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Many tests wait for processes and sockets rather than for a processor: one worker more than cores.
    maxWorkers: availableParallelism() + 1,
  },
});
