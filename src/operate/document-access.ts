/** Whether documents of filings can be read: for assistants, which otherwise are not offered the tools. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { UtilityCall } from '../commands/command-line/utility.ts';
import { DOCUMENTS_FOLDER } from '../edgar/fetch/remote-files.ts';
import { findDirectories } from '../platform/files/directories.ts';
import { findCurrentProfile } from './transfers.ts';

/** Whether `fin data fetch --documents` has stored documents. */
export const hasLocalDocuments = (dataDirectory: string): boolean =>
  existsSync(join(dataDirectory, 'sources', DOCUMENTS_FOLDER));

/** Returns the contact of the environment or the profile; null without one. */
export const findContact = (call: UtilityCall): string | null =>
  call.io.env.FIN_CONTACT || findCurrentProfile(call)?.contact || null;

/** Whether this user's commands can read documents: a contact is set, or documents are on this machine. */
export function canReadDocuments(call: UtilityCall): boolean {
  const { data } = findDirectories(call.io.env);
  return findContact(call) !== null || (data !== null && hasLocalDocuments(data));
}
