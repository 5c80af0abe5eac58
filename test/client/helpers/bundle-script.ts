/** Makes one file of a script of these tests, for processes that run it. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';

export async function bundleScript(file: string): Promise<string> {
  const outfile = join(mkdtempSync(join(tmpdir(), 'fin-script-')), 'script.mjs');
  await build({ entryPoints: [file], outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'error' });
  return outfile;
}
