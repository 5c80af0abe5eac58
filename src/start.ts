/**
 * The first bundle, which loads the others. What V8 compiled of them is kept in the user's cache from one run
 * to the next: compiling is the largest part of a short command. Where nothing can be kept, all goes on without.
 *
 * Node's own such cache is not in version 20, lies where every user may write, and is never emptied; loading
 * here also spares the steps by which node finds a package's file.
 */

import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import Module from 'node:module';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { version } from '../package.json';
import { isPipeClosed, writeAll } from './output/write-all.ts';
import { writeAtomically } from './platform/atomic-write.ts';
import { findDirectories } from './platform/directories.ts';

/** The bundles' content, hashed when they were made: code compiled of others is not theirs. */
declare const BUILD: string;

/** By turns several versions may be in use, of fin and of node. Beyond so many builds the oldest go. */
const BUILDS_MAX = 4;
const BUILD_NAME = /^[0-9a-f]{16}-v\d[\w.-]*$/;

/** Neither a link nor a pipe is a file of ours. Windows has no such flags. */
const OPEN = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

const compiled = compiledDirectory();
const trusted = compiled !== null && isOurs(compiled);
const fresh: { readonly name: string; readonly script: Script }[] = [];

function compiledDirectory(): string | null {
  const { cache } = findDirectories(process.env);
  if (cache === null || process.env.NODE_DISABLE_COMPILE_CACHE) return null;
  return join(cache, 'code', `${BUILD}-${process.version}-${process.arch}${flagsOfNode()}`);
}

/** V8 takes compiled code under the flags alone under which it was made; who sets some does so at every start. */
function flagsOfNode(): string {
  const flags = [process.env.NODE_OPTIONS ?? '', ...process.execArgv].join(' ').trim();
  return flags === '' ? '' : `-${process.getBuiltinModule('node:zlib').crc32(flags).toString(16)}`;
}

/**
 * Whether nobody else can say where the directory lies: it and the two above it, down from the cache's own, were made
 * by this user or by root. A link would lead out of the cache, and what is there is run, and swept.
 */
function isOurs(directory: string): boolean {
  const user = process.geteuid?.();
  if (user === undefined) return true;
  try {
    return [directory, dirname(directory), dirname(dirname(directory))].every((place) => {
      const { uid } = lstatSync(place);
      return uid === user || uid === 0;
    });
  } catch {
    return false;
  }
}

/** The exports of a bundle beside this one. */
function load(name: string): unknown {
  const file = join(__dirname, name);
  const known = require.cache[file];
  if (known !== undefined) return known.exports;
  const module = new Module(file);
  require.cache[file] = module;
  // esbuild writes ASCII only.
  const source = Module.wrap(readFileSync(file, 'latin1'));
  const cachedData = readCompiled(name);
  const script = new Script(source, { filename: file, ...(cachedData === null ? {} : { cachedData }) });
  if (cachedData === null || script.cachedDataRejected) fresh.push({ name, script });
  script.runInThisContext()(module.exports, requireBeside, module, file, __dirname);
  module.loaded = true;
  return module.exports;
}

const requireBeside = (id: string) => (id.startsWith('./') ? load(id.slice(2)) : require(id));

/** It is code: what another user wrote, or may write, is not run. V8 crashes on a damaged one, so it stands there twice. */
function readCompiled(name: string): Buffer | null {
  if (compiled === null || !trusted) return null;
  let handle: number | undefined;
  try {
    handle = openSync(join(compiled, name), OPEN);
    const { uid, mode } = fstatSync(handle);
    const own = process.geteuid === undefined || (uid === process.geteuid() && (mode & 0o022) === 0);
    if (!own) return null;
    const twice = readFileSync(handle);
    const once = twice.subarray(0, twice.length / 2);
    // Quicker than any sum: those that node brings must be loaded first.
    return once.equals(twice.subarray(once.length)) ? once : null;
  } catch {
    return null;
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

/** With what was compiled on demand while the program ran. */
function keepCompiled(directory: string): void {
  const made = mkdirSync(directory, { recursive: true, mode: 0o700 });
  if (!isOurs(directory)) return;
  for (const { name, script } of fresh) {
    const once = script.createCachedData();
    writeAtomically(join(directory, name), Buffer.concat([once, once]), { makeDirectory: false, durable: true });
  }
  if (made !== undefined) sweepOldBuilds(dirname(directory));
}

function sweepOldBuilds(directory: string): void {
  const builds = readdirSync(directory)
    .filter((name) => BUILD_NAME.test(name))
    .map((name) => ({ path: join(directory, name), at: lstatSync(join(directory, name)).mtimeMs }))
    .sort((a, b) => b.at - a.at);
  for (const { path } of builds.slice(BUILDS_MAX)) rmSync(path, { recursive: true, force: true });
}

process.on('exit', () => {
  if (compiled === null || fresh.length === 0) return;
  try {
    keepCompiled(compiled);
  } catch {
    // The next run compiles again.
  }
});

/** What scripts ask to see whether all is there needs nothing else. */
const [asked, ...more] = process.argv.slice(2);
if (more.length === 0 && (asked === '--version' || asked === '-V')) {
  try {
    writeAll(1, `${version}\n`);
  } catch (error) {
    if (!isPipeClosed(error)) {
      process.exitCode = 1;
      writeAll(2, `fin: ${error instanceof Error ? error.message : error}\n`);
    }
  }
} else load('cli.cjs');
