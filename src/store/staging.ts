/**
 * The directory that a build writes to, beside the releases and under a name that no reader looks at.
 *
 * Its name names the process that builds there, so that what a killed build left behind is not confused with the
 * directory of a running one.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { isFailure } from '../contract/failure.ts';
import { syncDirectory, writeAtomically } from '../platform/atomic-write.ts';
import { isAlive, thisProcess } from '../platform/processes/liveness.ts';
import { codeOf, isRefusal } from '../platform/system-error.ts';
import { makeHome, writePointer } from './home.ts';
import { MANIFEST, type Manifest, manifestText, readManifest } from './manifest.ts';
import { verifyRelease } from './verify.ts';

const BUILDING = /^\.building-([0-9a-f]{8})\.(\d+)\.(\d+|-)-/;
/** A build of another machine or container cannot be looked up: it touches its directory, and untouched for so long is over. */
const STALE_MS = 15 * 60_000;
const TOUCH_MS = 60_000;

const nameFor = (suffix: string): string => {
  const { host, pid, start } = thisProcess();
  return `.building-${host}.${pid}.${start}-${suffix}`;
};

/** Removes what dead builds left, and makes a new directory to build in. */
export async function makeStaging(home: string): Promise<string> {
  await makeHome(home);
  for (const name of await readdir(home)) {
    if (!name.startsWith('.building-')) continue;
    const path = join(home, name);
    if (await isLeftOver(name, path)) await rm(path, { recursive: true, force: true });
  }
  const staging = join(home, nameFor(randomUUID()));
  await mkdir(staging);
  return staging;
}

/** Shows others that a build goes on; returns what ends that. */
export function keepTouching(staging: string, everyMs = TOUCH_MS): () => void {
  const touch = () => void utimes(staging, new Date(), new Date()).catch(() => undefined);
  const timer = setInterval(touch, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}

async function isLeftOver(name: string, path: string): Promise<boolean> {
  const [, host, pid, start] = BUILDING.exec(name) ?? [];
  const alive =
    host === undefined || pid === undefined || start === undefined ? null : isAlive({ host, pid: Number(pid), start });
  if (alive !== null) return !alive;
  const info = await stat(path).catch(() => null);
  return info !== null && Date.now() - info.mtimeMs > STALE_MS;
}

export type Publication = 'published' | 'already_there' | 'replaced_damaged';

/**
 * Puts a finished release in its place by one rename and makes it the current one. When the same release
 * is there already, and whole, the new copy is dropped: their contents are the same.
 */
export async function publish(home: string, staging: string, manifest: Manifest): Promise<Publication> {
  const target = join(home, manifest.stamp);
  writeAtomically(join(staging, MANIFEST), manifestText(manifest), {
    mode: 0o666,
    makeDirectory: false,
    durable: true,
  });
  const publication = await moveIn(home, staging, target);
  writePointer(home, manifest.stamp);
  return publication;
}

/**
 * Puts a finished release in its place by one rename.
 * @param isNeeded whether the release that stands there is to be replaced; by default where it is damaged
 */
export async function moveIn(
  home: string,
  staging: string,
  target: string,
  isNeeded = (directory: string) => !isWhole(directory),
): Promise<Publication> {
  const publication = await replace(home, staging, target, isNeeded);
  syncDirectory(home);
  return publication;
}

async function replace(
  home: string,
  staging: string,
  target: string,
  isNeeded: (directory: string) => boolean,
): Promise<Publication> {
  if (await move(staging, target)) return 'published';
  if (!isNeeded(target)) {
    await rm(staging, { recursive: true, force: true });
    return 'already_there';
  }
  const aside = join(home, nameFor(`damaged-${Date.now()}`));
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
    const code = codeOf(cause);
    if (code === 'ENOTEMPTY' || code === 'EEXIST' || code === 'EPERM' || code === 'EACCES') return false;
    throw cause;
  }
}

/** A part of a release is not whole, whatever is there. */
function isWhole(directory: string): boolean {
  try {
    const manifest = readManifest(directory);
    return manifest.absent === undefined && verifyRelease(directory, manifest).length === 0;
  } catch (error) {
    // A file that this process may not open, or has no handle for, is not for that reason damaged.
    if (isFailure(error) && isRefusal(error.cause)) throw error;
    return false;
  }
}
