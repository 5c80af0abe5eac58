/** Runs the built `fin data build` and measures it. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setInterval } from 'node:timers';

const FIN = resolve(import.meta.dirname, '../../bin/fin.js');
/** Clock ticks per second, the unit of times in /proc. */
const TICKS_A_SECOND = 100;

/**
 * @returns the build's report, elapsed seconds, processor time and memory; null for values that the system does not
 * provide
 */
export async function measuredBuild(from, out, ...options) {
  const begun = performance.now();
  const args = ['data', 'build', '--from', from, '--out', out, '--publish-failed', '--json', ...options];
  const child = spawn(process.execPath, [FIN, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  let used = null;
  const watch = setInterval(() => {
    used = usedBy(child.pid) ?? used;
  }, 50);
  let text = '';
  for await (const chunk of child.stdout) text += chunk;
  clearInterval(watch);
  return { report: JSON.parse(text), seconds: (performance.now() - begun) / 1000, used };
}

/**
 * Returns the processor time of a running process with all threads, the time of its main thread, and its peak memory.
 */
function usedBy(pid) {
  try {
    const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    // The status of a zombie process has no memory.
    if (kilobytes === undefined) return null;
    return {
      processorSeconds: secondsIn(`/proc/${pid}/stat`),
      mainSeconds: secondsIn(`/proc/${pid}/task/${pid}/stat`),
      megabytes: Number(kilobytes) / 1024,
    };
  } catch {
    return null;
  }
}

function secondsIn(path) {
  const stat = readFileSync(path, 'utf8');
  const [user = '0', system = '0'] = stat.slice(stat.lastIndexOf(')')).split(' ').slice(12, 14);
  return (Number(user) + Number(system)) / TICKS_A_SECOND;
}
