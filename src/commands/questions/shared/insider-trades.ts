/** What `insiders` and `insider-activity` share: a table line, and a row, for each transaction. */

import { Failure } from '../../../contract/failure.ts';
import type { InsiderActivityPage, InsiderFiling, InsiderOwner } from '../../../contract/resources/insiders.ts';
import { type Block, type Cell, type Column, fields, figure, title } from '../../../output/blocks.ts';
import { flatValue, pick, type Rows, type Value } from '../../../output/rows.ts';
import { count } from '../../../output/wording.ts';
import type { Answer, ViewContext } from '../../command.ts';
import type { GivenOptions } from '../../command-line/option-spec.ts';
import { type TradeLine, tradeLines } from './insider-lines.ts';
import { displayName } from './labels.ts';

type TradesAnswer = Answer<InsiderActivityPage>;

const PLANNED = 'p';
const SUMMED = '+';

const SIDES: ReadonlyMap<string, string> = new Map([
  ['P', 'purchase'],
  ['S', 'sale'],
]);

/** The totals are the service's own: they are of the whole answer, while a page shows only some of it. */
export function insiderBlocks(
  { data, meta }: TradesAnswer,
  { options = new Map() }: ViewContext,
  shows: { readonly company: boolean },
): Block[] {
  const [first] = data.filings;
  const name = first === undefined ? meta.ticker : `${first.entity_name} (${first.ticker ?? first.cik})`;
  const heading = shows.company || name === undefined ? 'Insider trades' : `${name}: insider trades`;
  return [
    title(heading + (meta.since === undefined ? '' : ` since ${meta.since}`) + orderOf(data.filings, options)),
    // Above trades that were chosen here, the totals of all would be taken for theirs.
    ...(options.has('min-value') || options.has('exclude-plans')
      ? []
      : [
          fields([
            ['Purchases', `${data.purchase_transactions}`],
            ['  worth', figure(data.reported_purchase_value, 'money')],
            ['Sales', `${data.sale_transactions}`],
            ['  worth', figure(data.reported_sale_value, 'money')],
          ]),
        ]),
    transactionTable(data.filings, { ...shows, apart: options.has('lots') }),
  ];
}

/** The order the filings are in; the interface promises none. */
function orderOf(filings: readonly InsiderFiling[], options: GivenOptions): string {
  if (filings.length < 2) return '';
  if (options.has('sort')) return ', largest first';
  if (descend(filings.map(({ filed_at: filed }) => filed))) return ', latest filing first';
  return descend(filings.map(lastTrade)) ? ', latest trade first' : '';
}

const lastTrade = ({ transactions }: InsiderFiling): string | undefined =>
  transactions
    .flatMap(({ transaction_date: day }) => day ?? [])
    .sort()
    .at(-1);

/** Whether all days are known, and none is later than the one before. */
const descend = (days: readonly (string | null | undefined)[]): boolean =>
  days.every((day, index) => day != null && day <= (days[index - 1] ?? day));

export function insiderNotices({ data }: TradesAnswer, { sample = false }: ViewContext): string[] {
  const { uncounted_transactions: uncounted } = data;
  return [
    ...(uncounted === 0
      ? []
      : [
          `${count(uncounted, 'transaction')} listed but not counted in the totals: doubtful price, or not common stock.`,
        ]),
    ...(sample ? ['The sample includes few insider filings; a company may have more than shown.'] : []),
  ];
}

interface TableShows {
  readonly company: boolean;
  /** Whether each lot has a line. */
  readonly apart: boolean;
}

function transactionTable(filings: readonly InsiderFiling[], { company, apart }: TableShows): Block {
  const doubtful = filings.some(({ transactions }) => transactions.some((one) => one.value_status !== 'counted'));
  const dated = filings.length === 0 || filings.some(({ filed_at: filed }) => filed != null);
  const columns: Column[] = [
    { key: 'transaction_date', title: 'Day' },
    ...(company ? [{ key: 'ticker', title: 'Ticker' }] : []),
    { key: 'owner_name', title: 'Owner', shrinkTo: 12 },
    { key: 'officer_title', title: 'Role', shrinkTo: 12, drop: 3 },
    { key: 'transaction_code', title: 'Side' },
    { key: 'shares', title: 'Shares', align: 'right' },
    { key: 'price_per_share', title: 'Price', align: 'right', drop: 2 },
    { key: 'transaction_value', title: 'Value', align: 'right' },
    ...(doubtful ? [{ key: 'value_status', title: 'Not counted', drop: 4 }] : []),
    ...(dated ? [{ key: 'filed_at', title: 'Filed', drop: 5 }] : []),
    { key: 'accession_number', title: 'Accession', drop: 6 },
  ];
  return {
    kind: 'table',
    columns,
    rows: filings.flatMap((filing) =>
      tradeLines(filing, apart).map((line) => cells(filing, line, { company, doubtful, dated })),
    ),
    legend: [
      [PLANNED, 'under a trading plan (Rule 10b5-1)'],
      [SUMMED, 'lots of one filing: their last day, sums and mean price (each: --lots)'],
    ],
  };
}

/** Empty where the transaction is counted, as nearly all are. */
const statusOf = ({ status }: TradeLine): Cell => ({
  text: status === 'counted' ? '' : displayName(status),
  tone: 'warn',
});

interface Shows {
  readonly company: boolean;
  readonly doubtful: boolean;
  readonly dated: boolean;
}

function cells(filing: InsiderFiling, line: TradeLine, { company, doubtful, dated }: Shows): Cell[] {
  const purchase = line.code === 'P';
  const planned = filing.aff10b5_one === true;
  return [
    line.lots.length > 1 && line.day !== null ? { text: line.day + SUMMED, mark: SUMMED } : line.day,
    ...(company ? [filing.ticker ?? null] : []),
    filing.owners.map(({ name }) => name).join('; '),
    filing.owners.slice(0, 1).map(roleOf).join(''),
    {
      text: (SIDES.get(line.code) ?? line.code) + (planned ? ` ${PLANNED}` : ''),
      mark: planned ? PLANNED : '',
      tone: purchase ? 'up' : 'down',
    },
    figure(line.shares, 'shares'),
    figure(line.price, 'per_share'),
    figure(line.value, 'money'),
    ...(doubtful ? [statusOf(line)] : []),
    ...(dated ? [filing.filed_at ?? null] : []),
    { text: filing.accession_number, tone: 'quiet', link: filing.source_url },
  ];
}

function roleOf(owner: InsiderOwner): string {
  if (owner.officer_title != null && owner.officer_title !== '') return owner.officer_title;
  const roles = [
    ...(owner.is_director ? ['director'] : []),
    ...(owner.is_officer ? ['officer'] : []),
    ...(owner.is_ten_percent_owner ? ['10 % owner'] : []),
    ...(owner.is_other ? [owner.other_text ?? 'other'] : []),
  ];
  return roles.join(', ');
}

const FILING = [
  'accession_number',
  'form',
  'is_amendment',
  'filed_at',
  'period_of_report',
  'ticker',
  'cik',
  'entity_name',
] as const;

const TRANSACTION = [
  'ordinal',
  'transaction_date',
  'transaction_code',
  'security_title',
  'shares',
  'price_per_share',
  'transaction_value',
  'value_status',
  'shares_owned_following',
  'acquired_disposed_code',
  'direct_indirect_ownership',
  'nature_of_ownership',
] as const;

/** Several owners of one filing share its rows: names and roles are joined by semicolons. */
export function insiderRows({ data }: TradesAnswer): Rows {
  return {
    columns: [
      ...FILING,
      'owner_cik',
      'owner_name',
      'owner_role',
      ...TRANSACTION,
      'aff10b5_one',
      'footnote_ids',
      'footnotes',
      'source_url',
    ],
    rows: transactionRows(data.filings),
  };
}

function* transactionRows(filings: readonly InsiderFiling[]): Generator<Value[]> {
  for (const filing of filings) {
    const { owners } = filing;
    const texts = new Map(filing.footnotes.map(({ id, text }) => [id, text]));
    for (const transaction of filing.transactions) {
      yield [
        ...FILING.map((name) => flatValue(filing[name])),
        owners.map(({ cik }) => cik).join('; '),
        owners.map(({ name }) => name).join('; '),
        owners.map(roleOf).join('; '),
        ...TRANSACTION.map((name) => flatValue(transaction[name])),
        filing.aff10b5_one ?? null,
        transaction.footnote_ids.join(' '),
        transaction.footnote_ids.map((id) => texts.get(id) ?? id).join(' '),
        filing.source_url,
      ];
    }
  }
}

/** A row for each footnote of each filing. */
function footnoteRows({ data }: TradesAnswer): Rows {
  const columns = ['accession_number', 'form', 'filed_at', 'ticker', 'cik', 'entity_name', 'id', 'text'];
  return pick(
    columns,
    data.filings.flatMap(({ footnotes, ...filing }) => footnotes.map((footnote) => ({ ...filing, ...footnote }))),
  );
}

/** A row for each owner of each filing. */
function ownerRows({ data }: TradesAnswer): Rows {
  return {
    columns: [...FILING, ...OWNER.map((name) => `owner_${name}`)],
    rows: data.filings.flatMap((filing) =>
      filing.owners.map((owner) => [
        ...FILING.map((name) => flatValue(filing[name])),
        ...OWNER.map((name) => flatValue(owner[name])),
      ]),
    ),
  };
}

const OWNER = [
  'cik',
  'name',
  'is_director',
  'is_officer',
  'is_ten_percent_owner',
  'is_other',
  'officer_title',
  'other_text',
] as const;

/** What the service counts, in one row; of several pages the first has it. Throws a usage Failure beside a filter of the client. */
function summaryRows({ data, meta }: TradesAnswer, { parameters, options }: ViewContext): Rows {
  const filter = ['min-value', 'exclude-plans'].find((name) => options?.has(name) === true);
  if (filter !== undefined) {
    throw new Failure('usage', `--rows summary counts all transactions, those left out by --${filter} too.`, {
      hint: `Leave out --${filter}, or --rows.`,
    });
  }
  const isFirst = meta.offset === undefined || meta.offset === Number(parameters.offset ?? 0);
  return pick(
    [
      'total_transactions',
      'purchase_transactions',
      'sale_transactions',
      'uncounted_transactions',
      'reported_purchase_value',
      'reported_sale_value',
    ],
    isFirst ? [data] : [],
  );
}

export const INSIDER_ROWS = {
  transactions: insiderRows,
  owners: ownerRows,
  footnotes: footnoteRows,
  summary: summaryRows,
};
