/** Who holds each covered company: gathered manager by manager, on disk, and given back company by company. */
import { compareDecimals, type Decimal } from '../../../contract/decimal-text.ts';
import { weightOf } from '../../../figures/holders/positions.ts';
import { isReported, quarterBefore } from '../../../figures/holders/quarters.ts';
import type { SecurityHolderRow } from '../../schema/holders.ts';
import { compare } from '../../schema/row-order.ts';
import type { OfCompany } from '../../schema/table.ts';
import { CELLS, Spill } from '../../store/spill.ts';

/** What a manager holds of one security of a company, or of its notes. */
export type Holding = OfCompany<Pick<SecurityHolderRow, 'tickerNormalized' | 'amountType' | 'amount' | 'value'>>;

/** What all holdings of one report have in common. */
type Report = Omit<SecurityHolderRow, keyof Holding | 'weight'> & {
  /** What the whole report is worth. */
  readonly total: Decimal;
};

export class SecurityHolders {
  /** Held once, for a report has up to thousands of holdings. */
  readonly #reports: Report[] = [];
  /** The report's number, then the holding's cells. */
  readonly #holdings: Spill<readonly string[]>;

  /** @param covered the companies whose holders are kept */
  constructor(directory: string, covered: ReadonlySet<number>) {
    this.#holdings = new Spill(directory, covered, CELLS);
  }

  /** The number that the report's holdings are added under. */
  addReport(report: Report): number {
    return this.#reports.push(report) - 1;
  }

  add(report: number, { cik, tickerNormalized, amountType, amount, value }: Holding): void {
    this.#holdings.add(cik, [String(report), tickerNormalized, amountType, amount, value]);
  }

  /**
   * Every company's holders in the order of the table, companies ascending: of the latest quarter that all had to report
   * by the release's date, or failing one the latest at all, and of the one before.
   */
  *byCompany(date: string): Generator<readonly [cik: number, rows: readonly OfCompany<SecurityHolderRow>[]]> {
    for (const [cik, spilled] of this.#holdings.groups()) {
      const periods = [...new Set(spilled.map(([report]) => this.#reportOf(report).period))].sort();
      const latest = periods.findLast((period) => isReported(period, date)) ?? periods.at(-1) ?? '';
      const wanted = new Set([latest, quarterBefore(latest)]);
      const rows = spilled.filter(([report]) => wanted.has(this.#reportOf(report).period));
      yield [cik, rows.map((cells) => this.#rowOf(cik, cells)).sort(inOrder)];
    }
  }

  #rowOf(
    cik: number,
    [report, tickerNormalized = '', amountType = '', amount = '0', value = '0']: readonly string[],
  ): OfCompany<SecurityHolderRow> {
    const { total, ...common } = this.#reportOf(report);
    return { cik, ...common, tickerNormalized, amountType, amount, value, weight: weightOf({ value }, total) };
  }

  #reportOf(number: string | undefined): Report {
    const report = this.#reports[Number(number)];
    if (report === undefined) throw new RangeError(`there is no report ${number}`);
    return report;
  }
}

function inOrder(a: SecurityHolderRow, b: SecurityHolderRow): number {
  return (
    compare(a.period, b.period) ||
    compare(a.tickerNormalized, b.tickerNormalized) ||
    compareDecimals(b.value, a.value) ||
    a.holderCik - b.holderCik
  );
}
