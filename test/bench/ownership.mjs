/**
 * Compares insiders' filings and managers' positions with the raw files: node test/bench/ownership.mjs
 * [--release <data directory>] [--seed <text>] [--count <number>] [--files <directory of public files>]
 *
 * The oracle (ownership/raw-filings.mjs) reads the public files itself and shares no code with fin. Builds a release of
 * the companies in the files, or asks a release in the given data directory (npm run build first), and draws as many insider
 * filings and positions as --count says (default 30; a large number draws all). Each field of a drawn filing is
 * compared with the form, and each drawn position with the lines of its report. Prints
 *
 *     equal      the answer has every field as filed
 *     different  a field differs; each is listed
 *     missing    the release has the company or manager, but not the filing or position
 *     replaced   a filing that an amendment in the files may replace, and that the answer leaves out
 *     outside    the release does not have the company or the manager
 *
 * Trades whose value does not count, and trades that repeat another, are listed with the form's own words, to be judged.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import Decimal from 'decimal.js';
import { measureBuild } from './measured-build.mjs';
import { readForms, readReports } from './ownership/raw-filings.mjs';
import { createRandomGenerator } from './universe/random.mjs';

const root = resolve(import.meta.dirname, '../..');
const { values: options } = parseArgs({
  options: {
    release: { type: 'string' },
    seed: { type: 'string', default: 'ownership' },
    count: { type: 'string', default: '30' },
    files: { type: 'string', default: join(root, '../shared/edgar/data') },
  },
});
if (!existsSync(join(options.files, 'ownership.zip'))) {
  console.log(`The directory ${options.files} has no public files.`);
  process.exit(0);
}
const Exact = Decimal.clone({ precision: 60 });
const workDirectory = mkdtempSync(join(tmpdir(), 'fin-bench-'));

/** @returns a data directory with a release of the companies in the files */
async function buildRelease() {
  const source = join(workDirectory, 'source');
  mkdirSync(source);
  const names = ['ownership.zip', '13f.zip', 'submissions.zip', 'companyfacts.zip'];
  const sets = readdirSync(join(options.files, 'datasets')).filter((name) => name.startsWith('cnsfails'));
  const folders = { '': names, files: readdirSync(join(options.files, 'files')), datasets: sets };
  for (const [folder, members] of Object.entries(folders))
    for (const name of members) symlinkSync(resolve(options.files, folder, name), join(source, name));
  process.env.FIN_CACHE_DIR = join(workDirectory, 'cache');
  const { seconds } = await measureBuild(source, join(workDirectory, 'releases'));
  console.log(`built in ${seconds.toFixed(0)} s`);
  return workDirectory;
}

/** Judges items at random, the same ones for the same seed, until as many as wanted are in the release. */
async function judgeDrawn(purpose, items, judge) {
  const random = createRandomGenerator(`${options.seed} ${purpose}`);
  const ranked = items.map((item) => ({ item, rank: random() })).sort((a, b) => a.rank - b.rank);
  const results = [];
  let rest = Number(options.count);
  for (const { item } of ranked) {
    if (rest === 0) break;
    const result = await judge(item);
    results.push(result);
    if (result.state !== 'outside') rest -= 1;
  }
  return results;
}

async function compareForms(allForms) {
  const forms = [...new Map(allForms.map((form) => [form.accession, form])).values()];
  const withTrades = forms.filter(({ trades }) => trades.length > 0);
  const answers = new Map();
  const results = await judgeDrawn('forms', withTrades, async (form) => {
    if (!answers.has(form.issuer)) answers.set(form.issuer, await askFilings(form.issuer));
    return { item: `${form.accession} ${form.form} of ${form.issuer}`, ...judgeForm(form, answers, forms) };
  });
  print(`insider filings (of ${withTrades.length} with trades)`, results);
}

async function askFilings(cik) {
  const filings = new Map();
  try {
    for await (const { data } of client.pages('insiders', { ticker: toTicker(cik) }))
      for (const filing of data.filings) filings.set(filing.accession_number, filing);
  } catch (error) {
    if (error.kind !== 'not_found') throw error;
    return null;
  }
  return filings;
}

const toTicker = (cik) => `CIK${String(cik).padStart(10, '0')}`;

function judgeForm(form, answers, forms) {
  const filings = answers.get(form.issuer);
  if (filings === null) return { state: 'outside' };
  const filing = filings.get(form.accession);
  if (filing === undefined) {
    const isReplaced = forms.some(
      (other) => other.issuer === form.issuer && other.form === `${form.form}/A` && other.originalFiled !== null,
    );
    return { state: isReplaced ? 'replaced' : 'missing' };
  }
  const differences = [
    ...compareFields('', describeForm(form), describeFiling(filing)),
    ...compareLists('owner', form.owners.map(describeOwner), filing.owners.map(describeAnsweredOwner)),
    ...compareLists('trade', form.trades.map(describeTrade), filing.transactions.map(describeAnsweredTrade)),
  ];
  const notes = filing.transactions.flatMap(({ ordinal, value_status, repeated = false }) => {
    const trade = form.trades.find((other) => other.ordinal === ordinal);
    return value_status === 'counted' && !repeated
      ? []
      : [`${repeated ? 'repeated' : value_status}: ${Object.values(trade ?? {}).join(' | ')}`];
  });
  return { state: differences.length === 0 ? 'equal' : 'different', differences, notes };
}

const toNumber = (text) => (text === null ? null : new Exact(text).toFixed());
const multiply = (a, b) => (a === null || b === null ? null : new Exact(a).times(b).toFixed());

const describeForm = ({ form, period, plan, filed, footnotes }) => ({ form, period, plan, filed, footnotes });
const describeFiling = (filing) => ({
  ...{ form: filing.form, period: filing.period_of_report, plan: filing.aff10b5_one, filed: filing.filed_at },
  footnotes: filing.footnotes.length,
});
const describeOwner = ({ cik, name, roles, title }) => ({ cik, name, roles: roles.join(' '), title });
const describeAnsweredOwner = (owner) => ({
  ...{ cik: owner.cik, name: owner.name, title: owner.officer_title },
  roles: [owner.is_director, owner.is_officer, owner.is_ten_percent_owner, owner.is_other].join(' '),
});
const describeTrade = (trade) => ({
  ...trade,
  ...{ shares: toNumber(trade.shares), price: toNumber(trade.price), owned: toNumber(trade.owned) },
  ...{ notes: trade.notes.join(' '), value: multiply(trade.shares, trade.price) },
});
const describeAnsweredTrade = (trade) => ({
  ...{ ordinal: trade.ordinal, code: trade.transaction_code, title: trade.security_title, day: trade.transaction_date },
  ...{ direction: trade.acquired_disposed_code, ownership: trade.direct_indirect_ownership },
  ...{ nature: trade.nature_of_ownership, notes: trade.footnote_ids.join(' ') },
  ...{ shares: toNumber(trade.shares), price: toNumber(trade.price_per_share) },
  ...{ owned: toNumber(trade.shares_owned_following), value: toNumber(trade.transaction_value) },
});

function compareLists(label, filed, answered) {
  if (filed.length !== answered.length) return [`${label}s: ${filed.length} filed, ${answered.length} answered`];
  return filed.flatMap((fields, index) => compareFields(`${label} ${index + 1} `, fields, answered[index]));
}

/** A filing day that the files do not state is not compared. */
const compareFields = (label, filed, answered) =>
  Object.entries(filed)
    .filter(([name, value]) => value !== answered[name] && !(name === 'filed' && value === null))
    .map(([name, value]) => `${label}${name}: filed ${value}, answered ${answered[name]}`);

async function comparePositions(reports) {
  const positions = reports.filter(({ form }) => form.startsWith('13F-HR')).flatMap(listPositions);
  const answers = new Map();
  const results = await judgeDrawn('positions', positions, async (position) => {
    const key = `${position.cik} ${position.period}`;
    if (!answers.has(key)) answers.set(key, await askPositions(position));
    return { item: `${key} ${position.issuer} ${position.cusip}`, ...judgePosition(position, answers.get(key)) };
  });
  print(`positions (of ${positions.length} in ${reports.length} reports)`, results);
}

/**
 * Returns the sums of a report's lines by security, option and type of amount. Values are in thousands if half of the
 * lines would otherwise imply prices below two dollars.
 */
function listPositions({ cik, period, lines }) {
  const shares = lines.filter(({ type, option, amount }) => type === 'SH' && option === '' && amount > 0n);
  const cheap = shares.filter(({ value, amount }) => value < 2n * amount);
  const isInThousands = cheap.length * 2 > shares.length;
  const positions = new Map();
  for (const line of lines) {
    const key = [line.cusip, line.option, line.type].join(' ');
    const sum = positions.get(key) ?? { ...line, cik, period, value: 0n, amount: 0n };
    const value = sum.value + line.value * (isInThousands ? 1000n : 1n);
    positions.set(key, { ...sum, value, amount: sum.amount + line.amount });
  }
  return [...positions.values()];
}

async function askPositions({ cik, period }) {
  const rows = [];
  try {
    for await (const { data } of client.pages('manager', { cik, quarter: period })) rows.push(...data.rows);
  } catch (error) {
    if (error.kind !== 'not_found') throw error;
    return null;
  }
  return rows;
}

function judgePosition({ cusip, option, type, issuer, title, value, amount }, rows) {
  if (rows === null) return { state: 'outside' };
  const row = rows.find((other) => other.cusip === cusip && other.put_call === option && other.amount_type === type);
  if (row === undefined) return { state: 'missing' };
  const filed = { issuer, title, value: String(value), amount: String(amount) };
  const differences = compareFields('', filed, { ...row, title: row.class });
  return { state: differences.length === 0 ? 'equal' : 'different', differences };
}

function print(title, results) {
  const counts = groupByState(results);
  console.log(`${title}: ${[...counts].map(([state, group]) => `${group.length} ${state}`).join(', ')}`);
  for (const { item, state, differences = [], notes = [] } of results) {
    if (state !== 'equal' && state !== 'outside') console.log(`  ${state} ${item}`);
    else if (notes.length > 0) console.log(`  ${item}`);
    for (const text of [...differences, ...notes]) console.log(`    ${text}`);
  }
}

function groupByState(results) {
  const groups = new Map();
  for (const result of results) groups.set(result.state, [...(groups.get(result.state) ?? []), result]);
  return groups;
}

const dataDirectory = options.release ?? (await buildRelease());
const { connect } = createRequire(import.meta.url)(join(root, 'dist/library.cjs'));
const client = connect({ baseUrl: 'local:', env: { FIN_DATA_DIR: dataDirectory, HOME: workDirectory } });
await compareForms(await readForms(join(options.files, 'ownership.zip')));
await comparePositions(await readReports(join(options.files, '13f.zip')));
await client.close();
rmSync(workDirectory, { recursive: true, force: true });
