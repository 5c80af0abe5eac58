/**
 * Checks a fetched file by reading all of it, before it is moved into place. Its end proves little: truncated JSON may
 * end with a closing bracket, and a zip with an intact directory may have damaged members.
 */
import { readFile } from 'node:fs/promises';
import { parseJson } from '../../platform/json-object.ts';
import { ArchiveError, useArchive } from '../files/archive.ts';
import { toCik } from '../files/fields.ts';
import { JsonReader } from '../files/json-reader.ts';
import type { RemoteFile } from './remote-files.ts';

export interface ContentFault {
  /** The site's fault, as the predicate of a sentence: "sent HTML instead of JSON". */
  readonly fault: string;
  /** Whether repeating the request may help. */
  readonly isTransient: boolean;
}

/**
 * Returns the fault of a fetched file: it is incomplete, or belongs to another company. Null for a good file; text
 * files are not checked.
 */
export async function findContentFault(
  path: string,
  { kind, cik }: Pick<RemoteFile, 'kind' | 'cik'>,
  signal: AbortSignal,
): Promise<ContentFault | null> {
  if (kind === 'json') {
    const bytes = await readFile(path);
    signal.throwIfAborted();
    return findJsonFault(bytes, cik ?? null);
  }
  return kind === 'zip' ? findZipFault(path, signal) : null;
}

function findJsonFault(bytes: Buffer, expected: number | null): ContentFault | null {
  try {
    const actual = readCik(bytes);
    if (expected === null || actual === expected) return null;
    const content = actual === null ? 'JSON without a CIK' : `the JSON of CIK ${actual}`;
    return { fault: `sent ${content} instead of the JSON of CIK ${expected}`, isTransient: false };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { fault: `sent JSON that is incomplete or damaged (${error.message})`, isTransient: true };
  }
}

/** Returns the CIK at the top level of a JSON file. Throws SyntaxError if the JSON is incomplete. */
function readCik(bytes: Buffer): number | null {
  const reader = new JsonReader(bytes);
  let cik: number | null = null;
  if (reader.enterObject()) {
    for (let hasKey = reader.moveToNextKey(true); hasKey; hasKey = reader.moveToNextKey(false)) {
      if (reader.getText() === 'cik') cik = toCik(parseJson(reader.readRaw()));
      else reader.skip();
    }
  } else reader.skip();
  reader.expectEnd();
  return cik;
}

async function findZipFault(path: string, signal: AbortSignal): Promise<ContentFault | null> {
  try {
    await useArchive(path, undefined, 'path', (archive) => archive.check(signal));
    return null;
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    return { fault: `sent a zip that is incomplete or damaged (${error.fault})`, isTransient: true };
  }
}
