/**
 * Prints skipped tests by reason at the end of a run, so that they are noticed. The run fails if a test was skipped
 * without a reason or for a reason that is not in ALLOWED_REASON_PATTERNS.
 */
import type { Reporter, TestModule } from 'vitest/node';

const NO_REASON = 'no reason given';

/**
 * Reasons to skip tests: programs, permissions or files that a machine may lack. Public files are in a directory next
 * to this repository.
 */
const ALLOWED_REASON_PATTERNS: readonly RegExp[] = [
  /^needs (?:Linux|\/proc|\/dev\/full|mkfifo|to mount a tmpfs|limits of file handles|a file like that of a broken disk)$/,
  /^needs (?:to run as root|root, to .+)$/,
  /^needs (?:script\(1\)|bash|fish|zsh|less|mandoc|Chromium|redis-server|systemd-analyze|npm, not on Windows)(?: and \w+)?$/,
  /^needs a checkout by git$/,
  /^needs [\w./-]+\.(?:zip|csv)$/,
  /^root may write everywhere$/,
  /^this machine has no IPv6$/,
  /^the rule cannot be tested with this service: /,
];

export class SkippedReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const testNamesByReason = new Map<string, string[]>();
    for (const module of modules) {
      for (const test of module.children.allTests('skipped')) {
        const result = test.result();
        const reason = (result.state === 'skipped' ? result.note : undefined) ?? NO_REASON;
        const names = test.meta().skippedTests ?? [test.fullName];
        testNamesByReason.set(reason, [
          ...(testNamesByReason.get(reason) ?? []),
          ...names.map((name) => `${module.relativeModuleId}: ${name}`),
        ]);
      }
    }
    for (const [reason, tests] of testNamesByReason) {
      console.log(`\n Skipped, ${reason}: ${tests.length}`);
      for (const name of tests) console.log(`   ${name}`);
    }
    const disallowedReasons = [...testNamesByReason.keys()].filter(
      (reason) => !ALLOWED_REASON_PATTERNS.some((allowed) => allowed.test(reason)),
    );
    if (disallowedReasons.length === 0 || isFiltered()) return;
    console.error(
      `\n Not allowed as reasons to skip a test (test/skipped-reporter.mts): ${disallowedReasons.join('; ')}`,
    );
    process.exitCode = 1;
  }
}

/** Whether `-t` selects tests by name: all other tests are then skipped without a reason. */
const isFiltered = () => process.argv.some((argument) => /^(?:-t|--testNamePattern)\b/.test(argument));
