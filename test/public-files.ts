/** Real public files to test with, where a checkout has them beside it; tests over them skip with a word elsewhere. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'vitest';

const DIRECTORY = join(import.meta.dirname, '../../shared/edgar/data');

/** The path of one of them. */
export function publicFile(name: string): string {
  return join(DIRECTORY, name);
}

/** A test that needs the named public file. */
export function testOn(file: string, name: string, run: () => void | Promise<void>): void {
  const absent = !existsSync(publicFile(file));
  test.skipIf(absent)(absent ? `${name} (${file} is not at hand)` : name, run);
}
