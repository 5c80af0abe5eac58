/** Reads one line that must not be seen: without echo on a terminal, the first line of stdin elsewhere. */
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { Failure } from '../../contract/failure.ts';
import type { Io } from '../io.ts';

export async function askSecret(io: Io, prompt: string): Promise<string> {
  if (!io.inIsTerminal) {
    for await (const line of io.lines()) return line.trim();
    return '';
  }
  io.log(prompt);
  // readline echoes what is typed to its output; this one swallows it.
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: io.input(), output, terminal: true });
  return new Promise((resolve, reject) => {
    lines.once('line', (line) => {
      resolve(line.trim());
      lines.close();
    });
    lines.once('SIGINT', () => {
      lines.close();
      process.kill(process.pid, 'SIGINT');
    });
    lines.once('close', () => reject(noKey()));
  });
}

export function noKey(): Failure {
  return new Failure('usage', 'No API key was given. Nothing was sent or stored.', {
    hint: 'Paste it at the prompt of fin auth login, or give a file that holds it: fin auth login < key.txt',
  });
}
