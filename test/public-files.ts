/** Real public files to test with, where a checkout has them beside it; tests over them are skipped elsewhere. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { needs } from './needs.ts';

const DIRECTORY = join(import.meta.dirname, '../../shared/edgar/data');

/** The path of one of them. */
export function publicFile(name: string): string {
  return join(DIRECTORY, name);
}

/** Reading every company takes half a minute, and ten times that where others use the machine too. */
const WHOLE_DATA_MS = 600_000;

/** A test that needs the named public file. */
export function testOn(file: string, name: string, run: () => void | Promise<void>): void {
  needs(file, existsSync(publicFile(file)))(name, run, WHOLE_DATA_MS);
}
