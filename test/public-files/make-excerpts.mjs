/**
 * Makes the zips of this directory: excerpts of public files of the SEC, for tests on machines without those files.
 *
 * node test/public-files/make-excerpts.mjs <directory of public files>
 *
 * The excerpts have facts, figures and rows of lists under the names of the public files. Texts, addresses, signatures and
 * footnotes are left out, and so are concepts that fin does not use. The same files give the same bytes.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { crc32, deflateRawSync } from 'node:zlib';

import { build } from 'esbuild';
import { openZipFile } from '../zip-file.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const OUTPUT = import.meta.dirname;
const [source] = process.argv.slice(2);
if (source === undefined) throw new Error('Name the directory of public files.');

const { openArchive, isConceptUsed } = await loadSources();

/** Compiles the functions of `src` that this script calls. */
async function loadSources() {
  const directory = mkdtempSync(join(tmpdir(), 'fin-excerpts-'));
  const bundlePath = join(directory, 'sources.mjs');
  const { outputFiles } = await build({
    stdin: {
      contents:
        "export { openArchive } from './src/edgar/files/archive.ts'; export { isConceptUsed } from './src/figures/company.ts';",
      resolveDir: ROOT,
    },
    ...{ bundle: true, format: 'esm', platform: 'node', write: false },
    banner: {
      js: `import { createRequire } from 'node:module'; const require = createRequire(${JSON.stringify(join(ROOT, 'package.json'))});`,
    },
  });
  writeFileSync(bundlePath, outputFiles[0].contents);
  try {
    return await import(pathToFileURL(bundlePath).href);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

const makeCikFileName = (cik) => `CIK${String(cik).padStart(10, '0')}.json`;
const isUsedName = (name) => {
  const [prefix = '', concept = ''] = name.split(':');
  return isConceptUsed(prefix, concept) || prefix === 'dei';
};

/** Reads members of a public zip: the named ones, or those that `choose` accepts. */
async function readMembers(zip, choose) {
  const archive = await openArchive(join(source, zip), undefined, 'path');
  const isChosen = Array.isArray(choose) ? (name) => choose.includes(name) : choose;
  const members = [];
  for (const name of archive.names.filter(isChosen)) members.push([name, String(await archive.read(name))]);
  archive.close();
  if (Array.isArray(choose) && members.length !== choose.length) throw new Error(`${zip} lacks some of ${choose}`);
  return members;
}

function writeZip(zip, members) {
  mkdirSync(dirname(join(OUTPUT, zip)), { recursive: true });
  const file = openZipFile(join(OUTPUT, zip));
  for (const [name, content] of members) {
    const bytes = Buffer.from(content);
    file.packed(name, { packed: deflateRawSync(bytes, { level: 9 }), crc32: crc32(bytes), size: bytes.length });
  }
  file.end();
}

/** Companies whose filings since this day are included, with all concepts that fin uses. */
const SINCE = {
  ...{ 320193: '2024-11-01', 789019: '2025-07-01', 1045810: '2025-02-01', 80424: '2025-07-01', 104169: '2026-01-01' },
  ...{ 820313: '2026-01-01', 354950: '2026-01-01', 63908: '2026-01-01', 1652044: '2025-10-01' },
  ...{ 51143: '2025-01-01', 1141391: '2025-01-01', 21344: '2025-10-01' },
};
/** Companies of which the annual reports are included: their printed statements are compared with derived figures. */
const ANNUAL = new Set([796343, 21344, 1835632, 77476]);
/** Companies of which the filings of some days are included. */
const BETWEEN = {
  1065280: ['2018-04-01', '2019-02-01'],
  ...{ 19617: ['2010-01-01', '2010-12-31'], 70858: ['2010-01-01', '2010-12-31'], 886982: ['2010-01-01', '2010-12-31'] },
  ...{
    796343: ['2010-01-01', '2010-06-30'],
    21344: ['2009-07-01', '2010-06-30'],
    1326801: ['2016-10-01', '2016-12-31'],
  },
};
/** Annual reports of the lines in test/figures/statement-lines.test.ts that are older than the others. */
const ACCESSIONS = new Set([
  '0000320193-17-000070',
  '0000320193-22-000108',
  '0000320193-23-000106',
  '0001045810-24-000029',
  '0001628280-24-005348',
  '0001065280-25-000044',
]);
const LISTED_CIKS = [1800];

function isFactIncluded(cik, { filed, form, accn }) {
  const [from, to] = BETWEEN[cik] ?? ['9999', ''];
  return (
    (SINCE[cik] !== undefined && filed >= SINCE[cik]) ||
    (ANNUAL.has(cik) && /^10-K/.test(form)) ||
    (filed >= from && filed <= to) ||
    ACCESSIONS.has(accn)
  );
}

/** Returns the file of facts as text, with only the facts that `isIncluded` accepts. Values keep their digits. */
function trimFacts(cik, text) {
  const { cik: statedCik, entityName, facts } = JSON.parse(text.replace(/"val":\s*(-?[\d.eE+-]+)/g, '"val":"~$1"'));
  const taxonomies = {};
  for (const [taxonomy, concepts] of Object.entries(facts))
    for (const [concept, { units }] of Object.entries(concepts)) {
      if (!isConceptUsed(taxonomy, concept)) continue;
      for (const [unit, rows] of Object.entries(units)) {
        const chosen = rows.filter((row) => isFactIncluded(cik, row));
        if (chosen.length === 0) continue;
        taxonomies[taxonomy] ??= {};
        taxonomies[taxonomy][concept] ??= { units: {} };
        taxonomies[taxonomy][concept].units[unit] = chosen;
      }
    }
  return JSON.stringify({ cik: statedCik, entityName, facts: taxonomies }).replace(/"~([^"]+)"/g, '$1');
}

async function makeCompanyFacts() {
  const ciks = new Set([
    ...Object.keys(SINCE).map(Number),
    ...ANNUAL,
    ...Object.keys(BETWEEN).map(Number),
    ...LISTED_CIKS,
  ]);
  const names = [...ciks].sort((a, b) => a - b).map(makeCikFileName);
  const trim = ([name, text]) => [name, trimFacts(Number(name.slice(3, 13)), text)];
  writeZip('companyfacts.zip', (await readMembers('companyfacts.zip', names)).map(trim));
  writeZip(
    'companyfacts-earlier.zip',
    (await readMembers('companyfacts-earlier.zip', (name) => /^CIK0000320193|^CIK0001045810/.test(name))).map(trim),
  );
}

const LIST_COLUMNS = [
  'accessionNumber',
  'filingDate',
  'reportDate',
  'acceptanceDateTime',
  'form',
  'items',
  'primaryDocument',
];
const IMPORTANT_FORMS = /^(?:10-K|10-Q|20-F)/;
/** Accession numbers of filings that a test looks for. */
const WANTED_FILINGS = new Set(['0001193125-12-312355', '0000320193-22-000061', '0000950123-22-012275']);
const NEWEST_ROWS = 51;

function trimColumns(columns, isIncluded) {
  const indices = columns.accessionNumber.flatMap((_, index) => (isIncluded(index) ? [index] : []));
  return Object.fromEntries(
    LIST_COLUMNS.filter((name) => columns[name] !== undefined).map((name) => [
      name,
      indices.map((index) => columns[name][index]),
    ]),
  );
}

const LISTS = [320193, 21344, 80424, 789019, 1045810, 51143, 1067983, 1462356, 1494730, 104169, 820313];

async function makeSubmissions(ownershipPeriods) {
  const isListed = (name) => LISTS.includes(Number(name.slice(3, 13)));
  const members = (await readMembers('submissions.zip', isListed)).map(([name, text]) => {
    const list = JSON.parse(text);
    const columns = list.filings?.recent ?? list;
    if (columns.accessionNumber === undefined) throw new Error(`${name} has an unusual form`);
    const isApple = Number(name.slice(3, 13)) === 320193;
    const isIncluded = (index) =>
      index < NEWEST_ROWS ||
      WANTED_FILINGS.has(columns.accessionNumber[index]) ||
      (isApple && /^[45]/.test(columns.form[index]) && ownershipPeriods.has(columns.reportDate?.[index])) ||
      (columns.filingDate[index] >= '2024-10-01' && IMPORTANT_FORMS.test(columns.form[index]));
    const trimmed = trimColumns(columns, isIncluded);
    if (list.filings === undefined) return [name, JSON.stringify(trimmed)];
    const {
      cik,
      entityType,
      sic,
      sicDescription,
      name: companyName,
      tickers,
      exchanges,
      fiscalYearEnd,
      category,
    } = list;
    const head = {
      cik,
      entityType,
      sic,
      sicDescription,
      name: companyName,
      tickers,
      exchanges,
      fiscalYearEnd,
      category,
    };
    return [
      name,
      JSON.stringify({ ...head, formerNames: [], filings: { recent: trimmed, files: list.filings.files } }),
    ];
  });
  writeZip('submissions.zip', members);
}

async function makeTickerLists() {
  mkdirSync(join(OUTPUT, 'files'), { recursive: true });
  const ciks = new Set([
    ...Object.keys(SINCE).map(Number),
    ...ANNUAL,
    ...Object.keys(BETWEEN).map(Number),
    ...LISTED_CIKS,
  ]);
  for (const cik of [831001, 36104, 72971, 899689, 1099219, 86312, 80661, 899051]) ciks.add(cik);
  const byIndex = JSON.parse(readFileSync(join(source, 'files/company_tickers.json'), 'utf8'));
  const rows = Object.entries(byIndex).filter(([, { cik_str: cik }]) => ciks.has(cik));
  writeFileSync(join(OUTPUT, 'files/company_tickers.json'), `${JSON.stringify(Object.fromEntries(rows))}\n`);
  const { fields, data } = JSON.parse(readFileSync(join(source, 'files/company_tickers_exchange.json'), 'utf8'));
  const cikIndex = fields.indexOf('cik');
  const exchangeRows = data.filter((row) => ciks.has(row[cikIndex]));
  writeFileSync(
    join(OUTPUT, 'files/company_tickers_exchange.json'),
    `${JSON.stringify({ fields, data: exchangeRows })}\n`,
  );
}

const COVER_NAMES =
  /^dei:(?:AmendmentFlag|DocumentType|DocumentPeriodEndDate|DocumentFiscal\w+Focus|EntityCentralIndexKey|EntityRegistrantName|CurrentFiscalYearEndDate|TradingSymbol|Security12bTitle)$/;
const readAttribute = (tag, name) => new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1] ?? '';

/** Returns an inline document with only its facts, contexts and units; `isWanted` chooses the concepts. */
function trimInline(text, isWanted) {
  const [root] = /<html\b[^>]*>/.exec(text);
  const numbers = [...text.matchAll(/<ix:nonFraction\b(?:[^>]*\/>|[^>]*>[\s\S]*?<\/ix:nonFraction>)/g)].flatMap(
    ([fact]) => divideFact(fact),
  );
  const covers = [...text.matchAll(/<ix:nonNumeric\b[^>]*\/?>(?:[^<]*<\/ix:nonNumeric>)?/g)]
    .map(([fact]) => fact)
    .filter((fact) => COVER_NAMES.test(readAttribute(fact, 'name')) && /<\/|\/>/.test(fact));
  const wanted = numbers.filter((fact) => isWanted(readAttribute(fact, 'name')));
  const facts = [...covers, ...wanted].map((fact) => fact.replace(/ style="[^"]*"/g, ''));
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root}<head><title>Facts</title></head><body><div style="display:none"><ix:header>${trimResources(text, facts, 'ix:resources')}</ix:header></div>${facts.join('\n')}</body></html>\n`;
}

/** Returns nested facts, which tag one number twice, as facts of their own. */
function divideFact(fact) {
  const starts = fact.match(/<ix:nonFraction\b[^>]*>/g);
  if (starts.at(-1).endsWith('/>')) return starts;
  const number = fact.slice(fact.lastIndexOf(starts.at(-1)) + starts.at(-1).length).replace(/<[^>]*>/g, '');
  return starts.map((start) => `${start}${number}</ix:nonFraction>`);
}

/** Returns the contexts and units that the facts use. */
function trimResources(text, facts, wrapper) {
  const usedIds = new Set(facts.flatMap((fact) => [readAttribute(fact, 'contextRef'), readAttribute(fact, 'unitRef')]));
  const elements = [...text.matchAll(/<((?:\w+:)?(?:context|unit))\b[^>]*>[\s\S]*?<\/\1>/g)]
    .map(([element]) => element)
    .filter((element) => usedIds.has(readAttribute(element, 'id')))
    .map((element) => element.replace(/>\s+</g, '><'));
  return wrapper === null ? elements.join('\n') : `<${wrapper}>${elements.join('\n')}</${wrapper}>`;
}

function trimInstance(text, isWanted) {
  const [root] = /<(?:\w+:)?xbrl\b[^>]*>/.exec(text);
  const facts = [...text.matchAll(/<([\w-]+:\w+)\b[^>]*\bcontextRef="[^>]*?(?:\/>|>[^<]*<\/\1>)/g)]
    .filter(([fact, name]) => COVER_NAMES.test(name) || (/\bunitRef=/.test(fact) && isWanted(name)))
    .map(([fact]) => fact.replace(/\s+/g, ' '));
  const end = `</${/^<([\w:]+)/.exec(root)[1]}>`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root}\n${trimResources(text, facts, null)}\n${facts.join('\n')}\n${end}\n`;
}

/** Returns a linkbase with only the labels of members. */
function trimLabels(text) {
  const [root] = /<link:linkbase\b[^>]*>/.exec(text);
  const kept = [...text.matchAll(/<link:(label|loc|labelArc)\b(?:[^>]*\/>|[^>]*>[\s\S]*?<\/link:label>)/g)]
    .map(([element]) => element)
    .filter(
      (element) =>
        /(?:href|label|from)="[^"]*Member/.test(element) && !/role\/(?:documentation|terse|verbose)/i.test(element),
    );
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root}\n<link:labelLink xlink:role="http://www.xbrl.org/2003/role/link" xlink:type="extended">\n${kept.join('\n')}\n</link:labelLink></link:linkbase>\n`;
}

const isRevenueName = (name) => /Revenue|Sales|^dei:/.test(name) && isUsedName(name);

async function makeReports() {
  const wantedByName = {
    ...{
      'aapl-10-q-2025-08-01.html': isUsedName,
      'apple_20240928_10k.html': isUsedName,
      'ibm-10-k-2025-02-25.html': isUsedName,
    },
    ...{ 'nflx-10-k-2025-01-27.html': isRevenueName, 'ma-10-k-2025-02-12.html': isRevenueName },
    ...{ 'tsla-10-k-2025-04-30.html': isRevenueName, 'abbv-10-k-2025-02-14.html': isRevenueName },
    'jnj-10-k-2025-02-13.html': isRevenueName,
  };
  const reports = (await readMembers('instances.zip', Object.keys(wantedByName))).map(([name, text]) => [
    name,
    trimInline(text, wantedByName[name]),
  ]);
  const labels = await readMembers('instances.zip', ['aapl-10k-2023/aapl-20230930_lab.xml']);
  writeZip('instances.zip', [...reports, ...labels.map(([name, text]) => [name, trimLabels(text)])]);
  const folder = '000032019325000057';
  const names = ['aapl-20250329.htm', 'aapl-20250329_htm.xml', 'aapl-20250329_lab.xml'].map(
    (name) => `${folder}/${name}`,
  );
  const [inline, instance, linkbase] = await readMembers('filings.zip', names);
  const trimmed = [
    [inline[0], trimInline(inline[1], isUsedName)],
    [instance[0], trimInstance(instance[1], isUsedName)],
    [linkbase[0], trimLabels(linkbase[1])],
  ];
  const zipName = '0000320193-25-000057-xbrl.zip';
  writeZip(zipName, [[trimmed[0][0].slice(folder.length + 1), trimmed[0][1]]]);
  const xbrlZip = readFileSync(join(OUTPUT, zipName));
  rmSync(join(OUTPUT, zipName));
  writeZip('filings.zip', [...trimmed, [`${folder}/${zipName}`, xbrlZip]]);
}

/** Returns the rows of a table with a header; `isIncluded` gets an object of the row. */
function trimTable(text, separator, isIncluded, blankColumns = []) {
  const [header, ...lines] = text.trimEnd().split(/\r?\n/);
  const names = header.split(separator);
  const kept = lines
    .map((line) => line.split(separator))
    .filter((cells) => isIncluded(Object.fromEntries(names.map((name, index) => [name, cells[index] ?? '']))));
  const rows = kept.map((cells) =>
    cells.map((cell, index) => (blankColumns.includes(names[index]) ? '' : cell)).join(separator),
  );
  return `${[header, ...rows].join('\n')}\n`;
}

const ADDRESS_COLUMNS =
  'countryba stprba cityba zipba bas1 bas2 baph countryma stprma cityma zipma mas1 mas2 ein'.split(' ');

async function makeDataSets() {
  const banks = [19617, 70858, 831001, 36104, 72971, 886982, 899689, 1099219, 86312, 80661, 899051];
  await makeStatementSet(
    '2010q2_financial-statements.zip',
    'txt',
    '\t',
    new Set([...banks, 796343, 21344, 320193, 51143]),
  );
  await makeStatementSet('2009q3_financial-statements.zip', 'txt', '\t', new Set([21344, 19617]));
  await makeStatementSet('2016q4-excerpt_financial-statements.zip', 'csv', ',', new Set([1326801]));
  const [numbers, submissions] = ['netflix-num.tsv', 'sub.tsv'];
  const zip = 'datasets/notes-2019q2-netflix.zip';
  const members = await readMembers(zip, [numbers, 'netflix-txt.tsv', submissions]);
  const text = (name) => members.find(([member]) => member === name)[1];
  const adsh = '0001065280-19-000043';
  writeZip(zip, [
    [submissions, trimTable(text(submissions), '\t', (row) => row.adsh === adsh, ADDRESS_COLUMNS)],
    [numbers, trimTable(text(numbers), '\t', (row) => row.adsh === adsh && isConceptUsed('us-gaap', row.tag))],
    [
      'netflix-txt.tsv',
      trimTable(
        text('netflix-txt.tsv'),
        '\t',
        (row) => row.adsh === adsh && /^Document|^Entity|^Amendment/.test(row.tag),
      ),
    ],
  ]);
}

async function makeStatementSet(name, extension, separator, ciks) {
  const zip = `datasets/${name}`;
  const members = new Map(await readMembers(zip, [`sub.${extension}`, `num.${extension}`]));
  const filings = new Map();
  const submissions = trimTable(
    members.get(`sub.${extension}`),
    separator,
    ({ adsh, cik }) => {
      if (!ciks.has(Number(cik))) return false;
      filings.set(adsh, Number(cik));
      return true;
    },
    separator === '\t' ? ADDRESS_COLUMNS : [],
  );
  const numbers = trimTable(
    members.get(`num.${extension}`),
    separator,
    ({ adsh, tag, segments = '' }) =>
      filings.has(adsh) && isConceptUsed('us-gaap', tag) && (segments === '' || filings.get(adsh) === 796343),
  );
  writeZip(zip, [
    [`sub.${extension}`, submissions],
    [`num.${extension}`, numbers],
  ]);
}

async function makeTables() {
  const zip = 'datasets/2024q3_form345.zip';
  const [[name, text]] = await readMembers(zip, ['SUBMISSION.tsv']);
  const symbols = new Set();
  const isUnusual = (symbol) => !/^[A-Z]{1,5}$/.test(symbol) || /^N(?:ONE|A)$/.test(symbol);
  const table = trimTable(
    text,
    '\t',
    ({ ISSUERTRADINGSYMBOL: symbol }) => {
      const isNew = !symbols.has(symbol) && (isUnusual(symbol) || symbols.size < 40);
      if (isNew) symbols.add(symbol);
      return isNew;
    },
    ['REMARKS'],
  );
  writeZip(zip, [
    [name, table],
    ...(await readMembers(zip, ['NONDERIV_HOLDING.tsv'])).map(([member, holdings]) => [
      member,
      holdings.slice(0, holdings.indexOf('\n') + 1),
    ]),
  ]);
  const index = 'datasets/master_2025_QTR4.zip';
  const [[indexName, lines]] = await readMembers(index, ['master.idx']);
  const start = lines.indexOf('\n', lines.indexOf('-----')) + 1;
  const body = lines
    .slice(start)
    .split('\n')
    .filter((line, row) => line.startsWith('320193|') || row % 3000 === 0);
  writeZip(index, [[indexName, `${lines.slice(0, start)}${body.join('\n')}\n`]]);
  const fails = 'datasets/cnsfails202212a.zip';
  const [[failsName, failsText]] = await readMembers(fails, ['cnsfails202212a.txt']);
  const failsLines = failsText.trimEnd().split(/\r?\n/);
  const failsRows = failsLines
    .slice(1)
    .filter((line, row) => /\|AAPL\|/.test(line) || (/\|\.$/.test(line) && row % 97 === 0) || row % 2000 === 0)
    .filter((line) => !line.startsWith('Trailer'));
  writeZip(fails, [[failsName, `${[failsLines[0], ...failsRows].join('\r\n')}\r\n`]]);
  await makeFundHoldings();
}

async function makeFundHoldings() {
  const zip = 'datasets/2026q1_nport-parts.zip';
  const tables = await readMembers(
    zip,
    (name) => name.startsWith('dataset-2026q1/') && !name.endsWith('REGISTRANT.tsv'),
  );
  const accessions = new Set();
  const holdings = tables
    .filter(([name]) => name.includes('holding_part'))
    .map(([name, text]) => {
      const [header] = text.split('\n', 1);
      if (!header.startsWith('ACCESSION_NUMBER')) return [name, trimHeadless(text, accessions)];
      return [
        name,
        trimTable(text, '\t', (row) => {
          if (!Object.values(row).includes('HWUPKR0MPOU8FGXBT394') || accessions.size >= 20) return false;
          accessions.add(row.ACCESSION_NUMBER);
          return true;
        }),
      ];
    });
  const others = tables
    .filter(([name]) => !name.includes('holding_part'))
    .map(([name, text]) => [name, trimTable(text, '\t', (row) => accessions.has(row.ACCESSION_NUMBER))]);
  writeZip(zip, [...others, ...holdings]);
}

function trimHeadless(text, accessions) {
  const rows = text
    .split('\n')
    .filter((line) => line.includes('HWUPKR0MPOU8FGXBT394'))
    .slice(0, 10);
  for (const row of rows) accessions.add(row.split('\t')[0]);
  return `${rows.join('\n')}\n`;
}

/** Number of filings in each daily index, at equal distances. */
const INDEX_ROWS = 25;

async function makeIndexes() {
  const members = await readMembers('index.zip', (name) => /\.(?:idx|txt|htm)$/.test(name) && !name.includes('~'));
  const pages = members
    .filter(([name, text]) => name.endsWith('.htm') && text.length < 100_000)
    .filter((_, index) => index % 9 === 0);
  const indexes = members
    .filter(([name]) => !name.endsWith('.htm'))
    .map(([name, text]) => {
      const start = text.indexOf('\n', text.lastIndexOf('\n-----') + 1) + 1;
      const lines = text.slice(start).trimEnd().split('\n');
      const step = Math.ceil(lines.length / INDEX_ROWS);
      return [name, `${text.slice(0, start)}${lines.filter((_, row) => row % step === 0).join('\n')}\n`];
    });
  writeZip('index.zip', [...indexes, ...pages.map(([name, text]) => [name, trimPage(text)])]);
}

/** Returns a filing's page without scripts, the SEC's banner and addresses. */
function trimPage(text) {
  return text
    .replace(/<(script|noscript|style)\b[\s\S]*?<\/\1>/g, '')
    .replace(/<!-- BEGIN BANNER[\s\S]*?<!-- END BREADCRUMBS -->/, '')
    .replace(/<div class="mailer">[\s\S]*?<\/div>/g, '')
    .replace(/^\s+/gm, '');
}

/** Returns a form without addresses, signatures and the texts of footnotes and remarks. */
function trimForm(text) {
  return text
    .replace(/<(reportingOwnerAddress|ownerSignature|address|signatureBlock|remarks)>[\s\S]*?<\/\1>/g, '')
    .replace(/(<footnote id="([^"]+)">)[\s\S]*?(<\/footnote>)/g, '$1Text of footnote $2.$3')
    .replace(/\t(?:BUSINESS|MAIL) ADDRESS:[\s\S]*?(?=\n\n|\n<)/g, '')
    .replace(/<(?:BUSINESS|MAIL)-ADDRESS>[\s\S]*?(?=<(?!STREET|CITY|STATE|ZIP|PHONE))/g, '')
    .replace(/^[ \t]+$/gm, '')
    .replace(/\n{2,}/g, '\n\n')
    .replace(/>\s+<(?!SEC-|DOCUMENT|TYPE|SEQUENCE|FILENAME|TEXT|XML)/g, '>\n<');
}

/** Number of ownership forms of each kind. */
const FORM_STEP = 20;

async function makeOwnership() {
  const forms = await readMembers('ownership.zip', (name) => /\.(?:xml|txt|nc)$/.test(name));
  const isApple = (text) => /<issuerCik>\s*0*320193\s*</.test(text);
  const chosen = forms.filter(([name, text], index) => {
    if (/wf-form4_\d+\.xml$/.test(name) && isApple(text)) return true;
    if (name.includes('should_fail')) return false;
    const step = isApple(text) ? 4 : name.startsWith('full-submission/') ? 9 : FORM_STEP;
    return index % step === 0 && text.length < 10_000;
  });
  const trimmed = chosen.map(([name, text]) => [name, trimForm(text)]);
  writeZip('ownership.zip', trimmed);
  return new Set(trimmed.flatMap(([, text]) => (isApple(text) ? [/<periodOfReport>\s*([\d-]+)/.exec(text)?.[1]] : [])));
}

async function makeHoldings() {
  const whole = [
    ...[
      'BRK_B_13f_ancient.xml',
      'BRK_B_13f_modern.xml',
      'baupost_2026q1_infotable.xml',
      'baupost_2026q1_primary_doc.xml',
    ],
    ...['berkshire_2022q3_primary_doc_x01.xml', 'berkshire_2025q1_new_holdings_amendment_primary_doc.xml'],
    ...['danielsobrado__20651.xml', 'sa-2025-q4-informationtable.xml', 'full-submission/0000007195-21-000001.txt'],
    ...['full-submission/0001178913-25-000237.txt', 'full-submission/0001924152-24-000002.txt'],
    'full-submission/0001951757-25-000093.nc',
  ];
  const trim = (text) =>
    trimForm(text.replace(/<(\w+:)?(votingAuthority|investmentDiscretion|otherManager)>[\s\S]*?<\/\1?\2>/g, ''));
  writeZip(
    '13f.zip',
    (await readMembers('13f.zip', whole)).map(([name, text]) => [name, trim(text)]),
  );
}

/** Printed figures of the companies whose annual reports are included. */
function makePrintedFigures() {
  const [header, ...rows] = readFileSync(join(source, '../printed.csv'), 'utf8').trim().split(/\r?\n/);
  const isIncluded = (row) => ANNUAL.has(Number(row.split(',')[1])) && /,(?:annual|instant),/.test(row);
  writeFileSync(join(OUTPUT, 'printed.csv'), `${[header, ...rows.filter(isIncluded)].join('\n')}\n`);
}

await makeCompanyFacts();
await makeSubmissions(await makeOwnership());
await makeTickerLists();
await makeReports();
await makeDataSets();
await makeTables();
await makeIndexes();
await makeHoldings();
makePrintedFigures();
