/**
 * What a question costs that nothing has prepared: node test/bench/cold.mjs [data directory] [questions]
 *
 * Asks each operation of a release (npm run build first; the sample by default), in one process and without HTTP, each time of
 * another company, manager or day, twice as many questions as it is given. The first half is asked of code that is compiled
 * meanwhile, as by a server that has just started; the second half of compiled code, as later. Nothing is prepared for either:
 * an answer is never asked for twice, and of each table the reader keeps the four row groups read last, or 400 KB, which of
 * the sample's small tables are all. Processor time of all threads, so compiling and garbage collection count, and a busy machine
 * distorts it least: milliseconds a question, the most of one, and the questions a second that one core can answer.
 */
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { questionsOf } from './questions.mjs';

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
const OPERATIONS = await questionsOf(async (path) => (await ask(path)).data ?? []);

const spent = (since) => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
};
/** @returns milliseconds of each question */
async function askAll(path) {
  const times = [];
  for (let count = 0; count < Number(questions); count += 1) {
    const next = path();
    const start = process.cpuUsage();
    JSON.stringify(await ask(next));
    times.push(spent(start));
  }
  return times;
}

function figures(times) {
  const each = times.reduce((sum, time) => sum + time, 0) / times.length;
  return [each.toFixed(2), Math.max(...times).toFixed(1), (1000 / each).toFixed(0)]
    .map((text) => text.padStart(10))
    .join('');
}

console.log(`${questions} questions each${'first'.padStart(30)}${'compiled'.padStart(30)}`);
console.log(`${''.padEnd(24)}${'   ms each      most  a second'.repeat(2)}`);
for (const [name, path] of Object.entries(OPERATIONS))
  console.log(`${name.padEnd(24)}${figures(await askAll(path))}${figures(await askAll(path))}`);
console.log(`\nmemory ${Math.round(process.memoryUsage().rss / 1e6)} MB`);
await service.close();
