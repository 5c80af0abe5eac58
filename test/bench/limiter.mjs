/**
 * Measures the time that the shared rate limiter takes per request, with files on disk (median of 2,000): node
 * test/bench/limiter.mjs
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';

const place = mkdtempSync(join(tmpdir(), 'fin-bench-'));
const outfile = join(place, 'limiter.cjs');
const src = resolve(import.meta.dirname, '../../src');
const contents = `export { openRateLimiter } from './client/limiter/rate-limiter.ts'; export { diskFiles } from './platform/processes/shared-files.ts';`;
await build({
  stdin: { contents, resolveDir: src, loader: 'ts' },
  outfile,
  bundle: true,
  platform: 'node',
  format: 'cjs',
});
const { openRateLimiter, diskFiles } = (await import(outfile)).default;

const took = [];
const headers = {
  'ratelimit-policy': '"minute";q=60;w=60, "month";q=20000, "concurrent";q=4',
  date: new Date().toUTCString(),
};
for (let round = 0; round < 40; round++) {
  // Every round has its own files, and so a new minute with the full quota.
  const limiter = openRateLimiter({ files: diskFiles(join(place, String(round))), maxWait: 1000, report: () => {} });
  for (let i = 0; i < 50; i++) {
    const start = performance.now();
    const permit = await limiter.admit(null);
    const now = Date.now();
    permit.settle({ status: 200, headers, violated: [], sent: now, received: now, isUnderWay: false, isUnsent: false });
    took.push(performance.now() - start);
  }
}
took.sort((a, b) => a - b);
const at = (share) => took[Math.floor(took.length * share)].toFixed(2);
console.log(`ms per request: median ${at(0.5)}, 90 % ${at(0.9)}, most ${at(0.999)}`);
rmSync(place, { recursive: true });
