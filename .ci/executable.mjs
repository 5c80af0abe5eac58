/**
 * Builds a single executable from dist (`npm run executable`): node itself, with the bundles and the sample as assets.
 * https://nodejs.org/api/single-executable-applications.html
 *
 * node .ci/executable.mjs [--out <directory>] [--check]
 *
 * The executable contains the node that runs this script, version 20 or newer. postject's warnings about section names
 * are harmless. `--check` then runs the executable without node on the PATH and with an empty home.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { inject } from 'postject';
import { BUNDLE_OPTIONS } from './bundle-options.mjs';
import { checkExecutable } from './check-executable.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, 'dist');
const sample = join(root, 'src', 'store', 'sample');

/**
 * Name of the section in which node finds the blob, and the marker in node's binary that is changed once a blob exists.
 */
const BLOB = 'NODE_SEA_BLOB';
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

const { values: options } = parseArgs({
  options: { out: { type: 'string', default: join(root, 'executable') }, check: { type: 'boolean', default: false } },
});

/** Returns the paths of the bundles and of the sample's files, by the name under which the program reads them. */
function assets(staging) {
  const bundles = readdirSync(dist).filter((name) => name.endsWith('.cjs') && name !== 'start.cjs');
  const stamps = readdirSync(sample, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const [{ name: stamp }] = stamps;
  if (stamps.length !== 1) throw new Error(`The sample is ${stamps.length} releases instead of one.`);
  const files = readdirSync(join(sample, stamp));
  const hash = createHash('sha256');
  for (const name of bundles.sort()) hash.update(readFileSync(join(dist, name)));
  const content = { build: hash.digest('hex').slice(0, 16), sample: { stamp, files } };
  const contentFile = join(staging, 'content.json');
  writeFileSync(contentFile, JSON.stringify(content));
  return {
    build: content.build,
    paths: {
      'content.json': contentFile,
      ...Object.fromEntries(bundles.map((name) => [name, join(dist, name)])),
      ...Object.fromEntries(files.map((name) => [`sample/${name}`, join(sample, stamp, name)])),
    },
  };
}

/** Returns the path of node's licence next to its executable, as in node's own archives; null if it is missing. */
function licenceOfNode() {
  const folder = dirname(process.execPath);
  const places = [join(folder, 'LICENSE'), join(folder, '..', 'LICENSE')];
  return places.find((place) => existsSync(place) && readFileSync(place, 'utf8').includes('Node.js')) ?? null;
}

async function makeBlob(staging) {
  const { build: hash, paths } = assets(staging);
  const main = join(staging, 'start.cjs');
  await build({
    ...BUNDLE_OPTIONS,
    entryPoints: [join(root, 'src', 'start.ts')],
    outfile: main,
    define: { BUILD: JSON.stringify(hash), EXECUTABLE: 'true' },
  });
  const blob = join(staging, 'blob');
  const config = join(staging, 'config.json');
  const settings = { main, output: blob, assets: paths, disableExperimentalSEAWarning: true, useCodeCache: true };
  writeFileSync(config, JSON.stringify(settings));
  execFileSync(process.execPath, ['--experimental-sea-config', config], { stdio: ['ignore', 'ignore', 'inherit'] });
  return readFileSync(blob);
}

const isMac = process.platform === 'darwin';
const file = join(resolve(options.out), process.platform === 'win32' ? 'fin.exe' : 'fin');
const staging = mkdtempSync(join(tmpdir(), 'fin-executable-'));
try {
  const blob = await makeBlob(staging);
  mkdirSync(dirname(file), { recursive: true });
  rmSync(file, { force: true });
  copyFileSync(process.execPath, file);
  chmodSync(file, 0o755);
  // Injecting the blob would invalidate the signature, so the signature is removed before and added again after.
  if (isMac) execFileSync('codesign', ['--remove-signature', file]);
  await inject(file, BLOB, blob, { sentinelFuse: FUSE, ...(isMac ? { machoSegmentName: 'NODE_SEA' } : {}) });
  if (isMac) execFileSync('codesign', ['--sign', '-', file]);
  copyFileSync(join(dist, 'LICENCES.txt'), join(dirname(file), 'LICENCES.txt'));
  const licence = licenceOfNode();
  if (licence === null) console.warn('The licence of node is not beside it: add it before you pass the executable on.');
  else copyFileSync(licence, join(dirname(file), 'LICENCE-node.txt'));
} finally {
  rmSync(staging, { recursive: true, force: true });
}
const megabytes = (statSync(file).size / 1e6).toFixed(1);
console.log(`${file}: ${megabytes} MB, node ${process.version}, ${process.platform}-${process.arch}`);
if (options.check) await checkExecutable(file);
