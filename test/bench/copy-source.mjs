/** Makes a large source of a small one: every company several times, under CIKs that nobody has. */
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';
import yauzl from 'yauzl';

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
  const out = openSync(join(to, archive), 'w');
  const copied = new Set();
  const directory = [];
  let offset = 0;
  const put = (bytes) => {
    writeSync(out, bytes);
    offset += bytes.length;
  };
  const zip = await yauzl.openPromise(join(from, archive), { autoClose: false });
  for await (const entry of zip.eachEntry()) {
    const [, digits, rest] = /CIK(\d{10})(.*)$/.exec(entry.fileName) ?? [];
    const cik = Number(digits);
    if (!wanted(cik)) continue;
    copied.add(cik);
    const text = await readText(zip, entry);
    for (let copy = 0; copy < copies; copy += 1) {
      const number = String(cik + copy * STEP).padStart(10, '0');
      const name = Buffer.from(`CIK${number}${rest}`);
      const plain = Buffer.from(
        text
          .replace(/"cik"\s*:\s*("?)\d+"?/, (_, quote) => `"cik":${quote}${quote ? number : Number(number)}${quote}`)
          .replaceAll(`CIK${digits}-`, `CIK${number}-`),
      );
      const packed = deflateRawSync(plain, { level: 1 });
      const fields = Buffer.alloc(26);
      fields.writeUInt16LE(20, 0);
      fields.writeUInt16LE(8, 4);
      fields.writeUInt32LE(crc32(plain), 10);
      fields.writeUInt32LE(packed.length, 14);
      fields.writeUInt32LE(plain.length, 18);
      fields.writeUInt16LE(name.length, 22);
      const tail = Buffer.alloc(14);
      tail.writeUInt32LE(offset, 10);
      directory.push(Buffer.concat([Buffer.from('PK\x01\x02', 'latin1'), Buffer.from([20, 0]), fields, tail, name]));
      put(Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), fields, name, packed]));
    }
  }
  zip.close();
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(directory.length, 4);
  end.writeUInt16LE(directory.length, 6);
  end.writeUInt32LE(entries.length, 8);
  end.writeUInt32LE(offset, 12);
  put(Buffer.concat([entries, Buffer.from('PK\x05\x06', 'latin1'), end]));
  closeSync(out);
  return copied;
}

async function readText(zip, entry) {
  const chunks = [];
  for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
