/**
 * Options of `insiders` and `insider-activity` that the service does not have: fin filters and sorts the answer itself, and
 * adds up lots.
 */

import type { ClientFilter } from '../../ask/command/command.ts';
import type { GivenOptions, OptionSpec } from '../../ask/command/option-spec.ts';
import { expandNumber } from '../../ask/values/screen-filters.ts';
import { divide, sum } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal } from '../../contract/decimal-text.ts';
import { failUsage } from '../../contract/failure.ts';
import type { InsiderActivityPage, InsiderFiling, InsiderTransaction } from '../../contract/resources/insiders.ts';
import { formatCount } from '../../contract/text/format-counts.ts';
import { quote } from '../../contract/text/quote.ts';
import { joinTexts, option, say } from '../../contract/text/text.ts';
import { groupBy } from '../../platform/collections.ts';
import { findLatest } from '../../result/labels.ts';
import { makeNote } from '../../result/notice.ts';

export const INSIDER_OPTIONS: readonly OptionSpec[] = [
  {
    name: 'min-value',
    value: 'amount',
    help: 'Leave out trades below this value, such as 1M; lots of one filing are added up first',
  },
  { name: 'exclude-plans', help: 'Leave out filings that indicate a trading plan (Rule 10b5-1)' },
  { name: 'sort', value: 'name', values: ['value'], help: 'Sort by value, largest first' },
  { name: 'lots', help: 'Show each lot of a filing, not the sum of its lots' },
];

export const GROUP_NAMES = ['company', 'owner'] as const;

export const GROUP_OPTION: OptionSpec = {
  name: 'group',
  value: 'name',
  values: GROUP_NAMES,
  help: 'Sum up purchases by company or by buyer',
};

export const GROUP_HELP =
  '--group shows one line for each company, or for each buyer at a company: number of buyers, shares, value, first and ' +
  'last day of the purchases, largest value first. Owners that file together count as one buyer, and a trade that several ' +
  'filings report counts once. Shares are as filed, before later splits. fin fetches all pages, and applies --limit and --offset to the lines.';

export const INSIDER_FILTER_HELP =
  'In tables, one line adds up the lots of a filing (purchases, or sales, of the same security) at their mean price; ' +
  '--lots shows each lot, and compares each lot with --min-value. CSV and NDJSON always have one row per lot. The ' +
  'service does not filter by --min-value or --exclude-plans, and does not sort: fin fetches all pages, filters and ' +
  'sorts them itself, and applies --limit and --offset to the result. --plan prints the number of requests; --since ' +
  'and --kind reduce it. --exclude-plans keeps filings that do not say whether there was a plan, such as filings ' +
  'before April 2023.';

/**
 * Returns the filter, which may also sort; null if no option for filtering or sorting is given. Throws a usage Failure
 * for an invalid value.
 */
export function makeTradesFilter(options: GivenOptions): ClientFilter<InsiderActivityPage> | null {
  const min = readMinTradeValue(options.get('min-value'));
  const includesPlans = !options.has('exclude-plans');
  const byValue = wantsSortByValue(options.get('sort'));
  if (min === null && includesPlans && !byValue) return null;
  const showsLots = options.has('lots');
  const isLarge = (line: TradeLine): boolean =>
    min === null || (line.value !== null && line.status !== 'suspect' && compareDecimals(line.value, min.value) >= 0);
  const minOption = min === null ? [] : [option('min_value', min.text)];
  const filter = joinTexts(includesPlans ? minOption : [...minOption, option('exclude_plans')], ' and ');
  return {
    apply: (data) => {
      const matches = data.filings
        .filter(({ aff10b5_one: isPlanned }) => includesPlans || isPlanned !== true)
        .map((filing) => ({ filing, lines: groupIntoLines(filing, showsLots).filter(isLarge) }))
        .filter(({ lines }) => lines.length > 0)
        .map(({ filing, lines }) => ({ filing, lines: byValue ? lines.toSorted(compareLargestFirst) : lines }));
      // The sort is stable: filings with equal values remain in the service's order.
      if (byValue) matches.sort((a, b) => compareLargestFirst(a.lines[0], b.lines[0]));
      const filings = matches.map(({ filing, lines }) => {
        return { ...filing, transactions: lines.flatMap(({ lots }) => lots) };
      });
      return { ...data, filings };
    },
    notices: (before, after) => {
      if (min === null && includesPlans) return [];
      const all = countTrades(before.filings);
      const kept = countTrades(after.filings);
      const doubtfulCount = min === null ? 0 : countDoubtfulTrades(before.filings);
      const doubtful = ` The value of ${formatCount(doubtfulCount, 'transaction')} is missing or doubtful, so it cannot be compared with the minimum.`;
      const text = say`Filtered by ${filter}: kept ${kept} of ${formatCount(all, 'transaction')}.${doubtfulCount === 0 ? '' : doubtful}`;
      return [makeNote('narrowed', text, { kept, all })];
    },
  };
}

function compareLargestFirst(a: TradeLine | undefined, b: TradeLine | undefined): number {
  if (a?.value != null && b?.value != null) return compareDecimals(b.value, a.value);
  return Number(a?.value == null) - Number(b?.value == null);
}

const countTrades = (filings: readonly InsiderFiling[]): number =>
  filings.reduce((trades, { transactions }) => trades + transactions.length, 0);

const countDoubtfulTrades = (filings: readonly InsiderFiling[]): number =>
  filings
    .flatMap(({ transactions }) => transactions)
    .filter(({ transaction_value: value, value_status: status }) => value == null || status === 'suspect').length;

/** Returns the parts of a title that state the filters. */
export function describeFilters(options: GivenOptions): string {
  const min = options.get('min-value')?.at(-1);
  return `${min === undefined ? '' : `, worth at least ${min}`}${options.has('exclude-plans') ? ', without trading plans' : ''}`;
}

function readMinTradeValue([text, ...others]: readonly string[] = []) {
  if (text === undefined) return null;
  const value = text.includes('%') ? null : expandNumber(text.trim());
  if (value !== null && others.length === 0 && !value.startsWith('-')) return { text, value };
  const given = quote([text, ...others].join(' '));
  failUsage(say`${option('min_value')} ${given} is not an amount. Write it as 250000, 500K or 1.5M.`);
}

function wantsSortByValue([text, ...others]: readonly string[] = []): boolean {
  if (text === undefined) return false;
  if (text === 'value' && others.length === 0) return true;
  failUsage(say`${option('sort')} must be "value", not ${quote([text, ...others].join(' '))}.`);
}

/** A line of a table: the lots of a filing with the same side, security and value status, or a single lot. */
export type TradeLine = ReturnType<typeof makeTradeLine>;

/** Groups lots by side, security and status, so that counted and uncounted trades are never summed together. */
export function groupIntoLines({ transactions }: InsiderFiling, showsLots: boolean): readonly TradeLine[] {
  if (showsLots) return transactions.map((transaction) => makeTradeLine([transaction]));
  const makeKey = ({ transaction_code: code, security_title: title, value_status: status }: InsiderTransaction) =>
    JSON.stringify([code, title, status]);
  return [...groupBy(transactions, makeKey).values()].map(makeTradeLine);
}

function makeTradeLine(lots: readonly [InsiderTransaction, ...InsiderTransaction[]]) {
  const [first] = lots;
  const count = sumOrNull(lots.map((lot) => lot.shares));
  const value = sumOrNull(lots.map((lot) => lot.transaction_value));
  const ownPrice = lots.length === 1 ? (first.price_per_share ?? null) : null;
  const hasMean = lots.length > 1 && value !== null && count !== null;
  return {
    lots,
    code: first.transaction_code,
    status: first.value_status,
    day: findLatest(lots.map(({ transaction_date: day }) => day)),
    /** Total number of shares, and total value; null if a lot lacks it. */
    ...{ shares: count, value },
    /** Price of a single lot as filed; for several lots, `value` divided by `shares`. Null if unknown. */
    price: hasMean ? divide(value, count) : ownPrice,
  };
}

function sumOrNull(values: readonly (Decimal | null | undefined)[]): Decimal | null {
  const known = values.flatMap((value) => value ?? []);
  if (known.length < values.length) return null;
  // A single value is returned unchanged, so that its digits remain as filed.
  return known.length === 1 ? (known[0] ?? null) : sum(known);
}
