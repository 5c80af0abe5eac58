/** Insider trades, as both of their endpoints answer: a line, and a row, for each transaction. */
import type {
  InsiderActivityPage,
  InsiderFiling,
  InsiderOwner,
  InsiderTransaction,
} from '../../../contract/resources/insiders.ts';
import { type Block, type Cell, type Column, fields, figure, title } from '../../../output/blocks.ts';
import { flatValue, type Rows, type Value } from '../../../output/rows.ts';
import type { Answer, ViewContext } from '../../command.ts';
import { count } from '../../pipeline/notices.ts';
import { displayName } from './display-names.ts';

type TradesAnswer = Answer<InsiderActivityPage>;

const PLANNED = 'p';

const SIDES = { P: 'purchase', S: 'sale' } as const;

/** Totals are of all that was asked for, not of the page shown: they are never added up here. */
export function insiderBlocks({ data, meta }: TradesAnswer, shows: { readonly company: boolean }): Block[] {
  const [first] = data.filings;
  const name = first === undefined ? meta.ticker : `${first.entity_name} (${first.ticker ?? first.cik})`;
  const heading = shows.company || name === undefined ? 'Insider trades' : `${name}: insider trades`;
  return [
    title(heading + (meta.since === undefined ? '' : ` since ${meta.since}`) + orderOf(data.filings)),
    fields([
      ['Purchases', `${data.purchase_transactions}`],
      ['  worth', figure(data.reported_purchase_value, 'money')],
      ['Sales', `${data.sale_transactions}`],
      ['  worth', figure(data.reported_sale_value, 'money')],
    ]),
    transactionTable(data.filings, shows.company),
  ];
}

/** The order that the filings are seen to have; none is promised. */
function orderOf(filings: readonly InsiderFiling[]): string {
  if (filings.length < 2) return '';
  if (fall(filings.map(({ filed_at: filed }) => filed))) return ', latest filing first';
  return fall(filings.map(lastTrade)) ? ', latest trade first' : '';
}

const lastTrade = ({ transactions }: InsiderFiling): string | undefined =>
  transactions
    .map(({ transaction_date: day }) => day ?? '')
    .sort()
    .at(-1);

/** Whether all days are known, and none is later than the one before. */
const fall = (days: readonly (string | null | undefined)[]): boolean =>
  days.every((day, index) => day != null && day !== '' && day <= (days[index - 1] ?? day));

/** Rows that the values leave out are said, since the totals do not show them. */
export function insiderNotices({ data }: TradesAnswer, { sample = false }: ViewContext): string[] {
  const { uncounted_transactions: uncounted } = data;
  return [
    ...(uncounted === 0
      ? []
      : [`${count(uncounted, 'transaction')} listed but not in the values: a doubtful price, or not common equity.`]),
    ...(sample
      ? ['The sample holds only a few insider filings: that there is none of a company says nothing of it.']
      : []),
  ];
}

function transactionTable(filings: readonly InsiderFiling[], company: boolean): Block {
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
      filing.transactions.map((transaction) => cells(filing, transaction, { company, doubtful, dated })),
    ),
    legend: [[PLANNED, 'under a plan (Rule 10b5-1)']],
  };
}

/** Empty where the transaction enters the values, as nearly all do. */
const statusOf = ({ value_status: status }: InsiderTransaction): Cell => ({
  text: status === 'counted' ? '' : displayName(status),
  tone: 'warn',
});

interface Shows {
  readonly company: boolean;
  readonly doubtful: boolean;
  readonly dated: boolean;
}

function cells(filing: InsiderFiling, transaction: InsiderTransaction, { company, doubtful, dated }: Shows): Cell[] {
  const purchase = transaction.transaction_code === 'P';
  const planned = filing.aff10b5_one === true;
  return [
    transaction.transaction_date ?? null,
    ...(company ? [filing.ticker ?? null] : []),
    filing.owners.map(({ name }) => name).join('; '),
    filing.owners.slice(0, 1).map(roleOf).join(''),
    {
      text: (SIDES[transaction.transaction_code] ?? transaction.transaction_code) + (planned ? ` ${PLANNED}` : ''),
      mark: planned ? PLANNED : '',
      tone: purchase ? 'up' : 'down',
    },
    figure(transaction.shares, 'shares'),
    figure(transaction.price_per_share, 'per_share'),
    figure(transaction.transaction_value, 'money'),
    ...(doubtful ? [statusOf(transaction)] : []),
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
        transaction.footnote_ids.map((id) => texts.get(id) ?? id).join(' '),
        filing.source_url,
      ];
    }
  }
}
