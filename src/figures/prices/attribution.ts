/**
 * The sentence that must stand wherever prices are shown. It is made from the sources that the prices really
 * come from: a venue's own words, and for the regulator's data sets one sentence that names them.
 */

import type { PriceSource } from './tape.ts';
export interface AttributionText {
  readonly text: string;
  readonly url: string;
}

const DATASETS: readonly (readonly [PriceSource, string])[] = [
  ['fails', 'fails-to-deliver data'],
  ['nport', 'fund holdings of Form N-PORT'],
  ['thirteen_f', 'institutional holdings of Form 13F'],
];
/** The regulator's own words on the use of what it publishes. */
const SEC_TERMS = 'https://www.sec.gov/about/privacy-information#dissemination';

/** Null where there is no source and so no price. `venues` are the words given with venue files that were imported. */
export function attributionOf(
  sources: ReadonlySet<PriceSource>,
  venues: readonly AttributionText[],
): AttributionText | null {
  const fromVenue = sources.has('venue') || sources.has('venue_official');
  const named = DATASETS.filter(([source]) => sources.has(source)).map(([, name]) => name);
  const sentences = fromVenue ? [...new Set(venues.map(({ text }) => text))] : [];
  if (named.length > 0) {
    sentences.push(`Prices derived from public data of the U.S. Securities and Exchange Commission: ${list(named)}.`);
  }
  if (sentences.length === 0) return null;
  return { text: sentences.join(' '), url: (fromVenue ? venues[0]?.url : undefined) ?? SEC_TERMS };
}

function list(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
