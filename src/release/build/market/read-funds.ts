/** Takes the prices that funds value their shares at from every N-PORT data set of a directory. */
import { openArchive } from '../../../edgar/files/archive.ts';
import type { ListedFile } from '../../../edgar/files/list-files.ts';
import { isNportDataset, type NportHolding, readNportHoldings } from '../../../edgar/prices/nport-holdings.ts';
import { impliedPrice } from '../../../figures/prices/implied-price.ts';
import { lastTradingDay } from '../../../platform/trading-calendar.ts';
import type { PriceCollector } from './price-collector.ts';
import type { SecuritiesIndex } from './securities-index.ts';
import type { SourceFileReader } from './source-file-reader.ts';

const NAMED = /n-?port[^/]*\.zip$/i;
/** Values are in cents. */
const ROUNDING = '0.005';

export async function readFundPrices(
  files: readonly ListedFile[],
  reader: SourceFileReader,
  book: SecuritiesIndex,
  prices: PriceCollector,
): Promise<void> {
  for (const file of files.filter(({ name }) => NAMED.test(name))) {
    await reader.read(file, async () => {
      const archive = await openArchive(file.path);
      try {
        if (!isNportDataset(archive)) return;
        for await (const holdings of readNportHoldings(archive, reader.skipped)) {
          reader.throwIfAborted();
          for (const holding of holdings) note(holding, book, prices);
        }
      } finally {
        archive.close();
      }
    });
  }
}

/** Where no CUSIP says what is held, the issuer's name does, and whether it is the share is left open. */
function note(
  { cusip, issuer, value, balance, commonStock, reportDay }: NportHolding,
  book: SecuritiesIndex,
  prices: PriceCollector,
) {
  const security = cusip === null ? book.shareOf(issuer) : book.securityOf(cusip);
  const price = security === null ? null : impliedPrice(value, balance, ROUNDING);
  if (security === null || price === null) return;
  const source = commonStock === true && cusip !== null ? 'nport' : 'mixed';
  prices.add(security, source, lastTradingDay(reportDay), price);
}
