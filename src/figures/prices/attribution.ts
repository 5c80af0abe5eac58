/**
 * The attribution that is shown wherever prices are, made from the sources that the prices come from: the sentence a
 * venue requires, and one that names the data sets of the SEC.
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
/** The SEC's terms for the use of what it publishes. */
const SEC_TERMS = 'https://www.sec.gov/about/privacy-information#dissemination';

/** Null without a source. `venues` are the attributions given with imported venue files. */
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
