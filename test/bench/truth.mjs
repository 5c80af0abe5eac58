/**
 * Compares seven core figures of 235 small companies with what their filings state, to the digit: node test/bench/truth.mjs
 * [--release <data directory>] [--company <CIK>] [--before <data directory>]
 *
 * The oracle (truth/) reads the public files itself and shares no code with fin. It answers for all fiscal years and the
 * last eight quarters. Builds a release of these companies and asks the built program (npm run build first), or asks
 * a release in the given data directory. Prints, for each figure, how many values are
 *
 *     right    equal to the oracle's
 *     wrong    different
 *     absent   stated by a filing under a concept of the total, but missing in the release
 *     unclear  not judged, because filings or concepts disagree and nothing proves either; in brackets: fin's value differs
 *     fin only the oracle has no value
 *
 * then all wrong and absent values, and the unclear ones that differ, with the filing and concepts of both. With
 * `--before`, compares all figures with those of the release in that directory: for each metric, how many agree, differ,
 * or are only in one of the two, and every difference. A change of rules is judged by these lists; both
 * releases are read by this program, so derived figures differ only if their inputs do.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { measureBuild } from './measured-build.mjs';
import { ALL_CONCEPTS } from './truth/concepts.mjs';
import { isSamePeriod, readCompanies } from './truth/facts.mjs';
import { FIGURES } from './truth/figures.mjs';
import { answerAll } from './truth/oracle.mjs';

const { values: options } = parseArgs({
  options: { release: { type: 'string' }, company: { type: 'string' }, before: { type: 'string' } },
});
const root = resolve(import.meta.dirname, '../..');
const publicFiles = join(root, '../shared/edgar/data');
const factsZip = join(publicFiles, 'companyfacts-smallcap.zip');
if (!existsSync(factsZip)) {
  console.log(`The public file ${factsZip} does not exist.`);
  process.exit(0);
}

const workDirectory = mkdtempSync(join(tmpdir(), 'fin-bench-'));
const dataDirectory = options.release ?? (await buildRelease());
const { connect } = createRequire(import.meta.url)(join(root, 'dist/library.cjs'));
const open = (directory) => connect({ baseUrl: 'local:', env: { FIN_DATA_DIR: directory, HOME: workDirectory } });
const client = open(dataDirectory);
const earlier = options.before === undefined ? null : open(options.before);
const rows = [];
const changes = [];
for await (const company of readCompanies(factsZip, ALL_CONCEPTS)) {
  if (options.company !== undefined && company.cik !== Number(options.company)) continue;
  rows.push(...(await compare(company)));
  if (earlier !== null) changes.push(...(await compareReleases(company)));
}
await client.close();
await earlier?.close();
rmSync(workDirectory, { recursive: true, force: true });
printTable(rows);
for (const state of ['wrong', 'absent', 'unclear']) {
  const listed = rows.filter((row) => row.state === state && row.isDifferent);
  if (listed.length > 0) console.log(`\n${state}\n${listed.map(({ text }) => text).join('\n')}`);
}

if (earlier !== null) printChanges(changes);

/** @returns a data directory with a release of the small companies */
async function buildRelease() {
  const source = join(workDirectory, 'source');
  mkdirSync(source);
  symlinkSync(factsZip, join(source, 'companyfacts.zip'));
  for (const name of readdirSync(join(publicFiles, 'files')))
    symlinkSync(join(publicFiles, 'files', name), join(source, name));
  process.env.FIN_CACHE_DIR = join(workDirectory, 'cache');
  await measureBuild(source, join(workDirectory, 'releases'));
  return workDirectory;
}

async function compare(company) {
  const ticker = `CIK${String(company.cik).padStart(10, '0')}`;
  const { data } = await client.ask('metrics', { ticker, period: 'all', keys: FIGURES.map(({ key }) => key) });
  const figures = data.map((row) => ({
    row,
    period: { kind: row.period_kind, start: row.start_date, end: row.end_date },
  }));
  const found = answerAll(company.facts).map((answer) => {
    const { row = null } =
      figures.find(
        ({ row: { metric_key }, period }) => metric_key === answer.key && isSamePeriod(period, answer.period),
      ) ?? {};
    return { answer, row, key: answer.key, ...judge(answer, row) };
  });
  const answered = new Set(found.map(({ row }) => row));
  const others = data.filter((row) => row.period_kind === 'annual' && row.unit.startsWith('USD') && !answered.has(row));
  const finOnly = others.map(({ metric_key }) => ({ key: metric_key, state: 'fin only', isDifferent: false }));
  const lineages = new Map();
  for (const result of found.filter(({ isDifferent }) => isDifferent)) {
    const { key } = result;
    if (!lineages.has(key)) lineages.set(key, (await client.ask('lineage', { ticker, metric_key: key })).data);
    result.text = describe(company, data[0]?.ticker ?? '-', result, lineages.get(key));
  }
  return [...found, ...finOnly];
}

/** An answer under a concept that is not always the total does not make fin's missing value absent. */
function judge({ isClear, isPlain, value }, row) {
  const isDifferent = row === null ? isPlain : !value.eq(row.value);
  if (!isClear || (row === null && !isPlain)) return { state: 'unclear', isDifferent };
  if (row === null) return { state: 'absent', isDifferent };
  return { state: isDifferent ? 'wrong' : 'right', isDifferent };
}

function describe({ cik, name }, ticker, { answer, row, key }, lineage) {
  const { period, value, accn, concept } = answer;
  const facts = lineage.filter(({ metric_value_id }) => row !== null && metric_value_id === row.metric_value_id);
  const concepts = [...new Set(facts.map((fact) => fact.concept))].join(', ');
  return [
    ...[cik, ticker, name, key, period.kind, period.start ?? '-', period.end],
    ...['fin', row?.value ?? '-', row?.read_from.accession_number ?? '-', concepts || '-'],
    ...['oracle', value.toFixed(), accn, concept],
  ].join('\t');
}

/** Returns one row per figure of either release, with its values in both. */
async function compareReleases({ cik }) {
  const ticker = `CIK${String(cik).padStart(10, '0')}`;
  const figures = new Map();
  for (const [index, source] of [earlier, client].entries()) {
    const { data } = await source.ask('metrics', { ticker, period: 'all' }).catch(() => ({ data: [] }));
    for (const { metric_key, unit, start_date = '-', end_date, value } of data) {
      const key = [metric_key, unit, start_date, end_date].join(' ');
      if (!figures.has(key)) figures.set(key, { key: metric_key, text: `${cik} ${key}`, values: [] });
      figures.get(key).values[index] = value;
    }
  }
  return [...figures.values()].map(({ key, text, values: [before, after] }) => ({
    key,
    state:
      before === undefined ? 'only after' : after === undefined ? 'only before' : before === after ? 'agree' : 'differ',
    text: `${text}\t${before ?? '-'}\t${after ?? '-'}`,
  }));
}

function printChanges(all) {
  const states = ['agree', 'differ', 'only before', 'only after'];
  const count = (key, state) => all.filter((row) => row.key === key && row.state === state).length;
  console.log(`\n${''.padEnd(44)}${states.map((state) => state.padStart(12)).join('')}`);
  for (const key of [...new Set(all.map((row) => row.key))].sort()) {
    const counts = states.map((state) => count(key, state));
    if (counts.slice(1).some((number) => number > 0))
      console.log(key.padEnd(44) + counts.map((number) => String(number).padStart(12)).join(''));
  }
  for (const state of states.slice(1)) {
    const changed = all.filter((row) => row.state === state).map(({ text }) => text);
    if (changed.length > 0) console.log(`\n${state}\n${changed.join('\n')}`);
  }
}

function printTable(all) {
  const states = ['right', 'wrong', 'absent', 'unclear', 'fin only'];
  const print = (label, cells) =>
    console.log([label.padEnd(24), ...cells.map((cell) => String(cell).padStart(12))].join(''));
  print('', states);
  for (const key of [...FIGURES.map((figure) => figure.key), 'all']) {
    const ofFigure = all.filter((row) => key === 'all' || row.key === key);
    const cells = states.map((state) => {
      const ofState = ofFigure.filter((row) => row.state === state);
      return state === 'unclear'
        ? `${ofState.length} (${ofState.filter((row) => row.isDifferent).length})`
        : ofState.length;
    });
    print(key, cells);
  }
}
