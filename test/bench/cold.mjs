/**
 * What a question costs that nothing has prepared: node test/bench/cold.mjs [data directory] [questions]
 *
 * Asks each operation of a release (npm run build first; the sample by default), in one process and without HTTP, each time of
 * another company, manager or day. Processor time, which a busy machine distorts least: milliseconds a question, the
 * most of one, and the questions a second that one core can answer.
 */
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

const [directory, questions = '50'] = process.argv.slice(2);
const root = resolve(import.meta.dirname, '../..');
const { openLocal } = createRequire(import.meta.url)(join(root, 'dist/local-service.cjs'));
const { service } = openLocal(directory ?? null, directory === undefined);

const ask = async (path) => {
  const answer = await service.askPath(path, null);
  if (answer.problem !== undefined && answer.problem.status !== 404)
    throw new Error(`${path}: ${answer.problem.detail}`);
  return answer;
};
const of = async (path) => (await ask(path)).data ?? [];
const companies = await of('/v1/screen?limit=500&columns=revenue');
const managers = await of('/v1/holders?limit=50');
const { latest } = await of('/v1/filings/day');
const lists = companies.slice(0, 5).map(({ ticker }) => of(`/v1/securities/${encodeURIComponent(ticker)}/filings`));
const filings = (await Promise.all(lists)).flat();

let turn = 0;
/** Far from the last one, so that what was read for that is of no use. */
const STEP = 37;
function step() {
  turn += STEP;
  return turn;
}
const next = (list) => list[step() % list.length];
const security = (rest) => () => `/v1/securities/${encodeURIComponent(next(companies).ticker)}/${rest}`;
const word = () => encodeURIComponent(next(companies).entity_name.slice(0, 4));
const dayBefore = () => new Date(Date.parse(latest) - (step() % 200) * 86_400_000).toISOString().slice(0, 10);

const OPERATIONS = {
  search: () => `/v1/securities?query=${word()}`,
  profile: security('profile'),
  metrics: security('metrics'),
  'metrics, every period': security('metrics?period=all'),
  'metrics, two keys': security('metrics?keys=revenue,net_income'),
  catalog: () => '/v1/metrics',
  lineage: security('metrics/revenue/lineage'),
  revisions: security('metrics/revenue/revisions'),
  'raw-concepts': security('raw-concepts'),
  filings: security('filings'),
  filing: () => `/v1/filings/${next(filings).accession_number}`,
  day: () => `/v1/filings/day?date=${dayBefore()}`,
  insiders: security('insider-activity'),
  'insider-activity': () => `/v1/insider-activity?limit=20&offset=${step() % 200}`,
  holders: security('holders'),
  managers: () => `/v1/holders?query=${word()}`,
  manager: () => `/v1/holders/${managers.length === 0 ? 1 : next(managers).cik}`,
  prices: security('prices'),
  segments: security('segments'),
  screen: () => `/v1/screen?where=revenue:gt:${step() * 100_000}&limit=25`,
  release: () => '/v1/release',
};

const spent = (since) => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
};
console.log(`${''.padEnd(24)} ms each     most  a second`);
for (const [name, path] of Object.entries(OPERATIONS)) {
  let [all, most] = [0, 0];
  for (let count = 0; count < Number(questions); count += 1) {
    const start = process.cpuUsage();
    JSON.stringify(await ask(path()));
    const one = spent(start);
    all += one;
    most = Math.max(most, one);
  }
  const each = all / Number(questions);
  console.log(
    `${name.padEnd(24)} ${each.toFixed(2).padStart(7)} ${most.toFixed(1).padStart(8)} ${(1000 / each).toFixed(0).padStart(9)}`,
  );
}
console.log(`\nmemory ${Math.round(process.memoryUsage().rss / 1e6)} MB`);
await service.close();
