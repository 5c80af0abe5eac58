/**
 * Real public files of the SEC: the whole files in a directory next to the repository, or else the excerpts in
 * test/public-files. Tests that need a missing file are skipped.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { testNeeding } from './needs.ts';
import { READS_ALL, selectSome } from './select-some.ts';

const WHOLE_FILES_DIRECTORY = join(import.meta.dirname, '../../shared/edgar/data');
const EXCERPTS_DIRECTORY = join(import.meta.dirname, 'public-files');
const hasWholeFiles = existsSync(WHOLE_FILES_DIRECTORY);

/** Returns the path of a public file, or of its excerpt. */
export function getPublicFilePath(name: string): string {
  return join(hasWholeFiles ? WHOLE_FILES_DIRECTORY : EXCERPTS_DIRECTORY, name);
}

/** Returns the path of the excerpt of a public file, for tests that build a release of many companies. */
export const getExcerptPath = (name: string): string => join(EXCERPTS_DIRECTORY, name);

/** Returns the path of the excerpt of a large file; of the whole file with FIN_TEST_FILES=all. */
export const getSmallFilePath = (name: string): string => (READS_ALL ? getPublicFilePath : getExcerptPath)(name);

/** Path of the figures that were copied by hand from printed statements. */
export const PRINTED_FIGURES_PATH = hasWholeFiles
  ? join(WHOLE_FILES_DIRECTORY, '../printed.csv')
  : join(EXCERPTS_DIRECTORY, 'printed.csv');

/** Returns what a test expects of the files that it reads: `whole` of the whole files, `excerpt` of the excerpts. */
export function expectOfFiles<T>(whole: T, excerpt: T): T {
  return hasWholeFiles ? whole : excerpt;
}

/**
 * Returns every `step`-th item of the whole files, always the same ones; all items of the excerpts, and all items with
 * FIN_TEST_FILES=all. For tests that would read every company or report for a minute.
 */
export function selectOfFiles<T>(items: readonly T[], step: number): readonly T[] {
  return hasWholeFiles ? selectSome(items, step) : items;
}

/** Test timeout. Reading every company takes half a minute, and ten times as long on a busy machine. */
const WHOLE_DATA_TIMEOUT_MS = 600_000;

/** Declares a test that needs this public file, or its excerpt. */
export function testWithPublicFile(file: string, name: string, run: () => void | Promise<void>): void {
  testNeeding(file, existsSync(getPublicFilePath(file)))(name, run, WHOLE_DATA_TIMEOUT_MS);
}
