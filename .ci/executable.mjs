/**
 * Builds a single executable from dist (`npm run executable`): node itself, with the bundles and the sample as assets.
 * https://nodejs.org/api/single-executable-applications.html
 *
 * node .ci/executable.mjs [--out <directory>] [--check]
 *
 * The executable contains the node that runs this script, version 20 or newer. postject's warnings about section names
 * are harmless. `--check` also tests the executable, without node on the PATH and with an empty home.
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
const sampleDirectory = join(root, 'src', 'store', 'sample');

/** Name of the section of the executable in which node finds the blob. */
const BLOB_SECTION = 'NODE_SEA_BLOB';
/** Marker in node's binary, which postject changes to show that the binary contains a blob. */
const FUSE_MARKER = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

const { values: options } = parseArgs({
  options: { out: { type: 'string', default: join(root, 'executable') }, check: { type: 'boolean', default: false } },
});

/**
 * Writes content.json; returns the build's hash, and the path of each asset (content.json, the bundles, the sample's
 * files) by the asset's name.
 */
function prepareAssets(staging) {
  const bundleNames = readdirSync(dist).filter((name) => name.endsWith('.cjs') && name !== 'start.cjs');
  const releaseDirectories = readdirSync(sampleDirectory, { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );
  const [{ name: stamp }] = releaseDirectories;
  if (releaseDirectories.length !== 1)
    throw new Error(`${sampleDirectory} contains ${releaseDirectories.length} releases instead of one.`);
  const sampleFileNames = readdirSync(join(sampleDirectory, stamp));
  const hash = createHash('sha256');
  for (const name of bundleNames.sort()) hash.update(readFileSync(join(dist, name)));
  const executableContent = { build: hash.digest('hex').slice(0, 16), sample: { stamp, files: sampleFileNames } };
  const contentFile = join(staging, 'content.json');
  writeFileSync(contentFile, JSON.stringify(executableContent));
  return {
    build: executableContent.build,
    paths: {
      'content.json': contentFile,
      ...Object.fromEntries(bundleNames.map((name) => [name, join(dist, name)])),
      ...Object.fromEntries(sampleFileNames.map((name) => [`sample/${name}`, join(sampleDirectory, stamp, name)])),
    },
  };
}

/** Returns the path of node's licence in the directory of node's executable or its parent; null if it is missing. */
function findNodeLicence() {
  const folder = dirname(process.execPath);
  const paths = [join(folder, 'LICENSE'), join(folder, '..', 'LICENSE')];
  return paths.find((path) => existsSync(path) && readFileSync(path, 'utf8').includes('Node.js')) ?? null;
}

async function makeBlob(staging) {
  const { build: hash, paths } = prepareAssets(staging);
  const mainFile = join(staging, 'start.cjs');
  await build({
    ...BUNDLE_OPTIONS,
    entryPoints: [join(root, 'src', 'start.ts')],
    outfile: mainFile,
    define: { BUILD: JSON.stringify(hash), EXECUTABLE: 'true' },
  });
  const blobFile = join(staging, 'blob');
  const configFile = join(staging, 'config.json');
  const settings = {
    main: mainFile,
    output: blobFile,
    assets: paths,
    disableExperimentalSEAWarning: true,
    // start.ts caches compiled code itself; node would print a warning whenever NODE_OPTIONS sets flags of V8.
    useCodeCache: false,
    // Makes the executable ignore NODE_OPTIONS; node before 24.6 does not know this setting.
    execArgvExtension: 'none',
  };
  writeFileSync(configFile, JSON.stringify(settings));
  execFileSync(process.execPath, ['--experimental-sea-config', configFile], { stdio: ['ignore', 'ignore', 'inherit'] });
  return readFileSync(blobFile);
}

const isMac = process.platform === 'darwin';
const executableFile = join(resolve(options.out), process.platform === 'win32' ? 'fin.exe' : 'fin');
const stagingDirectory = mkdtempSync(join(tmpdir(), 'fin-executable-'));
try {
  const blob = await makeBlob(stagingDirectory);
  mkdirSync(dirname(executableFile), { recursive: true });
  rmSync(executableFile, { force: true });
  copyFileSync(process.execPath, executableFile);
  chmodSync(executableFile, 0o755);
  // The signature is removed before the blob is injected and added again afterwards, because the blob invalidates it.
  if (isMac) execFileSync('codesign', ['--remove-signature', executableFile]);
  await inject(executableFile, BLOB_SECTION, blob, {
    sentinelFuse: FUSE_MARKER,
    ...(isMac ? { machoSegmentName: 'NODE_SEA' } : {}),
  });
  if (isMac) execFileSync('codesign', ['--sign', '-', executableFile]);
  copyFileSync(join(dist, 'LICENCES.txt'), join(dirname(executableFile), 'LICENCES.txt'));
  const licenceFile = findNodeLicence();
  if (licenceFile === null)
    console.warn(`No licence of node was found near ${process.execPath}: add it before you distribute the executable.`);
  else copyFileSync(licenceFile, join(dirname(executableFile), 'LICENCE-node.txt'));
} finally {
  rmSync(stagingDirectory, { recursive: true, force: true });
}
const megabytesText = (statSync(executableFile).size / 1e6).toFixed(1);
console.log(`${executableFile}: ${megabytesText} MB, node ${process.version}, ${process.platform}-${process.arch}`);
if (options.check) await checkExecutable(executableFile);
