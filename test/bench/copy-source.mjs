/** Makes a large source of a small one: every company several times, under CIKs that nobody has. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import yauzl from 'yauzl';
import { zipFile } from '../zip-file.mjs';

const STEP = 10_000_000;

/** @returns the directory, with `copies` times the companies of `from`: their facts, and the lists of their filings */
export async function copySource(from, to, copies) {
  mkdirSync(to, { recursive: true });
  const ciks = await copyZip(from, to, 'companyfacts.zip', copies, () => true);
  await copyZip(from, to, 'submissions.zip', copies, (cik) => ciks.has(cik));
  return to;
}

/** @returns the companies that were copied */
async function copyZip(from, to, archive, copies, wanted) {
  const out = zipFile(join(to, archive));
  const copied = new Set();
  const zip = await yauzl.openPromise(join(from, archive), { autoClose: false });
  for await (const entry of zip.eachEntry()) {
    const [, digits, rest] = /CIK(\d{10})(.*)$/.exec(entry.fileName) ?? [];
    const cik = Number(digits);
    if (!wanted(cik)) continue;
    copied.add(cik);
    const text = await readText(zip, entry);
    for (let copy = 0; copy < copies; copy += 1) {
      const number = String(cik + copy * STEP).padStart(10, '0');
      out.whole(
        `CIK${number}${rest}`,
        text
          .replace(/"cik"\s*:\s*("?)\d+"?/, (_, quote) => `"cik":${quote}${quote ? number : Number(number)}${quote}`)
          .replaceAll(`CIK${digits}-`, `CIK${number}-`),
      );
    }
  }
  zip.close();
  out.end();
  return copied;
}

async function readText(zip, entry) {
  const chunks = [];
  for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
