/**
 * Compares figures in printed statements with figures of the built-in sample. ACCURACY.md lists the results; `npm run
 * reference` updates it.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { type ComparedRow, checkAgainstFile } from '../../src/operate/check-release.ts';
import { groupBy } from '../../src/platform/collections.ts';

const FIGURES_FILE = 'test/figures/printed-statements.csv';
const ACCURACY_PAGE_PATH = resolve(import.meta.dirname, '../../src/figures/ACCURACY.md');

/** Minimum number of equal figures; raised when a change makes more figures equal. */
const MIN_EQUAL_COUNT = 247;

test('no printed figure differs from the sample’s, except a line that is one of two, and ACCURACY.md is up to date', async () => {
  const { rows } = await checkAgainstFile(
    mkdtempSync(join(tmpdir(), 'fin-')),
    null,
    resolve(import.meta.dirname, '../..', FIGURES_FILE),
    () => {},
  );
  const different = rows
    .filter(({ result }) => result === 'different')
    .map(({ ticker, metric }) => `${ticker} ${metric}`);
  // Marvell prints one of two lines, as the page says.
  expect(new Set(different)).toEqual(new Set(['MRVL depreciation_and_amortization']));
  expect(rows.filter(({ result }) => result === 'equal').length).toBeGreaterThanOrEqual(MIN_EQUAL_COUNT);
  await expect(renderAccuracyPage(rows)).toMatchFileSnapshot(ACCURACY_PAGE_PATH);
}, 120_000);

function renderAccuracyPage(rows: readonly ComparedRow[]): string {
  const formatTable = (heading: string, keyOf: (row: ComparedRow) => string) => {
    const groups = [...groupBy(rows, keyOf)].sort(([a], [b]) => (a < b ? -1 : 1));
    const lines = groups.map(([key, groupRows]) => `| ${[key, ...countResults(groupRows)].join(' | ')} |`);
    return [`| ${heading} | Equal | Different | Absent |`, '| --- | ---: | ---: | ---: |', ...lines].join('\n');
  };
  const [equal, different, absent] = countResults(rows);
  const tickers = new Set(rows.map(({ ticker }) => ticker));
  return `# Accuracy

${rows.length} figures typed from the printed statements of ${tickers.size} companies, compared with the built-in sample as of the days on
which the statements were known: ${equal} are equal to the digit, ${different} differ, ${absent} are absent.

A figure is absent if the sample's facts of the company do not have its concept. Marvell prints depreciation and amortization without the
amortization of acquired intangible assets, which is a separate line; fin adds the two, as EBITDA does.

To repeat the comparison, run this in a copy of the repository. A file with figures of your own needs the same columns:

    FIN_DATA_DIR=$(mktemp -d) fin data check --against ${FIGURES_FILE}

${formatTable('Company', ({ ticker }) => ticker)}

${formatTable('Figure', ({ metric }) => metric)}
`;
}

function countResults(rows: readonly ComparedRow[]): number[] {
  return (['equal', 'different', 'absent'] as const).map(
    (result) => rows.filter((row) => row.result === result).length,
  );
}
