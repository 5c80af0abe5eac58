/** Where public files are fetched from, by whom, and where they go. */
import { join } from 'node:path';
import { isLoopback } from '../../client/base-url.ts';
import { readSettings } from '../../client/settings.ts';
import { Failure } from '../../contract/failure.ts';
import { quote } from '../../contract/quote.ts';
import { checkContact, missingContact } from '../../edgar/fetch/contact.ts';
import { mirrorAt, REGULATOR, type Site } from '../../edgar/fetch/site.ts';
import { findDirectories } from '../../platform/directories.ts';
import { optionText } from '../option-text.ts';
import type { UtilityCall } from '../utility.ts';

/** The directory of fetched files: what `data build` builds from unless told otherwise. */
export function sourcesHome({ io }: Pick<UtilityCall, 'io'>): string {
  const { data } = findDirectories(io.env);
  if (data !== null) return join(data, 'sources');
  throw new Failure('data', 'There is no place for data: no home directory is known.', {
    hint: 'Set FIN_DATA_DIR to a directory.',
  });
}

/** `--contact`, FIN_CONTACT, or the profile's. */
export function readContact(call: UtilityCall): string {
  const { io, globals } = call;
  const settings = readSettings(findDirectories(io.env).config);
  const profile = globals.profile ?? (io.env.FIN_PROFILE || settings.profile) ?? 'default';
  const stored = Object.hasOwn(settings.profiles, profile) ? settings.profiles[profile]?.contact : undefined;
  const given = optionText(call, 'contact') ?? (io.env.FIN_CONTACT || stored);
  if (given === undefined) throw missingContact();
  return checkContact(given);
}

/** `--site` or FIN_EDGAR_URL; the regulator's own without them. */
export function readSite(call: UtilityCall): Site {
  const text = optionText(call, 'site') ?? (call.io.env.FIN_EDGAR_URL || null);
  if (text === null) return REGULATOR;
  const url = URL.canParse(text) ? new URL(text) : null;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
  if (url === null || !isSafe || url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new Failure('usage', `The site ${quote(text)} is no address to fetch from.`, {
      hint: 'Use https://…, or http:// on this machine, without a user, a query or a fragment.',
    });
  }
  return mirrorAt(url.href);
}
