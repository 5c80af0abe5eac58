/** The script that builds the sample, and how commands show companies with incomplete facts and given industries. */
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { makeZip } from '../edgar/make-zip.ts';
import { startProcess } from '../fin-process.ts';
import {
  makeCikFileName,
  makeFactsJson,
  makeFolder,
  readSourceCompany,
  type SourceCompany,
  writeSource,
} from '../store/public-source.ts';
import { everyEighthAsProcess } from './run-here.ts';

const runFin = everyEighthAsProcess();

const SCRIPT = resolve(import.meta.dirname, '../../.ci/sample.mjs');
const APPLE = readSourceCompany('aapl');
const MICROSOFT = { ...readSourceCompany('msft'), sic: '7372', sicDescription: 'Services-Prepackaged Software' };
const NVIDIA = readSourceCompany('nvda');
/** The lists given to the script say that the files have only some of this company's facts. */
const KRAFT = readSourceCompany('khc');
const JPMORGAN = { ...readSourceCompany('jpm'), ticker: '' };
const PROCTER = readSourceCompany('pg');
const JOHNSON = readSourceCompany('jnj');

let directory = '';
let env: Readonly<Record<string, string>> = {};

const makeList = (header: string, rows: readonly (readonly [SourceCompany, string])[]): string =>
  [header, ...rows.map(([{ cik }, text]) => `${cik}\t${text}`)].join('\n');

const runScript = async (...options: readonly string[]) =>
  startProcess(process.execPath, [SCRIPT, ...options], { env: { PATH: process.env.PATH ?? '' } }).done;

beforeAll(async () => {
  const source = await writeSource([APPLE, MICROSOFT, NVIDIA, KRAFT, PROCTER, JOHNSON]);
  await makeZip(join(source, 'companyfacts-more.zip'), { [makeCikFileName(JPMORGAN.cik)]: makeFactsJson(JPMORGAN) });
  writeFileSync(join(source, 'unused.zip'), 'not a zip');
  directory = await makeFolder('sample');
  const write = (name: string, text: string): string => {
    writeFileSync(join(directory, name), text);
    return join(directory, name);
  };
  const companies = makeList('cik\tfacts_grade', [
    [APPLE, 'exact'],
    [MICROSOFT, 'reserialized'],
    [NVIDIA, 'exact'],
    [KRAFT, 'subset'],
  ]);
  const industries = makeList('cik\tsic', [
    [APPLE, '3571'],
    [MICROSOFT, '2000'],
    [JPMORGAN, '6021'],
    [JOHNSON, '2834'],
    [PROCTER, '2840'],
  ]);
  const { code, err } = await runScript(
    source,
    ...['--companies', write('companies.tsv', companies), '--industries', write('industries.tsv', industries)],
    ...['--leave-out', write('left-out.txt', `${NVIDIA.cik} # NVIDIA\n`), '--small-caps', '2'],
    ...['--screen-since', '2000-01-01', '--without', 'unused.zip', '--out', join(directory, 'releases')],
  );
  expect(err).not.toContain('Error');
  expect(code).toBe(0);
  env = { FIN_DATA_DIR: directory };
});

test('the screener has the companies with complete facts, and small caps at equal distances by SIC code', async () => {
  const { out } = await runFin(['screen', '--columns', 'sic,industry', '--csv', '--fields', 'cik,sic,industry'], {
    env,
  });
  const rows = out.trim().split('\r\n').slice(1).sort();
  // JPMorgan is in the release, but without a ticker of today it is not in the screener.
  expect(rows).toEqual(
    [
      `${APPLE.cik},3571,Electronic Computers`,
      `${MICROSOFT.cik},7372,Services-Prepackaged Software`,
      `${PROCTER.cik},2840,"Soap, Detergents, Cleang Preparations, Perfumes, Cosmetics"`,
    ].sort(),
  );
  expect((await runFin(['profile', `CIK${JPMORGAN.cik}`], { env })).out).toContain('National Commercial Banks');
  for (const ticker of ['NVDA', 'JNJ']) expect((await runFin(['metrics', ticker], { env })).code).toBe(3);
});

test('a past screen has no company with incomplete facts', async () => {
  const screenOn = async (day: string) =>
    (await runFin(['screen', '--as-of', day, '--csv', '--fields', 'ticker'], { env })).out;
  expect(await screenOn('2025-12-31')).toContain('AAPL');
  // On this day, the only reported fiscal years are those of Kraft Heinz.
  expect(await screenOn('2019-12-31')).toBe('ticker\r\n');
});

test('a profile shows that an industry is from a third party, and not if the list of filings has it', async () => {
  expect((await runFin(['profile', 'AAPL'], { env })).out).toContain(
    'Electronic Computers (SIC 3571, from a third party)',
  );
  expect((await runFin(['profile', 'MSFT'], { env })).out).toContain('Services-Prepackaged Software (SIC 7372)\n');
  const { data } = JSON.parse((await runFin(['profile', 'AAPL', '--json'], { env })).out);
  expect(data).toMatchObject({ sic: '3571', industry_source: 'third_party' });
  expect(data).not.toHaveProperty('partial_facts');
});

const WARNING = 'Warning: This release has only some facts of KHC, so figures may be missing.';

test.each([
  ['metrics KHC'],
  ['metrics KHC --statement income --years 3'],
  ['metrics KHC --csv'],
  ['compare AAPL KHC --keys revenue'],
  ['lineage KHC revenue'],
  ['revisions KHC revenue'],
  ['raw-concepts KHC'],
  ['facts KHC --search revenue'],
  ['profile KHC'],
])('fin %s warns that only some facts of the company are in the release, also with --quiet', async (line) => {
  expect((await runFin(line.split(' '), { env })).err).toContain(WARNING);
  expect((await runFin([...line.split(' '), '--quiet'], { env })).err).toContain(WARNING);
});

test('rows of figures are marked, and those of other companies are not', async () => {
  const askRows = async (ticker: string) =>
    JSON.parse((await runFin(['metrics', ticker, '--json'], { env })).out).data as readonly object[];
  for (const row of await askRows('KHC')) expect(row).toMatchObject({ partial_facts: true });
  for (const row of await askRows('AAPL')) expect(row).not.toHaveProperty('partial_facts');
  expect((await runFin(['metrics', 'AAPL'], { env })).err).not.toContain('Warning');
});

test('an empty answer states that facts are missing, and peers state that the company is not in the screener', async () => {
  const { err } = await runFin(['metrics', 'KHC', '--keys', 'gross_margin'], { env });
  expect(err).toContain('only some');
  expect((await runFin(['search', 'KHC', '--csv', '--fields', 'company_coverage_state'], { env })).out).toContain(
    'partial',
  );
  const peers = await runFin(['peers', 'KHC', '--sic', '35'], { env });
  expect(peers.err).toContain('KHC is not in the screener, so it has no ranks.');
});

test('the script names missing options and wrong lists', async () => {
  const { code, err } = await runScript(directory, '--companies', 'none.tsv');
  expect(code).toBe(1);
  expect(err).toContain('Missing: --industries. Missing: --screen-since.');
});
