import { openZipFile } from '../zip-file.mjs';

/** Writes a zip file with `members`, which are texts by name. */
export async function makeZip(path: string, members: Readonly<Record<string, string>>): Promise<void> {
  const zip = openZipFile(path);
  for (const [name, text] of Object.entries(members)) zip.whole(name, text);
  zip.end();
}
