/** Reads the prices and the attribution of every venue file (venue*.csv) among the files. */
import { readFile } from 'node:fs/promises';
import type { ListedFile } from '../../../edgar/files/list-files.ts';
import { readVenueFile, type VenueAttribution } from '../../../edgar/prices/venue-file.ts';
import type { ListedSecurity } from '../../../figures/issuers/cusip-map.ts';
import type { SourceFileReader } from '../source-file-reader.ts';
import type { PriceCollector } from './price-collector.ts';

const NAMED = /(?:^|\/)venue[^/]*\.csv$/i;

export async function readVenuePrices(
  files: readonly ListedFile[],
  listed: readonly ListedSecurity[],
  reader: SourceFileReader,
  prices: PriceCollector,
): Promise<VenueAttribution[]> {
  const byTicker = new Map(listed.map((security) => [plain(security.tickerNormalized), security]));
  const attributions: VenueAttribution[] = [];
  for (const file of files.filter(({ name }) => NAMED.test(name))) {
    await reader.read(file, async () => {
      const { attribution, rows } = readVenueFile(await readFile(file.path, 'utf8'), file.name, reader.skipped);
      attributions.push(attribution);
      for (const { day, symbol, lastSale, lastSaleAt, officialClose } of rows) {
        const security = byTicker.get(plain(symbol));
        if (security === undefined) continue;
        if (lastSale !== null) prices.add(security, 'venue', day, lastSale, lastSaleAt);
        if (officialClose !== null) prices.add(security, 'venue_official', day, officialClose);
      }
    });
  }
  return attributions;
}

/** Venues separate share classes by dots, slashes or nothing. */
const plain = (symbol: string): string => symbol.replace(/[^A-Z0-9]/g, '');
