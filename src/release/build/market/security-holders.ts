import { compareDecimals, type Decimal } from '../../../contract/decimal-text.ts';
import { weightOf } from '../../../figures/holders/positions.ts';
import { isReported, quarterBefore } from '../../../figures/holders/quarters.ts';
import type { SecurityHolderRow } from '../../schema/holders.ts';
import { compare, type OfCompany } from '../../schema/table.ts';
import { type Codec, joinCells, Spill, splitCells } from '../../store/spill.ts';

/** What a manager holds of one security of a company, or of its notes. */
export type Holding = OfCompany<Pick<SecurityHolderRow, 'tickerNormalized' | 'amountType' | 'amount' | 'value'>>;

/** What the holdings of one report have in common. */
type Report = Omit<SecurityHolderRow, keyof Holding | 'weight'> & {
  /** The value of the whole report. */
  readonly total: Decimal;
};

/** A holding and the number of its report. */
type NumberedHolding = Omit<Holding, 'cik'> & { readonly report: number };

const CELLS = ['report', 'tickerNormalized', 'amountType', 'amount', 'value'] as const;
const HOLDINGS: Codec<NumberedHolding> = {
  write: ({ report, tickerNormalized, amountType, amount, value }) =>
    joinCells([String(report), tickerNormalized, amountType, amount, value]),
  read: (line) => {
    const [report, tickerNormalized, amountType, amount, value] = splitCells(line, CELLS);
    return { report: Number(report), tickerNormalized, amountType, amount, value };
  },
};

/** Collects the holders of covered companies on disk, manager by manager, and returns them company by company. */
export class SecurityHolders {
  readonly #reports: Report[] = [];
  readonly #holdings: Spill<NumberedHolding>;

  /** @param covered the companies whose holders are kept */
  constructor(directory: string, covered: ReadonlySet<number>) {
    this.#holdings = new Spill(directory, covered, HOLDINGS);
  }

  /** Returns the number under which the report's holdings are added. */
  addReport(report: Report): number {
    return this.#reports.push(report) - 1;
  }

  add(report: number, { cik, ...holding }: Holding): void {
    this.#holdings.add(cik, { report, ...holding });
  }

  /**
   * Every company's holders in the order of the table, companies ascending: of the latest quarter for which all reports
   * were due by the release's date, else of the latest quarter at all, and of the quarter before.
   */
  *byCompany(date: string): Generator<readonly [cik: number, rows: readonly OfCompany<SecurityHolderRow>[]]> {
    for (const [cik, holdings] of this.#holdings.groups()) {
      const periodOf = ({ report }: NumberedHolding) => this.#reportOf(report).period;
      const periods = [...new Set(holdings.map(periodOf))].sort();
      const latest = periods.findLast((period) => isReported(period, date)) ?? periods.at(-1);
      if (latest === undefined) continue;
      const wanted = new Set([latest, quarterBefore(latest)]);
      const shown = holdings.filter((holding) => wanted.has(periodOf(holding)));
      yield [cik, shown.map((holding) => this.#rowOf(cik, holding)).sort(inOrder)];
    }
  }

  #rowOf(cik: number, { report, ...holding }: NumberedHolding): OfCompany<SecurityHolderRow> {
    const { total, ...common } = this.#reportOf(report);
    return { cik, ...common, ...holding, weight: weightOf(holding, total) };
  }

  #reportOf(number: number): Report {
    const report = this.#reports[number];
    if (report === undefined) throw new RangeError(`no report has the number ${number}`);
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
