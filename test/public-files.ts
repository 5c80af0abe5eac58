/** Real public files in a directory next to the repository. Tests that need a missing file are skipped. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { testNeeding } from './needs.ts';

const PUBLIC_FILES_DIRECTORY = join(import.meta.dirname, '../../shared/edgar/data');

/** Returns the path of a public file. */
export function getPublicFilePath(name: string): string {
  return join(PUBLIC_FILES_DIRECTORY, name);
}

/** Test timeout. Reading every company takes half a minute, and ten times as long on a busy machine. */
const WHOLE_DATA_TIMEOUT_MS = 600_000;

/** Declares a test that needs this public file. */
export function testWithPublicFile(file: string, name: string, run: () => void | Promise<void>): void {
  testNeeding(file, existsSync(getPublicFilePath(file)))(name, run, WHOLE_DATA_TIMEOUT_MS);
}
