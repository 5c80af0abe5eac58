/** Institutional holders: managers' reports and latest positions, and who holds each covered security. */
import { compareDecimals, type Decimal } from '../../contract/decimal.ts';
import { add } from '../../figures/arithmetic.ts';
import { comparePositions } from '../../figures/holders/comparison.ts';
import { amountsAreValues, positionsOf, sumLines, totalValue, weightOf } from '../../figures/holders/positions.ts';
import { isReported, quarterBefore } from '../../figures/holders/quarters.ts';
import type { Position } from '../../figures/holders/types.ts';
import type { Family, FamilyContext } from '../family.ts';
import type { HolderPositionRow, HolderReportRow, SecurityHolderRow } from '../holder-tables.ts';
import { HOLDER_POSITIONS, HOLDER_REPORTS, SECURITY_HOLDERS } from '../holder-tables.ts';
import { Spill } from '../spill.ts';
import { compare } from '../statement-order.ts';
import { EntryTotals } from './entry-totals.ts';
import type { QuarterHoldings } from './holdings-desk.ts';
import { isFiled } from './holdings-desk.ts';
import type { Market } from './market.ts';

export const HOLDERS_FAMILY: Family = {
  name: 'holders',
  tables: [HOLDER_REPORTS, HOLDER_POSITIONS, SECURITY_HOLDERS],
  async build(context) {
    const { market, setAside, date, sink, companies } = context;
    const covered = new Set(companies.map(({ cik }) => cik));
    const totals = new EntryTotals();
    const bySecurity = new Spill<SecurityHolderRow>(context.scratch, covered);
    countUnused(context);
    for (const [holderCik, lines] of market.holdings.managers()) {
      context.signal?.throwIfAborted();
      const quarters = market.holdings.quartersOf(lines).filter(({ base }) => base.filed <= date);
      const held = quarters.map((quarter) => heldIn(quarter, market, totals));
      // Of a manager that holds nothing the release covers nothing is told.
      if (!held.some(({ positions }) => positions.some((one) => isCovered(one, market, covered)))) continue;
      sink(HOLDER_REPORTS).add(
        holderCik,
        held.map((quarter, index) => reportRow(holderCik, quarter, held[index - 1])),
      );
      sink(HOLDER_POSITIONS).add(holderCik, positionRows(holderCik, held, market, covered));
      for (const quarter of held) spillHoldings(holderCik, quarter, held, market, bySecurity);
    }
    for (const [cik, rows] of bySecurity.groups()) {
      const shown = shownQuarters(rows, date);
      sink(SECURITY_HOLDERS).add(
        cik,
        shown.map((row) => ({ cik, ...row })),
      );
    }
    if (market.holdings.reports.size === 0) context.omit(HOLDERS_FAMILY.tables);
    if (totals.tested === 0) setAside.add('a release without holders');
    return [totals.check()];
  },
};

interface Held {
  readonly quarter: QuarterHoldings;
  readonly positions: readonly Position[];
  readonly total: Decimal;
  /** Whether the amounts mean amounts. */
  readonly usable: boolean;
}

function heldIn(quarter: QuarterHoldings, market: Market, totals: EntryTotals): Held {
  const parts = quarter.parts.map(({ report, lines }) => {
    const unit = market.holdings.unitOf(report);
    totals.add(report, lines, unit);
    return sumLines(lines, unit);
  });
  const positions = positionsOf(parts.flat(), 'dollars');
  const usable = !quarter.parts.some(({ lines }) => amountsAreValues(lines));
  return { quarter, positions, total: totalValue(positions), usable };
}

function isCovered({ cusip }: Position, market: Market, covered: ReadonlySet<number>): boolean {
  const cik = market.book.securityOf(cusip)?.cik;
  return cik !== undefined && covered.has(cik);
}

function reportRow(holderCik: number, { quarter, positions, total }: Held, before: Held | undefined): HolderReportRow {
  const { base } = quarter;
  const change = before === undefined ? null : comparePositions(positions, before.positions);
  return {
    holderCik,
    name: base.managerName,
    period: base.period,
    accession: base.accession,
    filed: base.filed,
    positions: positions.length,
    valueTotal: total,
    otherManagers: base.otherManagers,
    priorPeriod: before?.quarter.base.period ?? null,
    opened: change?.opened ?? null,
    closed: change?.closed ?? null,
  };
}

function positionRows(
  holderCik: number,
  held: readonly Held[],
  market: Market,
  covered: ReadonlySet<number>,
): HolderPositionRow[] {
  const last = held.at(-1);
  if (last === undefined) return [];
  const { prior } = comparePositions(last.positions, held.at(-2)?.positions ?? []);
  return last.positions.map((position, index) => {
    const security = isCovered(position, market, covered) ? market.book.securityOf(position.cusip) : null;
    return {
      holderCik,
      ...position,
      weight: weightOf(position, last.total),
      priorAmount: prior[index]?.amount ?? null,
      priorValue: prior[index]?.value ?? null,
      cik: security?.cik ?? null,
      tickerNormalized: security?.tickerNormalized ?? null,
    };
  });
}

/** Shares of a covered security, and notes of its company; options are claims on shares that others hold. */
function spillHoldings(
  holderCik: number,
  { quarter: { base }, positions, total, usable }: Held,
  held: readonly Held[],
  market: Market,
  bySecurity: Spill<SecurityHolderRow>,
): void {
  if (!usable) return;
  const periods = new Set(held.map(({ quarter }) => quarter.base.period));
  const rows = new Map<string, SecurityHolderRow & { readonly cik: number }>();
  for (const position of positions.filter(({ putCall }) => putCall === '')) {
    const security = market.book.securityOf(position.cusip);
    const cik = security?.cik ?? (position.amountType === 'PRN' ? market.book.issuerOf(position.cusip) : null);
    if (cik === null) continue;
    const tickerNormalized = position.amountType === 'PRN' ? '' : (security?.tickerNormalized ?? '');
    const key = `${cik} ${tickerNormalized} ${position.amountType}`;
    const known = rows.get(key);
    const value = add(known?.value ?? '0', position.value);
    rows.set(key, {
      cik,
      tickerNormalized,
      period: base.period,
      holderCik,
      holderName: base.managerName,
      accession: base.accession,
      filed: base.filed,
      amount: add(known?.amount ?? '0', position.amount),
      amountType: position.amountType,
      value,
      weight: weightOf({ ...position, value }, total),
      priorKnown: periods.has(quarterBefore(base.period)),
      nextKnown: held.some((other) => quarterBefore(other.quarter.base.period) === base.period),
    });
  }
  for (const { cik, ...row } of rows.values()) bySecurity.add(cik, row);
}

/** The latest quarter that all had to report by the release's date, or failing one the latest at all, and the one before. */
function shownQuarters(rows: readonly SecurityHolderRow[], date: string): SecurityHolderRow[] {
  const periods = [...new Set(rows.map(({ period }) => period))].sort();
  const shown = periods.findLast((period) => isReported(period, date)) ?? periods.at(-1);
  if (shown === undefined) return [];
  const wanted = new Set([shown, quarterBefore(shown)]);
  return rows.filter(({ period }) => wanted.has(period)).sort(inOrder);
}

function inOrder(a: SecurityHolderRow, b: SecurityHolderRow): number {
  return (
    compare(a.period, b.period) ||
    compare(a.tickerNormalized, b.tickerNormalized) ||
    compareDecimals(b.value, a.value) ||
    a.holderCik - b.holderCik
  );
}

/** Says why reports that were read are told of nowhere. */
function countUnused({ market: { holdings }, setAside }: FamilyContext): void {
  for (const [key, report] of holdings.reports) {
    if (!report.form.startsWith('13F-HR')) setAside.add('a 13F notice, whose holdings stand in another report');
    else if (!isFiled(report)) setAside.add('a 13F report whose accession is not known');
    else if (holdings.isPiece(key)) setAside.add('a 13F report with less than half the entries it promises');
  }
}
