/**
 * Builds a release in a separate process, which kills itself with SIGKILL at a given point:
 * node build-process.cjs <from> <home> <phase at which to be killed, or never> <companies done by then> <directory of
 * parts>
 */
import { buildRelease } from '../../src/building/build.ts';

const [from = '', home = '', killAt = 'never', after = '0', resultCacheDirectory = null] = process.argv.slice(2);

buildRelease({
  sourceDirectory: from,
  home,
  workerCount: 2,
  resultCacheDirectory,
  onProgress: ({ phase, done }) => {
    if (phase === killAt && done >= Number(after)) process.kill(process.pid, 'SIGKILL');
  },
}).then(({ stamp, publication }) => process.stdout.write(`${stamp} ${publication}\n`));
