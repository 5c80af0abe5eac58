/** Determines the attribution that must be shown with prices, from the sources of the prices. */
import type { Attribution } from '../../../contract/resources/envelope.ts';
import type { PriceSource } from '../../../figures/prices/price-observations.ts';
import type { ReleaseReader } from '../../../store/reader.ts';
import { PRICE_SOURCES, type PriceRow } from '../../../store/schema/prices.ts';

/**
 * Returns the attribution as a field of `meta`; empty if the release has no prices, or if no source of the prices
 * requires attribution.
 * @param usedPrices the prices in the response; if empty, all sources of the release are attributed
 */
export async function readAttributionField(
  release: ReleaseReader,
  usedPrices: readonly Pick<PriceRow, 'source' | 'attribution'>[] = [],
): Promise<{ attribution?: Attribution }> {
  const rows = await release.allOf(PRICE_SOURCES);
  const sources = new Set((usedPrices.length > 0 ? usedPrices : rows).map(({ source }) => source));
  const texts = new Set(usedPrices.map(({ attribution }) => attribution));
  const credits = rows.flatMap(({ text, url }) => (text === null || url === null ? [] : [{ text, url }]));
  // If the venue of a price is unknown, all venues are attributed.
  const used = credits.filter(({ text }) => texts.has(text));
  const credit = makeAttribution(sources, used.length > 0 ? used : credits);
  return credit === null ? {} : { attribution: credit };
}

const SEC_DATASET_NAMES: readonly (readonly [PriceSource, string])[] = [
  ['fails', 'fails-to-deliver data'],
  ['nport', 'fund holdings of Form N-PORT'],
  ['thirteen_f', 'institutional holdings of Form 13F'],
];
/** The SEC's terms for the use of its publications. */
const SEC_TERMS_URL = 'https://www.sec.gov/about/privacy-information#dissemination';

/**
 * Returns the sentences that venues require, and a sentence that names the SEC data sets used; null if no source
 * requires attribution.
 * @param venues the attributions in imported venue files
 */
export function makeAttribution(sources: ReadonlySet<PriceSource>, venues: readonly Attribution[]): Attribution | null {
  const includesVenue = sources.has('venue') || sources.has('venue_official');
  const datasets = SEC_DATASET_NAMES.filter(([source]) => sources.has(source)).map(([, name]) => name);
  const sentences = includesVenue ? [...new Set(venues.map(({ text }) => text))] : [];
  if (datasets.length > 0) {
    sentences.push(
      `Prices derived from public data of the U.S. Securities and Exchange Commission: ${joinNames(datasets)}.`,
    );
  }
  if (sentences.length === 0) return null;
  return { text: sentences.join(' '), url: (includesVenue ? venues[0]?.url : undefined) ?? SEC_TERMS_URL };
}

const joinNames = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
