import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { TOPICS } from '../../src/commands/help/help-topics.ts';

const src = resolve(import.meta.dirname, '../../src');

test('help names every variable that the program reads, and no other', () => {
  const sources = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const findVariables = (text: string) => text.match(/\bFIN_[A-Z_]+\b/g) ?? [];
  const programVariables = sources
    .filter((file) => !file.endsWith('help-topics.ts'))
    .flatMap((file) => findVariables(readFileSync(join(src, file), 'utf8')));
  const helpNames = TOPICS.environment?.lines.flatMap(([names]) => findVariables(names)) ?? [];
  expect(helpNames.toSorted()).toEqual([...new Set(programVariables)].sort());
});
