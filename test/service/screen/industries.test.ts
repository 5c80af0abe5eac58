/** Companies by industry, according to the SEC's lists of filers. */
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { buildRelease } from '../../../src/building/build.ts';
import { openRelease, type ReleaseReader } from '../../../src/store/reader.ts';
import { makeFolder, readSourceCompany, writeSource } from '../../store/public-source.ts';
import { askBody, expectRefusal, makeService } from '../ask.ts';

const PHARMA_INDUSTRY = { sic: '2834', sicDescription: 'Pharmaceutical Preparations' };
const SOFTWARE_INDUSTRY = { sic: '7372', sicDescription: 'Services-Prepackaged  Software' };
const COMPANIES = [
  { ...readSourceCompany('aapl'), sic: '3571', sicDescription: 'Electronic Computers' },
  { ...readSourceCompany('jnj'), ...PHARMA_INDUSTRY },
  { ...readSourceCompany('msft'), ...SOFTWARE_INDUSTRY },
  { ...readSourceCompany('pg-2007'), sic: '2840' },
  { ...readSourceCompany('nvda'), sic: '3674', sicDescription: 'Semiconductors' },
  { ...readSourceCompany('tgt'), sic: '6770', sicDescription: 'Blank Checks' },
  { ...readSourceCompany('wmt'), name: 'WALMART ROYALTY TRUST', sic: '6792', sicDescription: 'Oil Royalty Traders' },
  { ...readSourceCompany('aph'), sic: '6792' },
  readSourceCompany('khc'),
];

const OLDER_RELEASE_DIRECTORY = join(import.meta.dirname, '../../store/layouts/older-2.0');

let release: ReleaseReader;
let service: ReturnType<typeof makeService>;

beforeAll(async () => {
  const buildResult = await buildRelease({
    sourceDirectory: await writeSource(COMPANIES),
    home: await makeFolder('home'),
    workerScript: null,
  });
  release = openRelease(buildResult.directory ?? '');
  service = makeService({ release: async () => release });
});

test('a profile has the industry of the list of filers, and no field "sic" if the list has no industry', async () => {
  const askProfile = async (ticker: string) => (await askBody(`/v1/securities/${ticker}/profile`, { service })).data;
  expect(await askProfile('AAPL')).toMatchObject({ sic: '3571', industry: 'Electronic Computers' });
  expect(await askProfile('MSFT')).toMatchObject({ sic: '7372', industry: 'Services-Prepackaged Software' });
  expect(Object.keys(await askProfile('KHC'))).not.toContain('sic');
});

const askScreen = async (query: string) => {
  const { data, meta } = await askBody(`/v1/screen?columns=sic,industry&${query}`, { service });
  return { tickers: data.map(({ ticker }: { ticker: string }) => ticker).join(' '), meta, data };
};

test('companies are selected by the first digits of their SIC code, or by words of its description', async () => {
  expect((await askScreen('sic=35,2834')).tickers).toBe('AAPL JNJ');
  expect((await askScreen('industry=software')).tickers).toBe('MSFT');
  expect((await askScreen('industry=SOFT pre')).tickers).toBe('MSFT');
  expect(await askScreen('industry=software&sic=35')).toMatchObject({ tickers: '', meta: { universe: 0, total: 0 } });
  const { data, meta } = await askScreen('sic=2834');
  expect(data).toMatchObject([{ ticker: 'JNJ', sic: '2834', industry: 'Pharmaceutical Preparations' }]);
  expect(meta).toMatchObject({ universe: 1, total: 1, left_out: 0, industry_unknown: 1 });
  expect((await expectRefusal('/v1/screen?sic=35x', 400, { service })).detail).toContain('"35x" is not a SIC code');
});

test('with an industry, counts include only its companies; without an industry, all companies', async () => {
  const { meta } = await askScreen('sic=28&where=pe:gt:1');
  expect(meta).toMatchObject({ universe: 2, total: 0, set_aside: 2 });
  const unfilteredScreen = await askScreen('limit=500');
  expect(unfilteredScreen.meta).toMatchObject({ universe: COMPANIES.length });
  expect(unfilteredScreen.meta).not.toHaveProperty('left_out');
});

test('blank-cheque companies, funds and trusts are omitted and counted, unless their four-digit code is requested', async () => {
  expect(await askScreen('sic=67')).toMatchObject({ tickers: 'APH', meta: { left_out: 2, universe: 1 } });
  expect(await askScreen('sic=6770')).toMatchObject({ tickers: 'TGT', meta: { left_out: 0 } });
  expect(await askScreen('industry=royalty')).toMatchObject({ tickers: 'APH', meta: { left_out: 1 } });
});

test('the peers of a company are those with its code, and the company itself is always among them', async () => {
  expect(await askScreen('peers_of=tgt')).toMatchObject({
    tickers: 'TGT',
    meta: { ticker: 'TGT', industry_unknown: 1 },
  });
  expect(await askScreen('peers_of=JNJ&sic=28')).toMatchObject({ tickers: 'JNJ PG' });
  expect((await askScreen('peers_of=AAPL&industry=software')).tickers).toBe('AAPL MSFT');
  expect((await expectRefusal('/v1/screen?peers_of=KHC', 404, { service })).detail).toContain(
    'industry of "KHC" is unknown',
  );
  expect((await expectRefusal('/v1/screen?peers_of=ZZZZ', 404, { service })).detail).toContain('ZZZZ');
});

test('screens of past days have the industries of today', async () => {
  const { data } = await askBody('/v1/screen?as_of=2024-01-31&sic=2834&columns=industry,revenue_cagr_3y', { service });
  expect(data).toMatchObject([{ ticker: 'JNJ', industry: 'Pharmaceutical Preparations' }]);
});

test('a column that an older release lacks is answered 404 with a detail that names the column', async () => {
  const olderService = makeService({ release: async () => openRelease(OLDER_RELEASE_DIRECTORY) });
  for (const query of ['columns=ebitda', 'sort=ev_to_ebitda', 'where=net_debt:lt:0', 'sic=35']) {
    expect((await expectRefusal(`/v1/screen?${query}`, 404, { service: olderService })).detail).toMatch(
      /^The column \w+ is not included/,
    );
  }
});
