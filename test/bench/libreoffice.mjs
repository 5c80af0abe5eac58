/**
 * Computes the formulas of spreadsheets in LibreOffice, and compares its values with those of fin: node
 * test/bench/libreoffice.mjs (after npm run build; needs soffice). The values that fin stores with the formulas are
 * replaced by zeros first, so that LibreOffice cannot copy them.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { openZipFile } from '../zip-file.mjs';
import { readTexts } from './read-zip.mjs';

const FIN_SCRIPT = resolve(import.meta.dirname, '../../bin/fin.js');
const STATEMENTS = ['--statement', 'income,balance,cash-flow,ratios'];
const QUESTIONS = [
  ['AAPL', '--years', '4', '--growth'],
  ['KHC', '--quarters', '6'],
  ['META', '--years', '5', '--common-size'],
  ['AMPH', '--years', '3'],
  ['NVDA', '--years', '5', '--ttm'],
  ['TSM', '--years', '3'],
  ['JPM', '--years', '5'],
];
/** Computes all formulas when a file is opened; by default, LibreOffice keeps the stored values. */
const SETTINGS = `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry"><item oor:path="/org.openoffice.Office.Calc/Formula/Load">
<prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop></item></oor:items>`;
const CELL_PATTERN = /<c r="([A-Z]+\d+)"[^>]*><f[^>]*>([^<]*)<\/f><v>([^<]*)<\/v><\/c>/g;

if (spawnSync('soffice', ['--version']).error !== undefined) {
  console.log('Skipped: soffice of LibreOffice is not installed.');
  process.exit(0);
}
const directory = mkdtempSync(join(tmpdir(), 'fin-bench-'));
const profile = join(directory, 'profile');
mkdirSync(join(profile, 'user'), { recursive: true });
writeFileSync(join(profile, 'user/registrymodifications.xcu'), SETTINGS);
let differences = 0;
for (const [index, question] of QUESTIONS.entries()) {
  const name = `${index}.xlsx`;
  const shown = await writeWithoutValues(['metrics', ...question, ...STATEMENTS], name);
  const computed = await computeInLibreOffice(name);
  const different = [...shown].filter(([address, { value }]) => computed.get(address)?.value !== value);
  differences += different.length;
  console.log(`${question.join(' ')}: ${shown.size} formulas, ${different.length} with another value`);
  for (const [address, { formula, value }] of different)
    console.log(`  ${address} = ${formula}: ${computed.get(address)?.value} instead of ${value}`);
}
rmSync(directory, { recursive: true });
process.exitCode = differences === 0 ? 0 : 1;

/** Writes fin's spreadsheet with zeros instead of the values of formulas; returns the formulas and values by cell. */
async function writeWithoutValues(question, name) {
  const file = join(directory, `fin-${name}`);
  run(process.execPath, [FIN_SCRIPT, ...question, '--xlsx', file, '--quiet']);
  const zip = openZipFile(join(directory, name));
  for await (const { name: member, text } of readTexts(file))
    zip.whole(
      member,
      text.replace(/(<\/f><v>)[^<]*/g, (_, start) => `${start}0`),
    );
  zip.end();
  return readFormulas(file);
}

async function computeInLibreOffice(name) {
  const output = join(directory, 'computed');
  const options = ['--headless', `-env:UserInstallation=file://${profile}`, '--convert-to', 'xlsx', '--outdir', output];
  run('soffice', [...options, join(directory, name)]);
  return readFormulas(join(output, name));
}

async function readFormulas(file) {
  const cells = new Map();
  for await (const { name, text } of readTexts(file)) {
    if (name !== 'xl/worksheets/sheet1.xml') continue;
    for (const [, address, formula, value] of text.matchAll(CELL_PATTERN))
      cells.set(address, { formula, value: Number(value) });
  }
  return cells;
}

function run(command, options) {
  const { status, stderr } = spawnSync(command, options, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} exited with ${status}: ${stderr}`);
}
