/**
 * Collects the holders of companies' securities. Tasks of managers write holdings; later tasks read them by shard of
 * companies.
 */

import { compareText } from '../../contract/compare-text.ts';
import { compareDecimals, type Decimal } from '../../contract/decimal-text.ts';
import { computeWeight } from '../../ownership/holders/positions.ts';
import { findPreviousQuarterEnd } from '../../ownership/holders/quarters.ts';
import { assertDefined, pushTo } from '../../platform/collections.ts';
import { joinCells, splitCells } from '../../store/keyed-lines.ts';
import type { WithCik } from '../../store/schema/declare-table.ts';
import { OTHER_SECURITY_HOLDERS, SECURITY_HOLDERS, type SecurityHolderRow } from '../../store/schema/holders.ts';
import { PartSink } from '../../store/table-part.ts';
import { findShardName, type ShardEnds } from '../tasks/company-shards.ts';
import { readSlices, type Slice, type SliceWriter } from '../tasks/slices.ts';
import type { PartsResult, Task } from '../tasks/task.ts';

/** A manager's holding of one security of a company, or of the company's notes. */
export type Holding = WithCik<Pick<SecurityHolderRow, 'tickerNormalized' | 'amountType' | 'amount' | 'value'>>;

/** The fields shared by all holdings of a report. */
type HolderReport = Omit<SecurityHolderRow, keyof Holding | 'weight'> & {
  /** Value of all positions in the report. */
  readonly total: Decimal;
};

type ReportedHolding = Omit<Holding, 'cik'> & { readonly report: HolderReport };

/** Returns the name of the group of slices with the holders of a shard of companies. */
export const makeHoldersGroup = (shard: string): string => `holders ${shard}`;

/** Writes the holdings of one manager after another. Each shard of companies has its own group of slices. */
export class HoldingWriter {
  /** The report last written to each group. */
  readonly #lastReportByGroup = new Map<string, HolderReport>();

  constructor(
    private readonly sliceWriter: SliceWriter,
    private readonly shardEnds: ShardEnds,
  ) {}

  add(report: HolderReport, { cik, tickerNormalized, amountType, amount, value }: Holding): void {
    const name = makeHoldersGroup(findShardName(cik, this.shardEnds));
    // Writes each report once per group, before its holdings.
    if (this.#lastReportByGroup.get(name) !== report) this.sliceWriter.add(name, `${JSON.stringify(report)}\n`);
    this.#lastReportByGroup.set(name, report);
    this.sliceWriter.add(name, `${joinCells([String(cik), tickerNormalized, amountType, amount, value])}\n`);
  }
}

const HOLDING_FIELDS = ['cik', 'tickerNormalized', 'amountType', 'amount', 'value'] as const;

export interface HoldersTask extends Task<PartsResult> {
  readonly kind: 'holders';
  /** Holdings of a shard of companies. */
  readonly holdings: readonly Slice[];
  /** The latest quarter whose reports were all due by the release's date. */
  readonly quarter: string;
}

/**
 * Returns each company's holders, sorted as in the tables. The first table has two quarters: the latest quarter up to
 * `quarter` in which the company has holders (or else its last quarter with holders), and the quarter before. The
 * second table has all other quarters.
 */
export async function makeSecurityHolders({ holdings, quarter }: HoldersTask): Promise<PartsResult> {
  const sink = new PartSink(SECURITY_HOLDERS);
  const otherSink = new PartSink(OTHER_SECURITY_HOLDERS);
  for (const [cik, positions] of [...readHoldings(readSlices(holdings))].sort(([a], [b]) => a - b)) {
    const periods = [...new Set(positions.map(({ report }) => report.period))].sort();
    const latest = periods.findLast((period) => period <= quarter) ?? periods.at(-1);
    if (latest === undefined) continue;
    const shownPeriods = new Set([latest, findPreviousQuarterEnd(latest)]);
    const rows = positions.map(({ report, ...holding }) => makeRow(cik, report, holding)).sort(compareHolderRows);
    const shownRows = rows.filter(({ period }) => shownPeriods.has(period));
    const otherRows = rows.filter(({ period }) => !shownPeriods.has(period));
    sink.add(cik, shownRows);
    if (otherRows.length > 0) otherSink.add(cik, otherRows);
  }
  return { parts: [sink.finish(), otherSink.finish()] };
}

function readHoldings(text: string): ReadonlyMap<number, readonly ReportedHolding[]> {
  const byCik = new Map<number, ReportedHolding[]>();
  let report: HolderReport | null = null;
  for (const line of text.split('\n')) {
    if (line.startsWith('{')) report = JSON.parse(line) as HolderReport;
    else if (line !== '') {
      const [cik, tickerNormalized, amountType, amount, value] = splitCells(line, HOLDING_FIELDS);
      pushTo(byCik, Number(cik), { report: assertDefined(report), tickerNormalized, amountType, amount, value });
    }
  }
  return byCik;
}

const makeRow = (
  cik: number,
  { total, ...reportFields }: HolderReport,
  holding: Omit<Holding, 'cik'>,
): WithCik<SecurityHolderRow> => ({ cik, ...reportFields, ...holding, weight: computeWeight(holding, total) });

const compareHolderRows = (a: SecurityHolderRow, b: SecurityHolderRow): number =>
  compareText(a.period, b.period) ||
  compareText(a.tickerNormalized, b.tickerNormalized) ||
  compareDecimals(b.value, a.value) ||
  a.holderCik - b.holderCik;
