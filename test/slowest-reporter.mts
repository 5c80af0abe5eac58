/** Prints the slowest tests at the end of a run of many files, so that a test that became slow is noticed. */
import type { Reporter, TestModule } from 'vitest/node';

const PRINTED_TESTS = 10;
const MIN_FILES = 10;

export class SlowestReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length < MIN_FILES) return;
    const tests = modules.flatMap((module) =>
      [...module.children.allTests()].map((test) => ({
        name: `${module.relativeModuleId}: ${test.fullName}`,
        seconds: (test.diagnostic()?.duration ?? 0) / 1000,
      })),
    );
    const slowest = tests.sort((a, b) => b.seconds - a.seconds).slice(0, PRINTED_TESTS);
    console.log('\n Slowest tests');
    for (const { name, seconds } of slowest) console.log(`${seconds.toFixed(1).padStart(7)} s  ${name}`);
  }
}
