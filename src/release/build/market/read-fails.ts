/** Reads every fails-to-deliver file among the files. */
import { readFile } from 'node:fs/promises';
import { openArchive } from '../../../edgar/files/archive.ts';
import type { ListedFile } from '../../../edgar/files/list-files.ts';
import { SkippedRows } from '../../../edgar/files/skipped-rows.ts';
import { type FailsRow, isFailsFile, readFails } from '../../../edgar/prices/fails-to-deliver.ts';
import type { SourceFileReader } from '../source-file-reader.ts';

const NAMED = /(?:cnsfails|cnsp_sec_fails)[^/]*\.(?:zip|txt)$/i;

/** @param wanted whose rows to read; all by default */
export async function readAllFails(
  files: readonly ListedFile[],
  reader: SourceFileReader,
  take: (row: FailsRow) => void,
  wanted?: (cusip: string) => boolean,
): Promise<void> {
  for (const file of files.filter(({ name }) => NAMED.test(name))) {
    // Files are read twice, but skipped rows are counted once.
    const skipped = reader.files.has(file) ? new SkippedRows() : reader.skipped;
    await reader.read(file, async () => {
      for (const text of await textsOf(file)) {
        if (!isFailsFile(text)) skipped.add('a file that is named for fails to deliver and holds none');
        else for (const row of readFails(text, skipped, wanted)) take(row);
      }
    });
  }
}

async function textsOf(file: ListedFile): Promise<string[]> {
  if (!/\.zip$/i.test(file.name)) return [await readFile(file.path, 'utf8')];
  const archive = await openArchive(file.path);
  try {
    const texts: string[] = [];
    for (const name of archive.names) texts.push((await archive.read(name)).toString('utf8'));
    return texts;
  } finally {
    archive.close();
  }
}
