/** Reads the prices at which funds value their shares from every N-PORT data set among the files. */
import { openArchive } from '../../../edgar/files/archive.ts';
import type { ListedFile } from '../../../edgar/files/list-files.ts';
import { isNportDataSet, type NportHolding, readNportHoldings } from '../../../edgar/prices/nport-holdings.ts';
import { impliedPrice } from '../../../figures/prices/implied-price.ts';
import { lastTradingDay } from '../../../platform/trading-calendar.ts';
import type { SourceFileReader } from '../source-file-reader.ts';
import type { PriceCollector } from './price-collector.ts';
import type { SecuritiesIndex } from './securities-index.ts';

const NAMED = /n-?port[^/]*\.zip$/i;
/** Values are rounded to cents. */
const ROUNDING = '0.005';

export async function readFundPrices(
  files: readonly ListedFile[],
  reader: SourceFileReader,
  securities: SecuritiesIndex,
  prices: PriceCollector,
): Promise<void> {
  for (const file of files.filter(({ name }) => NAMED.test(name))) {
    await reader.read(file, async () => {
      const archive = await openArchive(file.path);
      try {
        if (!isNportDataSet(archive)) return;
        for await (const holdings of readNportHoldings(archive, reader.skipped)) {
          reader.throwIfAborted();
          for (const holding of holdings) addPrice(holding, securities, prices);
        }
      } finally {
        archive.close();
      }
    });
  }
}

/** Without a CUSIP the issuer's name identifies the company, but not whether the holding is its share. */
function addPrice(
  { cusip, issuer, value, balance, commonStock, reportDay }: NportHolding,
  securities: SecuritiesIndex,
  prices: PriceCollector,
) {
  const security = cusip === null ? securities.shareOf(issuer) : securities.securityOf(cusip);
  const price = security === null ? null : impliedPrice(value, balance, ROUNDING);
  if (security === null || price === null) return;
  const source = commonStock === true && cusip !== null ? 'nport' : 'mixed';
  prices.add(security, source, lastTradingDay(reportDay), price);
}
