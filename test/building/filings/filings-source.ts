/**
 * A directory of public files about a few companies: lists of filings, the page of one filing, an index, and ownership
 * forms.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ADOBE_FORM, type FormFacts, writeOwnershipForm } from '../../edgar/insiders/ownership-form.ts';
import { makeZip } from '../../edgar/make-zip.ts';
import { parseFacts } from '../../figures/filed-facts.ts';
import { makeCikFileName, readSourceCompany, type SourceCompany, writeSource } from '../../store/public-source.ts';

/** Accession number, form, filed, accepted, report date, items, primary document. */
type ListRow = readonly [string, string, string, string, string, string, string];

/** Filings by CIK. Acceptance times are New York time in Exxon's list, and UTC in the other lists. */
const FILING_LISTS: Readonly<Record<number, readonly ListRow[]>> = {
  34088: [
    [
      '0000034088-25-000059',
      '8-K',
      '2025-10-31',
      '2025-10-31T06:31:49.000Z',
      '2025-10-31',
      '2.02,7.01',
      'xom-20251031.htm',
    ],
    [
      '0000034088-25-000040',
      '8-K',
      '2025-08-01',
      '2025-08-01T06:32:05.000Z',
      '2025-08-01',
      '2.02,7.01',
      'xom-20250801.htm',
    ],
  ],
  1045810: [
    [
      '0001045810-26-000024',
      '8-K',
      '2026-03-06',
      '2026-03-06T21:11:25.000Z',
      '2026-03-02',
      '5.02,9.01',
      'nvda-20260302.htm',
    ],
    [
      '0001045810-26-000019',
      '8-K',
      '2026-02-25',
      '2026-02-25T21:31:25.000Z',
      '2026-02-25',
      '2.02,9.01',
      'nvda-20260225.htm',
    ],
    [
      '0001045810-25-000228',
      '8-K',
      '2025-11-19',
      '2025-11-19T21:20:44.000Z',
      '2025-11-19',
      '2.02,9.01',
      'nvda-20251119.htm',
    ],
  ],
  1318605: [
    [
      '0001494730-20-000001',
      '4',
      '2020-02-19',
      '2020-02-20T01:02:37.000Z',
      '2020-02-14',
      '',
      'xslF345X03/edgardoc.xml',
    ],
  ],
  320193: [
    ['0000320193-25-000079', '10-K', '2025-10-31', '2025-10-31T10:01:26.000Z', '2025-09-27', '', 'aapl-20250927.htm'],
    ['0000320193-25-000073', '10-Q', '2025-08-01', '2025-08-01T10:00:54.000Z', '2025-06-28', '', 'aapl-20250628.htm'],
    ['0000320193-26-000020', '10-Q', '2026-07-31', '2026-07-31T10:01:00.000Z', '2026-06-27', '', 'aapl-20260627.htm'],
  ],
};

const APPLE = readSourceCompany('aapl');

const COMPANIES: readonly SourceCompany[] = [
  {
    ...APPLE,
    facts: [
      ...APPLE.facts,
      // Revenue of the previous year, as stated in the annual report of 2025.
      ...parseFacts(
        'us-gaap RevenueFromContractWithCustomerExcludingAssessedTax USD 2023-10-01 2024-09-28 391035000000 0000320193-25-000079 10-K 2025-10-31 2025 FY -',
      ),
    ],
  },
  { cik: 34088, name: 'EXXON MOBIL CORP', ticker: 'XOM', facts: [] },
  { cik: 796343, name: 'ADOBE INC.', ticker: 'ADBE', facts: [] },
  { cik: 927066, name: 'DAVITA INC.', ticker: 'DVA', facts: [] },
  { cik: 1045810, name: 'NVIDIA CORP', ticker: 'NVDA', facts: [] },
  { cik: 1318605, name: 'Tesla, Inc.', ticker: 'TSLA', facts: [] },
];

/** Ownership forms by their path in the archive. Adobe's forms 0000000001-26-000001 to -000005 are invented. */
const OWNERSHIP_FORMS: Readonly<Record<string, FormFacts>> = {
  'forms/000149473020000001/edgardoc.xml': {
    form: '4',
    issuer: 1318605,
    period: '2020-02-14',
    owners: [{ cik: 1494730, name: 'Musk Elon', roles: 'isDirector isOfficer isTenPercentOwner', title: 'CEO' }],
    rows: [
      {
        code: 'P',
        day: '2020-02-14',
        shares: '13037',
        price: '767.0',
        acquiredOrDisposed: 'A',
        sharesOwnedAfter: '34098597',
        ownership: 'I',
      },
    ],
    footnotes: { F1: 'The shares are held by a trust.' },
  },
  'forms/0000796343-26-000103.xml': ADOBE_FORM,
  'forms/0000000001-26-000001.xml': makeAdobeForm('4', [
    { code: 'S', day: '2026-03-02', shares: '10', price: '250', sharesOwnedAfter: '5' },
  ]),
  'forms/000000000126000002/form4a.xml': {
    ...makeAdobeForm('4/A', [{ code: 'S', day: '2026-03-02', shares: '12', price: '250', sharesOwnedAfter: '3' }]),
    originalFiled: '2026-03-03',
    period: '2026-03-02',
  },
  'forms/0000000001-26-000003.xml': {
    ...makeAdobeForm('4', [
      { code: 'P', day: '2026-03-04', shares: '100', price: '0', sharesOwnedAfter: '105' },
      {
        code: 'P',
        day: '2026-03-04',
        title: 'Series B Preferred Stock',
        shares: '7',
        price: '25',
        sharesOwnedAfter: '7',
      },
      { code: 'P', day: '2026-03-04', shares: '1', price: '251.5', sharesOwnedAfter: '106', ownership: 'I' },
    ]),
    owners: [{ cik: 3, name: 'A Director', roles: 'isDirector' }],
  },
  'forms/0000000001-26-000004.xml': {
    ...makeAdobeForm('4', [
      { code: 'P', day: '2026-03-04', shares: '1', price: '251.50', sharesOwnedAfter: '106', ownership: 'I' },
    ]),
    owners: [{ cik: 4, name: 'The Trust of a Director', roles: 'isTenPercentOwner' }],
  },
  'forms/0000000001-26-000005.xml': {
    ...makeAdobeForm('4/A', []),
    originalFiled: '2026-03-05',
    owners: [{ cik: 3, name: 'A Director', roles: 'isDirector' }],
  },
};

function makeAdobeForm(form: string, rows: FormFacts['rows']): FormFacts {
  return { form, issuer: 796343, owners: [{ cik: 2, name: 'An Officer', roles: 'isOfficer', title: 'CTO' }], rows };
}

/** A daily index with Adobe's invented forms, and with a filing that is listed under both DaVita and Adobe. */
const DAILY_INDEX = `Description: Daily Index
CIK|Company Name|Form Type|Date Filed|File Name
--------------------------------------------------------------------------------
796343|ADOBE INC.|4|20260303|edgar/data/796343/0000000001-26-000001.txt
2|An Officer|4|20260303|edgar/data/2/0000000001-26-000001.txt
796343|ADOBE INC.|4/A|20260304|edgar/data/796343/0000000001-26-000002.txt
796343|ADOBE INC.|4|20260305|edgar/data/796343/0000000001-26-000003.txt
796343|ADOBE INC.|4|20260305|edgar/data/796343/0000000001-26-000004.txt
796343|ADOBE INC.|4/A|20260306|edgar/data/796343/0000000001-26-000005.txt
927066|DAVITA INC.|SC 13D/A|20260305|edgar/data/927066/0000000001-26-000009.txt
796343|ADOBE INC.|SC 13D/A|20260305|edgar/data/796343/0000000001-26-000009.txt
`;

const FILING_PAGE_HTML = `<div id="formName"><strong>Form 8-K</strong></div><div>0001045810-26-000024</div>
<div class="infoHead">Filing Date</div><div class="info">2026-03-06</div>
<div class="infoHead">Accepted</div><div class="info">2026-03-06 16:11:25</div>
<table class="tableFile"><tr><td>2</td><td>EX-10.1</td><td><a href="/x">formxex101xfy27variablecom.htm</a></td><td>EX-10.1</td></tr>
<tr><td>1</td><td>8-K</td><td><a href="/x">nvda-20260302.htm</a></td><td>8-K</td></tr>
<tr><td>3</td><td>Schema</td><td><a href="/x">nvda-20260302.xsd</a></td><td>EX-101.SCH</td></tr></table>
<a href="/cgi-bin/browse-edgar?CIK=0001045810&amp;action=getcompany">all</a>`;

export async function writeFilingsSource(): Promise<string> {
  const folder = await writeSource(COMPANIES);
  const listMembers = COMPANIES.map(
    ({ cik, name, ticker }) => [makeCikFileName(cik), makeFilingListJson(cik, name, ticker)] as const,
  );
  await makeZip(join(folder, 'submissions.zip'), Object.fromEntries(listMembers));
  const formMembers = Object.entries(OWNERSHIP_FORMS).map(
    ([name, facts]) => [name, writeOwnershipForm(facts)] as const,
  );
  await makeZip(join(folder, 'ownership.zip'), { ...Object.fromEntries(formMembers), 'forms/unnamed.xml': '<a/>' });
  mkdirSync(join(folder, 'index'));
  writeFileSync(join(folder, 'index/master.20260305.idx'), DAILY_INDEX);
  writeFileSync(join(folder, 'index/0001045810-26-000024-index.htm'), FILING_PAGE_HTML);
  return folder;
}

function makeFilingListJson(cik: number, name: string, ticker: string): string {
  const listRows = FILING_LISTS[cik] ?? [];
  const selectColumn = (index: number) => listRows.map((row) => row[index]);
  const recent = {
    accessionNumber: selectColumn(0),
    form: selectColumn(1),
    filingDate: selectColumn(2),
    acceptanceDateTime: selectColumn(3),
    reportDate: selectColumn(4),
    items: selectColumn(5),
    primaryDocument: selectColumn(6),
  };
  return JSON.stringify({
    cik: String(cik),
    name,
    tickers: [ticker],
    exchanges: ['NYSE'],
    filings: { recent, files: [] },
  });
}
