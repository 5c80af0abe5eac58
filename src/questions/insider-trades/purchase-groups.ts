/** `--group` of `insiders` and `insider-activity`: insiders' purchases summed up by company or by buyer. */

import type { Answer } from '../../ask/command/answer.ts';
import type { DataRequest, Delegation, GivenArguments } from '../../ask/command/command.ts';
import { defineCommand, type ResultContext, type ResultMembers } from '../../ask/command/command.ts';
import type { GivenOptions, ParsedArguments } from '../../ask/command/option-spec.ts';
import type { RowWindow } from '../../ask/plan.ts';
import { sum } from '../../contract/decimal.ts';
import { compareDecimals, isEqual } from '../../contract/decimal-text.ts';
import { failUsage } from '../../contract/failure.ts';
import { findGivenText, type RawParameters, withParameter } from '../../contract/question.ts';
import type { InsiderActivityPage, InsiderFiling, InsiderTransaction } from '../../contract/resources/insiders.ts';
import { formatCount } from '../../contract/text/format-counts.ts';
import { quote } from '../../contract/text/quote.ts';
import { option, say } from '../../contract/text/text.ts';
import { groupBy } from '../../platform/collections.ts';
import { makeFigureCell } from '../../result/blocks.ts';
import { makeNoteIf, type Notice } from '../../result/notice.ts';
import { toObjects } from '../../result/rows.ts';
import { makeFieldColumns, makeRows, makeTable, type Table } from '../../result/table.ts';
import { describeFilters, GROUP_NAMES, INSIDER_OPTIONS, makeTradesFilter } from './insider-filters.ts';

type TradesAnswer = Answer<InsiderActivityPage>;
type GroupName = (typeof GROUP_NAMES)[number];

const SHARED_MEMBERS = {
  options: INSIDER_OPTIONS,
  examples: {},
  request: ({ givenParameters }: GivenArguments): DataRequest<InsiderActivityPage> => ({
    parameters: makeParameters(givenParameters),
    extent: { kind: 'pages' },
    // Keeps all trades. It makes the plan fetch all of them, because limit and offset count groups here.
    narrowing: { apply: (data) => data, notices: () => [] },
  }),
  result: (answer: TradesAnswer, context: ResultContext) => makeGroups([answer], context),
  combineAnswers: makeGroups,
};

const GROUP_COMMANDS = {
  insiders: defineCommand({ operation: 'insiders', args: [{ parameter: 'ticker', many: true }], ...SHARED_MEMBERS }),
  'insider-activity': defineCommand({ operation: 'insider-activity', args: [], ...SHARED_MEMBERS }),
};

/** Returns the command that answers `--group`. Throws a usage Failure for options that do not fit. */
export function delegateGroups(operation: keyof typeof GROUP_COMMANDS, parsed: ParsedArguments): Delegation {
  const { options } = parsed;
  readGroupName(options);
  for (const name of ['rows', 'lots']) {
    if (options.has(name)) failUsage(say`${option('group')} makes a table of its own: remove ${option(name)}.`);
  }
  return { command: GROUP_COMMANDS[operation], parsed };
}

function readGroupName(options: GivenOptions): GroupName {
  const [text = '', ...others] = options.get('group') ?? [];
  const name = GROUP_NAMES.find((groupName) => groupName === text);
  if (name !== undefined && others.length === 0) return name;
  const quoted = quote([text, ...others].join(' '));
  failUsage(say`${option('group')} must be company or owner, not ${quoted}.`);
}

function makeParameters(given: RawParameters): RawParameters {
  if (findGivenText(given, 'kind') === 'sale')
    failUsage(say`${option('group')} sums up purchases: remove ${option('kind', 'sale')}.`);
  return withParameter(given, 'kind', 'purchase');
}

/** A purchase that counts, with its filing. */
type Purchase = ReturnType<typeof listPurchases>[number];

type PurchaseGroup = ReturnType<typeof makeGroup>;

function makeGroups(answers: readonly TradesAnswer[], context: ResultContext): ResultMembers {
  const { args, options, isSample, parameters } = context;
  const by = readGroupName(options);
  const filter = makeTradesFilter(options);
  const pages = answers.map(({ data, meta }) => filter?.apply(data, meta) ?? data);
  const all = pages.flatMap((page) => page.filings);
  // Tickers of one company have the same filings.
  const filings = [...new Map(all.map((filing) => [`${filing.cik} ${filing.accession_number}`, filing])).values()];
  const purchases = listPurchases(filings);
  const groups = groupPurchases(purchases, by);
  const { offset, limit } = readWindow(options);
  const shown = groups.slice(offset, limit === null ? undefined : offset + limit);
  const table = makeGroupsTable(shown, by);
  const tickers = [...args, ...(options.get('tickers') ?? [])].map((ticker) => ticker.toUpperCase());
  const since = answers[0]?.meta.since ?? parameters.since;
  const cutText = `Showing ${shown.length} of ${groups.length} ${by === 'company' ? 'companies' : 'buyers'}.`;
  return {
    title: `Insider purchases${tickers.length === 0 ? '' : ` at ${tickers.join(', ')}`} by ${by}${since === undefined ? '' : ` since ${String(since)}`}${describeFilters(options)}`,
    facts: [
      ['Purchases', purchases.length],
      ['  worth', makeFigureCell(sum(purchases.map(({ value }) => value)), 'money')],
      [by === 'company' ? 'Companies' : 'Buyers', groups.length],
    ],
    tables: [table],
    total: groups.length,
    notices: [
      ...answers.flatMap(({ data, meta }, index) => filter?.notices(data, pages[index] ?? data, meta) ?? []),
      ...makeUncountedNotices(filings),
      ...(filter === null && filings.length === all.length ? makeTotalNotices(answers, purchases) : []),
      ...makeNoteIf(groups.length === 0, 'no_rows', 'No purchases that count were found.'),
      ...makeNoteIf(shown.length < groups.length, 'page_cut', cutText),
      ...makeNoteIf(isSample, 'sample_partial', 'The built-in sample includes few insider filings.'),
    ],
    document: () => {
      const meta = { release: answers.at(-1)?.meta.release ?? null, group: by };
      return [JSON.stringify({ data: toObjects(makeRows(table)), meta }, null, 2)];
    },
  };
}

/** Returns the limit and offset of groups. Throws a usage Failure for values that are not whole numbers. */
function readWindow(options: GivenOptions): RowWindow {
  const readNumber = (name: 'limit' | 'offset', min: number): number | null => {
    const text = options.get(name)?.at(-1);
    if (text === undefined) return null;
    if (/^\d{1,7}$/.test(text) && Number(text) >= min) return Number(text);
    failUsage(say`${option(name)} ${quote(text)} is not a whole number from ${min}.`);
  };
  return { limit: readNumber('limit', 1), offset: readNumber('offset', 0) ?? 0 };
}

/** Returns the purchases that count: with a usable value, and each trade once however many filings report it. */
const listPurchases = (filings: readonly InsiderFiling[]) =>
  filings.flatMap((filing) =>
    filing.transactions.flatMap((trade) => {
      const { shares, transaction_value: value } = trade;
      const counts = trade.transaction_code === 'P' && isCounted(trade) && trade.repeated !== true;
      return counts && shares != null && value != null ? [{ filing, trade, shares, value }] : [];
    }),
  );

const isCounted = ({ value_status: status }: InsiderTransaction): boolean => status === 'counted';

function groupPurchases(purchases: readonly Purchase[], by: GroupName): readonly PurchaseGroup[] {
  const findBuyer = createBuyerFinder(purchases.map(({ filing }) => filing));
  const makeKey = ({ filing }: Purchase) => (by === 'company' ? `${filing.cik}` : `${filing.cik} ${findBuyer(filing)}`);
  return [...groupBy(purchases, makeKey).values()]
    .map((members) => makeGroup(members, findBuyer))
    .sort((a, b) => compareDecimals(b.value, a.value));
}

function makeGroup(members: readonly [Purchase, ...Purchase[]], findBuyer: (filing: InsiderFiling) => number) {
  const buyers = [...groupBy(members, ({ filing }) => findBuyer(filing))].map(([buyer, purchases]) => {
    const { owners } = purchases[0].filing;
    const name = owners.find(({ cik }) => cik === buyer)?.name ?? owners[0]?.name ?? '';
    return { name, value: sum(purchases.map(({ value }) => value)) };
  });
  buyers.sort((a, b) => compareDecimals(b.value, a.value));
  const days = members.flatMap(({ trade }) => trade.transaction_date ?? []).sort();
  const [{ filing }] = members;
  return {
    ...{ ticker: filing.ticker ?? null, cik: filing.cik, entity_name: filing.entity_name },
    buyers: buyers.length,
    /** Names of the buyers, largest value first; of owners that file together, the first. */
    buyer_names: buyers.map(({ name }) => name).join('; '),
    transactions: members.length,
    shares: sum(members.map(({ shares }) => shares)),
    value: sum(members.map(({ value }) => value)),
    first_day: days[0] ?? null,
    last_day: days.at(-1) ?? null,
  };
}

/**
 * Returns a function that identifies the buyer of a filing by the CIK of one owner. Owners that ever file together, such
 * as a fund and its adviser, are one buyer.
 */
function createBuyerFinder(filings: readonly InsiderFiling[]): (filing: InsiderFiling) => number {
  const parents = new Map<number, number>();
  const findRoot = (cik: number): number => {
    const parent = parents.get(cik) ?? cik;
    return parent === cik ? cik : findRoot(parent);
  };
  for (const { owners } of filings) {
    const [first, ...others] = owners;
    if (first !== undefined) for (const { cik } of others) parents.set(findRoot(cik), findRoot(first.cik));
  }
  return ({ owners }) => findRoot(owners[0]?.cik ?? 0);
}

/** Returns a notice of purchases that are left out, because their values are doubtful. */
function makeUncountedNotices(filings: readonly InsiderFiling[]): readonly Notice[] {
  const uncounted = filings.flatMap(({ transactions }) => transactions).filter((trade) => !isCounted(trade)).length;
  const text = `${formatCount(uncounted, 'purchase is', 'purchases are')} left out, because the price, number of shares or date is missing or doubtful, or the security is not common stock.`;
  return makeNoteIf(uncounted > 0, 'uncounted', text, { uncounted_transactions: uncounted });
}

/**
 * Returns a notice if the sum of the purchases differs from the service's own total. They differ if a service does not
 * mark trades that several filings report, as fin's does.
 */
function makeTotalNotices(answers: readonly TradesAnswer[], purchases: readonly Purchase[]): readonly Notice[] {
  const total = sum(answers.map(({ data }) => data.reported_purchase_value));
  const added = sum(purchases.map(({ value }) => value));
  const text = `These purchases add up to ${added}, but the service counts ${total}: it counts a trade once that several filings report, and does not mark such trades.`;
  return makeNoteIf(!isEqual(total, added), 'totals_differ', text, { added, total });
}

const makeGroupsTable = (groups: readonly PurchaseGroup[], by: GroupName): Table =>
  makeTable<PurchaseGroup>({
    name: 'groups',
    columns: [
      { key: 'ticker' },
      { key: 'cik' },
      { key: 'entity_name', label: 'Company', shrinkTo: 14, ...(by === 'owner' ? { drop: 2 } : {}) },
      { key: 'buyers', label: 'Buyers', align: 'right' },
      { key: 'buyer_names', shrinkTo: 14, ...(by === 'owner' ? { label: 'Buyer' } : { label: 'Names', drop: 2 }) },
      { key: 'transactions', label: 'Trades', align: 'right', drop: 1 },
      { key: 'shares', measure: 'shares' },
      { key: 'value', label: 'Value', measure: 'money' },
      ...makeFieldColumns('first_day', 'last_day'),
    ],
    shownKeys:
      by === 'owner'
        ? ['buyer_names', 'ticker', 'entity_name', 'transactions', 'shares', 'value', 'first_day', 'last_day']
        : 'ticker entity_name buyers transactions shares value first_day last_day buyer_names'.split(' '),
    records: () => groups,
  });
