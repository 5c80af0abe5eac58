/**
 * Makes public files of any number of companies. The first copy of a real company has its CIK and figures; later copies
 * have multiples of its figures, and a new CIK, accession numbers, ticker and name. CUSIPs, insider trades, holdings
 * and prices are invented. The same arguments give the same bytes.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import yauzl from 'yauzl';
import { openZipFile } from '../../zip-file.mjs';
import { writeFailsToDeliver } from './fails.mjs';
import { writeHoldings } from './holdings.mjs';
import { writeInsiders } from './insiders.mjs';
import { createRandomGenerator } from './random.mjs';

/** Difference between the CIKs of successive copies of a company. */
const CIK_STEP = 10_000_000;

/** Average number of lines of holdings per company in two quarters, measured on six thousand companies. */
const HOLDING_LINES_PER_COMPANY = 450;
/** Average number of insider trades per company in one quarter, measured on six thousand companies. */
const TRADES_PER_COMPANY = 17;

/**
 * @param sourceDirectory the directory of real public files
 * @param directory a new directory
 * @returns the numbers of companies, filings, lines of holdings and trades, the megabytes of company facts as JSON, and
 * the CIK of the manager with the most lines
 */
export async function makeUniverse(sourceDirectory, directory, companyCount) {
  mkdirSync(join(directory, 'files'), { recursive: true });
  const companies = await planCompanies(sourceDirectory, companyCount);
  writeTickers(join(directory, 'files'), companies);
  const factCharacterCount = await copyFacts(sourceDirectory, directory, companies);
  const filingCount = await copySubmissions(sourceDirectory, directory, companies);
  writeFailsToDeliver(directory, companies);
  const tradeCount = await writeInsiders(directory, companies, companyCount * TRADES_PER_COMPANY);
  const holdingLineCount = Math.round(companyCount * HOLDING_LINES_PER_COMPANY);
  const largestManagerCik = await writeHoldings(directory, companies, holdingLineCount);
  return {
    companies: companies.length,
    filings: filingCount,
    megabytes: factCharacterCount / 1e6,
    positions: holdingLineCount,
    trades: tradeCount,
    largestManager: largestManagerCik,
  };
}

/**
 * Returns the companies to make. The first copy of a real company has its real name; the names of other copies are two
 * words of real names.
 */
async function planCompanies(sourceDirectory, companyCount) {
  const tickerRows = Object.values(
    JSON.parse(readFileSync(join(sourceDirectory, 'files/company_tickers.json'), 'utf8')),
  );
  const tickerRowByCik = new Map(tickerRows.map((row) => [row.cik_str, row]));
  const words = [...new Set(tickerRows.flatMap((row) => row.title.toUpperCase().match(/\b[A-Z]{4,}\b/g)))];
  const realTickers = new Set(tickerRows.map((row) => row.ticker));
  const sourceCiks = [];
  await forEachMember(join(sourceDirectory, 'companyfacts.zip'), (cik, _, text) => {
    if (text.length > 1000) sourceCiks.push(cik);
  });
  const companies = [];
  for (let index = 0, serial = 0; index < companyCount; index += 1) {
    const sourceCik = sourceCiks[index % sourceCiks.length];
    const copyNumber = Math.floor(index / sourceCiks.length);
    const realTickerRow = copyNumber === 0 ? tickerRowByCik.get(sourceCik) : undefined;
    const wordIndex = (index * 7919 + copyNumber) % words.length;
    let ticker = realTickerRow?.ticker;
    while (ticker === undefined || (realTickerRow === undefined && realTickers.has(ticker)))
      ticker = makeTicker(serial++);
    companies.push({
      source: sourceCik,
      cik: sourceCik + copyNumber * CIK_STEP,
      ticker,
      name: realTickerRow?.title ?? `${words[wordIndex]} ${words[(wordIndex * 31 + index) % words.length]} CORP`,
      cusip: `${String(index + 100000).padStart(6, '0')}10${computeCheckDigit(`${String(index + 100000).padStart(6, '0')}10`)}`,
      cents: 500 + ((index * 104729) % 40000),
    });
  }
  return companies.sort((a, b) => a.cik - b.cik);
}

function makeTicker(serial) {
  let text = '';
  for (let quotient = serial + 26 ** 3; quotient > 0; quotient = Math.floor(quotient / 26)) {
    text = String.fromCharCode(65 + (quotient % 26)) + text;
  }
  return text;
}

/** Returns the check digit of a CUSIP from its first eight digits: doubles every second digit, and sums all digits. */
function computeCheckDigit(cusipStart) {
  let digitSum = 0;
  for (const [index, character] of [...cusipStart].entries()) {
    const value = Number(character) * (index % 2 === 1 ? 2 : 1);
    digitSum += Math.floor(value / 10) + (value % 10);
  }
  return (10 - (digitSum % 10)) % 10;
}

function writeTickers(directory, companies) {
  const rowByIndex = Object.fromEntries(
    companies.map(({ cik, ticker, name }, index) => [index, { cik_str: cik, ticker, title: name }]),
  );
  writeFileSync(join(directory, 'company_tickers.json'), JSON.stringify(rowByIndex));
  const companyRows = companies.map(({ cik, ticker, name }) => [cik, name, ticker, 'NYSE']);
  const fieldNames = ['cik', 'name', 'ticker', 'exchange'];
  writeFileSync(
    join(directory, 'company_tickers_exchange.json'),
    JSON.stringify({ fields: fieldNames, data: companyRows }),
  );
}

async function copyFacts(sourceDirectory, directory, companies) {
  const zip = openZipFile(join(directory, 'companyfacts.zip'));
  let characterCount = 0;
  await forEachMember(join(sourceDirectory, 'companyfacts.zip'), (source, rest, text) => {
    for (const company of companies.filter((candidate) => candidate.source === source)) {
      const renamedText = text
        .replace(/"cik"\s*:\s*"?\d+"?/, `"cik":${company.cik}`)
        .replace(/"entityName"\s*:\s*"[^"]*"/, `"entityName":${JSON.stringify(company.name)}`);
      zip.whole(`CIK${padCik(company.cik)}${rest}`, multiplyAmounts(shiftAccessions(renamedText, company), company));
      characterCount += text.length;
    }
  });
  zip.end();
  return characterCount;
}

/**
 * Adds the difference between the copy's and the original's CIK to the first ten digits of accession numbers, which are
 * the CIK of the filing agent.
 */
function shiftAccessions(text, { cik, source }) {
  const cikDifference = cik - source;
  if (cikDifference === 0) return text;
  return text.replace(
    /"(\d{10})-(\d\d-\d{6})"/g,
    (_, agent, rest) => `"${padCik((Number(agent) + cikDifference) % 1e10)}-${rest}"`,
  );
}

/**
 * Multiplies amounts and share counts of a copy by one integer, so that totals still add up. Without this, all copies
 * would have the same digits and compress to a fifth of the size of real data. Per-share amounts and ratios do not
 * change.
 */
function multiplyAmounts(text, { cik, source }) {
  if (cik === source) return text;
  const factor = BigInt(11 + Math.floor(87 * createRandomGenerator(`digits of ${cik}`)()));
  return text.replace(/"(?!pure")[^"/]+"\s*:\s*\[[^\]]*\]/g, (unit) =>
    unit.replace(/("val"\s*:\s*-?)(\d+)(\.\d+)?(?=[,}\s])/g, (_, head, whole, fraction = '') => {
      const decimalPlaces = Math.max(fraction.length - 1, 0);
      const productDigits = String(BigInt(whole + fraction.slice(1)) * factor).padStart(decimalPlaces + 1, '0');
      return `${head}${productDigits.slice(0, productDigits.length - decimalPlaces)}${decimalPlaces === 0 ? '' : `.${productDigits.slice(-decimalPlaces)}`}`;
    }),
  );
}

/**
 * Copies lists of filings. If a company has no list with tickers, copies the list of another company.
 * @returns the number of filings
 */
async function copySubmissions(sourceDirectory, directory, companies) {
  const submissionTextsByCik = new Map();
  await forEachMember(join(sourceDirectory, 'submissions.zip'), (cik, rest, text) => {
    const submissionTexts = submissionTextsByCik.get(cik) ?? { main: null, pages: [] };
    if (rest === '.json') submissionTexts.main = text;
    else submissionTexts.pages.push({ rest, text });
    submissionTextsByCik.set(cik, submissionTexts);
  });
  const entriesWithTickers = [...submissionTextsByCik].filter(
    ([, list]) => list.main !== null && /"tickers"\s*:\s*\[\s*"/.test(list.main),
  );
  const zip = openZipFile(join(directory, 'submissions.zip'));
  let copiedFilingCount = 0;
  for (const company of companies) {
    const [listCik, list] =
      entriesWithTickers.find(([cik]) => cik === company.source) ??
      entriesWithTickers[company.source % entriesWithTickers.length];
    const makeCopyText = (text) =>
      shiftAccessions(text, { cik: company.cik, source: listCik }).replaceAll(
        `CIK${padCik(listCik)}-`,
        `CIK${padCik(company.cik)}-`,
      );
    const mainText = makeCopyText(list.main)
      .replace(/"cik"\s*:\s*"?\d+"?/, `"cik":"${padCik(company.cik)}"`)
      .replace(/"name"\s*:\s*"[^"]*"/, `"name":${JSON.stringify(company.name)}`)
      .replace(/"tickers"\s*:\s*\[[^\]]*\]/, `"tickers":[${JSON.stringify(company.ticker)}]`)
      .replace(/"exchanges"\s*:\s*\[[^\]]*\]/, '"exchanges":["NYSE"]');
    zip.whole(`CIK${padCik(company.cik)}.json`, mainText);
    for (const { rest: nameEnd, text } of list.pages)
      zip.whole(`CIK${padCik(company.cik)}${nameEnd}`, makeCopyText(text));
    for (const text of [mainText, ...list.pages.map((page) => page.text)]) {
      copiedFilingCount += text.match(/"\d{10}-\d\d-\d{6}"/g)?.length ?? 0;
    }
  }
  zip.end();
  return copiedFilingCount;
}

const padCik = (cik) => String(cik).padStart(10, '0');

/** Calls `useMember` with the CIK in a member's name, the rest of the name, and the member's text. */
async function forEachMember(path, useMember) {
  const zip = await yauzl.openPromise(path, { autoClose: false });
  for await (const entry of zip.eachEntry()) {
    const [, digits, rest] = /CIK(\d{10})(.*)$/.exec(entry.fileName) ?? [];
    if (digits === undefined) continue;
    const chunks = [];
    for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk);
    useMember(Number(digits), rest, Buffer.concat(chunks).toString('utf8'));
  }
  zip.close();
}
