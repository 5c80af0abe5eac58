/**
 * `insiders` and `insider-activity`: a table for terminals, and one row per transaction for formats such as CSV and
 * NDJSON.
 */

import type { Answer } from '../ask/command/answer.ts';
import { defineCommand, type GivenArguments, type ResultContext, type ResultMembers } from '../ask/command/command.ts';
import type { GivenOptions, ParsedArguments } from '../ask/command/option-spec.ts';
import { makeRowsOption } from '../ask/command/options.ts';
import { failUsage } from '../contract/failure.ts';
import type { InsiderActivityPage, InsiderFiling, InsiderTransaction } from '../contract/resources/insiders.ts';
import { capitalize, formatCount } from '../contract/text/format-counts.ts';
import { option, say } from '../contract/text/text.ts';
import { type Cell, makeFigureCell } from '../result/blocks.ts';
import { findLatest, makeDisplayName } from '../result/labels.ts';
import { makeNoteIf, type Notice } from '../result/notice.ts';
import type { LabelledValue } from '../result/result.ts';
import { flatMap } from '../result/rows.ts';
import { makeFieldColumns, makeNestedColumns, makeTable, type Table } from '../result/table.ts';
import { makeAccessionCell } from './filings.ts';
import {
  describeFilters,
  GROUP_HELP,
  GROUP_OPTION,
  groupIntoLines,
  INSIDER_FILTER_HELP,
  INSIDER_OPTIONS,
  makeTradesFilter,
} from './insider-trades/insider-filters.ts';

type TradesAnswer = Answer<InsiderActivityPage>;
type InsiderOwner = InsiderFiling['owners'][number];

const PLANNED_MARK = 'p';
const SUMMED_MARK = '+';
const SUMMED_MEANING =
  'several lots of one filing in one line: last day, sum of shares, mean price; --lots shows each lot';

const SIDE_NAMES_BY_CODE = new Map(Object.entries({ P: 'purchase', S: 'sale' }));

/** Options by which the client leaves trades out. */
const FILTER_OPTION_NAMES = ['min-value', 'exclude-plans'];

const SAMPLE_NOTICE_TEXT = 'The built-in sample includes few insider filings; a company may have more than shown here.';

/** Returns the members that both commands share. */
const makeInsiderMembers = (operation: 'insiders' | 'insider-activity') => ({
  listsFilings: true as const,
  delegate: async (parsed: ParsedArguments) =>
    parsed.options.has('group')
      ? (await import('./insider-trades/purchase-groups.ts')).delegateGroups(operation, parsed)
      : null,
  help: `Lists open-market purchases and sales that Forms 4 and 5 report. --limit and --offset count filings. Totals cover all trades, not only the page shown.\n\n${INSIDER_FILTER_HELP}\n\n${GROUP_HELP}`,
  options: [...INSIDER_OPTIONS, GROUP_OPTION, makeRowsOption('transactions', 'owners', 'footnotes', 'summary')],
  request: ({ givenParameters, options }: GivenArguments) => {
    return { parameters: givenParameters, narrowing: makeTradesFilter(options) };
  },
  result: (answer: TradesAnswer, context: ResultContext) =>
    makeInsiderResult(answer, context, operation === 'insider-activity'),
});

export default defineCommand({
  operation: 'insiders',
  args: [{ parameter: 'ticker', many: true }],
  examples: {
    'insiders ADBE': 'purchases and sales by insiders, latest first',
    'insiders JPM --kind sale --since 2024-01-01': 'sales since a date',
    'insiders ADBE --all --csv': 'one row for each transaction',
    'insiders TSLA --group owner': 'purchases summed up by buyer',
  },
  ...makeInsiderMembers('insiders'),
});

export const insiderActivity = defineCommand({
  operation: 'insider-activity',
  args: [],
  examples: {
    'insider-activity --kind sale': 'the latest sales across companies',
    'insider-activity --tickers ADBE,JPM,V --since 2024-01-01': 'trades of some companies since a date',
    'insider-activity --kind purchase --min-value 1M --exclude-plans --sort value':
      'large purchases outside trading plans, largest first',
    'insider-activity --tickers TSLA,XYZ,NTRA --group company':
      'purchases summed up by company, with the number of buyers',
  },
  ...makeInsiderMembers('insider-activity'),
});

/** @param showsCompany whether the table has a column for the company */
function makeInsiderResult(answer: TradesAnswer, context: ResultContext, showsCompany: boolean): ResultMembers {
  const { options, isSample } = context;
  const { data } = answer;
  const listFilings = answer.items as () => Iterable<InsiderFiling>;
  const option = FILTER_OPTION_NAMES.find((name) => options.has(name));
  if (option !== undefined && options.get('rows')?.at(-1) === 'summary') refuseSummary(option);
  // With a filter, the service's totals would mislead: they include all trades.
  const showsTotals = option === undefined;
  const uncounted = showsTotals ? makeUncountedNotices(data) : [];
  return {
    title: formatTitle(answer, context, showsCompany),
    facts: showsTotals ? makeTotals(data, context.parameters.kind) : [],
    tables: [
      makeTransactionsTable(listFilings),
      makeTradesTable(data.filings, showsCompany, options.has('lots')),
      makeOwnersTable(listFilings),
      makeFootnotesTable(listFilings),
      makeSummaryTable(data),
    ],
    notices: [...uncounted, ...makeNoteIf(isSample, 'sample_partial', SAMPLE_NOTICE_TEXT)],
  };
}

function formatTitle({ data, meta }: TradesAnswer, context: ResultContext, showsCompany: boolean): string {
  const { options, parameters } = context;
  const [first] = data.filings;
  const company = first === undefined ? meta.ticker : `${first.entity_name} (${first.ticker ?? first.cik})`;
  const trades = NAMES_BY_KIND[String(parameters.kind)] ?? 'insider trades';
  const heading = showsCompany || company === undefined ? capitalize(trades) : `${company}: ${trades}`;
  const tickers = options.get('tickers')?.join(', ');
  return [
    heading,
    tickers === undefined ? '' : ` of ${tickers.toUpperCase()}`,
    meta.since === undefined ? '' : ` since ${meta.since}`,
    describeFilters(options),
    describeOrder(data.filings, options),
  ].join('');
}

/** Names of the trades that `--kind` selects. */
const NAMES_BY_KIND: Readonly<Record<string, string>> = { purchase: 'insider purchases', sale: 'insider sales' };

/** Returns the service's totals of the trades that `kind` selects; the totals of other trades are unknown, not zero. */
function makeTotals(data: InsiderActivityPage, kind: unknown): readonly LabelledValue[] {
  const makeSide = (label: string, count: number, value: string): LabelledValue[] => [
    [label, `${count}`],
    ['  worth', makeFigureCell(value, 'money')],
  ];
  return [
    ...(kind === 'sale' ? [] : makeSide('Purchases', data.purchase_transactions, data.reported_purchase_value)),
    ...(kind === 'purchase' ? [] : makeSide('Sales', data.sale_transactions, data.reported_sale_value)),
  ];
}

/** Describes the order of the filings, which the service does not guarantee; empty if no order is recognized. */
function describeOrder(filings: readonly InsiderFiling[], options: GivenOptions): string {
  if (filings.length < 2) return '';
  if (options.has('sort')) return ', largest first';
  if (areDescending(filings.map(({ filed_at: filedAt }) => filedAt))) return ', latest filing first';
  return areDescending(filings.map(findLastTradeDay)) ? ', latest trade first' : '';
}

const findLastTradeDay = ({ transactions }: InsiderFiling) =>
  findLatest(transactions.map(({ transaction_date: day }) => day));

/** Whether all dates are present and in descending order. */
const areDescending = (dates: readonly (string | null | undefined)[]): boolean =>
  dates.every((day, index) => day != null && day <= (dates[index - 1] ?? day));

/** Returns a notice of the trades that are not included in the totals, if any. */
function makeUncountedNotices({ uncounted_transactions: uncounted = 0 }: InsiderActivityPage): readonly Notice[] {
  const text = `${formatCount(uncounted, 'transaction is', 'transactions are')} listed but not included in the total values, because the price, number of shares or date is missing or doubtful, or the security is not common stock.`;
  return makeNoteIf(uncounted !== 0, 'uncounted', text, { uncounted_transactions: uncounted });
}

type TradeTableRow = ReturnType<typeof listTradeRows>[number];

/** Returns the lines of a filing, with the names that columns have. */
const listTradeRows = (filing: InsiderFiling, showsLots: boolean) =>
  groupIntoLines(filing, showsLots).map((line) => {
    const { shares, price: price_per_share, value: transaction_value } = line;
    return { filing, line, shares, price_per_share, transaction_value };
  });

/** Returns the table for terminals: one line per side and security of a filing, or one line per lot. */
function makeTradesTable(filings: readonly InsiderFiling[], showsCompany: boolean, showsLots: boolean): Table {
  const uncounted = filings.some(({ transactions }) => transactions.some((trade) => trade.value_status !== 'counted'));
  const hasFilingDates = filings.length === 0 || filings.some(({ filed_at: filedAt }) => filedAt != null);
  return makeTable<TradeTableRow>({
    name: 'trades',
    columns: [
      { key: 'transaction_date', label: 'Day', cell: makeDayCell },
      { key: 'ticker', cell: ({ filing }) => filing.ticker ?? null },
      { key: 'owner_name', label: 'Owner', shrinkTo: 12, cell: ({ filing }) => joinOwnerNames(filing) },
      { key: 'officer_title', label: 'Role', shrinkTo: 12, drop: 3, cell: makeRoleCell },
      { key: 'transaction_code', label: 'Side', cell: makeSideCell },
      { key: 'shares', measure: 'shares' },
      { key: 'price_per_share', label: 'Price', measure: 'per_share', drop: 2 },
      { key: 'transaction_value', label: 'Value', measure: 'money' },
      { key: 'value_status', label: 'Not counted', drop: 4, cell: makeStatusCell },
      { key: 'filed_at', drop: 5, cell: ({ filing }) => filing.filed_at ?? null },
      { key: 'accession_number', drop: 6, cell: ({ filing }) => makeAccessionCell(filing) },
    ],
    shownKeys: [
      ...['transaction_date', ...(showsCompany ? ['ticker'] : []), 'owner_name', 'officer_title', 'transaction_code'],
      ...['shares', 'price_per_share', 'transaction_value', ...(uncounted ? ['value_status'] : [])],
      ...[...(hasFilingDates ? ['filed_at'] : []), 'accession_number'],
    ],
    records: () => filings.flatMap((filing) => listTradeRows(filing, showsLots)),
    legend: [
      [PLANNED_MARK, 'under a trading plan (Rule 10b5-1)'],
      [SUMMED_MARK, SUMMED_MEANING],
    ],
  });
}

const makeRoleCell = ({ filing }: TradeTableRow): string => filing.owners.slice(0, 1).map(describeRole).join('');

const makeDayCell = ({ line }: TradeTableRow): Cell =>
  line.lots.length > 1 && line.day !== null ? { text: line.day + SUMMED_MARK, mark: SUMMED_MARK } : line.day;

function makeSideCell({ filing, line }: TradeTableRow): Cell {
  const isPlanned = filing.aff10b5_one === true;
  return {
    text: (SIDE_NAMES_BY_CODE.get(line.code) ?? line.code) + (isPlanned ? ` ${PLANNED_MARK}` : ''),
    mark: isPlanned ? PLANNED_MARK : '',
    tone: line.code === 'P' ? 'up' : 'down',
  };
}

/** Returns the status of a transaction; empty if the transaction is counted in the totals, which is usual. */
const makeStatusCell = ({ line: { status } }: TradeTableRow): Cell => ({
  text: status === 'counted' ? '' : makeDisplayName(status),
  tone: 'warn',
});

const joinOwnerNames = ({ owners }: InsiderFiling): string => owners.map(({ name }) => name).join('; ');

function describeRole(owner: InsiderOwner): string {
  if (owner.officer_title != null && owner.officer_title !== '') return owner.officer_title;
  const roles = [
    owner.is_director && 'director',
    owner.is_officer && 'officer',
    owner.is_ten_percent_owner && '10 % owner',
    owner.is_other && (owner.other_text ?? 'other'),
  ];
  return roles.filter((role) => role !== false).join(', ');
}

const FILING_COLUMNS = [
  ...makeFieldColumns('accession_number', 'form', 'is_amendment', 'filed_at'),
  ...makeFieldColumns('period_of_report', 'ticker', 'cik', 'entity_name'),
];

type TransactionWithFiling = InsiderFiling & InsiderTransaction & { readonly filing: InsiderFiling };

/** Returns one row per transaction. If a filing has several owners, their names and roles are joined by semicolons. */
const makeTransactionsTable = (filings: () => Iterable<InsiderFiling>): Table =>
  makeTable<TransactionWithFiling>({
    name: 'transactions',
    columns: [
      ...FILING_COLUMNS,
      { key: 'owner_cik', value: ({ owners }) => owners.map(({ cik }) => cik).join('; ') },
      { key: 'owner_name', value: joinOwnerNames },
      { key: 'owner_role', value: ({ owners }) => owners.map(describeRole).join('; ') },
      ...makeFieldColumns('ordinal', 'transaction_date', 'transaction_code', 'security_title'),
      { key: 'shares', measure: 'shares' },
      { key: 'price_per_share', measure: 'per_share' },
      { key: 'transaction_value', measure: 'money' },
      { key: 'value_status' },
      { key: 'shares_owned_following', measure: 'shares' },
      ...makeFieldColumns('acquired_disposed_code', 'direct_indirect_ownership', 'nature_of_ownership'),
      ...makeFieldColumns('aff10b5_one', 'footnote_ids'),
      { key: 'footnotes', value: findFootnoteTexts },
      { key: 'source_url' },
      { key: 'repeated', value: ({ repeated = false }) => repeated },
    ],
    shownKeys: [],
    records: () =>
      flatMap(filings(), (filing) => filing.transactions.map((trade) => ({ ...filing, ...trade, filing }))),
  });

function findFootnoteTexts({ filing, footnote_ids: ids }: TransactionWithFiling): string {
  const byId = new Map(filing.footnotes.map(({ id, text }) => [id, text]));
  return [...new Set(ids.map((id) => byId.get(id) ?? id))].join(' ');
}

const makeFootnotesTable = (filings: () => Iterable<InsiderFiling>): Table =>
  makeTable({
    name: 'footnotes',
    columns: makeFieldColumns('accession_number', 'form', 'filed_at', 'ticker', 'cik', 'entity_name', 'id', 'text'),
    shownKeys: [],
    records: () =>
      flatMap(filings(), ({ footnotes, ...filing }) => footnotes.map((footnote) => ({ ...filing, ...footnote }))),
  });

const OWNER_COLUMNS = [
  ...makeNestedColumns('owner', 'cik', 'name', 'is_director', 'is_officer', 'is_ten_percent_owner'),
  ...makeNestedColumns('owner', 'is_other', 'officer_title', 'other_text'),
];

type FilingOfOwner = InsiderFiling & { readonly owner: InsiderOwner };

const makeOwnersTable = (filings: () => Iterable<InsiderFiling>): Table =>
  makeTable<FilingOfOwner>({
    name: 'owners',
    columns: [...FILING_COLUMNS, ...OWNER_COLUMNS],
    shownKeys: [],
    records: () => flatMap(filings(), (filing) => filing.owners.map((owner) => ({ ...filing, owner }))),
  });

/** Returns one row with the service's counts and total values. */
const makeSummaryTable = (data: InsiderActivityPage): Table =>
  makeTable({
    name: 'summary',
    coversAllPages: true,
    columns: [
      ...makeFieldColumns('total_transactions', 'purchase_transactions', 'sale_transactions'),
      ...makeFieldColumns('uncounted_transactions'),
      { key: 'reported_purchase_value', measure: 'money' },
      { key: 'reported_sale_value', measure: 'money' },
    ],
    shownKeys: [],
    records: () => [data],
  });

function refuseSummary(filter: string): never {
  const text = say`${option('rows', 'summary')} counts all transactions, including those that ${option(filter)} leaves out.`;
  failUsage(text, say`Remove ${option(filter)} or ${option('rows')}.`);
}
