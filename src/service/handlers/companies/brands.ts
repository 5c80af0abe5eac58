/** Finds companies by the segments and products that their reports name. */
import type { ReleaseReader } from '../../../store/reader.ts';
import { BRANDS, MIN_BRAND_LENGTH } from '../../../store/schema/brands.ts';
import { makePrefixKey } from '../../../store/schema/listings.ts';
import { nameHasWords } from '../coverage/listings.ts';

/**
 * Maximum number of search words to look up. One is not enough: it may be a common word, for which the table has no
 * brands.
 */
const MAX_LOOKED_UP_WORDS = 3;

/**
 * Returns, by CIK, a segment or product that matches the search: each search word must begin a word of its name, and
 * one of these words of the name must be rare among companies.
 */
export async function findBrands(
  release: ReleaseReader,
  words: readonly string[],
): Promise<ReadonlyMap<number, string>> {
  const brands = new Map<number, string>();
  if (!release.includes(BRANDS)) return brands;
  const longest = [...new Set(words)]
    .filter(({ length }) => length >= MIN_BRAND_LENGTH)
    .sort((a, b) => b.length - a.length)
    .slice(0, MAX_LOOKED_UP_WORDS);
  const byWord = await Promise.all(
    longest.map((text) => release.rowsBetween(BRANDS, makePrefixKey(text), makePrefixKey(text, { isLast: true }))),
  );
  for (const [index, word] of longest.entries()) {
    const rows = byWord[index] ?? [];
    // A search word that is itself common must not match the beginning of a brand: "other" does not match
    // OTHERNEUROSCIENCE.
    if (rows.some((row) => row.brand === null && row.word === word)) continue;
    const rest = words.filter((other) => other !== word);
    for (const { word: start, brand, cik } of rows) {
      if (brand !== null && !brands.has(cik) && start.startsWith(word) && nameHasWords(brand, rest))
        brands.set(cik, brand);
    }
  }
  return brands;
}
