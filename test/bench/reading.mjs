/**
 * Measures how the documents beside the clone are read: node test/bench/reading.mjs [--documents <zip>] [--only <pattern>]
 * [--trials <number>] [--detail]
 *
 * Prints, for each form and decade, how many items are listed, proven, by reference, in page ranges and refused; the
 * reasons; and how bounds compare with known lengths. Then falsifies documents (reading/mutations.mjs), compares the
 * visible text with that of parse5 if it is installed, and measures time and memory. `--only` reads the documents whose
 * name matches, `--detail` prints each refused item and each false proof. Exits with 1 if a bound is missed.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { loadReading, readDocuments } from './reading/documents.mjs';
import { compareLengths } from './reading/known-lengths.mjs';
import { compareVisibleText, measureHostile, measureSpeed } from './reading/limits.mjs';
import { falsify } from './reading/mutations.mjs';

const MIN_PROVEN_SHARE = 0.97;
const MAX_FALSE_SHARE = 0.01;

const { values: options } = parseArgs({
  options: {
    documents: { type: 'string', default: resolve(import.meta.dirname, '../../../shared/edgar/data/documents.zip') },
    only: { type: 'string', default: '' },
    trials: { type: 'string', default: '540' },
    detail: { type: 'boolean', default: false },
  },
});
if (!existsSync(options.documents)) {
  console.log(`The public file ${options.documents} does not exist.`);
  process.exit(0);
}
const directory = mkdtempSync(join(tmpdir(), 'fin-bench-reading-'));
const reading = await loadReading(directory);
const documents = (await readDocuments(options.documents)).filter(({ name }) => new RegExp(options.only).test(name));
const misses = [];
measureItems();
measureFalsified();
compareVisibleText(reading, documents, misses);
measureSpeed(join(directory, 'reading.cjs'), documents, misses);
measureHostile(reading, misses);
rmSync(directory, { recursive: true });
console.log(misses.length === 0 ? 'All bounds are kept.' : `Missed: ${misses.join('; ')}`);
process.exitCode = misses.length === 0 ? 0 : 1;

function measureItems() {
  const rows = {};
  const reasons = {};
  const known = { right: 0, close: 0, wrong: 0, unproven: 0 };
  for (const source of documents.filter(({ form }) => form !== null && reading.hasItems(form))) {
    const { name, form, day } = source;
    const document = reading.readDocument(source.bytes, name);
    const items = reading.findItems(document, form, day);
    const key = `${form} ${day.slice(0, 3)}0s`;
    rows[key] ??= emptyRow();
    const row = rows[key];
    row.documents++;
    for (const item of items) {
      row.listed++;
      row[item.status]++;
      if (item.reason === null) continue;
      reasons[item.reason.code] = (reasons[item.reason.code] ?? 0) + 1;
      if (options.detail) console.log(name, reading.formatItem(item, form), JSON.stringify(item.reason), item.heading);
    }
    if (source.lengths === null) continue;
    const { right, close, wrong, unproven } = compareLengths(reading, source, document, items);
    known.right += right;
    known.close += close;
    known.wrong += wrong.length;
    known.unproven += unproven;
    for (const text of wrong) console.log(`wrong: ${name} ${text}`);
  }
  console.table(rows);
  console.log('refused:', reasons);
  console.log('known lengths:', known);
  const annual = Object.entries(rows)
    .filter(([form]) => /^10-[KQ] /.test(form))
    .map(([, row]) => row);
  const sum = (key) => annual.reduce((total, row) => total + row[key], 0);
  const share = (sum('proven') + sum('by_reference')) / (sum('listed') - sum('page_ranges'));
  console.log(`10-K and 10-Q: ${(share * 100).toFixed(1)} % of listed items are proven or by reference`);
  if (known.wrong > 0) misses.push(`${known.wrong} wrong bounds`);
  if (share < MIN_PROVEN_SHARE) misses.push('items of 10-K and 10-Q');
}

function measureFalsified() {
  const withLengths = documents.filter(({ lengths }) => lengths !== null);
  if (withLengths.length === 0) return;
  const { rows, faults } = falsify(reading, withLengths, Number(options.trials));
  console.table(rows);
  if (options.detail) console.log(faults.join('\n'));
  const sum = (key) => Object.values(rows).reduce((total, row) => total + row[key], 0);
  if (sum('false') > sum('trials') * MAX_FALSE_SHARE) misses.push(`${sum('false')} false proofs`);
}

function emptyRow() {
  return { documents: 0, listed: 0, proven: 0, by_reference: 0, page_ranges: 0, refused: 0 };
}
