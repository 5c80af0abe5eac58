import type { JudgedFiling } from '../../../figures/insiders/judge.ts';
import type { FilingRow } from '../../schema/filings.ts';
import type { Check } from '../../store/manifest.ts';

/** Some thousands of times of the early 2000s are those of a conversion. */
const ODD_SHARE = 0.05;
/** EDGAR accepts filings from six to ten in New York; what is under way at ten still comes in. */
const OPENS = '06:00';
const CLOSES = '22:10';

/** Checks filings and insider trades before they are published. */
export class FilingChecks {
  #rows = 0;
  #withTime = 0;
  #oddHours = 0;
  #insiderFilings = 0;
  #trades = 0;
  #undated = 0;

  /** Adds one company's rows. */
  add(rows: readonly FilingRow[], insiders: readonly JudgedFiling[]): void {
    this.#rows += rows.length;
    for (const { acceptedAt } of rows) {
      if (acceptedAt === null) continue;
      this.#withTime += 1;
      const time = acceptedAt.slice(11, 16);
      if (time < OPENS || time > CLOSES) this.#oddHours += 1;
    }
    this.#insiderFilings += insiders.length;
    for (const { filed, trades } of insiders) {
      this.#trades += trades.length;
      if (filed === null) this.#undated += 1;
    }
  }

  /** @param days how many filings the tables of days count */
  checks(days: number): Check[] {
    return [
      {
        name: 'filing days',
        passed: days <= this.#rows && (days > 0 || this.#rows === 0),
        detail: `${this.#rows} filings in the lists of companies, ${days} in those of days, where a filing of several companies stands once`,
      },
      {
        name: 'acceptance',
        passed: this.#oddHours <= this.#withTime * ODD_SHARE,
        detail: `${this.#oddHours} of ${this.#withTime} times of acceptance are outside the hours of the filing system`,
      },
      {
        name: 'insider trades',
        passed: this.#trades >= this.#insiderFilings,
        detail: `${this.#trades} purchases and sales in ${this.#insiderFilings} filings; the day of filing of ${this.#undated} is not known`,
      },
    ];
  }
}
