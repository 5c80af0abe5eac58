/** Asks a password manager's command for the key; loaded only where one is set. */
import { execSync } from 'node:child_process';
import { Failure } from '../contract/failure.ts';

const PATIENCE_MS = 60_000;

/** What the command prints. Its own prompts go to the terminal; what it printed is never shown. */
export function runKeyCommand(command: string): string {
  try {
    return execSync(command, {
      encoding: 'utf8',
      stdio: ['inherit', 'pipe', 'inherit'],
      timeout: PATIENCE_MS,
      maxBuffer: 64 * 1024,
    });
  } catch (error) {
    const status = error instanceof Error && 'status' in error ? error.status : null;
    const how = typeof status === 'number' ? `ended with ${status}` : 'did not end well';
    throw new Failure('key', `The command in FIN_API_KEY_COMMAND ${how}.`, {
      hint: 'It must print the key, and nothing else, on its standard output.',
    });
  }
}
