/**
 * Makes the staging directory of a build next to the releases, and publishes it. Readers of releases ignore the
 * directory because of its name. The name contains the build's process id, so that directories of killed builds can be
 * recognized and removed.
 */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { isFailure } from '../../contract/failure.ts';
import { syncDirectory, writeDurably } from '../../platform/files/atomic-write.ts';
import { isAccessRefusal, readErrorCode } from '../../platform/files/system-error.ts';
import { identifyProcess, isAlive } from '../../platform/processes/liveness.ts';
import { makeReleasesHome, writeCurrentStamp } from './home.ts';
import { MANIFEST_FILE, type Manifest, readManifest, serializeManifest } from './manifest.ts';
import { verifyRelease } from './verify.ts';

const STAGING_NAME_PATTERN = /^\.building-([0-9a-f]{8})\.(\d+)\.(\d+|-)-/;
/**
 * A running build touches its staging directory. A directory of another machine or container, whose processes are not
 * visible, counts as abandoned if it has not been touched for this time.
 */
const STALE_STAGING_MS = 15 * 60_000;
const TOUCH_INTERVAL_MS = 60_000;

const makeStagingName = (suffix: string): string => {
  const { host, pid, start } = identifyProcess();
  return `.building-${host}.${pid}.${start}-${suffix}`;
};

/** Makes a new staging directory, and removes abandoned ones. */
export async function makeStagingDirectory(home: string): Promise<string> {
  await makeReleasesHome(home);
  for (const name of await readdir(home)) {
    if (!name.startsWith('.building-')) continue;
    const path = join(home, name);
    if (await isAbandoned(name, path)) await rm(path, { recursive: true, force: true });
  }
  const staging = join(home, makeStagingName(randomUUID()));
  await mkdir(staging);
  return staging;
}

/**
 * Touches the directory at an interval, to show other processes that the build is running. Returns a function that
 * stops touching.
 */
export function keepTouching(staging: string, intervalMs = TOUCH_INTERVAL_MS): () => void {
  const touch = () => void utimes(staging, new Date(), new Date()).catch(() => undefined);
  const timer = setInterval(touch, intervalMs);
  timer.unref();
  return () => clearInterval(timer);
}

async function isAbandoned(name: string, path: string): Promise<boolean> {
  const [, host, pid, start] = STAGING_NAME_PATTERN.exec(name) ?? [];
  const isRunning =
    host === undefined || pid === undefined || start === undefined ? null : isAlive({ host, pid: Number(pid), start });
  if (isRunning !== null) return !isRunning;
  const stats = await stat(path).catch(() => null);
  return stats !== null && Date.now() - stats.mtimeMs > STALE_STAGING_MS;
}

type PublicationOutcome = 'published' | 'already_there' | 'replaced_damaged';

/**
 * Publishes a finished release with one rename, and makes it the current release. If an undamaged release with the same
 * stamp exists, the new copy is removed, because equal stamps have equal contents.
 */
export async function publish(home: string, staging: string, manifest: Manifest): Promise<PublicationOutcome> {
  const release = join(home, manifest.stamp);
  writeManifest(staging, manifest);
  const outcome = await publishDirectory(home, staging, release);
  if (outcome === 'already_there') updateManifest(release, manifest);
  writeCurrentStamp(home, manifest.stamp);
  return outcome;
}

/**
 * Updates the manifest of a release that was built again. A failed check may pass now, because of `--allow-loss`, and
 * `--about` may give another description.
 */
function updateManifest(release: string, { checks, checkResults, about }: Manifest): void {
  const oldManifest = readManifest(release);
  const nowPasses = oldManifest.checks === 'failed' && checks === 'passed';
  const isRenamed = about !== null && about !== oldManifest.about;
  if (!nowPasses && !isRenamed) return;
  const changes = { ...(nowPasses ? { checks, checkResults } : {}), ...(isRenamed ? { about } : {}) };
  writeManifest(release, { ...oldManifest, ...changes });
}

const writeManifest = (directory: string, manifest: Manifest): void =>
  writeDurably(join(directory, MANIFEST_FILE), serializeManifest(manifest));

/**
 * Moves a finished release to its final directory with one rename.
 * @param replaces whether to replace an existing release; by default, only a damaged release is replaced
 */
export async function publishDirectory(
  home: string,
  staging: string,
  target: string,
  replaces = (directory: string) => !isUndamaged(directory),
): Promise<PublicationOutcome> {
  let outcome: PublicationOutcome = 'published';
  if (!(await renameDirectory(staging, target))) {
    let removed = staging;
    outcome = 'already_there';
    if (replaces(target)) {
      removed = join(home, makeStagingName(`damaged-${Date.now()}`));
      await rename(target, removed);
      await rename(staging, target);
      outcome = 'replaced_damaged';
    }
    await rm(removed, { recursive: true, force: true });
  }
  syncDirectory(home);
  return outcome;
}

/** Renames a directory. Returns false if the destination exists. Throws other errors of the file system. */
async function renameDirectory(source: string, target: string): Promise<boolean> {
  try {
    await rename(source, target);
    return true;
  } catch (cause) {
    if (isDestinationTaken(cause, target)) return false;
    throw cause;
  }
}

/** Whether a directory could not be renamed, or could not be removed first, because the destination has files. */
export function isDestinationTaken(error: unknown, target: string): boolean {
  const errorCode = readErrorCode(error);
  if (errorCode === 'ENOTEMPTY' || errorCode === 'EEXIST') return true;
  // Windows denies permission to replace an existing directory.
  return (errorCode === 'EPERM' || errorCode === 'EACCES') && existsSync(target);
}

/** Whether all files of the release match its manifest; a partial copy of a release counts as damaged. */
function isUndamaged(directory: string): boolean {
  try {
    const manifest = readManifest(directory);
    return manifest.absent === undefined && verifyRelease(directory, manifest).length === 0;
  } catch (error) {
    // The system may have refused to open an undamaged file, so the release must not be replaced.
    if (isFailure(error) && isAccessRefusal(error.cause)) throw error;
    return false;
  }
}
