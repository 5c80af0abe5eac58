/** Real public files, in a directory next to the repository; tests that need them are skipped without it. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { needs } from './needs.ts';

const DIRECTORY = join(import.meta.dirname, '../../shared/edgar/data');

/** The path of a public file. */
export function publicFile(name: string): string {
  return join(DIRECTORY, name);
}

/** Timeout: reading every company takes half a minute, on a busy machine ten times as long. */
const WHOLE_DATA_MS = 600_000;

/** A test that needs the named public file. */
export function testOn(file: string, name: string, run: () => void | Promise<void>): void {
  needs(file, existsSync(publicFile(file)))(name, run, WHOLE_DATA_MS);
}
