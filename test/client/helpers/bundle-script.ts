/** Bundles a script of these tests into one file, which test processes run. */
import { join } from 'node:path';
import { build } from 'esbuild';
import { makeTemporaryFolder } from '../../clean-up.ts';

export async function bundleScript(file: string): Promise<string> {
  const outfile = join(makeTemporaryFolder('script'), 'script.mjs');
  await build({ entryPoints: [file], outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'error' });
  return outfile;
}
