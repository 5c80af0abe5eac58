/**
 * Makes the public files of the next night: the files of a universe, except that one company in a hundred has filed a
 * quarterly report, with facts and a row in its list of filings. The same arguments give the same bytes.
 */
import { linkSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import yauzl from 'yauzl';
import { openZipFile } from '../../zip-file.mjs';
import { createRandomGenerator } from './random.mjs';

/** Share of companies that file a report. */
const CHANGED_FRACTION = 0.01;
const QUARTER_DAYS = 91;
/** Maximum number of a company's concepts that get a new fact. */
const MAX_CHANGED_CONCEPTS = 60;

/**
 * @param sourceDirectory the directory of a universe
 * @param directory a new directory; unchanged files are linked
 * @param day the filing date of the reports
 * @returns the number of changed companies
 */
export async function writeNextNightFiles(sourceDirectory, directory, day) {
  mkdirSync(join(directory, 'files'), { recursive: true });
  const rewrittenFileNames = ['companyfacts.zip', 'submissions.zip'];
  for (const folder of ['', 'files']) {
    for (const entry of readdirSync(join(sourceDirectory, folder), { withFileTypes: true })) {
      if (entry.isFile() && !rewrittenFileNames.includes(entry.name)) {
        linkSync(join(sourceDirectory, folder, entry.name), join(directory, folder, entry.name));
      }
    }
  }
  const random = createRandomGenerator('next night');
  const filerCiks = new Set();
  await copyZip(join(sourceDirectory, 'companyfacts.zip'), join(directory, 'companyfacts.zip'), (cik) => {
    if (random() >= CHANGED_FRACTION && filerCiks.size > 0) return null;
    filerCiks.add(cik);
    return (text) => addFacts(JSON.parse(text), cik, day);
  });
  await copyZip(join(sourceDirectory, 'submissions.zip'), join(directory, 'submissions.zip'), (cik, rest) =>
    rest === '.json' && filerCiks.has(cik) ? (text) => addFiling(JSON.parse(text), cik, day) : null,
  );
  return filerCiks.size;
}

const makeAccession = (cik, day) => `${String(cik).padStart(10, '0')}-${day.slice(2, 4)}-999999`;

function addFacts(company, cik, day) {
  for (const { units } of Object.values(company.facts['us-gaap'] ?? {}).slice(0, MAX_CHANGED_CONCEPTS)) {
    for (const facts of Object.values(units)) {
      const { frame: _, start, ...lastFact } = facts.at(-1);
      // A report cannot contain periods that end after its filing date.
      if (addQuarter(lastFact.end) > day) continue;
      const filingFields = { accn: makeAccession(cik, day), form: '10-Q', filed: day, end: addQuarter(lastFact.end) };
      facts.push({ ...lastFact, ...(start === undefined ? {} : { start: addQuarter(start) }), ...filingFields });
    }
  }
  return company;
}

function addFiling(submissions, cik, day) {
  const filingFields = {
    accessionNumber: makeAccession(cik, day),
    filingDate: day,
    reportDate: '',
    acceptanceDateTime: `${day}T16:05:00.000Z`,
    form: '10-Q',
  };
  for (const [name, column] of Object.entries(submissions.filings.recent))
    column.unshift(filingFields[name] ?? column[0]);
  return submissions;
}

const addQuarter = (day) => new Date(Date.parse(day) + QUARTER_DAYS * 86_400_000).toISOString().slice(0, 10);

/**
 * @param getChange returns null for a member that is copied unchanged; otherwise a function that makes the new content
 * from the member's text
 */
async function copyZip(sourcePath, targetPath, getChange) {
  const sourceZip = await yauzl.openPromise(sourcePath, { autoClose: false });
  const targetZip = openZipFile(targetPath);
  for await (const entry of sourceZip.eachEntry()) {
    const [, digits, rest] = /CIK(\d{10})(.*)$/.exec(entry.fileName) ?? [];
    const makeNewContent = digits === undefined ? null : getChange(Number(digits), rest);
    const bytes = await readEntry(sourceZip, entry, { decompress: makeNewContent === null ? false : null });
    if (makeNewContent === null) {
      targetZip.packed(entry.fileName, { packed: bytes, crc32: entry.crc32, size: entry.uncompressedSize });
    } else targetZip.whole(entry.fileName, JSON.stringify(makeNewContent(bytes.toString('utf8'))));
  }
  sourceZip.close();
  targetZip.end();
}

async function readEntry(zip, entry, options) {
  const chunks = [];
  for await (const chunk of await zip.openReadStreamPromise(entry, options)) chunks.push(chunk);
  return Buffer.concat(chunks);
}
