import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { AVOIDED_WORDS, findAvoidedWords } from './words.ts';

const repositoryRoot = resolve(import.meta.dirname, '../..');

/** The files to check: source, tests and documents, without recorded data and the list of words itself. */
const files = [
  '.github',
  'completions',
  'src',
  'test',
  ...readdirSync(repositoryRoot).filter((name) => name.endsWith('.md')),
]
  .flatMap((name) => (name.includes('.md') ? [name] : listFilesIn(name)))
  .filter((file) => /\.(ts|mts|mjs|md|json|ya?ml)$/.test(file) || file.startsWith('completions'))
  .filter((file) => !/^(test.house.words\.|test.figures.facts|test.store.layouts.*\.json|src.store.sample)/.test(file));

function listFilesIn(folder: string): string[] {
  return readdirSync(join(repositoryRoot, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(repositoryRoot, join(entry.parentPath, entry.name)));
}

test('source, tests and documents use the words of the field', () => {
  expect(files.length).toBeGreaterThan(300);
  const findings = files.flatMap((file) =>
    [
      ...findAvoidedWords(file).map((word) => ({ ...word, line: 0 })),
      ...findAvoidedWords(readFileSync(resolve(repositoryRoot, file), 'utf8')),
    ].map(({ line, foundText, instead }) => `${file}:${line} "${foundText}": ${instead}`),
  );
  expect(findings).toEqual([]);
});

test('every avoided word has a replacement and a reason', () => {
  for (const { word, instead, why } of AVOIDED_WORDS) {
    expect(instead.length, String(word)).toBeGreaterThan(2);
    expect(why.length, String(word)).toBeGreaterThan(10);
  }
  expect(findAvoidedWords('a figure is reckoned')).toEqual([
    { line: 1, foundText: 'reckoned', instead: 'compute, derive' },
  ]);
  expect(findAvoidedWords('a figure is computed')).toEqual([]);
});
