/**
 * Builds the sample release, from which `fin` answers if nothing else is configured (src/store/sample/README.md).
 *
 * npm run sample -- <directory of public files> --companies <file> --industries <file> --screen-since <day>
 *   [--leave-out <file>] [--small-caps <number>] [--without <names>] [--about <text>] [--out <directory>]
 *   [--cache <directory>] [--publish-failed]
 *
 * Every zip whose name begins with "companyfacts" is read as company facts; the other files are read as by
 * `fin data build --from`. Tables are text with tabs, and columns are found by the names in the first line.
 *
 * --companies     Columns cik and facts_grade. Grades other than "exact" and "reserialized" mean that the files have only
 *                 some of the company's facts: the release answers questions about it with a notice, and the screener
 *                 leaves it out.
 * --industries    Columns cik and sic: SIC codes by a third party, used and marked if no list of filings has the code.
 *                 sic-names.tsv next to this file has the SEC's names of the codes.
 * --screen-since  The screener leaves out companies whose figures all end before this day: 18 months before the release.
 * --leave-out     CIKs to leave out, one per line; text after # is a comment.
 * --small-caps    Number of companies of --industries to include, if not all fit: they are sorted by SIC code, then CIK,
 *                 and chosen at equal distances, so that every large industry stays. The others are left out.
 * --without       Files of the directory that are not read, separated by commas.
 * --out           Directory of the release; default: src/store/sample.
 * --cache         Directory of cached results, which make later builds faster.
 * --publish-failed  Publish the release even if a check fails, for trials.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const root = dirname(import.meta.dirname);
const MAX_SAMPLE_BYTES = 20 * 2 ** 20;
const COMPLETE_GRADES = ['exact', 'reserialized'];
/** Companies of which the sample has every tagged fact, for `fin facts`. */
const FACT_COMPANIES = ['AAPL', 'MSFT', 'NVDA', 'KO', 'JPM'];
const ABOUT =
  'Several hundred companies with the figures that they tagged in reports to the SEC, and their filings; of some also segments, ' +
  'insider trades, 13F holders and prices.';

/** Reads the rows of a table, as objects. */
export function readTable(file) {
  const [header = '', ...lines] = readFileSync(file, 'utf8').trimEnd().split(/\r?\n/);
  const names = header.split('\t');
  return lines.map((line) => {
    const cells = line.split('\t');
    return Object.fromEntries(names.map((name, index) => [name, cells[index]?.trim() ?? '']));
  });
}

export function readCiks(file) {
  const texts = readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim())
    .filter((text) => text !== '');
  const wrongText = texts.find((text) => !/^\d{1,10}$/.test(text));
  if (wrongText !== undefined) throw new Error(`${file}: ${JSON.stringify(wrongText)} is not a CIK`);
  return texts.map(Number);
}

/** Returns `count` of the rows, at equal distances in order of SIC code, then CIK. */
export function chooseEvenly(rows, count) {
  const sortedRows = rows.toSorted((a, b) => (a.sic < b.sic ? -1 : a.sic > b.sic ? 1 : a.cik - b.cik));
  if (count >= rows.length) return sortedRows;
  const countUntil = (index) => Math.floor((index * count) / rows.length);
  return sortedRows.filter((_, index) => countUntil(index + 1) > countUntil(index));
}

/** Returns the notes of the build: see `CompanyNote` in src/building/sources/company-notes.ts. */
export function makeCompanyNotes({ companies, industries, nameBySic, leftOutCiks, smallCapCount }) {
  const leftOut = new Set(leftOutCiks);
  const gradedCiks = new Set(companies.map(({ cik }) => Number(cik)));
  const smallCaps = industries.filter(({ cik }) => !gradedCiks.has(Number(cik)) && !leftOut.has(Number(cik)));
  const chosenCaps = new Set(chooseEvenly(smallCaps, smallCapCount ?? smallCaps.length));
  for (const row of smallCaps) if (!chosenCaps.has(row)) leftOut.add(Number(row.cik));
  const notes = new Map();
  const addNote = (cik, note) => notes.set(cik, { ...notes.get(cik), ...note });
  for (const { cik, facts_grade: grade } of companies)
    if (!COMPLETE_GRADES.includes(grade)) addNote(Number(cik), { hasPartialFacts: true });
  for (const { cik, sic } of industries)
    if (sic !== '') addNote(Number(cik), { industry: { sic, description: nameBySic.get(sic) ?? null } });
  for (const cik of leftOut) addNote(cik, { isLeftOut: true });
  return { notes, smallCapCount: chosenCaps.size };
}

/** Links the files of a directory into another one, and each zip of company facts into its folder `companyfacts`. */
export function linkSources(publicDirectory, sourceDirectory, excludedNames) {
  mkdirSync(join(sourceDirectory, 'companyfacts'), { recursive: true });
  const unusedNames = new Set(excludedNames);
  for (const name of readdirSync(publicDirectory, { recursive: true, encoding: 'utf8' }).sort()) {
    const path = resolve(publicDirectory, name);
    if (!statSync(path).isFile() || unusedNames.delete(name)) continue;
    const linkName = /^companyfacts.*\.zip$/i.test(name) ? join('companyfacts', name) : name;
    mkdirSync(dirname(join(sourceDirectory, linkName)), { recursive: true });
    symlinkSync(path, join(sourceDirectory, linkName));
  }
  if (unusedNames.size > 0) throw new Error(`--without names missing files: ${[...unusedNames].join(', ')}`);
}

/** Returns the bytes of the blocks that the files of a directory use on the disk, as `du` counts them. */
function measureDirectory(directory) {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(directory, name)))
    .reduce((sum, { blocks }) => sum + blocks * 512, 0);
}

function readArguments() {
  const text = { type: 'string' };
  const { values, positionals } = parseArgs({
    options: {
      ...{ companies: text, industries: text, 'screen-since': text, 'leave-out': text, 'small-caps': text },
      ...{ without: text, about: text, out: text, cache: text },
      'publish-failed': { type: 'boolean' },
    },
    allowPositionals: true,
  });
  const missingNames = ['companies', 'industries', 'screen-since'].filter((name) => values[name] === undefined);
  if (positionals.length !== 1 || missingNames.length > 0) {
    const missingText = missingNames.map((name) => ` Missing: --${name}.`).join('');
    throw new Error(
      `Name the directory of public files.${missingText} The head of ${basename(import.meta.filename)} describes all options.`,
    );
  }
  return { ...values, publicDirectory: positionals[0] };
}

async function buildSample() {
  const options = readArguments();
  const { notes, smallCapCount } = makeCompanyNotes({
    companies: readTable(options.companies),
    industries: readTable(options.industries),
    nameBySic: new Map(readTable(join(import.meta.dirname, 'sic-names.tsv')).map(({ sic, name }) => [sic, name])),
    leftOutCiks: options['leave-out'] === undefined ? [] : readCiks(options['leave-out']),
    smallCapCount: options['small-caps'] === undefined ? undefined : Number(options['small-caps']),
  });
  const home = resolve(options.out ?? join(root, 'src/store/sample'));
  const sourceDirectory = mkdtempSync(join(tmpdir(), 'fin-sample-'));
  try {
    linkSources(options.publicDirectory, sourceDirectory, (options.without ?? '').split(',').filter(Boolean));
    const { buildRelease } = createRequire(import.meta.url)(join(root, 'dist/building-build.cjs'));
    const report = await buildRelease({
      sourceDirectory,
      ...{ home, about: options.about ?? ABOUT, companyNotes: notes, facts: FACT_COMPANIES },
      ...{ screenSince: options['screen-since'], withoutFootnotes: true },
      ...{ publishFailed: options['publish-failed'] ?? false, allowLoss: false },
      ...{ resultCacheDirectory: options.cache === undefined ? null : resolve(options.cache) },
      ...{ signal: new AbortController().signal, onProgress: () => undefined },
    });
    printReport(report, home, smallCapCount);
  } finally {
    rmSync(sourceDirectory, { recursive: true, force: true });
  }
}

function printReport({ stamp, directory, companies, rows, checkResults, problems, seconds }, home, smallCapCount) {
  for (const problem of problems) console.error(`Warning: ${problem}`);
  for (const { name, passed, detail } of checkResults)
    if (!passed) console.error(`Error: the check "${name}" failed: ${detail}.`);
  if (directory === null) throw new Error('The sample was not published, because checks failed.');
  const bytes = measureDirectory(directory);
  console.log(
    `${stamp}: ${companies} companies, ${rows.screen} in the screener, ${smallCapCount} small caps, ` +
      `${(bytes / 2 ** 20).toFixed(1)} MB, built in ${seconds.toFixed(0)} s`,
  );
  const otherStamps = readdirSync(home).filter(
    (name) => name !== stamp && existsSync(join(home, name, 'manifest.json')),
  );
  if (otherStamps.length > 0) console.log(`Remove the earlier releases of ${home}: ${otherStamps.join(', ')}`);
  if (bytes > MAX_SAMPLE_BYTES)
    throw new Error(`The sample may have ${MAX_SAMPLE_BYTES / 2 ** 20} MB. Build it again with --small-caps <fewer>.`);
}

if (process.argv[1] === import.meta.filename) {
  try {
    await buildSample();
  } catch (cause) {
    console.error(cause instanceof Error ? cause.message : String(cause));
    process.exitCode = 1;
  }
}
