/** How old a row of the screener is: by the end of its fiscal year, on the day of the release. */
import { Failure } from '../../../contract/failure.ts';
import { quote } from '../../../contract/quote.ts';
import type { Meta } from '../../../contract/resources/envelope.ts';
import type { ScreenRow } from '../../../contract/resources/screen.ts';
import { count } from '../../../output/wording.ts';
import { addDays, addMonths } from '../../../platform/dates.ts';
import type { RowFilter } from '../../command.ts';
import type { GivenOptions, OptionSpec } from '../../command-line/option-spec.ts';

export const MAX_AGE: OptionSpec = {
  name: 'max-age',
  value: 'age',
  help: 'Leave out companies whose fiscal year ended longer ago, such as 18m or 2y',
};

/** The column that ages go by. */
export const YEAR_END = 'annual_end_date';

/** A fiscal year and the half year in which the next one is reported. */
const OLD: Age = { text: '18m', count: 18, unit: 'm' };

interface Age {
  readonly text: string;
  readonly count: number;
  readonly unit: 'd' | 'm' | 'y';
}

/** Longer than tagged reports exist. */
const MOST_YEARS = 100;
const PER_YEAR = { d: 366, m: 12, y: 1 } as const;

/** The rows to keep; null without the option. Throws a usage Failure for what is no age. */
export function youngerRows(options: GivenOptions): RowFilter<ScreenRow> | null {
  const age = readAge(options.get(MAX_AGE.name) ?? []);
  if (age === null) return null;
  return {
    keeps: (row, meta) => isYoung(row, firstDay(meta, age)),
    notice: (left, rows, meta) =>
      left === 0
        ? []
        : [
            `${left} of ${count(rows, 'row')} of the service left out here by --max-age ${age.text}: ` +
              `fiscal year ended before ${firstDay(meta, age)}.`,
          ],
  };
}

/** A notice that counts the old rows and names the oldest. Rows without the end of their year count for nothing. */
export function oldRowsNotice(rows: Iterable<ScreenRow>, meta: Partial<Meta>): string[] {
  const first = firstDay(meta, OLD);
  let [all, old] = [0, 0];
  let oldest: { readonly ticker: string; readonly end: string } | null = null;
  for (const { ticker, [YEAR_END]: end } of rows) {
    all += 1;
    if (typeof end !== 'string' || end >= first) continue;
    old += 1;
    if (oldest === null || end < oldest.end) oldest = { ticker, end };
  }
  if (oldest === null) return [];
  const named = `${oldest.ticker}, fiscal year to ${oldest.end}`;
  const which = old === 1 ? named : `the oldest ${named}`;
  return [`${old} of ${count(all, 'row')} older than 18 months (${which}). Leave out: --max-age ${OLD.text}`];
}

function readAge(given: readonly string[]): Age | null {
  const [text, ...others] = given;
  if (text === undefined) return null;
  if (others.length > 0) throw new Failure('usage', `--max-age was given ${given.length} times; give it once.`);
  const [, digits = '', unit = ''] = /^(\d{1,5})([dmy])$/i.exec(text.trim()) ?? [];
  const age = { text, count: Number(digits), unit: unit.toLowerCase() as Age['unit'] };
  if (age.count > 0 && age.count <= MOST_YEARS * PER_YEAR[age.unit]) return age;
  throw new Failure('usage', `--max-age ${quote(text)} is no age of figures, such as 18m (months), 2y or 400d.`, {
    hint: `It is from 1d to ${MOST_YEARS}y. How old a cached response may be: --fresh, --offline`,
  });
}

/** The first day on which a fiscal year may have ended. */
function firstDay({ release, as_of: asOf }: Partial<Meta>, { count: units, unit }: Age): string {
  const today = asOf ?? release?.date ?? new Date().toISOString().slice(0, 10);
  return unit === 'd' ? addDays(today, -units) : addMonths(today, unit === 'm' ? -units : -12 * units);
}

const isYoung = ({ [YEAR_END]: end }: ScreenRow, first: string): boolean => typeof end === 'string' && end >= first;
