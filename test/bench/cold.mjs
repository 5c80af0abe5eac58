/**
 * What a question costs that nothing has prepared: node test/bench/cold.mjs [data directory] [questions]
 *
 * Asks each operation of a release (npm run build first; the sample by default), in one process and without HTTP, each time of
 * another company, manager or day. Processor time, which a busy machine distorts least: milliseconds a question, the
 * most of one, and the questions a second that one core can answer.
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
