/** Companies without a current ticker, which are named by the last ticker in insider forms. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { openRelease } from '../../src/store/reader.ts';
import { HISTORY_COMPANIES } from '../../src/store/schema/screen.ts';
import { writeOwnershipForm } from '../edgar/insiders/ownership-form.ts';
import { makeZip } from '../edgar/make-zip.ts';
import { buildReleaseFromSource } from '../store/built-release.ts';
import { readSourceCompany, writeSource } from '../store/public-source.ts';
import { askBody, makeService } from './ask.ts';

const UNDER_ARMOUR = readSourceCompany('uaa-2012');
const TAIWAN_SEMICONDUCTOR = { ...readSourceCompany('tsm'), ticker: '' };
const BK_TECHNOLOGIES = { ...readSourceCompany('bkti-2011'), ticker: '' };

let release: ReturnType<typeof openRelease>;
let service: ReturnType<typeof makeService>;

const toTsv = (...rows: readonly (readonly string[])[]): string => rows.map((row) => `${row.join('\t')}\n`).join('');

/**
 * Returns the files of an insider data set. Each form has an issuer, a filing date and a symbol; all forms are by the
 * same owner.
 */
function makeInsiderDataSet(forms: readonly (readonly [issuer: number, filed: string, symbol: string])[]) {
  const accessions = forms.map((_, index) => `0000000009-13-${String(index + 1).padStart(6, '0')}`);
  return {
    'SUBMISSION.tsv': toTsv(
      ['ACCESSION_NUMBER', 'FILING_DATE', 'DOCUMENT_TYPE', 'ISSUERCIK', 'ISSUERTRADINGSYMBOL'],
      ...forms.map(([issuer, filed, symbol], index) => [accessions[index] ?? '', filed, '4', String(issuer), symbol]),
    ),
    'REPORTINGOWNER.tsv': toTsv(
      ['ACCESSION_NUMBER', 'RPTOWNERCIK', 'RPTOWNERNAME', 'RPTOWNER_RELATIONSHIP'],
      ...accessions.map((accession) => [accession, '9', 'An Officer', 'Officer']),
    ),
    'NONDERIV_TRANS.tsv': toTsv([
      ...['ACCESSION_NUMBER', 'NONDERIV_TRANS_SK', 'SECURITY_TITLE', 'TRANS_DATE', 'TRANS_CODE', 'TRANS_SHARES'],
      ...['TRANS_PRICEPERSHARE', 'TRANS_ACQUIRED_DISP_CD'],
    ]),
    'FOOTNOTES.tsv': toTsv(['ACCESSION_NUMBER', 'FOOTNOTE_ID', 'FOOTNOTE_TXT']),
  };
}

beforeAll(async () => {
  const sourceDirectory = await writeSource([
    readSourceCompany('aapl'),
    { ...UNDER_ARMOUR, facts: UNDER_ARMOUR.facts.filter(({ filed }) => filed < '2020-01-01') },
    TAIWAN_SEMICONDUCTOR,
    BK_TECHNOLOGIES,
  ]);
  await makeZip(
    join(sourceDirectory, '2013q1_form345.zip'),
    makeInsiderDataSet([
      [UNDER_ARMOUR.cik, '04-FEB-2013', 'NYSE: UA'],
      [UNDER_ARMOUR.cik, '05-FEB-2013', '(ua)'],
      [UNDER_ARMOUR.cik, '06-FEB-2013', 'N/A'],
      // AAPL is now the ticker of Apple.
      [BK_TECHNOLOGIES.cik, '07-FEB-2013', 'AAPL'],
    ]),
  );
  const form = {
    ...{ form: '4', issuer: TAIWAN_SEMICONDUCTOR.cik, symbol: 'TSM', owners: [{ cik: 8, name: 'A Director' }] },
    rows: [{ code: 'P', day: '2014-03-03', shares: '10', price: '18', side: 'A' }],
  };
  await makeZip(join(sourceDirectory, 'ownership.zip'), { 'forms/0000000008-14-000001.xml': writeOwnershipForm(form) });
  mkdirSync(join(sourceDirectory, 'index'));
  const dailyIndexLines = [
    ...['Description: Daily Index', 'CIK|Company Name|Form Type|Date Filed|File Name', '-'.repeat(80)],
    `${TAIWAN_SEMICONDUCTOR.cik}|TSM|4|20140304|edgar/data/${TAIWAN_SEMICONDUCTOR.cik}/0000000008-14-000001.txt\n`,
  ];
  writeFileSync(join(sourceDirectory, 'index/master.20140304.idx'), dailyIndexLines.join('\n'));
  release = openRelease((await buildReleaseFromSource(sourceDirectory)).directory);
  service = makeService({ release: async () => release });
});

test('screens of past days name companies by the last ticker in insider forms', async () => {
  const [ciks = [], tickers = [], activeFlags = []] = await release.columnsOf(HISTORY_COMPANIES, [
    ...['cik', 'ticker', 'is_active'],
  ]);
  expect(ciks.map((cik, row) => [cik, tickers[row], activeFlags[row]])).toEqual([
    [320193, 'AAPL', true],
    [BK_TECHNOLOGIES.cik, 'CIK0000002186', false],
    [TAIWAN_SEMICONDUCTOR.cik, 'TSM', false],
    [UNDER_ARMOUR.cik, 'UA', false],
  ]);
  const { data } = await askBody('/v1/screen?as_of=2014-06-30&columns=revenue', { service });
  expect(data).toMatchObject([{ ticker: 'UA', exchange: '', cik: UNDER_ARMOUR.cik, revenue: '1834921000' }]);
});

test('profile, metrics and search accept the former ticker', async () => {
  const { data: profile } = await askBody('/v1/securities/ua/profile', { service });
  expect(profile).toMatchObject({ ticker: 'UA', cik: UNDER_ARMOUR.cik, is_active: false, last_report: '2015-02-20' });
  for (const name of ['UA', 'CIK0001336917']) {
    const { data, meta } = await askBody(`/v1/securities/${name}/metrics?keys=revenue&as_of=2014-06-30`, { service });
    expect(data).toMatchObject([{ ticker: 'UA', value: '1834921000' }]);
    expect(meta.ticker).toBe('UA');
  }
  const { data: hits } = await askBody('/v1/securities?query=u', { service });
  expect(hits).toMatchObject([{ ticker: 'UA', exchange: '', last_report: '2015-02-20' }]);
});

test('a ticker that a listed company has now does not find the company that had it before', async () => {
  const { data } = await askBody('/v1/securities/AAPL/profile', { service });
  expect(data).toMatchObject({ cik: 320193, is_active: true });
  const { data: hits } = await askBody('/v1/securities?query=aapl', { service });
  expect(hits.map(({ cik }: { cik: number }) => cik)).toEqual([320193]);
});
