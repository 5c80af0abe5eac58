import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { type BuildOptions, build } from 'esbuild';
import { beforeAll, describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../src/contract/operations.ts';
import { makeTemporaryFolder } from '../clean-up.ts';

const execFileAsync = promisify(execFile);

const root = resolve(import.meta.dirname, '../..');
const folder = makeTemporaryFolder('package');
const env = { PATH: process.env.PATH, HOME: join(folder, 'home') };

const writeText = (name: string, text: string) => writeFileSync(join(folder, name), text);

/** Installs the package in its published form in an otherwise empty folder. */
beforeAll(async () => {
  mkdirSync(env.HOME);
  const npmOptions = { cwd: root, env: { ...env, npm_config_update_notifier: 'false' } };
  const { stdout } = await execFileAsync(
    'npm',
    ['pack', '--ignore-scripts', '--json', '--pack-destination', folder],
    npmOptions,
  );
  const [{ filename, files }] = JSON.parse(stdout);
  expect(files.map(({ path }: { path: string }) => path)).toContain('dist/library.d.cts');
  writeText('package.json', '{"private": true}');
  const installOptions = ['--offline', '--no-audit', '--no-fund', '--ignore-scripts'];
  await execFileAsync('npm', ['install', ...installOptions, join(folder, filename)], { ...npmOptions, cwd: folder });
});

/** Returns the compiler's errors; empty without errors. */
async function findCompileErrors(files: readonly string[], options: object): Promise<string> {
  const compilerOptions = { strict: true, target: 'es2023', noEmit: true, types: ['node'], ...options };
  const typeRoots = [join(root, 'node_modules/@types')];
  writeText('tsconfig.json', JSON.stringify({ compilerOptions: { ...compilerOptions, typeRoots }, files }));
  const tscFile = join(root, 'node_modules/.bin/tsc');
  return execFileAsync(tscFile, ['-p', folder], { cwd: folder }).then(
    () => '',
    ({ stdout }) => stdout,
  );
}

const CONSUMER_CODE = `
const { data, meta } = await ask('metrics', { ticker: 'AAPL', period: 'annual', keys: ['revenue'] });
export const [value, stamp]: [string | null | undefined, string | undefined] = [data[0]?.value, meta.release?.stamp];
export const catalog = await ask('catalog');
export const hits = await ask('search', { query: 'apple' }, { baseUrl: 'local:', signal: AbortSignal.timeout(1) });
for await (const row of rows('insiders', { ticker: 'AAPL', kind: 'purchase' })) row.accession_number.trim();
for await (const page of pages('manager', { cik: '0001067983' })) page.data.rows.length.toFixed();
let page = await ask('filings', { ticker: 'AAPL', forms: ['10-K'], limit: 2 });
while (page.more !== null) page = await ask(page.more.command, page.more.given);
const first = await ask('filings', { ticker: 'AAPL' });
export const limit: number | undefined = first.more?.given.limit;
const compared = await compare({ ticker: ['AAPL'], keys: ['revenue'] });
export const cell: [string, string | null | undefined, string | null | undefined] = [
  compared.data[0]?.calendar_period ?? '', compared.data[0]?.value, compared.data[0]?.read_from_form,
];
// @ts-expect-error: a compared row has only the fields of values
compared.data[0]?.revenue;
const client = connect({ baseUrl: 'https://example.org' });
await client.ask('release').catch((error: unknown) => {
  if (error instanceof FinError) [error.kind, error.exitCode.toFixed(), error.problem?.code, error.hint?.trim()];
});
await client.close();
// @ts-expect-error: the parameter ticker is required
await ask('metrics', {});
// @ts-expect-error: the parameters may only be omitted if none of them is required
await ask('metrics');
// @ts-expect-error: weekly is not a period
await ask('metrics', { ticker: 'AAPL', period: 'weekly' });
// @ts-expect-error: perod is not a parameter
await ask('metrics', { ticker: 'AAPL', perod: 'annual' });
// @ts-expect-error: metric is not an operation
await ask('metric', { ticker: 'AAPL' });
// @ts-expect-error: valu is not a field
data[0]?.valu;
// @ts-expect-error: a figure is text
data[0]?.value?.toFixed();
`;

test('programs in TypeScript get exact types, as modules and as CommonJS', async () => {
  writeText(
    'consumer.mts',
    `import { ask, compare, connect, FinError, pages, rows } from 'fin-filings';\n${CONSUMER_CODE}`,
  );
  writeText(
    'consumer.cts',
    `import fin = require('fin-filings');\nexport const searchAnswer: Promise<fin.Answer<'search'>> = fin.ask('search', { query: 'a' });`,
  );
  const options = { module: 'node16', moduleResolution: 'node16', skipLibCheck: false };
  expect(await findCompileErrors(['consumer.mts', 'consumer.cts'], options)).toBe('');
  expect(readFileSync(join(root, 'dist/library.d.cts'), 'utf8')).not.toMatch(/[:<|] any\b|\bany\[\]|<any>/);
});

test('the published types are those of the contract', async () => {
  const typeChecks = OPERATIONS.map(
    ({ id }, index) => `
export const given${index}: [AreSame<Source['${id}']['parameters'], Published['${id}']['parameters']>,
  Source['${id}']['data'] extends Published['${id}']['data'] ? true : false,
  Source['${id}']['row'] extends Published['${id}']['row'] ? true : false] = [true, true, true];`,
  );
  writeText(
    'same.mts',
    `import type { Operations as Published } from 'fin-filings';
import type { Operations as Source } from '${join(root, 'src/library/operation-types.ts')}';
type AreSame<A, B> = A extends B ? (B extends A ? true : false) : false;
${typeChecks.join('')}`,
  );
  const bundlerOptions = { module: 'esnext', moduleResolution: 'bundler', allowImportingTsExtensions: true };
  expect(
    await findCompileErrors(['same.mts'], { ...bundlerOptions, skipLibCheck: true, resolveJsonModule: true }),
  ).toBe('');
});

test("the examples of the library's README run on the sample", async () => {
  const readme = readFileSync(join(root, 'src/library/README.md'), 'utf8');
  const examples = [...readme.matchAll(/```js\n(.*?)```/gs)].map(([, code = '']) => code);
  const outputs = await Promise.all(
    examples.map(async (code, index) => {
      writeText(`example-${index}.mjs`, code);
      return (await execFileAsync(process.execPath, [`example-${index}.mjs`], { cwd: folder, env })).stdout;
    }),
  );
  const [askOutput, compareOutput, rowsOutput, connectOutput, errorOutput] = outputs;
  expect(outputs).toHaveLength(5);
  expect(askOutput).toMatch(/^416161000000 0000320193-\d\d-\d{6} \d{4}-\d\d-\d\d-[0-9a-f]{12}\n$/);
  expect(compareOutput).toMatch(/^20\d\d AAPL \d{12}\n$/);
  expect(rowsOutput?.trim().split('\n').length).toBeGreaterThan(5);
  expect(connectOutput).toBe('Apple Inc.\nMICROSOFT CORP\n');
  expect(errorOutput).toBe('3 not_found\n');
});

test('require and import return the same functions', async () => {
  writeText(
    'both.mjs',
    `import { createRequire } from 'node:module';
    import * as imported from 'fin-filings';
    const requiredModule = createRequire(import.meta.url)('fin-filings');
    const names = Object.keys(requiredModule).filter((name) => imported[name] === requiredModule[name]);
    console.log(names.length === Object.keys(requiredModule).length, names.includes('ask'));
    console.log((await requiredModule.ask('release', {}, { env: {} })).data.checks);`,
  );
  expect((await execFileAsync(process.execPath, ['both.mjs'], { cwd: folder, env })).stdout).toBe(
    'true true\npassed\n',
  );
});

const SAMPLE_QUESTION = `ask('metrics', { ticker: 'AAPL', period: 'annual', keys: ['revenue'] }, { env: {} })
  .then(({ data }) => console.log(data[0].value), (error) => console.log(error.message));`;

const runScript = async (file: string, directory = folder) =>
  (await execFileAsync(process.execPath, [file], { cwd: directory, env })).stdout.trim();

describe('bundled by esbuild, the library finds the sample', () => {
  const bundle = (outfile: string, options: BuildOptions = {}) =>
    build({
      stdin: { contents: `import { ask } from 'fin-filings';\n${SAMPLE_QUESTION}`, resolveDir: folder },
      bundle: true,
      platform: 'node',
      outfile,
      ...options,
    });

  test.each([
    ['as CommonJS', 'out/program.cjs', { format: 'cjs' }],
    ['minified', 'out/small.cjs', { format: 'cjs', minify: true }],
    ['as a module with the package external', 'out/program.mjs', { format: 'esm', packages: 'external' }],
  ] as const)('%s, next to the installed package', async (_, name, options) => {
    const file = join(folder, name);
    await bundle(file, options);
    expect(await runScript(file)).toBe('416161000000');
  });

  test('in a directory without packages, if the sample was copied', async () => {
    const directory = makeTemporaryFolder('bundle');
    const file = join(directory, 'program.cjs');
    await bundle(file);
    expect(await runScript(file, directory)).toMatch(/^There is no release in /);
    cpSync(join(folder, 'node_modules/fin-filings/src/store/sample'), join(directory, 'fin-sample'), {
      recursive: true,
    });
    expect(await runScript(file, directory)).toBe('416161000000');
  });
});

test('the library works in another realm, such as that of Jest, where errors of Node.js are of another class', async () => {
  writeText(
    'realm.cjs',
    `const { createContext, runInContext } = require('node:vm');
    const { createRequire } = require('node:module');
    const { readFileSync } = require('node:fs');
    const { dirname } = require('node:path');
    const names = ['process', 'Buffer', 'URL', 'URLSearchParams', 'AbortController', 'AbortSignal', 'TextEncoder', 'TextDecoder',
      'DOMException', 'performance', 'structuredClone', 'console', 'queueMicrotask', 'setTimeout', 'clearTimeout', 'setInterval',
      'clearInterval', 'setImmediate', 'clearImmediate'];
    const context = createContext(Object.fromEntries(names.map((name) => [name, globalThis[name]])));
    context.globalThis = context.global = runInContext('this', context);
    const modules = new Map();
    function load(file) {
      if (modules.has(file)) return modules.get(file).exports;
      const module = { exports: {} };
      modules.set(file, module);
      const real = createRequire(file);
      const require = (id) => (id.startsWith('.') ? load(real.resolve(id)) : real(id));
      const code = '(function (exports, require, module, __filename, __dirname) {' + readFileSync(file, 'utf8') + '\\n})';
      runInContext(code, context, { filename: file })(module.exports, require, module, file, dirname(file));
      return module.exports;
    }
    const { ask } = load(require.resolve('fin-filings'));
    ${SAMPLE_QUESTION}
    ask('profile', { ticker: 'NOSUCH' }, { env: {} }).catch((error) => console.log(error.kind));
    ask('release', {}, { env: { FIN_API_KEY: '${'svc_'.padEnd(42, 'e')}' }, baseUrl: 'http://127.0.0.1:9', retries: 0 })
      .catch((error) => console.log(error.kind));`,
  );
  expect((await runScript('realm.cjs')).split('\n').sort()).toEqual(['416161000000', 'network', 'not_found']);
});
