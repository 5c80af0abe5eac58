import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { TOPICS } from '../../src/commands/help/help-topics.ts';

const sourceFolder = resolve(import.meta.dirname, '../../src');

test('help names every variable that the program reads, and no other', () => {
  const sourceFiles = readdirSync(sourceFolder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  const findVariables = (text: string) => text.match(/\bFIN_[A-Z_]+\b/g) ?? [];
  const programVariables = sourceFiles
    .filter((file) => !file.endsWith('help-topics.ts'))
    .flatMap((file) => findVariables(readFileSync(join(sourceFolder, file), 'utf8')));
  const helpVariables = TOPICS.environment?.lines.flatMap(([names]) => findVariables(names)) ?? [];
  expect(helpVariables.toSorted()).toEqual([...new Set(programVariables)].sort());
});
