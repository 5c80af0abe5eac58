import type { SecurityHolder, SecurityHolders } from '../../contract/resources/holders.ts';
import { type Cell, change, fields, figure, table, title } from '../../output/blocks.ts';
import { pick, type Rows } from '../../output/rows.ts';
import { type Answer, command } from '../command.ts';
import { difference } from './shared/differences.ts';

export default command({
  operation: 'holders',
  args: [{ parameter: 'ticker', many: true }],
  examples: [
    { line: 'holders AAPL', shows: 'the managers that hold it, and their changes since the quarter before' },
    { line: 'holders AAPL --limit 500 --csv', shows: 'a row for each manager' },
  ],
  notices: ({ data }, { sample = false }) => [
    ...(data.prior_amount_held == null || comparable(data)
      ? []
      : [
          `The totals of ${data.period} and ${priorOf(data)} cannot be compared: some managers reported only one of them.`,
        ]),
    ...(sample ? ['The sample includes few managers; a company has more holders than shown.'] : []),
  ],
  view: ({ data }) => [
    title(`${data.entity_name} (${data.ticker}): institutional holders, ${data.period}`),
    fields([
      [
        'Managers',
        data.prior_holders == null ? data.holders : `${data.holders} (${data.prior_holders} on ${priorOf(data)})`,
      ],
      ['Shares held', figure(data.amount_held, 'shares')],
      ...priorAmount(data),
      ['Value held', figure(data.value_held, 'money')],
      // Null where no report of the quarter before is known.
      ...(data.opened == null ? [] : [['Opened', data.opened] as [string, Cell]]),
      ...(data.closed == null ? [] : [['Closed', data.closed] as [string, Cell]]),
    ]),
    table(
      [
        { key: 'holder_name', title: 'Manager', shrinkTo: 16 },
        { key: 'amount', title: 'Amount', align: 'right' },
        { key: 'change', title: 'Change', align: 'right' },
        { key: 'value', title: 'Value', align: 'right' },
        { key: 'weight', title: 'Of portfolio', align: 'right', drop: 1 },
        { key: 'holder_cik', title: 'CIK', align: 'right', drop: 2 },
        { key: 'filed_at', title: 'Filed', drop: 3 },
      ],
      data.rows.map((row) => [
        row.holder_name,
        { ...figure(row.amount, 'shares'), mark: row.amount_type === 'SH' ? '' : ` ${row.amount_type}` },
        changeOf(row),
        figure(row.value, 'money'),
        figure(row.weight, 'fraction'),
        row.holder_cik,
        row.filed_at,
      ]),
    ),
  ],
  rows: holderRows,
  rowChoices: { holders: holderRows, summary: summaryRows },
});

const SECURITY = ['ticker', 'cik', 'entity_name', 'period'];

function holderRows({ data: { rows, ...held } }: Answer<SecurityHolders>): Rows {
  return pick(
    [
      ...SECURITY,
      'holder_cik',
      'holder_name',
      'amount',
      'amount_type',
      'value',
      'prior_known',
      'prior_amount',
      'prior_value',
      'weight',
      'filed_at',
      'accession_number',
    ],
    rows.map((row) => ({ ...held, ...row })),
  );
}

/** What all holders have together, in one row. */
function summaryRows({ data }: Answer<SecurityHolders>): Rows {
  return pick(
    [
      ...SECURITY,
      'holders',
      'amount_held',
      'value_held',
      'opened',
      'closed',
      'prior_period',
      'prior_holders',
      'prior_amount_held',
      'rows_total',
      'updated_at',
    ],
    [data],
  );
}

/** New only where the manager's report of the quarter before is known and does not list it. */
function changeOf({ amount, prior_amount: prior, prior_known: known }: SecurityHolder): Cell {
  if (prior == null) return known ? { text: 'new', tone: 'up' } : null;
  return change(difference(amount, prior), 'shares');
}

/** The amount held a quarter earlier, as a change where both totals are of the same managers. */
function priorAmount(data: SecurityHolders): [string, Cell][] {
  const { amount_held: now, prior_amount_held: before } = data;
  if (before == null) return [];
  return comparable(data)
    ? [['  change', change(difference(now, before), 'shares')]]
    : [[`  on ${priorOf(data)}`, figure(before, 'shares')]];
}

/**
 * Whether both totals are of the same managers, as far as the answer shows: then the holders of the quarter before are
 * those of now, less those that opened a position, plus those that closed one.
 */
function comparable({ rows, holders, prior_holders: before, opened, closed }: SecurityHolders): boolean {
  return rows.every((row) => row.prior_known) && before === holders - (opened ?? 0) + (closed ?? 0);
}

const priorOf = ({ prior_period: period }: SecurityHolders): string => period ?? 'the quarter before';
