/** Collects 13F reports, and the prices that they imply once prices of other sources are known. */

import { compareDecimals } from '../../../contract/decimal-text.ts';
import type { ListedFile } from '../../../edgar/files/list-files.ts';
import type { FilingRecord } from '../../../edgar/filings/submissions.ts';
import { isThirteenFFile, readThirteenFs } from '../../../edgar/holdings/thirteen-f-files.ts';
import type { FiledThirteenF, HoldingLine, ThirteenFReport } from '../../../edgar/holdings/thirteen-f-report.ts';
import { pushTo } from '../../../figures/groups.ts';
import { effectiveReport } from '../../../figures/holders/effective-report.ts';
import { amountsAreValues, sumLines, type ValueUnit, valueUnit } from '../../../figures/holders/positions.ts';
import { isQuarterEnd } from '../../../figures/holders/quarters.ts';
import type { CusipEvidence } from '../../../figures/issuers/cusip-map.ts';
import { impliedPrice } from '../../../figures/prices/implied-price.ts';
import { addDays } from '../../../platform/dates.ts';
import { lastTradingDay } from '../../../platform/trading-calendar.ts';
import { type Codec, joinCells, Spill, splitCells } from '../../store/spill.ts';
import type { SourceFileReader } from '../source-file-reader.ts';
import type { PriceCollector } from './price-collector.ts';
import type { SecuritiesIndex } from './securities-index.ts';

/** A manager's effective report of a quarter and the lines that make it up. */
export interface QuarterHoldings {
  readonly base: FiledThirteenF;
  /** Each part with its own unit of value. */
  readonly parts: readonly { readonly report: FiledThirteenF; readonly lines: readonly HoldingLine[] }[];
}

/** A line and the key of its report. */
interface KeyedLine {
  readonly key: string;
  readonly line: HoldingLine;
}

const CELLS = ['key', 'issuer', 'titleOfClass', 'cusip', 'value', 'amount', 'amountType', 'putCall'] as const;
const LINES: Codec<KeyedLine> = {
  write: ({ key, line: { issuer, titleOfClass, cusip, value, amount, amountType, putCall } }) =>
    joinCells([key, issuer, titleOfClass, cusip, value, amount, amountType, putCall]),
  read: (text) => {
    const [key, issuer, titleOfClass, cusip, value, amount, type, option] = splitCells(text, CELLS);
    const amountType = type === 'PRN' ? 'PRN' : 'SH';
    const putCall = option === 'Put' || option === 'Call' ? option : '';
    return { key, line: { issuer, titleOfClass, cusip, value, amount, amountType, putCall } };
  },
};

/** Collects 13F reports and, on disk, their lines from files in any order, and returns them manager by manager. */
export class HoldingsCollector {
  readonly #reports = new Map<string, ThirteenFReport>();
  readonly #counts = new Map<string, number>();
  readonly #lines: Spill<KeyedLine>;
  readonly #units = new Map<ThirteenFReport, ValueUnit>();

  constructor(directory: string) {
    this.#lines = new Spill(directory, undefined, LINES);
  }

  /** By the key under which they were added. */
  get reports(): ReadonlyMap<string, ThirteenFReport> {
    return this.#reports;
  }

  /** Keeps the first report of each key, if its period ends a quarter. */
  addReport(key: string, report: ThirteenFReport): void {
    if (!this.#reports.has(key) && isQuarterEnd(report.period)) this.#reports.set(key, report);
  }

  addLine(key: string, line: HoldingLine): void {
    const report = this.#reports.get(key);
    if (report === undefined) return;
    this.#counts.set(key, this.#lineCount(key) + 1);
    this.#lines.add(report.cik, { key, line });
  }

  /**
   * Completes cover pages, which state neither their accession number nor their day of filing, from the manager's own
   * list of filings, where only one filing of that form is for that quarter.
   */
  async findFilings(filingsOf: (cik: number) => Promise<readonly FilingRecord[]>): Promise<void> {
    for (const [key, report] of this.#reports) {
      if (isFiled(report)) continue;
      const { accession, form, period } = report;
      const fitting = (await filingsOf(report.cik)).filter((filing) =>
        accession === null ? filing.form === form && filing.reportDate === period : filing.accession === accession,
      );
      const [filing] = fitting;
      if (filing === undefined || fitting.length > 1) continue;
      this.#reports.set(key, { ...report, accession: filing.accession, filed: filing.filed });
    }
  }

  /** Units are found in a pass of their own, because that takes prices. */
  setUnit(report: ThirteenFReport, unit: ValueUnit): void {
    this.#units.set(report, unit);
  }

  /** The unit of a report's values; dollars unless it was set. */
  unitOf(report: ThirteenFReport): ValueUnit {
    return this.#units.get(report) ?? 'dollars';
  }

  /** Every manager's lines by report, managers ascending. May be called again. */
  *managers(): Generator<readonly [cik: number, lines: ReadonlyMap<string, readonly HoldingLine[]>]> {
    for (const [cik, rows] of this.#lines.groups()) {
      const lines = new Map<string, HoldingLine[]>();
      for (const { key, line } of rows) pushTo(lines, key, line);
      yield [cik, lines];
    }
  }

  /** A manager's quarters, earliest first, from its complete reports. */
  quartersOf(lines: ReadonlyMap<string, readonly HoldingLine[]>): QuarterHoldings[] {
    const byPeriod = new Map<string, (FiledThirteenF & { lines: readonly HoldingLine[]; report: FiledThirteenF })[]>();
    for (const [key, own] of lines) {
      const report = this.#reports.get(key);
      if (report === undefined || !isFiled(report) || this.isIncomplete(key)) continue;
      pushTo(byPeriod, report.period, { ...report, lines: own, report });
    }
    return [...byPeriod.entries()]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([, filings]): QuarterHoldings[] => {
        const effective = effectiveReport(filings);
        return effective === null ? [] : [{ base: effective.base.report, parts: effective.parts }];
      });
  }

  /** A manager's reports that imply prices: the effective ones, and those that are incomplete or have no known filing. */
  reportsOf(
    lines: ReadonlyMap<string, readonly HoldingLine[]>,
  ): { readonly report: ThirteenFReport; readonly lines: readonly HoldingLine[] }[] {
    const others = [...lines].flatMap(([key, own]) => {
      const report = this.#reports.get(key);
      return report === undefined || (isFiled(report) && !this.isIncomplete(key)) ? [] : [{ report, lines: own }];
    });
    return [...this.quartersOf(lines).flatMap(({ parts }) => parts), ...others];
  }

  /** Whether a report has less than half the entries that its cover page states. */
  isIncomplete(key: string): boolean {
    const stated = this.#reports.get(key)?.entryTotal ?? null;
    return stated !== null && this.#lineCount(key) * 2 < stated;
  }

  hasLines(key: string): boolean {
    return this.#lineCount(key) > 0;
  }

  #lineCount(key: string): number {
    return this.#counts.get(key) ?? 0;
  }
}

function isFiled(report: ThirteenFReport): report is FiledThirteenF {
  return report.accession !== null && report.filed !== null;
}

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
