/**
 * Runs every command in every format against an independent service. The variant of the service changes between runs,
 * so that each command meets each variant. With FIN_TEST_FOREIGN=all, each command meets each variant in each format.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { ask } from '../../src/library/library.ts';
import { type ForeignService, MANY_ROWS, startForeignService, VARIANTS, type Variant } from '../foreign-service.ts';
import { TRANSFERS } from '../foreign-transfers.ts';
import { KEY } from '../http-service.ts';
import { type Home, makeHome } from './http-process.ts';
import { everyEighthAsProcess } from './run-here.ts';

const runFin = everyEighthAsProcess();

let service: ForeignService;
beforeAll(async () => {
  service = await startForeignService();
});

const COMMANDS: readonly { readonly line: string; readonly hasChart?: true }[] = [
  { line: 'search fjord' },
  { line: 'profile FJO' },
  { line: 'metrics FJO --period annual', hasChart: true },
  { line: 'metrics FJO --statement income' },
  { line: 'catalog' },
  { line: 'lineage FJO revenue' },
  { line: 'revisions FJO revenue' },
  { line: 'raw-concepts FJO' },
  { line: 'filings FJO' },
  { line: 'day' },
  { line: 'filing NO-2026-000017' },
  { line: 'insider-activity' },
  { line: 'insiders FJO' },
  { line: 'holders FJO' },
  { line: 'managers skagerrak' },
  { line: 'manager 99' },
  { line: 'segments FJO', hasChart: true },
  { line: 'prices FJO', hasChart: true },
  { line: 'screen --where revenue:gt:1' },
  { line: 'release' },
  { line: 'compare FJO FJO --keys revenue' },
];

const FORMATS = ['table', 'md', 'json', 'ndjson', 'csv', 'tsv', 'xlsx', 'svg', 'html'] as const;
/** Text that shows an unexpected value: JavaScript's text for such a value, or fin's report of a defect. */
const LEAKED_VALUE_PATTERN = /undefined|\bNaN\b|\[object |native code|This is a defect/;

async function findOutputFailures(
  home: Home,
  line: string,
  format: (typeof FORMATS)[number],
  variant: Variant,
): Promise<string[]> {
  service.variant = variant;
  const file = join(home.path, `out.${format}`);
  const isWrittenToFile = format === 'xlsx' || format === 'svg' || format === 'html';
  const formatOptions = isWrittenToFile ? [`--${format}`, file] : ['--output', format];
  const args = [...line.split(' '), ...formatOptions, '--base-url', service.baseUrl, '--fresh'];
  const { code, out, err } = await runFin(args, { env: home.env });
  const caseName = `${line} ${format} ${variant}`;
  if (code !== 0) return [`${caseName}: exit ${code}: ${err}`];
  const output = format === 'xlsx' ? '' : isWrittenToFile ? readFileSync(file, 'utf8') : out;
  const failures: string[] = [];
  if (LEAKED_VALUE_PATTERN.test(output + err))
    failures.push(`${caseName}: prints ${LEAKED_VALUE_PATTERN.exec(output + err)?.[0]}`);
  // A statement or comparison omits rows without a metric key, and prints a notice about the omission.
  const shouldHaveRows = !(variant === 'nulls' && /compare|--statement/.test(line));
  if (!isWrittenToFile && shouldHaveRows && output.trim() === '') failures.push(`${caseName}: prints nothing`);
  if (!shouldHaveRows && format !== 'json' && !/without a metric key/.test(err)) {
    failures.push(`${caseName}: does not explain why it shows nothing: ${err}`);
  }
  const hasWarned = /lacks required text/.test(err);
  if (hasWarned !== (variant === 'nulls' && line !== 'release') && !(line === 'release' && hasWarned)) {
    failures.push(`${caseName}: ${hasWarned ? 'warns' : 'does not warn'} of missing text: ${err}`);
  }
  if (format === 'json' && !line.startsWith('compare') && !line.includes('--statement')) {
    if (out.trimEnd() !== service.body.trimEnd()) failures.push(`${caseName}: not the document that the service sent`);
  }
  return failures;
}

test('catalog entries without a key are not requested, and a warning counts them', async () => {
  const home = makeHome();
  service.variant = 'nulls';
  service.targets.length = 0;
  const run = await home.run(['metrics', 'FJO', '--statement', 'income', '--base-url', service.baseUrl]);
  expect([run.code, run.stderr]).toEqual([0, expect.stringMatching(/lacks required text.*[ ,]key[,. ]/)]);
  const targetsWithKeys = service.targets.filter((target) => target.includes('keys='));
  expect(targetsWithKeys.map((target) => new URL(target, 'http://foreign').searchParams.get('keys'))).toEqual([
    'revenue',
  ]);
});

const isExhaustive = process.env.FIN_TEST_FOREIGN === 'all';

test.each(COMMANDS)(
  'fin $line answers in every format from the variants of an independent service',
  async ({ line, hasChart }) => {
    const home = makeHome();
    const formats = FORMATS.filter((format) => hasChart === true || (format !== 'svg' && format !== 'html'));
    const failures: string[] = [];
    for (const [index, format] of formats.entries()) {
      const variants = isExhaustive ? VARIANTS : [VARIANTS[index % VARIANTS.length] as Variant];
      for (const variant of variants) failures.push(...(await findOutputFailures(home, line, format, variant)));
    }
    expect(failures).toEqual([]);
  },
);

test.concurrent.each(Object.entries(TRANSFERS))('an answer is read %s', async (_, transfer) => {
  const foreign = await startForeignService();
  const options = { baseUrl: foreign.baseUrl, apiKey: KEY, env: { HOME: makeHome().path }, cache: false };
  const askAll = async () => [
    await ask('metrics', { ticker: 'FJO', period: 'annual' }, options),
    await ask('screen', { where: ['revenue:gt:1'] }, options),
    await ask('prices', { ticker: 'FJO' }, options),
  ];
  const expected = await askAll();
  expect(expected).toMatchObject([{ data: [{ value: '1000.0' }] }, { data: [{ revenue_yoy: '0.11' }] }, {}]);
  foreign.transfer = transfer;
  foreign.targets.length = 0;
  expect(await askAll()).toEqual(expected);
});

test('all rows are read from a service that sends more than it was asked for', async () => {
  const foreign = await startForeignService();
  foreign.variant = 'rows';
  const home = makeHome();
  for (const options of [[], ['--all'], ['--limit', '5']]) {
    const { code, stdout } = await home.run([
      'screen',
      '--output',
      'ndjson',
      ...options,
      '--base-url',
      foreign.baseUrl,
    ]);
    expect([code, stdout.trim().split('\n').length], options.join(' ')).toEqual([0, MANY_ROWS]);
  }
});
