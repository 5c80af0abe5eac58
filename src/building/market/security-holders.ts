/** The holders of companies' securities: written by the tasks of managers, read shard by shard of companies. */

import { compareText } from '../../contract/compare-text.ts';
import { compareDecimals, type Decimal } from '../../contract/decimal-text.ts';
import { weightOf } from '../../figures/holders/positions.ts';
import { quarterBefore } from '../../figures/holders/quarters.ts';
import { assertDefined } from '../../platform/assert-defined.ts';
import { pushTo } from '../../platform/collections.ts';
import { SECURITY_HOLDERS, type SecurityHolderRow } from '../../store/schema/holders.ts';
import type { WithCik } from '../../store/schema/table.ts';
import { joinCells, splitCells } from '../../store/spill.ts';
import { PartSink, type TablePart } from '../../store/table-part.ts';
import { type ShardEnds, shardOf } from '../tasks/company-shards.ts';
import { readSlices, type Slice, type SliceWriter } from '../tasks/slices.ts';

/** A manager's holding of one security of a company, or of its notes. */
export type Holding = WithCik<Pick<SecurityHolderRow, 'tickerNormalized' | 'amountType' | 'amount' | 'value'>>;

/** The columns that the holdings of one report share. */
type HolderReport = Omit<SecurityHolderRow, keyof Holding | 'weight'> & {
  /** Value of all positions in the report. */
  readonly total: Decimal;
};

/** A holding and its report. */
type ReportedHolding = Omit<Holding, 'cik'> & { readonly report: HolderReport };

/** Name of the group of slices with the holders of a shard of companies. */
export const holdersGroup = (shard: string): string => `holders ${shard}`;

/** Writes the holders that a task finds, manager by manager, sorted by company. */
export class HoldingWriter {
  readonly #sliceWriter: SliceWriter;
  readonly #shardEnds: ShardEnds;
  /** The report whose holdings are being written, by group. */
  readonly #reports = new Map<string, HolderReport>();

  constructor(sliceWriter: SliceWriter, shardEnds: ShardEnds) {
    this.#sliceWriter = sliceWriter;
    this.#shardEnds = shardEnds;
  }

  add(report: HolderReport, { cik, tickerNormalized, amountType, amount, value }: Holding): void {
    const group = holdersGroup(shardOf(cik, this.#shardEnds));
    // Each report is written once, before its holdings.
    if (this.#reports.get(group) !== report) this.#sliceWriter.add(group, `${JSON.stringify(report)}\n`);
    this.#reports.set(group, report);
    this.#sliceWriter.add(group, `${joinCells([String(cik), tickerNormalized, amountType, amount, value])}\n`);
  }
}

const HOLDING_CELLS = ['cik', 'tickerNormalized', 'amountType', 'amount', 'value'] as const;

export interface HoldersTask {
  readonly kind: 'holders';
  /** The holdings of a shard of companies. */
  readonly holdings: readonly Slice[];
  /** The latest quarter for which all reports were due by the release's date. */
  readonly quarter: string;
}

/**
 * Yields each company's holders in the order of the table, for two quarters: the latest quarter for which all reports
 * were due by the release's date, or else the latest quarter, and the quarter before.
 */
export async function securityHoldersOf({
  holdings,
  quarter,
}: HoldersTask): Promise<{ readonly parts: readonly TablePart[] }> {
  const sink = new PartSink(SECURITY_HOLDERS);
  for (const [cik, companyHoldings] of [...readHoldings(readSlices(holdings))].sort(([a], [b]) => a - b)) {
    const periods = [...new Set(companyHoldings.map(({ report }) => report.period))].sort();
    const latestPeriod = periods.findLast((period) => period <= quarter) ?? periods.at(-1);
    if (latestPeriod === undefined) continue;
    const shownPeriods = new Set([latestPeriod, quarterBefore(latestPeriod)]);
    const shownHoldings = companyHoldings.filter(({ report }) => shownPeriods.has(report.period));
    sink.add(cik, shownHoldings.map(({ report, ...holding }) => rowOf(cik, report, holding)).sort(compareHolderRows));
  }
  return { parts: [sink.finish()] };
}

function readHoldings(text: string): ReadonlyMap<number, readonly ReportedHolding[]> {
  const holdings = new Map<number, ReportedHolding[]>();
  let report: HolderReport | null = null;
  for (const line of text.split('\n')) {
    if (line.startsWith('{')) report = JSON.parse(line) as HolderReport;
    else if (line !== '') {
      const [cik, tickerNormalized, amountType, amount, value] = splitCells(line, HOLDING_CELLS);
      pushTo(holdings, Number(cik), { report: assertDefined(report), tickerNormalized, amountType, amount, value });
    }
  }
  return holdings;
}

function rowOf(
  cik: number,
  { total, ...reportFields }: HolderReport,
  holding: Omit<Holding, 'cik'>,
): WithCik<SecurityHolderRow> {
  return { cik, ...reportFields, ...holding, weight: weightOf(holding, total) };
}

function compareHolderRows(a: SecurityHolderRow, b: SecurityHolderRow): number {
  return (
    compareText(a.period, b.period) ||
    compareText(a.tickerNormalized, b.tickerNormalized) ||
    compareDecimals(b.value, a.value) ||
    a.holderCik - b.holderCik
  );
}
