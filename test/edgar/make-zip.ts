import { openZipFile } from '../zip-file.mjs';

/** Writes a zip file with `members`, which are texts by name. */
export async function makeZip(path: string, members: Readonly<Record<string, string>>): Promise<void> {
  const zipWriter = openZipFile(path);
  for (const [name, text] of Object.entries(members)) zipWriter.whole(name, text);
  zipWriter.end();
}
