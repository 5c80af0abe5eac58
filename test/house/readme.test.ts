/** Tests that the reference and the page of typed tables match the program; `npm run reference` updates them. */
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { renderGenericTablesPage } from '../../src/export/tables-page.ts';
import { renderReferencePage } from './reference.ts';

const REFERENCE_PATH = resolve(import.meta.dirname, '../../src/commands/help/REFERENCE.md');
const TABLES_PAGE_PATH = resolve(import.meta.dirname, '../../src/export/TABLES.md');

test('REFERENCE.md is up to date', async () => {
  await expect(await renderReferencePage()).toMatchFileSnapshot(REFERENCE_PATH);
});

test('TABLES.md is up to date', async () => {
  await expect(renderGenericTablesPage()).toMatchFileSnapshot(TABLES_PAGE_PATH);
});
