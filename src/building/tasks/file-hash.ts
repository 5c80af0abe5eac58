import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { Task } from './task.ts';

export interface FileHashTask extends Task<FileHash> {
  readonly kind: 'hash of a file';
  readonly path: string;
}

export interface FileHash {
  readonly sha256: string;
}

export async function hashFile({ path }: FileHashTask): Promise<FileHash> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk as Buffer);
  return { sha256: hash.digest('hex') };
}
