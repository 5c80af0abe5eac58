/** Holders' tables: first gathered, then, once other prices are known, read for theirs. */
import { compareDecimals } from '../../../contract/decimal-text.ts';
import type { ListedFile } from '../../../edgar/files/list-files.ts';
import { isThirteenFFile, readThirteenFs } from '../../../edgar/holdings/thirteen-f-files.ts';
import type { HoldingLine, ThirteenFReport } from '../../../edgar/holdings/thirteen-f-report.ts';
import { amountsAreValues, sumLines } from '../../../figures/holders/positions.ts';
import { valueUnit } from '../../../figures/holders/value-unit.ts';
import type { CusipEvidence } from '../../../figures/issuers/cusip-map.ts';
import { impliedPrice } from '../../../figures/prices/implied-price.ts';
import { addDays } from '../../../platform/dates.ts';
import { lastTradingDay } from '../../../platform/trading-calendar.ts';
import type { HoldingsCollector } from './holdings-collector.ts';
import type { PriceCollector } from './price-collector.ts';
import type { SecuritiesIndex } from './securities-index.ts';
import type { SourceFileReader } from './source-file-reader.ts';

/** Smaller positions are rounded too much to tell a price. */
const LEAST_SHARES = '100';

export async function collectHoldings(
  files: readonly ListedFile[],
  reader: SourceFileReader,
  holdings: HoldingsCollector,
  evidence: CusipEvidence,
): Promise<void> {
  const own = files.filter(isThirteenFFile);
  reader.files.push(...own);
  await readThirteenFs(
    own,
    {
      report: (key, report) => holdings.addReport(key, report),
      line: (key, row) => {
        holdings.addLine(key, row);
        evidence.sawIssuer(row.cusip, row.issuer, row.titleOfClass);
      },
      problem: (text) => reader.reportProblem(text),
    },
    reader.skipped,
  );
}

/** The prices of the other sources tell which tables are in thousands; then the tables tell theirs. */
export function collectHoldingPrices(
  reader: SourceFileReader,
  holdings: HoldingsCollector,
  book: SecuritiesIndex,
  prices: PriceCollector,
): void {
  for (const [, lines] of holdings.managers()) {
    reader.throwIfAborted();
    for (const { report, lines: own } of holdings.reportsOf(lines)) noteReport(report, own, holdings, book, prices);
  }
}

function noteReport(
  report: ThirteenFReport,
  lines: readonly HoldingLine[],
  holdings: HoldingsCollector,
  book: SecuritiesIndex,
  prices: PriceCollector,
): void {
  const { period } = report;
  const unit = valueUnit(lines, report.filed ?? addDays(period, 45), (cusip) => {
    const security = book.securityOf(cusip);
    return security === null ? null : prices.atQuarterEnd(security.tickerNormalized, period);
  });
  holdings.setUnit(report, unit);
  if (amountsAreValues(lines)) return;
  const rounding = unit === 'thousands' ? '500' : '0.5';
  const day = lastTradingDay(period);
  const shares = lines.filter(
    ({ cusip, amountType, putCall }) => amountType === 'SH' && putCall === '' && book.securityOf(cusip) !== null,
  );
  for (const { cusip, value, amount } of sumLines(shares, unit)) {
    const security = book.securityOf(cusip);
    if (security === null || compareDecimals(amount, LEAST_SHARES) < 0) continue;
    const price = impliedPrice(value, amount, rounding);
    if (price !== null) prices.add(security, 'thirteen_f', day, price);
  }
}
