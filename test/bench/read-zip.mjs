/** Reads the files of a zip file. */
import { buffer } from 'node:stream/consumers';
import yauzl from 'yauzl';

/** Yields `{ name, text }` of each file in the zip file. */
export async function* readTexts(zipPath) {
  for await (const { name, bytes } of readMembers(zipPath)) yield { name, text: new TextDecoder().decode(bytes) };
}

/** Yields `{ name, bytes }` of each file in the zip file. */
export async function* readMembers(zipPath) {
  const zip = await new Promise((resolve, reject) =>
    yauzl.open(zipPath, { lazyEntries: true }, (error, opened) => (error ? reject(error) : resolve(opened))),
  );
  for (let entry = await readEntry(zip); entry !== null; entry = await readEntry(zip)) {
    if (entry.fileName.endsWith('/')) continue;
    const stream = await new Promise((resolve, reject) =>
      zip.openReadStream(entry, (error, opened) => (error ? reject(error) : resolve(opened))),
    );
    yield { name: entry.fileName, bytes: await buffer(stream) };
  }
}

function readEntry(zip) {
  return new Promise((resolve, reject) => {
    const settle = (entry) => {
      for (const event of ['entry', 'end', 'error']) zip.removeAllListeners(event);
      resolve(entry);
    };
    zip
      .once('entry', settle)
      .once('end', () => settle(null))
      .once('error', reject);
    zip.readEntry();
  });
}
