/**
 * Measures the time that the rate limiter takes per request, with its files on disk: percentiles of 2,000 requests.
 * node test/bench/limiter.mjs
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';

const workDirectory = mkdtempSync(join(tmpdir(), 'fin-bench-'));
const outfile = join(workDirectory, 'limiter.cjs');
const src = resolve(import.meta.dirname, '../../src');
const contents = `export { openRateLimiter } from '../../src/client/limiter/rate-limiter.ts'; export { openDiskFiles } from '../../src/platform/processes/shared-files.ts';`;
await build({
  stdin: { contents, resolveDir: src, loader: 'ts' },
  outfile,
  bundle: true,
  platform: 'node',
  format: 'cjs',
});
const { openRateLimiter, openDiskFiles } = (await import(outfile)).default;

const durationsMs = [];
const headers = {
  'ratelimit-policy': '"minute";q=60;w=60, "month";q=20000, "concurrent";q=4',
  date: new Date().toUTCString(),
};
for (let round = 0; round < 40; round++) {
  // Every round uses new files, and so starts a new minute with the full quota.
  const limiter = openRateLimiter({
    files: openDiskFiles(join(workDirectory, String(round))),
    maxWait: 1000,
    report: () => {},
  });
  for (let i = 0; i < 50; i++) {
    const startTime = performance.now();
    const permit = await limiter.admit(null);
    const now = Date.now();
    permit.settle({ status: 200, headers, violated: [], sent: now, received: now, isUnderWay: false, isUnsent: false });
    durationsMs.push(performance.now() - startTime);
  }
}
durationsMs.sort((a, b) => a - b);
const formatPercentile = (share) => durationsMs[Math.floor(durationsMs.length * share)].toFixed(2);
console.log(
  `ms per request: median ${formatPercentile(0.5)}, 90 % ${formatPercentile(0.9)}, 99.9 % ${formatPercentile(0.999)}`,
);
rmSync(workDirectory, { recursive: true });
