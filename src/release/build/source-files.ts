/** The account of a build's sources: each file's size and hash, so that anyone can tell whether theirs are the same. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { PublicFiles } from '../../edgar/files/public-files.ts';
import type { Manifest } from '../store/manifest.ts';

/** `more` are files that were read beside the company facts, submissions and ticker lists. */
export async function describeSources(
  files: Pick<PublicFiles, 'path' | 'files'>,
  signal?: AbortSignal,
  more: PublicFiles['files'] = [],
): Promise<Manifest['sources']> {
  const isFile = (await stat(files.path)).isFile();
  const described: { name: string; bytes: number; sha256: string }[] = [];
  for (const { name, bytes } of [...files.files, ...more]) {
    signal?.throwIfAborted();
    described.push({ name, bytes, sha256: await hashFile(isFile ? files.path : join(files.path, name)) });
  }
  return described.sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
