/**
 * Builds a release in a separate process, which kills itself with SIGKILL at a given point:
 * node build-process.cjs <sources> <directory of releases> <phase in which it is killed, or never> <minimum number of
 * companies done by then> <directory of cached results>
 */
import { buildRelease } from '../../src/building/build.ts';

const [from = '', home = '', killPhase = 'never', minDone = '0', resultCacheDirectory = null] = process.argv.slice(2);

buildRelease({
  sourceDirectory: from,
  home,
  workerCount: 2,
  resultCacheDirectory,
  onProgress: ({ phase, done }) => {
    if (phase === killPhase && done >= Number(minDone)) process.kill(process.pid, 'SIGKILL');
  },
}).then(({ stamp, publication }) => process.stdout.write(`${stamp} ${publication}\n`));
