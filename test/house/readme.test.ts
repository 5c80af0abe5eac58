/**
 * The generated parts of the README, the reference and the page of typed tables match the program; `npm run reference`
 * updates them.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { genericTablesPage } from '../../src/publish/analytics/tables-page.ts';
import { readmeSections, referencePage } from './reference.ts';

const README = resolve(import.meta.dirname, '../../README.md');
const REFERENCE = resolve(import.meta.dirname, '../../src/commands/help/REFERENCE.md');
const TABLES = resolve(import.meta.dirname, '../../src/publish/analytics/TABLES.md');

test('the generated parts of the README are up to date', async () => {
  let text = readFileSync(README, 'utf8');
  for (const [name, markdown] of await readmeSections()) {
    const [begin, end] = [`<!-- generated: ${name} -->`, `<!-- end: ${name} -->`];
    expect(text.split(begin)).toHaveLength(2);
    expect(text.split(end)).toHaveLength(2);
    text = `${text.slice(0, text.indexOf(begin))}${begin}\n\n${markdown}\n\n${text.slice(text.indexOf(end))}`;
  }
  await expect(text).toMatchFileSnapshot(README);
});

test('the reference is up to date', async () => {
  await expect(await referencePage()).toMatchFileSnapshot(REFERENCE);
});

test('the page of the typed tables is up to date', async () => {
  await expect(genericTablesPage()).toMatchFileSnapshot(TABLES);
});
