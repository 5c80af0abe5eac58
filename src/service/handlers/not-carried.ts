/** What a release does not carry is unavailable, and said to be: an empty answer would be a false one. */
import { Refusal } from '../refusal.ts';
import type { Handler } from '../types.ts';

/** @param what plural, as it begins a sentence */
export function notCarried(what: string): Handler {
  return async ({ release }) => {
    throw new Refusal('unavailable', `${what} are not carried by release ${release.manifest.stamp}.`);
  };
}
