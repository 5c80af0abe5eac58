/**
 * Bundles code that tests run in separate processes or threads, for the same platform, target and format as the
 * program's bundles.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const repositoryRoot = join(import.meta.dirname, '../..');

/** Bundles files of the repository into a folder, each as `<folder>/<base name>.cjs`. */
export async function bundleInto(folder: string, ...files: readonly string[]): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await build({
    entryPoints: files.map((file) => join(repositoryRoot, file)),
    entryNames: '[name]',
    outdir: folder,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    target: 'node20.18',
    format: 'cjs',
    logLevel: 'error',
  });
}
