/**
 * Bundles code that tests run in separate processes or threads, for the same platform, target and format as the
 * program's bundles.
 */
import { mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';

const repositoryRoot = join(import.meta.dirname, '../..');

/**
 * Bundles files of the repository into a folder: files of `src` under the names of the program's bundles, and other files
 * under their own names.
 */
export async function bundleInto(folder: string, ...files: readonly string[]): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await build({
    entryPoints: files.map((file) => ({ in: join(repositoryRoot, file), out: nameBundle(file) })),
    outdir: folder,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    target: 'node20.18',
    format: 'cjs',
    logLevel: 'error',
  });
}

const nameBundle = (file: string): string =>
  file.startsWith('src/') ? file.slice('src/'.length, -'.ts'.length).replaceAll('/', '-') : basename(file, '.ts');
