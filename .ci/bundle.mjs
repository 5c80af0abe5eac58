/**
 * Builds dist from src (`npm run build`): CommonJS bundles, which node starts fastest, and the types of the package.
 *
 * `start.ts` loads `cli.ts`. Every file that another file imports on demand (`import('./x.ts')`) becomes a separate
 * bundle, dist/x.cjs, so that a command loads only the code it needs; every worker (`*-worker.ts`) becomes a bundle
 * too. Bundles share the tables of the contract, dist/contract.cjs, but no classes and no state: only plain data and
 * functions pass between bundles.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { BUNDLE_OPTIONS } from './bundle-options.mjs';
import { declarations } from './declarations.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const src = join(root, 'src');
const dist = join(root, 'dist');
/**
 * Bundles are built in this directory and then moved to dist, so that a failed build leaves the previous dist
 * unchanged.
 */
const staging = `${dist}.${process.pid}`;

/**
 * Modules of dependencies that this program never or rarely uses, and their replacements. Loading these modules would
 * take longer than the rest of start-up.
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
  // fin does not use cli-table3's colours. string-width searches every text for emoji, although most texts are ASCII.
  { module: /^@colors\/colors\/safe$/, importer: /node_modules\/cli-table3\//, contents: 'module.exports = {};' },
  {
    module: /^string-width$/,
    importer: /node_modules\/cli-table3\//,
    contents: "module.exports = require('./render/text-width.ts').displayWidth;",
  },
  // The client sends GETs over HTTP/1.1 through agents; it needs no fetch, WebSocket, mocks, interceptors or cache.
  // undici's index creates an object from the omitted classes.
  {
    module:
      /^\.\/lib\/(web|mock|interceptor|cache|handler)\/|\/(balanced-pool|round-robin-pool|retry-agent|h2c-client)$/,
    importer: /node_modules\/undici\/index\.js$/,
    contents: 'module.exports = { CacheStorage: class {} };',
  },
  // The contract validates the arguments of tools, and no tool asks the user to fill in a form, so no schema is
  // compiled.
  {
    module: /^@modelcontextprotocol\/server\/_shims$/,
    importer: /node_modules\/@modelcontextprotocol\/server\//,
    contents: "export class DefaultJsonSchemaValidator {} export { default as process } from 'node:process';",
  },
  // Omits HTTP/2, and one of the two builds of undici's parser.
  {
    module: /\/(client-h2|web\/.+|llhttp-wasm)\.js$/,
    importer: /node_modules\/undici\//,
    contents: 'module.exports = {};',
  },
];

const stub = {
  name: 'stub',
  setup(build) {
    for (const [index, { module, importer }] of STUBS.entries()) {
      build.onResolve({ filter: module }, (args) =>
        importer.test(args.importer) ? { path: String(index), namespace: 'stub' } : undefined,
      );
    }
    build.onLoad({ filter: /./, namespace: 'stub' }, (args) => ({
      contents: STUBS[Number(args.path)].contents,
      resolveDir: src,
    }));
  },
};

/** A module of constants that are computed from larger constants: bundles include only the computed values. */
const PRECOMPUTED = /resources[\\/]response-shapes\.ts$/;

const precompute = {
  name: 'precompute',
  setup(parent) {
    parent.onLoad({ filter: PRECOMPUTED }, async ({ path }) => {
      const { outputFiles } = await build({
        entryPoints: [path],
        bundle: true,
        platform: 'node',
        format: 'cjs',
        write: false,
      });
      const module = { exports: {} };
      new Function('module', 'exports', 'require', outputFiles[0].text)(module, module.exports, createRequire(path));
      const constants = Object.entries(module.exports).map(
        ([name, value]) =>
          `export const ${name} = /* @__PURE__ */ JSON.parse(${JSON.stringify(JSON.stringify(value))});`,
      );
      return { contents: constants.join('\n'), loader: 'js' };
    });
  },
};

/** Makes a separate bundle of each file, or rarely needed package, that is imported on demand. */
const onDemand = (found) => ({
  name: 'on-demand',
  setup(build) {
    build.onResolve({ filter: /^conf$/ }, (args) => {
      if (args.kind !== 'dynamic-import') return undefined;
      const file = fileURLToPath(import.meta.resolve(args.path));
      found(file);
      return { path: `./${bundleName(file)}`, external: true };
    });
    build.onResolve({ filter: /^\./ }, (args) => {
      if (args.kind !== 'dynamic-import') return undefined;
      const file = resolve(args.resolveDir, args.path);
      found(file);
      return { path: `./${bundleName(file)}`, external: true };
    });
  },
});

/**
 * Modules of the contract that most bundles read. They are one separate bundle, so that a command initializes them
 * once.
 */
const SHARED = ['operations.ts', 'figures.ts', 'screen-columns.ts', 'text/nearest.ts'].map((name) =>
  join(src, 'contract', name),
);
const SHARED_BUNDLE = 'contract.cjs';

const shared = {
  name: 'shared',
  setup(build) {
    build.onResolve({ filter: /^\./ }, (args) =>
      SHARED.includes(resolve(args.resolveDir, args.path)) ? { path: `./${SHARED_BUNDLE}`, external: true } : undefined,
    );
  },
};

/** esbuild options of all bundles in dist. */
const OPTIONS = {
  ...BUNDLE_OPTIONS,
  // Node's own import() would load its ES module loader; require() of a bundle does not.
  supported: { 'dynamic-import': false },
  logLevel: 'warning',
  metafile: true,
};

/**
 * Bundles the shared modules. Their exports become properties of one object literal, which V8 creates at once; esbuild
 * would define a getter for each export, which takes longer.
 */
async function bundleShared() {
  const exported = await exportsOf(SHARED);
  const imports = SHARED.map((file, index) => `import { ${exported[index]} } from ${JSON.stringify(file)};`);
  const contents = [...imports, `module.exports = { ${exported.flat()} };`].join('\n');
  await build({ ...OPTIONS, stdin: { contents, resolveDir: src }, outfile: join(staging, SHARED_BUNDLE) });
}

/** Returns the names that each file exports. */
async function exportsOf(files) {
  const built = files.map((file) => build({ ...OPTIONS, format: 'esm', entryPoints: [file], write: false }));
  return (await Promise.all(built)).map(({ metafile }) => Object.values(metafile.outputs)[0].exports);
}

/**
 * Workers are bundled without shared modules, because a worker in the single executable has no path to load other files
 * from.
 */
const isWorker = (file) => file.endsWith('-worker.ts');

/** Returns the file name of a bundle: the name of the package, or of the source file. */
const bundleName = (file) =>
  `${/node_modules\/([^/]+)/.exec(file)?.[1] ?? basename(file).replace(/\.[cm]?ts$/, '')}.cjs`;

/** Bundles `entries` and every file they import on demand; returns the paths of all included files. */
async function bundle(entries, define = {}) {
  const sources = new Map();
  const inputs = new Set();
  const queue = [...entries];
  for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
    const name = bundleName(file);
    const known = sources.get(name);
    if (known === file) continue;
    if (known !== undefined) throw new Error(`${known} and ${file} would both become dist/${name}; rename one`);
    sources.set(name, file);
    const { metafile } = await build({
      ...OPTIONS,
      entryPoints: [file],
      outfile: join(staging, name),
      define,
      plugins: [stub, precompute, ...(isWorker(file) ? [] : [shared]), onDemand((needed) => queue.push(needed))],
    });
    for (const input of Object.keys(metafile.inputs)) inputs.add(input);
  }
  return [...inputs];
}

/** Returns the licences of all bundled dependencies, because the package includes their code. */
function licences(inputs) {
  const folders = new Set(
    inputs.map((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0]).filter(Boolean),
  );
  return [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file === undefined ? '' : readFileSync(join(folder, file), 'utf8').trim();
    return `${name} ${version} (${license})\n\n${text}\n`;
  });
}

/** Bundles `start.ts`, which loads the other bundles, with a hash of their content. */
async function bundleStart() {
  const hash = createHash('sha256');
  for (const name of readdirSync(staging).sort()) hash.update(readFileSync(join(staging, name)));
  return bundle([join(src, 'start.ts')], {
    BUILD: JSON.stringify(hash.digest('hex').slice(0, 16)),
    EXECUTABLE: 'false',
  });
}

const workers = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(isWorker);

try {
  await bundleShared();
  const inputs = await bundle(
    ['cli.ts', 'library/library.ts', 'contract/openapi.ts', ...workers].map((file) => join(src, file)),
  );
  await bundleStart();
  writeFileSync(join(staging, 'LICENCES.txt'), licences(inputs).join(`\n${'-'.repeat(80)}\n\n`));
  writeFileSync(join(staging, 'library.d.cts'), await declarations(src));
  const manual = execFileSync(process.execPath, [join(staging, 'cli.cjs'), 'help', 'man']);
  writeFileSync(join(staging, 'fin.1'), manual);
  rmSync(dist, { recursive: true, force: true });
  renameSync(staging, dist);
} finally {
  rmSync(staging, { recursive: true, force: true });
}
