/**
 * Measures questions whose data is not in memory: node test/bench/cold.mjs [data directory] [questions]
 *
 * For each operation of a release (npm run build first; the sample by default), answers twice the given number of
 * questions in one process, without HTTP. Each question is about another company, manager or day. During the first half
 * V8 still compiles the code, as in a server that has just started; the second half runs compiled code. No question is
 * repeated. The reader caches only the last four row groups of each table, or 400 KB, which is enough for all of the
 * sample's small tables.
 *
 * Prints the processor time of all threads, which includes compilation and garbage collection and varies least on a
 * busy machine: milliseconds per question, the maximum, and the questions per second that one core can answer.
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
/** @returns the milliseconds that each question took */
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
