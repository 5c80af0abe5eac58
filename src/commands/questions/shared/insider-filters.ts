/** What `insiders` and `insider-activity` leave out and sort by options of their own: the interface has none of them. */
import { compareDecimals, type Decimal } from '../../../contract/decimal-text.ts';
import { Failure } from '../../../contract/failure.ts';
import { quote } from '../../../contract/quote.ts';
import type { InsiderActivityPage, InsiderFiling } from '../../../contract/resources/insiders.ts';
import { count } from '../../../output/wording.ts';
import type { Narrowing } from '../../command.ts';
import type { GivenOptions, OptionSpec } from '../../command-line/option-spec.ts';
import { type TradeLine, tradeLines } from './insider-lines.ts';
import { writtenOut } from './screen-filters.ts';

export const INSIDER_OPTIONS: readonly OptionSpec[] = [
  {
    name: 'min-value',
    value: 'amount',
    help: 'Leave out trades of less, such as 1M: lots of one filing count together',
  },
  { name: 'exclude-plans', help: 'Leave out filings that name a trading plan (Rule 10b5-1)' },
  { name: 'sort', value: 'name', values: ['value'], help: 'Sort by value, the largest first' },
  { name: 'lots', help: 'Show each lot of a filing, not their sum' },
];

export const INSIDER_FILTER_HELP =
  'A table sums the lots of one filing, side and security in one line, at their mean price; --lots shows each. Rows of CSV and ' +
  'NDJSON are always lots. --min-value, --exclude-plans and --sort are no parameters of the service: all its pages are ' +
  'fetched and filtered here, unless --limit or --offset names one (--plan prints the cost, --since and --kind lower it). ' +
  'A filing that does not say whether it was under a plan, as before April 2023, stays.';

/** Null without these options. Throws a usage Failure for an invalid value. */
export function narrowTrades(options: GivenOptions): Narrowing<InsiderActivityPage> | null {
  const least = readAmount(options.get('min-value'));
  const plans = !options.has('exclude-plans');
  const sorted = readSort(options.get('sort'));
  if (least === null && plans && !sorted) return null;
  const apart = options.has('lots');
  const keeps = (line: TradeLine): boolean =>
    least === null ||
    (line.value !== null && line.status !== 'suspect' && compareDecimals(line.value, least.value) >= 0);
  const apply = (data: InsiderActivityPage): InsiderActivityPage => {
    const kept = data.filings
      .filter(({ aff10b5_one: plan }) => plans || plan !== true)
      .map((filing) => ({ filing, lines: tradeLines(filing, apart).filter(keeps) }))
      .filter(({ lines }) => lines.length > 0)
      .map(({ filing, lines }) => ({ filing, lines: sorted ? lines.toSorted(largerFirst) : lines }));
    // Sorting is stable: filings of one value stay in the order of the service.
    if (sorted) kept.sort((a, b) => largerFirst(a.lines[0], b.lines[0]));
    return {
      ...data,
      filings: kept.map(({ filing, lines }) => ({ ...filing, transactions: lines.flatMap(({ lots }) => lots) })),
    };
  };
  const by = [...(least === null ? [] : [`--min-value ${least.text}`]), ...(plans ? [] : ['--exclude-plans'])].join(
    ' and ',
  );
  return {
    apply,
    notice: (before, after) => {
      if (by === '') return [];
      const [all, left] = [countTrades(before.filings), countTrades(after.filings)];
      const unknown = least === null ? 0 : countDoubtful(before.filings);
      const doubtful =
        unknown === 0 ? '' : ` ${count(unknown, 'transaction')} without a value, or with a doubtful one, left out.`;
      return [`${left} of ${count(all, 'transaction')} of the service kept here by ${by}.${doubtful}`];
    },
  };
}

function largerFirst(a: TradeLine | undefined, b: TradeLine | undefined): number {
  const [one, other] = [a?.value ?? null, b?.value ?? null];
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  return compareDecimals(other, one);
}

const countTrades = (filings: readonly InsiderFiling[]): number =>
  filings.reduce((total, { transactions }) => total + transactions.length, 0);

const countDoubtful = (filings: readonly InsiderFiling[]): number =>
  filings
    .flatMap(({ transactions }) => transactions)
    .filter(({ transaction_value: value, value_status: status }) => value == null || status === 'suspect').length;

interface Amount {
  readonly text: string;
  readonly value: Decimal;
}

function readAmount([text, ...more]: readonly string[] = []): Amount | null {
  if (text === undefined) return null;
  const value = text.includes('%') ? null : writtenOut(text.trim());
  if (value !== null && more.length === 0 && !value.startsWith('-')) return { text, value };
  throw new Failure(
    'usage',
    `--min-value ${quote([text, ...more].join(' '))} is no amount, such as 250000, 500K or 1.5M.`,
  );
}

function readSort([text, ...more]: readonly string[] = []): boolean {
  if (text === undefined) return false;
  if (text === 'value' && more.length === 0) return true;
  throw new Failure('usage', `--sort takes value, not ${quote([text, ...more].join(' '))}.`);
}
