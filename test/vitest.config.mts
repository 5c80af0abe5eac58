import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { SkippedReporter } from './skipped-reporter.mts';

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/**/*.test.ts'],
    reporters: ['default', new SkippedReporter()],
    // Starting a process and importing all modules for each file would take half of the time.
    isolate: false,
    setupFiles: ['test/each-file.ts'],
    globalSetup: ['test/compiled-code.ts'],
    // Limits end what hangs; on a machine that others use a test may take ten times as long as alone.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    // Collecting garbage in small steps would take a seventh of the time of tests that read much.
    execArgv: ['--min-semi-space-size=32', '--max-semi-space-size=32'],
    // Many tests wait for processes and sockets rather than for a processor: one worker more than cores.
    maxWorkers: availableParallelism() + 1,
  },
});
