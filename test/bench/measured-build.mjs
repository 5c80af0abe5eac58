/** Runs the built `fin data build` and measures it. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setInterval } from 'node:timers';

const FIN_SCRIPT = resolve(import.meta.dirname, '../../bin/fin.js');
/** Clock ticks per second, the unit of times in /proc. */
const TICKS_PER_SECOND = 100;

/**
 * @returns the build's report, the elapsed seconds, and `usage`: the result of `readUsage`, null on systems without
 * /proc
 */
export async function measureBuild(sourceDirectory, releaseDirectory, ...options) {
  const startTime = performance.now();
  const args = [
    'data',
    'build',
    '--from',
    sourceDirectory,
    '--out',
    releaseDirectory,
    '--publish-failed',
    '--json',
    ...options,
  ];
  const child = spawn(process.execPath, [FIN_SCRIPT, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  let usage = null;
  const pollTimer = setInterval(() => {
    usage = readUsage(child.pid) ?? usage;
  }, 50);
  let output = '';
  for await (const chunk of child.stdout) output += chunk;
  clearInterval(pollTimer);
  return { report: JSON.parse(output), seconds: (performance.now() - startTime) / 1000, usage };
}

/**
 * Returns the processor time of a process with all threads, the time of its main thread, and its peak memory; null if
 * the process has ended or the system has no /proc.
 */
function readUsage(pid) {
  try {
    const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    // The kernel states no peak memory for a process that has ended.
    if (kilobytes === undefined) return null;
    return {
      processorSeconds: readProcessorSeconds(`/proc/${pid}/stat`),
      mainSeconds: readProcessorSeconds(`/proc/${pid}/task/${pid}/stat`),
      megabytes: Number(kilobytes) / 1024,
    };
  } catch {
    return null;
  }
}

function readProcessorSeconds(path) {
  const stat = readFileSync(path, 'utf8');
  const [user = '0', system = '0'] = stat.slice(stat.lastIndexOf(')')).split(' ').slice(12, 14);
  return (Number(user) + Number(system)) / TICKS_PER_SECOND;
}
