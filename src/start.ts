/**
 * The first bundle, which loads the others. Caches V8's compiled code in the user's cache directory, because compiling
 * takes most of a short command's time. Node's own compile cache is unavailable in version 20, may be in a directory
 * that other users can write to, and is never emptied.
 */

import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import Module from 'node:module';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { version } from '../package.json';
import { readAsset } from './platform/builtins/executable.ts';
import { writeAtomically } from './platform/files/atomic-write.ts';
import { findDirectories, makeDirectory } from './platform/files/directories.ts';
import { isPipeClosed, writeAll } from './platform/write-all.ts';

/** Hash of the bundles, defined at build time. Compiled code is only valid for the same bundles. */
declare const BUILD: string;

/** Whether this is a single executable, whose bundles are assets; defined at build time. */
declare const EXECUTABLE: boolean;

/**
 * Maximum number of builds with cached code, because several versions of fin and Node.js may be used alternately. The
 * oldest are removed first.
 */
const MAX_CACHED_BUILDS = 4;
const BUILD_NAME_PATTERN = /^[0-9a-f]{16}-v\d[\w.-]*$/;

/** Flags that never open a link or block on a pipe. Windows lacks the last two. */
const SAFE_OPEN_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

const compiledCodeDirectory = findCompiledCodeDirectory();
const isDirectoryTrusted = compiledCodeDirectory !== null && isOwnDirectory(compiledCodeDirectory);
const scripts: { readonly name: string; readonly script: Script }[] = [];
let hasCompiled = false;

function findCompiledCodeDirectory(): string | null {
  const { cache } = findDirectories(process.env);
  if (cache === null || process.env.NODE_DISABLE_COMPILE_CACHE) return null;
  return join(cache, 'code', `${BUILD}-${process.version}-${process.arch}${hashNodeFlags()}`);
}

/**
 * Returns a hash of Node.js's flags as a suffix of a directory name; empty without flags. V8 accepts compiled code only
 * if it was compiled under the same flags.
 */
function hashNodeFlags(): string {
  const nodeFlags = [process.env.NODE_OPTIONS ?? '', ...process.execArgv].join(' ').trim();
  return nodeFlags === '' ? '' : `-${process.getBuiltinModule('node:zlib').crc32(nodeFlags).toString(16)}`;
}

/**
 * Whether this user or root owns the directory and the two directories above it, because files in it are executed and
 * removed. Always true on Windows. For a link, `lstat` reports the owner of the link, not of its target.
 */
function isOwnDirectory(directory: string): boolean {
  const userId = process.geteuid?.();
  if (userId === undefined) return true;
  try {
    return [directory, dirname(directory), dirname(dirname(directory))].every((path) => {
      const { uid } = lstatSync(path);
      return uid === userId || uid === 0;
    });
  } catch {
    return false;
  }
}

/** Directory of the bundles. For an executable, a path that cannot exist, so that no files next to it are loaded. */
const bundleDirectory = EXECUTABLE ? join(process.execPath, 'dist') : __dirname;
const modulesByName = new Map<string, Module>();

/** Returns the exports of another bundle. */
function loadModule(name: string): unknown {
  const existing = modulesByName.get(name);
  if (existing !== undefined) return existing.exports;
  const file = join(bundleDirectory, name);
  const module = new Module(file);
  modulesByName.set(name, module);
  const code = wrap(EXECUTABLE ? readBundle(name) : readFileSync(file));
  const cachedData = readCompiledCode(name);
  const script = new Script(code, { filename: file, ...(cachedData === null ? {} : { cachedData }) });
  scripts.push({ name, script });
  if (cachedData === null || script.cachedDataRejected) hasCompiled = true;
  script.runInThisContext()(module.exports, requireModule, module, file, bundleDirectory);
  module.loaded = true;
  return module.exports;
}

/**
 * Returns the code of a module with node's wrapper. Joins bytes, because V8 would copy a text of several parts. latin1
 * suffices, because the bundles contain only ASCII.
 */
function wrap(module: Buffer): string {
  const [start = '', end = ''] = Module.wrap('\0').split('\0');
  return Buffer.concat([Buffer.from(start), module, Buffer.from(end)]).toString('latin1');
}

function readBundle(name: string): Buffer {
  const bytes = readAsset(name);
  if (bytes === null) throw new Error(`the executable does not contain the bundle ${name}`);
  return bytes;
}

const requireModule = (id: string) => (id.startsWith('./') ? loadModule(id.slice(2)) : require(id));

/**
 * Returns cached compiled code; null if it is missing or damaged, or if another user wrote or can write the file. The
 * file contains two copies of the code to detect damage, because V8 crashes on damaged code.
 */
function readCompiledCode(name: string): Buffer | null {
  if (compiledCodeDirectory === null || !isDirectoryTrusted) return null;
  let file: number | undefined;
  try {
    file = openSync(join(compiledCodeDirectory, name), SAFE_OPEN_FLAGS);
    const { uid, mode } = fstatSync(file);
    const isOwnFile = process.geteuid === undefined || (uid === process.geteuid() && (mode & 0o022) === 0);
    if (!isOwnFile) return null;
    const doubled = readFileSync(file);
    const half = doubled.subarray(0, doubled.length / 2);
    // Comparing two copies is faster than a checksum, for which Node.js would load a module.
    return half.equals(doubled.subarray(half.length)) ? half : null;
  } catch {
    return null;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/**
 * Stores the compiled code of all loaded bundles, including functions that were compiled at run time. Bundles with
 * cached code are stored again, because this command may have compiled more of their functions.
 */
function storeCompiledCode(directory: string): void {
  const isNew = makeDirectory(directory, 0o700);
  if (!isOwnDirectory(directory)) return;
  for (const { name, script } of scripts) {
    const compiled = script.createCachedData();
    const doubled = Buffer.concat([compiled, compiled]);
    writeAtomically(join(directory, name), doubled, { createsDirectory: false, isDurable: true });
  }
  if (isNew) sweepOldBuilds(dirname(directory));
}

function sweepOldBuilds(directory: string): void {
  const builds = readdirSync(directory)
    .filter((name) => BUILD_NAME_PATTERN.test(name))
    .map((name) => ({ path: join(directory, name), modifiedMs: lstatSync(join(directory, name)).mtimeMs }))
    .sort((a, b) => b.modifiedMs - a.modifiedMs);
  for (const { path } of builds.slice(MAX_CACHED_BUILDS)) rmSync(path, { recursive: true, force: true });
}

process.on('exit', () => {
  if (compiledCodeDirectory === null || !hasCompiled) return;
  try {
    storeCompiledCode(compiledCodeDirectory);
  } catch {
    // Ignored: the next run compiles again.
  }
});

/** `--version` loads no other bundle, because scripts use it to check whether fin is installed. */
const [firstArgument, ...otherArguments] = process.argv.slice(2);
if (otherArguments.length === 0 && (firstArgument === '--version' || firstArgument === '-V')) {
  try {
    writeAll(1, `${version}\n`);
  } catch (error) {
    if (!isPipeClosed(error)) {
      process.exitCode = 1;
      writeAll(2, `fin: ${error instanceof Error ? error.message : error}\n`);
    }
  }
} else loadModule('cli.cjs');
