/** The built program as a separate process. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { resolve } from 'node:path';

export const FIN_PATH = resolve(import.meta.dirname, '../bin/fin.js');

export interface ProcessResult {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface RunningProcess {
  readonly child: ChildProcessWithoutNullStreams;
  /** Returns the text that the process has written to stderr so far. */
  stderrText(): string;
  readonly done: Promise<ProcessResult>;
}

export interface ProcessSettings {
  /** The complete environment of the process. */
  readonly env: NodeJS.ProcessEnv;
  readonly cwd?: string | undefined;
  readonly input?: string | undefined;
  readonly nodeOptions?: readonly string[] | undefined;
}

export function startFin(args: readonly string[], { nodeOptions = [], ...setting }: ProcessSettings): RunningProcess {
  return startProcess(process.execPath, [...nodeOptions, FIN_PATH, ...args], setting);
}

export function startProcess(
  program: string,
  args: readonly string[],
  { env, cwd, input = '' }: ProcessSettings,
): RunningProcess {
  const child = spawn(program, args, { env, cwd });
  const [out, err]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
  // A process that refuses its arguments ends without reading its input.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const stderrText = () => Buffer.concat(err).toString();
  const resultPromise = new Promise<ProcessResult>((resolve) =>
    child.on('close', (code) => resolve({ code, out: Buffer.concat(out).toString(), err: stderrText() })),
  );
  return { child, stderrText, done: resultPromise };
}

/** Starts `fin serve`; resolves when it has printed its address. */
export async function startServe(
  options: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<RunningProcess & { readonly baseUrl: string }> {
  const portOptions = options.includes('--port') ? [] : ['--port', '0'];
  const serveProcess = startFin(['serve', ...portOptions, ...options], { env });
  const baseUrl = await new Promise<string>((resolve, reject) => {
    let text = '';
    serveProcess.child.stdout.on('data', (chunk: Buffer) => {
      text += chunk;
      if (text.includes('\n')) resolve(text.trim());
    });
    void serveProcess.done.then(({ code, err }) => reject(new Error(`fin serve ended with ${code}: ${err}`)));
  });
  return { ...serveProcess, baseUrl };
}
