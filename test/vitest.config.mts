import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { SkippedReporter } from './skipped-reporter.mts';
import { SlowestReporter } from './slowest-reporter.mts';

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/**/*.test.ts'],
    reporters: ['default', new SkippedReporter(), new SlowestReporter()],
    // Isolation would start a process and import all modules for each file, which takes half of the time.
    isolate: false,
    setupFiles: ['test/each-file.ts', 'test/table-widths.ts'],
    globalSetup: ['test/compiled-code.ts'],
    // Timeouts end tests that hang. On a busy machine a test may take ten times as long as alone.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    // A larger young generation, because with V8's default size, garbage collection takes a seventh of the time of
    // tests that read much data.
    execArgv: ['--min-semi-space-size=32', '--max-semi-space-size=32'],
    // Two workers more than cores, because many tests wait for processes and sockets.
    maxWorkers: availableParallelism() + 2,
  },
});
