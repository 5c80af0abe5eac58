/** What a release does not carry is unavailable, and said to be: an empty answer would be a false one. */
import type { Table } from '../release/layout.ts';
import type { ReleaseReader } from '../release/types.ts';
import { Refusal } from './refusal.ts';

/**
 * @param what plural, as it begins a sentence
 * @throws {Refusal} 503 where the release has no such table
 */
export function mustCarry(release: ReleaseReader, table: Table, what: string): void {
  if (release.carries(table)) return;
  throw new Refusal('unavailable', `${what} are not carried by release ${release.manifest.stamp}.`);
}
