/**
 * Measures questions whose data is not in memory: node test/bench/cold.mjs [data directory] [questions]
 * Asks each operation (npm run build first; the release is the sample by default) twice the given number of questions,
 * in one process, without HTTP. Successive questions are about different companies, managers or days. During the first
 * half, V8 still compiles the code, as in a server that has just started; the second half runs compiled code. Tables of
 * up to 30,000 rows stay in memory, and so do four row groups of each larger table.
 * Prints for each operation the mean and maximum processor time of a question in milliseconds, for all threads
 * together, and the questions per second that one core can answer. Processor time includes compilation and garbage
 * collection, and varies less than elapsed time on a busy machine.
 */
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { makePathPickers } from './questions.mjs';

const [directory, questionCount = '50'] = process.argv.slice(2);
const root = resolve(import.meta.dirname, '../..');
const { openLocal } = createRequire(import.meta.url)(join(root, 'dist/wiring-local-service.cjs'));
const { service } = openLocal(directory ?? null, directory === undefined);

const ask = async (path) => {
  const answer = await service.askPath(path, null);
  if (answer.problem !== undefined && answer.problem.status !== 404)
    throw new Error(`${path}: ${answer.problem.detail}`);
  return answer;
};
const pathPickerByOperation = await makePathPickers(async (path) => (await ask(path)).data ?? []);

const measureCpuMs = (since) => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
};
/** Asks the next questions of an operation; returns the milliseconds of processor time of each. */
async function measureQuestions(nextPath) {
  const cpuTimesMs = [];
  for (let askedCount = 0; askedCount < Number(questionCount); askedCount += 1) {
    const questionPath = nextPath();
    const startUsage = process.cpuUsage();
    JSON.stringify(await ask(questionPath));
    cpuTimesMs.push(measureCpuMs(startUsage));
  }
  return cpuTimesMs;
}

function formatTimes(times) {
  const meanMs = times.reduce((sum, time) => sum + time, 0) / times.length;
  return [meanMs.toFixed(2), Math.max(...times).toFixed(1), (1000 / meanMs).toFixed(0)]
    .map((text) => text.padStart(10))
    .join('');
}

console.log(`${`${questionCount} questions each`.padEnd(24)}${'first'.padStart(30)}${'compiled'.padStart(30)}`);
console.log(`${''.padEnd(24)}${'   mean ms    max ms     per s'.repeat(2)}`);
for (const [name, nextPath] of Object.entries(pathPickerByOperation))
  console.log(
    `${name.padEnd(24)}${formatTimes(await measureQuestions(nextPath))}${formatTimes(await measureQuestions(nextPath))}`,
  );
console.log(`\nmemory ${Math.round(process.memoryUsage().rss / 1e6)} MB`);
await service.close();
