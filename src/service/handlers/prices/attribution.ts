/** The attribution that must be shown with prices, made from their sources. */
import type { Attribution } from '../../../contract/resources/envelope.ts';
import { attributionOf } from '../../../figures/prices/attribution.ts';
import type { PriceSource } from '../../../figures/prices/tape.ts';
import { PRICE_SOURCES } from '../../../release/schema/prices.ts';
import type { ReleaseReader } from '../../../release/store/reader.ts';

/**
 * For `meta`: nothing where the release has no prices.
 * @param used the sources of the answer's prices; without any, those of the release
 */
export async function attributionMeta(
  release: ReleaseReader,
  used: Iterable<PriceSource> = [],
): Promise<{ attribution?: Attribution }> {
  const rows = await release.allOf(PRICE_SOURCES);
  const wanted = new Set(used);
  const sources = wanted.size > 0 ? wanted : new Set(rows.map(({ source }) => source));
  const venues = rows.flatMap(({ text, url }) => (text === null || url === null ? [] : [{ text, url }]));
  const attribution = attributionOf(sources, venues);
  return attribution === null ? {} : { attribution };
}
