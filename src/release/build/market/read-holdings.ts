/** Collects 13F reports, and the prices that they imply once prices of other sources are known. */
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
import type { SourceFileReader } from '../source-file-reader.ts';
import type { HoldingsCollector } from './holdings-collector.ts';
import type { PriceCollector } from './price-collector.ts';
import type { SecuritiesIndex } from './securities-index.ts';

/** Smaller positions are rounded too much to imply a price. */
const LEAST_SHARES = '100';
/** Reports are due so many days after the end of their quarter. */
const DAYS_TO_FILE = 45;

export async function collectHoldings(
  files: readonly ListedFile[],
  reader: SourceFileReader,
  holdings: HoldingsCollector,
  evidence: CusipEvidence,
): Promise<void> {
  const own = files.filter(isThirteenFFile);
  for (const file of own) reader.files.add(file);
  await readThirteenFs(
    own,
    {
      report: (key, report) => holdings.addReport(key, report),
      line: (key, row) => {
        holdings.addLine(key, row);
        evidence.addIssuer(row.cusip, row.issuer, row.titleOfClass);
      },
      problem: (text) => reader.reportProblem(text),
    },
    reader.skipped,
  );
}

/** Finds by the prices of other sources which tables are in thousands, then adds the prices that tables imply. */
export function collectHoldingPrices(
  reader: SourceFileReader,
  holdings: HoldingsCollector,
  securities: SecuritiesIndex,
  prices: PriceCollector,
): void {
  for (const [, lines] of holdings.managers()) {
    reader.throwIfAborted();
    for (const { report, lines: own } of holdings.reportsOf(lines))
      addPrices(report, own, holdings, securities, prices);
  }
}

function addPrices(
  report: ThirteenFReport,
  lines: readonly HoldingLine[],
  holdings: HoldingsCollector,
  securities: SecuritiesIndex,
  prices: PriceCollector,
): void {
  const { period } = report;
  const unit = valueUnit(lines, report.filed ?? addDays(period, DAYS_TO_FILE), (cusip) => {
    const security = securities.securityOf(cusip);
    return security === null ? null : prices.atQuarterEnd(security.tickerNormalized, period);
  });
  holdings.setUnit(report, unit);
  if (amountsAreValues(lines)) return;
  const rounding = unit === 'thousands' ? '500' : '0.5';
  const day = lastTradingDay(period);
  const shares = lines.filter(
    ({ cusip, amountType, putCall }) => amountType === 'SH' && putCall === '' && securities.securityOf(cusip) !== null,
  );
  for (const { cusip, value, amount } of sumLines(shares, unit)) {
    const security = securities.securityOf(cusip);
    if (security === null || compareDecimals(amount, LEAST_SHARES) < 0) continue;
    const price = impliedPrice(value, amount, rounding);
    if (price !== null) prices.add(security, 'thirteen_f', day, price);
  }
}
