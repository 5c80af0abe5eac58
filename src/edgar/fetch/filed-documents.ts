/** Finds the forms' own documents of companies, for commands that read them. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Site } from '../../http/sec/site.ts';
import { parseObject } from '../../platform/json-object.ts';
import { isFileName } from '../filings/filing-page.ts';
import { readSubmissions } from '../filings/submissions.ts';
import { listSubmissionsPages, makeDocumentFile, makeSubmissionsFile, type RemoteFile } from './remote-files.ts';

/** Returns the documents of all filings of some forms, by the companies' lists of filings in the directory. */
export async function listDocumentFiles(
  ciks: readonly number[],
  forms: readonly string[],
  site: Site,
  folder: string,
): Promise<readonly RemoteFile[]> {
  const files: RemoteFile[] = [];
  const read = (file: string) => readFile(join(folder, file), 'utf8').catch(() => null);
  for (const cik of ciks) {
    const main = await read(makeSubmissionsFile(site, cik).file);
    const pages = listSubmissionsPages(site, cik, parseObject(main ?? '{}'));
    const texts = await Promise.all(pages.map(({ file }) => read(file)));
    const { filings } = readSubmissions(
      main,
      texts.filter((text) => text !== null),
    );
    for (const { form, accession, primaryDocument } of filings) {
      const name = primaryDocument ?? `${accession}.txt`;
      if (forms.includes(form) && isFileName(name)) files.push(makeDocumentFile(site, cik, accession, name));
    }
  }
  return files;
}
