/**
 * Builds dist from src (`npm run build`): CommonJS bundles, which node starts fastest, and the types of the package.
 *
 * `start.ts` loads `cli.ts`. Every file that another file imports on demand (`import('./x.ts')`) becomes a separate
 * bundle named by its path, so that a command loads only the code it needs; every worker (`*-worker.ts`) becomes a bundle
 * too. Bundles other than workers and start.cjs load the shared modules from dist/shared.cjs. Other modules are
 * copied into each bundle that uses them, so only plain data and functions may pass between bundles.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { BUNDLE_OPTIONS } from './bundle-options.mjs';
import { makeDeclarations } from './declarations.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const src = join(root, 'src');
const dist = join(root, 'dist');
/**
 * Bundles are built in this directory and then moved to dist, so that a failed build leaves the previous dist
 * unchanged.
 */
const stagingDirectory = `${dist}.${process.pid}`;

/**
 * Modules of dependencies that fin does not need, or needs only in part, and the replacement of each. Loading the
 * original modules would take longer than the rest of start-up.
 */
const STUBS = [
  // commander uses this module only for subcommands in separate executables, which fin does not have.
  { module: /^node:child_process$/, importer: /node_modules\/commander\//, contents: 'module.exports = {};' },
  // conf uses these modules only if a schema or migrations are set, which fin does not do.
  {
    module: /^(ajv|ajv\/dist\/2020\.js|ajv-formats|ajv-formats\/.*)$/,
    importer: /node_modules\/conf\//,
    contents: 'module.exports = {};',
  },
  { module: /^semver$/, importer: /node_modules\/conf\//, contents: 'module.exports = {};' },
  // fin does not use cli-table3's colours. fin's own measureWidth is faster for ASCII than string-width, which
  // searches every text for emoji.
  { module: /^@colors\/colors\/safe$/, importer: /node_modules\/cli-table3\//, contents: 'module.exports = {};' },
  {
    module: /^string-width$/,
    importer: /node_modules\/cli-table3\//,
    contents: "module.exports = require('./render/text/text-width.ts').measureWidth;",
  },
  // The client sends GETs over HTTP/1.1 through agents; it needs no fetch, WebSocket, mocks, interceptors or cache.
  // undici's index creates a CacheStorage, so the replacement has that class.
  {
    module:
      /^\.\/lib\/(web|mock|interceptor|cache|handler)\/|\/(balanced-pool|round-robin-pool|retry-agent|h2c-client)$/,
    importer: /node_modules\/undici\/index\.js$/,
    contents: 'module.exports = { CacheStorage: class {} };',
  },
  // src/contract validates the arguments of MCP tools, so fin does not need the SDK's JSON Schema validator.
  {
    module: /^@modelcontextprotocol\/server\/_shims$/,
    importer: /node_modules\/@modelcontextprotocol\/server\//,
    contents: "export class DefaultJsonSchemaValidator {} export { default as process } from 'node:process';",
  },
  // Omits HTTP/2, the web APIs, and one of the two builds of undici's HTTP parser.
  {
    module: /\/(client-h2|web\/.+|llhttp-wasm)\.js$/,
    importer: /node_modules\/undici\//,
    contents: 'module.exports = {};',
  },
];

const stubPlugin = {
  name: 'stub',
  setup(pluginBuild) {
    for (const [index, { module, importer }] of STUBS.entries()) {
      pluginBuild.onResolve({ filter: module }, (args) =>
        importer.test(args.importer) ? { path: String(index), namespace: 'stub' } : undefined,
      );
    }
    pluginBuild.onLoad({ filter: /./, namespace: 'stub' }, (args) => ({
      contents: STUBS[Number(args.path)].contents,
      resolveDir: src,
    }));
  },
};

/** Matches modules of constants that are computed from other constants. Bundles include only the computed values. */
const PRECOMPUTED_MODULE_PATTERN =
  /contract[\\/](response-shapes|statements[\\/](balance-sheet|cover-page|(income|cash-flow)-statement))\.ts$/;

const precomputePlugin = {
  name: 'precompute',
  setup(pluginBuild) {
    pluginBuild.onLoad({ filter: PRECOMPUTED_MODULE_PATTERN }, async ({ path }) => {
      const { outputFiles } = await build({
        entryPoints: [path],
        bundle: true,
        platform: 'node',
        format: 'cjs',
        write: false,
      });
      const module = { exports: {} };
      new Function('module', 'exports', 'require', outputFiles[0].text)(module, module.exports, createRequire(path));
      const exportLines = Object.entries(module.exports).map(
        ([name, value]) =>
          `export const ${name} = /* @__PURE__ */ JSON.parse(${JSON.stringify(JSON.stringify(value))});`,
      );
      return { contents: exportLines.join('\n'), loader: 'js' };
    });
  },
};

/**
 * Omits modules of which a bundle uses no export. esbuild would include them, because it cannot know that loading them has
 * no effect: a table of a release or a rule of rounding would bring all tables or decimal.js into every bundle.
 */
const unusedPlugin = {
  name: 'unused',
  setup(pluginBuild) {
    pluginBuild.onResolve({ filter: /^\..*\.ts$/ }, ({ kind, resolveDir, path }) =>
      kind === 'import-statement' ? { path: resolve(resolveDir, path), sideEffects: false } : undefined,
    );
    pluginBuild.onResolve({ filter: /^decimal\.js$/ }, ({ path }) => ({
      path: fileURLToPath(import.meta.resolve(path)),
      sideEffects: false,
    }));
  },
};

/** Includes a file as text if its import ends in `?raw`, as vitest does; with LF, whatever Git wrote on this system. */
const textPlugin = {
  name: 'text',
  setup(pluginBuild) {
    pluginBuild.onResolve({ filter: /\?raw$/ }, ({ resolveDir, path }) => ({
      path: resolve(resolveDir, path.replace(/\?raw$/, '')),
      namespace: 'text',
    }));
    pluginBuild.onLoad({ filter: /./, namespace: 'text' }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll('\r\n', '\n'),
      loader: 'text',
    }));
  },
};

/** Makes a separate bundle of each source file that is imported on demand, and of the package conf. */
const makeOnDemandPlugin = (addEntry) => ({
  name: 'on-demand',
  setup(pluginBuild) {
    pluginBuild.onResolve({ filter: /^conf$/ }, (args) => {
      if (args.kind !== 'dynamic-import') return undefined;
      const file = fileURLToPath(import.meta.resolve(args.path));
      addEntry(file);
      return { path: `./${getBundleName(file)}`, external: true };
    });
    pluginBuild.onResolve({ filter: /^\./ }, (args) => {
      if (args.kind !== 'dynamic-import') return undefined;
      const file = resolve(args.resolveDir, args.path);
      addEntry(file);
      return { path: `./${getBundleName(file)}`, external: true };
    });
  },
});

/**
 * Modules that every command and most bundles use. One separate bundle contains these modules, so that a command
 * initializes them once.
 */
const SHARED_MODULE_PATHS = [
  ...['operations', 'figures', 'screen-columns', 'nearest', 'absent-words'].map((name) => `contract/${name}`),
  ...['contract/text/text', 'contract/text/quote', 'contract/failure', 'contract/error-code', 'contract/decimal-text'],
  ...['contract/question', 'contract/read-parameter', 'contract/identifiers', 'contract/additions'],
  ...['contract/problems', 'platform/json-object', 'platform/files/system-error', 'platform/files/directories'],
  ...['platform/files/regular-file', 'ask/command/option-spec', 'ask/command/options'],
  ...['result/rows', 'result/table', 'render/text/sanitize', 'render/text/wrap'],
].map((name) => join(src, `${name}.ts`));
const SHARED_BUNDLE_NAME = 'shared.cjs';

const sharedPlugin = {
  name: 'shared',
  setup(pluginBuild) {
    pluginBuild.onResolve({ filter: /^\./ }, (args) =>
      SHARED_MODULE_PATHS.includes(resolve(args.resolveDir, args.path))
        ? { path: `./${SHARED_BUNDLE_NAME}`, external: true }
        : undefined,
    );
  },
};

const DIST_OPTIONS = {
  ...BUNDLE_OPTIONS,
  // esbuild replaces import() by require(), because import() would load node's ES module loader, which takes longer.
  supported: { 'dynamic-import': false },
  logLevel: 'warning',
  metafile: true,
};

/** Paths of all files that any bundle includes. */
const includedFiles = new Set();

async function writeBundle(options) {
  const { metafile } = await build({ ...DIST_OPTIONS, ...options });
  for (const file of Object.keys(metafile.inputs)) includedFiles.add(file);
}

/**
 * Bundles the shared modules. The exports become properties of one object literal, which V8 creates in one step.
 * esbuild would define a getter for each export, which takes longer.
 */
async function bundleSharedModules() {
  const exportedNames = await listExportedNames(SHARED_MODULE_PATHS);
  const importStatements = SHARED_MODULE_PATHS.map(
    (file, index) => `import { ${exportedNames[index]} } from ${JSON.stringify(file)};`,
  );
  const contents = [...importStatements, `module.exports = { ${exportedNames.flat()} };`].join('\n');
  await writeBundle({ stdin: { contents, resolveDir: src }, outfile: join(stagingDirectory, SHARED_BUNDLE_NAME) });
}

/** Returns the names that each file exports. */
async function listExportedNames(files) {
  const buildPromises = files.map((file) =>
    build({ ...DIST_OPTIONS, format: 'esm', entryPoints: [file], write: false }),
  );
  return (await Promise.all(buildPromises)).map(({ metafile }) => Object.values(metafile.outputs)[0].exports);
}

const isWorker = (file) => file.endsWith('-worker.ts');
const START_FILE = join(src, 'start.ts');

/**
 * Whether a bundle contains the shared modules that it uses: in the single executable a worker cannot load
 * dist/shared.cjs, and `start.ts` would load it without compiled code.
 */
const containsSharedModules = (file) => isWorker(file) || file === START_FILE;

/**
 * Returns the file name of a bundle: the name of the package, or the path of the source file, such as
 * `questions-metrics.cjs`. A file that is named like its folder gives its folder's name.
 */
function getBundleName(file) {
  const packageName = /node_modules\/([^/]+)/.exec(file)?.[1];
  if (packageName !== undefined) return `${packageName}.cjs`;
  const words = relative(src, file)
    .replace(/\.[cm]?ts$/, '')
    .split(sep);
  return `${(words.at(-1) === words.at(-2) ? words.slice(0, -1) : words).join('-')}.cjs`;
}

/** Bundles `entries` and every file they import on demand. */
async function bundle(entries, define = {}) {
  const fileByBundle = new Map();
  const queue = [...entries];
  for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
    const name = getBundleName(file);
    const existingFile = fileByBundle.get(name);
    if (existingFile === file) continue;
    if (existingFile !== undefined)
      throw new Error(`${existingFile} and ${file} would both become dist/${name}; rename one of the files`);
    fileByBundle.set(name, file);
    await writeBundle({
      entryPoints: [file],
      outfile: join(stagingDirectory, name),
      define,
      plugins: [
        stubPlugin,
        precomputePlugin,
        textPlugin,
        ...(containsSharedModules(file) ? [] : [sharedPlugin]),
        makeOnDemandPlugin((entry) => queue.push(entry)),
        unusedPlugin,
      ],
    });
  }
}

/** Returns the licence texts of the dependencies whose code is in the bundles. The package must include these texts. */
function readLicenceTexts() {
  const folders = new Set(
    [...includedFiles].map((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0]).filter(Boolean),
  );
  return [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const licenceFileName = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    const text = licenceFileName === undefined ? '' : readFileSync(join(folder, licenceFileName), 'utf8').trim();
    return `${name} ${version} (${license})\n\n${text}\n`;
  });
}

/** Bundles `start.ts`, which loads the other bundles, with a hash of their content. */
async function bundleStartFile() {
  const hash = createHash('sha256');
  for (const name of readdirSync(stagingDirectory).sort()) hash.update(readFileSync(join(stagingDirectory, name)));
  await bundle([START_FILE], {
    BUILD: JSON.stringify(hash.digest('hex').slice(0, 16)),
    EXECUTABLE: 'false',
  });
}

const workerFiles = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(isWorker);

try {
  await bundleSharedModules();
  await bundle(['cli.ts', 'library/library.ts', 'contract/openapi.ts', ...workerFiles].map((file) => join(src, file)));
  await bundleStartFile();
  writeFileSync(join(stagingDirectory, 'LICENCES.txt'), readLicenceTexts().join(`\n${'-'.repeat(80)}\n\n`));
  writeFileSync(join(stagingDirectory, 'library.d.cts'), await makeDeclarations(src));
  const manual = execFileSync(process.execPath, [join(stagingDirectory, 'cli.cjs'), 'help', 'man']);
  writeFileSync(join(stagingDirectory, 'fin.1'), manual);
  rmSync(dist, { recursive: true, force: true });
  renameSync(stagingDirectory, dist);
} finally {
  rmSync(stagingDirectory, { recursive: true, force: true });
}
