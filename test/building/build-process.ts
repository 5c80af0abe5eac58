/**
 * Builds a release; kills its own process (SIGKILL) when a phase has made some progress. Arguments: source directory,
 * directory of releases, phase (or `never`), minimum `done` of the phase, directory of cached results.
 */
import { buildRelease } from '../../src/building/build.ts';

const [sourceDirectory = '', home = '', killPhase = 'never', minDone = '0', resultCacheDirectory = null] =
  process.argv.slice(2);

buildRelease({
  sourceDirectory: sourceDirectory,
  home,
  workerCount: 2,
  resultCacheDirectory,
  onProgress: ({ phase, done }) => {
    if (phase === killPhase && done >= Number(minDone)) process.kill(process.pid, 'SIGKILL');
  },
}).then(({ stamp, publication }) => process.stdout.write(`${stamp} ${publication}\n`));
