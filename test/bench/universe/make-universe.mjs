/**
 * Makes public files of any number of companies by copying real files. Each copy has the original's figures and list of
 * filings with its own CIK, accession numbers, ticker, name, CUSIP and digits; insider trades, holdings and prices are
 * invented. The same arguments give the same bytes.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import yauzl from 'yauzl';
import { zipFile } from '../../zip-file.mjs';
import { writeFails } from './fails.mjs';
import { writeHoldings } from './holdings.mjs';
import { writeInsiders } from './insiders.mjs';
import { randomFor } from './random.mjs';

/** Difference between the CIKs of two copies of a company; ten-digit CIKs allow 900 copies. */
const STEP = 10_000_000;

/** Average numbers measured on six thousand companies: positions of two quarters, and insider trades of one quarter. */
const POSITIONS_A_COMPANY = 450;
const TRADES_A_COMPANY = 17;

/**
 * @param from the directory of real public files
 * @param to a new directory
 * @returns the numbers of companies, filings, megabytes of company facts as JSON, holdings and trades, and the CIK of
 * the largest manager
 */
export async function makeUniverse(from, to, count) {
  mkdirSync(join(to, 'files'), { recursive: true });
  const companies = await companiesOf(from, count);
  writeTickers(join(to, 'files'), companies);
  const factCharacters = await copyFacts(from, to, companies);
  const filings = await copySubmissions(from, to, companies);
  writeFails(to, companies);
  const trades = await writeInsiders(to, companies, count * TRADES_A_COMPANY);
  const positions = Math.round(count * POSITIONS_A_COMPANY);
  const largestManager = await writeHoldings(to, companies, positions);
  return { companies: companies.length, filings, megabytes: factCharacters / 1e6, positions, trades, largestManager };
}

/**
 * Returns the companies to make. The first copy of a real company has its real name; the names of other copies are two
 * words of real names.
 */
async function companiesOf(from, count) {
  const listed = Object.values(JSON.parse(readFileSync(join(from, 'files/company_tickers.json'), 'utf8')));
  const known = new Map(listed.map((row) => [row.cik_str, row]));
  const words = [...new Set(listed.flatMap((row) => row.title.toUpperCase().match(/\b[A-Z]{4,}\b/g)))];
  const taken = new Set(listed.map((row) => row.ticker));
  const sources = [];
  await eachMember(join(from, 'companyfacts.zip'), (cik, _, text) => {
    if (text.length > 1000) sources.push(cik);
  });
  const companies = [];
  for (let index = 0, serial = 0; index < count; index += 1) {
    const source = sources[index % sources.length];
    const copy = Math.floor(index / sources.length);
    const real = copy === 0 ? known.get(source) : undefined;
    const pick = (index * 7919 + copy) % words.length;
    let ticker = real?.ticker;
    while (ticker === undefined || (real === undefined && taken.has(ticker))) ticker = letters(serial++);
    companies.push({
      source,
      cik: source + copy * STEP,
      ticker,
      name: real?.title ?? `${words[pick]} ${words[(pick * 31 + index) % words.length]} CORP`,
      cusip: `${String(index + 100000).padStart(6, '0')}10${checkDigit(`${String(index + 100000).padStart(6, '0')}10`)}`,
      cents: 500 + ((index * 104729) % 40000),
    });
  }
  return companies.sort((a, b) => a.cik - b.cik);
}

function letters(serial) {
  let text = '';
  for (let rest = serial + 26 ** 3; rest > 0; rest = Math.floor(rest / 26)) {
    text = String.fromCharCode(65 + (rest % 26)) + text;
  }
  return text;
}

/** Returns the check digit of a CUSIP: sums all digits after doubling every second number. */
function checkDigit(eight) {
  let sum = 0;
  for (const [index, character] of [...eight].entries()) {
    const value = Number(character) * (index % 2 === 1 ? 2 : 1);
    sum += Math.floor(value / 10) + (value % 10);
  }
  return (10 - (sum % 10)) % 10;
}

function writeTickers(directory, companies) {
  const rows = Object.fromEntries(
    companies.map(({ cik, ticker, name }, index) => [index, { cik_str: cik, ticker, title: name }]),
  );
  writeFileSync(join(directory, 'company_tickers.json'), JSON.stringify(rows));
  const data = companies.map(({ cik, ticker, name }) => [cik, name, ticker, 'NYSE']);
  const fields = ['cik', 'name', 'ticker', 'exchange'];
  writeFileSync(join(directory, 'company_tickers_exchange.json'), JSON.stringify({ fields, data }));
}

async function copyFacts(from, to, companies) {
  const out = zipFile(join(to, 'companyfacts.zip'));
  let characters = 0;
  await eachMember(join(from, 'companyfacts.zip'), (source, rest, text) => {
    for (const company of companies.filter((one) => one.source === source)) {
      const named = text
        .replace(/"cik"\s*:\s*"?\d+"?/, `"cik":${company.cik}`)
        .replace(/"entityName"\s*:\s*"[^"]*"/, `"entityName":${JSON.stringify(company.name)}`);
      out.whole(`CIK${padded(company.cik)}${rest}`, withOwnDigits(withOwnAccessions(named, company), company));
      characters += text.length;
    }
  });
  out.end();
  return characters;
}

/**
 * Changes the first ten digits of accession numbers, the CIK of the filing agent, by the difference between the CIKs of
 * the copy and its original.
 */
function withOwnAccessions(text, { cik, source }) {
  const step = cik - source;
  if (step === 0) return text;
  return text.replace(
    /"(\d{10})-(\d\d-\d{6})"/g,
    (_, agent, rest) => `"${padded((Number(agent) + step) % 1e10)}-${rest}"`,
  );
}

/**
 * Multiplies amounts and share counts of a copy by one integer, so that totals still add up. Without this, all copies
 * would have the same digits and compress to a fifth of the size of real data. Per-share amounts and ratios do not
 * change.
 */
function withOwnDigits(text, { cik, source }) {
  if (cik === source) return text;
  const factor = BigInt(11 + Math.floor(87 * randomFor(`digits of ${cik}`)()));
  return text.replace(/"(?!pure")[^"/]+"\s*:\s*\[[^\]]*\]/g, (unit) =>
    unit.replace(/("val"\s*:\s*-?)(\d+)(\.\d+)?(?=[,}\s])/g, (_, head, whole, fraction = '') => {
      const places = Math.max(fraction.length - 1, 0);
      const digits = String(BigInt(whole + fraction.slice(1)) * factor).padStart(places + 1, '0');
      return `${head}${digits.slice(0, digits.length - places)}${places === 0 ? '' : `.${digits.slice(-places)}`}`;
    }),
  );
}

/**
 * Copies lists of filings. If the real files lack a company's list, copies the list of another company.
 * @returns the number of filings
 */
async function copySubmissions(from, to, companies) {
  const lists = new Map();
  await eachMember(join(from, 'submissions.zip'), (cik, rest, text) => {
    const list = lists.get(cik) ?? { main: null, pages: [] };
    if (rest === '.json') list.main = text;
    else list.pages.push({ rest, text });
    lists.set(cik, list);
  });
  const complete = [...lists].filter(([, list]) => list.main !== null && /"tickers"\s*:\s*\[\s*"/.test(list.main));
  const out = zipFile(join(to, 'submissions.zip'));
  let filings = 0;
  for (const company of companies) {
    const [owner, list] =
      complete.find(([cik]) => cik === company.source) ?? complete[company.source % complete.length];
    const own = (text) =>
      withOwnAccessions(text, { cik: company.cik, source: owner }).replaceAll(
        `CIK${padded(owner)}-`,
        `CIK${padded(company.cik)}-`,
      );
    const main = own(list.main)
      .replace(/"cik"\s*:\s*"?\d+"?/, `"cik":"${padded(company.cik)}"`)
      .replace(/"name"\s*:\s*"[^"]*"/, `"name":${JSON.stringify(company.name)}`)
      .replace(/"tickers"\s*:\s*\[[^\]]*\]/, `"tickers":[${JSON.stringify(company.ticker)}]`)
      .replace(/"exchanges"\s*:\s*\[[^\]]*\]/, '"exchanges":["NYSE"]');
    out.whole(`CIK${padded(company.cik)}.json`, main);
    for (const { rest, text } of list.pages) out.whole(`CIK${padded(company.cik)}${rest}`, own(text));
    for (const text of [main, ...list.pages.map((page) => page.text)]) {
      filings += text.match(/"\d{10}-\d\d-\d{6}"/g)?.length ?? 0;
    }
  }
  out.end();
  return filings;
}

const padded = (cik) => String(cik).padStart(10, '0');

/** Calls `use` with the CIK in a member's name, the rest of the name, and the member's text. */
async function eachMember(path, use) {
  const zip = await yauzl.openPromise(path, { autoClose: false });
  for await (const entry of zip.eachEntry()) {
    const [, digits, rest] = /CIK(\d{10})(.*)$/.exec(entry.fileName) ?? [];
    if (digits === undefined) continue;
    const chunks = [];
    for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk);
    use(Number(digits), rest, Buffer.concat(chunks).toString('utf8'));
  }
  zip.close();
}
