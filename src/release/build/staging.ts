/**
 * The directory that a build writes to, beside the releases and under a name that no reader looks at.
 *
 * Its name says who builds there, so that what a killed build left behind can be told from what a living
 * one is at work on.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { makeHome, syncDirectory, writePointer } from '../store/home.ts';
import { MANIFEST, readManifest } from '../store/manifest.ts';
import type { Manifest } from '../store/types.ts';
import { verifyRelease } from '../store/verify.ts';

const BUILDING = /^\.building-([0-9a-f]+)-(\d+)-/;

/** A process's number says something only on its own machine; a home may be shared by several. */
const here = (): string => crc32(hostname()).toString(16);

/** Removes what dead builds left, and makes a new directory to build in. */
export async function makeStaging(home: string): Promise<string> {
  await makeHome(home);
  for (const name of await readdir(home)) {
    const match = BUILDING.exec(name);
    if (match !== null && match[1] === here() && !isAlive(Number(match[2]))) {
      await rm(join(home, name), { recursive: true, force: true });
    }
  }
  const staging = join(home, `.building-${here()}-${process.pid}-${randomUUID()}`);
  await mkdir(staging);
  return staging;
}

function isAlive(pid: number): boolean {
  if (pid === process.pid) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    // Somebody else's process may not be signalled, and lives.
    return cause instanceof Error && 'code' in cause && cause.code === 'EPERM';
  }
}

export type Publication = 'published' | 'already_there' | 'replaced_damaged';

/**
 * Puts a finished release in its place by one rename and makes it the current one. When the same release
 * is there already, and whole, the new copy is dropped: they say the same.
 */
export async function publish(home: string, staging: string, manifest: Manifest): Promise<Publication> {
  const target = join(home, manifest.stamp);
  await writeManifest(staging, manifest);
  const publication = await moveIn(home, staging, target);
  await syncDirectory(home);
  await writePointer(home, manifest.stamp);
  return publication;
}

async function moveIn(home: string, staging: string, target: string): Promise<Publication> {
  if (await move(staging, target)) return 'published';
  if (isWhole(target)) {
    await rm(staging, { recursive: true, force: true });
    return 'already_there';
  }
  const aside = join(home, `.building-${here()}-${process.pid}-damaged-${Date.now()}`);
  await rename(target, aside);
  await rename(staging, target);
  await rm(aside, { recursive: true, force: true });
  return 'replaced_damaged';
}

/** False when something stands there already. */
async function move(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (cause) {
    // What a full directory in the way is called differs by platform.
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    if (code === 'ENOTEMPTY' || code === 'EEXIST' || code === 'EPERM' || code === 'EACCES') return false;
    throw cause;
  }
}

function isWhole(directory: string): boolean {
  try {
    return verifyRelease(directory, readManifest(directory)).length === 0;
  } catch {
    return false;
  }
}

async function writeManifest(directory: string, manifest: Manifest): Promise<void> {
  const file = await open(join(directory, MANIFEST), 'wx');
  try {
    await file.writeFile(`${JSON.stringify(manifest, null, 2)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await syncDirectory(directory);
}
