/** Ends a run with the tests that were skipped, by reason: what was not tested should not go unnoticed. */
import type { Reporter, TestModule } from 'vitest/node';

const NO_REASON = 'no reason given';

export class SkippedReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const names = new Map<string, string[]>();
    for (const module of modules) {
      for (const test of module.children.allTests('skipped')) {
        const result = test.result();
        const reason = (result.state === 'skipped' ? result.note : undefined) ?? NO_REASON;
        names.set(reason, [...(names.get(reason) ?? []), `${module.relativeModuleId}: ${test.fullName}`]);
      }
    }
    for (const [reason, tests] of names) {
      console.log(`\n Skipped, ${reason}: ${tests.length}`);
      for (const name of tests) console.log(`   ${name}`);
    }
  }
}
