/** The reports of managers and, on disk, their lines: gathered from files in any order, given back manager by manager. */

import type { FilingRecord } from '../../../edgar/filings/submissions.ts';
import type { FiledThirteenF, HoldingLine, ThirteenFReport } from '../../../edgar/holdings/thirteen-f-report.ts';
import type { ReportFiling } from '../../../figures/holders/effective-report.ts';
import { effectiveReport } from '../../../figures/holders/effective-report.ts';
import { isQuarterEnd } from '../../../figures/holders/quarters.ts';
import type { ValueUnit } from '../../../figures/holders/value-unit.ts';
import { CELLS, Spill } from '../../store/spill.ts';

/** What a manager held at the end of a quarter: its effective report and the lines that make it up. */
export interface QuarterHoldings {
  readonly base: FiledThirteenF;
  /** Each part's lines with its own unit of value. */
  readonly parts: readonly { readonly report: FiledThirteenF; readonly lines: readonly HoldingLine[] }[];
}

export class HoldingsCollector {
  readonly #reports = new Map<string, ThirteenFReport>();
  readonly #counts = new Map<string, number>();
  /** The report's key, then the line's cells. */
  readonly #spill: Spill<readonly string[]>;
  readonly #units = new Map<ThirteenFReport, ValueUnit>();

  constructor(directory: string) {
    this.#spill = new Spill(directory, undefined, CELLS);
  }

  get size(): number {
    return this.#reports.size;
  }

  get reports(): ReadonlyMap<string, ThirteenFReport> {
    return this.#reports;
  }

  lineCount(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  /** The first file that brings a report keeps it; whether this one does. */
  addReport(key: string, report: ThirteenFReport): boolean {
    if (this.#reports.has(key) || !isQuarterEnd(report.period)) return false;
    this.#reports.set(key, report);
    return true;
  }

  /**
   * A cover page alone says neither its accession nor when it was filed; the manager's own list of filings does, where
   * just one filing of that form is for that quarter.
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

  addLine(key: string, line: HoldingLine): void {
    const report = this.#reports.get(key);
    if (report === undefined) return;
    this.#counts.set(key, this.lineCount(key) + 1);
    const { issuer, titleOfClass, cusip, value, amount, amountType, putCall } = line;
    this.#spill.add(report.cik, [key, issuer, titleOfClass, cusip, value, amount, amountType, putCall]);
  }

  /** Kept from the first pass, for it takes prices to find. */
  setUnit(report: ThirteenFReport, unit: ValueUnit): void {
    this.#units.set(report, unit);
  }

  /** The unit of a report's values; dollars until it was found. */
  unitOf(report: ThirteenFReport): ValueUnit {
    return this.#units.get(report) ?? 'dollars';
  }

  /** Every manager's lines by report, managers ascending. Can be gone through again. */
  *managers(): Generator<readonly [cik: number, lines: ReadonlyMap<string, readonly HoldingLine[]>]> {
    for (const [cik, spilled] of this.#spill.groups()) {
      const lines = new Map<string, HoldingLine[]>();
      for (const row of spilled) {
        const [key = ''] = row;
        const line = lineOf(row);
        const known = lines.get(key);
        if (known === undefined) lines.set(key, [line]);
        else known.push(line);
      }
      yield [cik, lines];
    }
  }

  /**
   * A manager's quarters, earliest first, from the reports that are whole: a table with less than half the entries
   * that its cover promises is a piece of one.
   */
  quartersOf(lines: ReadonlyMap<string, readonly HoldingLine[]>): QuarterHoldings[] {
    const byPeriod = new Map<string, (ReportFiling & { key: string; report: FiledThirteenF })[]>();
    for (const key of lines.keys()) {
      const report = this.#reports.get(key);
      if (report === undefined || !isFiled(report) || this.isIncomplete(key)) continue;
      const { accession, filed, form, amendment, entryTotal } = report;
      const filings = byPeriod.get(report.period) ?? [];
      filings.push({ accession, filed, form, amendment, entryTotal, key, report });
      byPeriod.set(report.period, filings);
    }
    return [...byPeriod.entries()]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([, filings]): QuarterHoldings[] => {
        const effective = effectiveReport(filings);
        if (effective === null) return [];
        const parts = effective.parts.map(({ key, report }) => ({ report, lines: lines.get(key) ?? [] }));
        return [{ base: effective.base.report, parts }];
      });
  }

  /** The reports of a manager that say what it held: effective ones, and those that only a price can be read from. */
  reportsOf(
    lines: ReadonlyMap<string, readonly HoldingLine[]>,
  ): { readonly report: ThirteenFReport; readonly lines: readonly HoldingLine[] }[] {
    const others = [...lines].flatMap(([key, own]) => {
      const report = this.#reports.get(key);
      return report === undefined || (isFiled(report) && !this.isIncomplete(key)) ? [] : [{ report, lines: own }];
    });
    return [...this.quartersOf(lines).flatMap(({ parts }) => parts), ...others];
  }

  isIncomplete(key: string): boolean {
    const promised = this.#reports.get(key)?.entryTotal ?? null;
    return promised !== null && this.lineCount(key) * 2 < promised;
  }
}

export function isFiled(report: ThirteenFReport): report is FiledThirteenF {
  return report.accession !== null && report.filed !== null;
}

function lineOf(cells: readonly string[]): HoldingLine {
  const [, issuer = '', titleOfClass = '', cusip = '', value = '0', amount = '0', amountType = '', putCall = ''] =
    cells;
  return {
    issuer,
    titleOfClass,
    cusip,
    value,
    amount,
    amountType: amountType === 'PRN' ? 'PRN' : 'SH',
    putCall: putCall === 'Put' || putCall === 'Call' ? putCall : '',
  };
}
