import { defineCommand } from '../ask/command/command.ts';
import { makeRowsOption } from '../ask/command/options.ts';
import type { SecurityHolder, SecurityHolders } from '../contract/resources/holders.ts';
import { formatSplitRatio } from '../contract/split-ratio.ts';
import { type Cell, makeFigureCell, makeSignedCell } from '../result/blocks.ts';
import { makeNote, makeNoteIf, type Notice } from '../result/notice.ts';
import type { LabelledValue } from '../result/result.ts';
import { map } from '../result/rows.ts';
import { makeFieldColumns, makeTable } from '../result/table.ts';
import { makeAmount, subtractOrNull, toNewSharesOrNull } from './amounts/amounts.ts';

export default defineCommand({
  operation: 'holders',
  args: [{ parameter: 'ticker', many: true }],
  examples: {
    'holders AAPL': 'managers that hold the security, with changes since the previous quarter',
    'holders AAPL --all --csv': 'one row for each manager',
    'holders AAPL --quarter 2024-12-31': 'managers that held it at the end of a quarter',
  },
  options: [makeRowsOption('holders', 'summary')],
  result: ({ data, items }, { isSample }) => ({
    title: `${data.entity_name} (${data.ticker}): institutional holders, ${data.period}`,
    facts: makeLabelledValues(data),
    tables: [
      makeTable<Omit<SecurityHolders, 'rows'> & SecurityHolder>({
        name: 'holders',
        columns: [
          ...makeFieldColumns('ticker', 'cik', 'entity_name', 'period'),
          { key: 'holder_cik', label: 'CIK', align: 'right', drop: 2 },
          { key: 'holder_name', label: 'Manager', shrinkTo: 16 },
          { key: 'amount', measure: 'shares', cell: makeAmount },
          { key: 'amount_type' },
          { key: 'value', measure: 'money' },
          { key: 'prior_known' },
          { key: 'prior_amount', measure: 'shares' },
          { key: 'prior_value', measure: 'money' },
          { key: 'weight', label: 'Share of portfolio', measure: 'fraction', drop: 1 },
          { key: 'filed_at', drop: 3 },
          ...makeFieldColumns('accession_number', 'split_ratio'),
          { key: 'change', value: null, align: 'right', cell: (row) => makeChangeCell(row, data) },
        ],
        shownKeys: ['holder_name', 'amount', 'change', 'value', 'weight', 'holder_cik', 'filed_at'],
        records: () => {
          const { rows: _, ...summaryFields } = data;
          return map(items(), (row) => ({ ...summaryFields, ...(row as SecurityHolder) }));
        },
      }),
      makeTable({
        name: 'summary',
        coversAllPages: true,
        columns: [
          ...makeFieldColumns('ticker', 'cik', 'entity_name', 'period', 'holders'),
          { key: 'amount_held', measure: 'shares' },
          { key: 'value_held', measure: 'money' },
          ...makeFieldColumns('opened', 'closed', 'prior_period', 'prior_holders'),
          { key: 'prior_amount_held', measure: 'shares' },
          ...makeFieldColumns('rows_total', 'updated_at', 'split_ratio'),
        ],
        shownKeys: [],
        records: () => [data],
      }),
    ],
    notices: [
      ...makeNoteIf(
        data.prior_amount_held != null && !areTotalsComparable(data),
        'totals_incomparable',
        `The totals of ${data.period} and ${formatPriorPeriod(data)} cannot be compared: some managers reported only one of these quarters.`,
      ),
      ...makeSplitNotices(data),
      ...makeNoteIf(isSample, 'sample_partial', SAMPLE_TEXT),
    ],
  }),
});

const SAMPLE_TEXT = 'The built-in sample includes few managers; a company has more holders than shown here.';

const makeLabelledValues = (data: SecurityHolders): readonly LabelledValue[] => [
  [
    'Managers',
    data.prior_holders == null ? data.holders : `${data.holders} (${data.prior_holders} on ${formatPriorPeriod(data)})`,
  ],
  ['Shares held', makeFigureCell(data.amount_held, 'shares')],
  ...makePriorAmountFacts(data),
  ['Value held', makeFigureCell(data.value_held, 'money')],
  // The number of opened positions is null if no report of the previous quarter is available.
  ...(data.opened == null ? [] : [['Positions opened', data.opened] as const]),
  ...(data.closed == null ? [] : [['Positions closed', data.closed] as const]),
];

/** Shows "new" only if the manager's report of the previous quarter is available and lacks the position. */
function makeChangeCell(holder: SecurityHolder, { split_ratio: ratio }: SecurityHolders): Cell {
  const { amount, amount_type: type, prior_amount: before, prior_known: isKnown } = holder;
  if (before == null) return isKnown ? { text: 'new', tone: 'up' } : null;
  const base = type === 'SH' ? toNewSharesOrNull(before, ratio) : before;
  return makeSignedCell(subtractOrNull(amount, base), 'shares');
}

function makeSplitNotices(data: SecurityHolders): readonly Notice[] {
  const { split_ratio: ratio, period } = data;
  if (ratio === undefined) return [];
  const text =
    ratio === null
      ? `The shares may have been split between ${formatPriorPeriod(data)} and ${period}, so changes are not shown.`
      : `The shares were split ${formatSplitRatio(ratio)} between ${formatPriorPeriod(data)} and ${period}. Changes are in new shares; previous amounts are as filed.`;
  return [makeNote('split_between', text, { split_ratio: ratio })];
}

/**
 * Returns the change of the total amount since the previous quarter if both totals cover the same managers, otherwise
 * the previous total.
 */
function makePriorAmountFacts(data: SecurityHolders): readonly LabelledValue[] {
  const { amount_held: now, prior_amount_held: before } = data;
  if (before == null) return [];
  return areTotalsComparable(data)
    ? [['  change', makeSignedCell(subtractOrNull(now, toNewSharesOrNull(before, data.split_ratio)), 'shares')]]
    : [[`  on ${formatPriorPeriod(data)}`, makeFigureCell(before, 'shares')]];
}

/**
 * Whether both totals probably cover the same managers: every listed manager's previous report is available, and the
 * opened and closed positions explain the change in the number of holders.
 */
const areTotalsComparable = ({ rows, holders, prior_holders: prior, opened, closed }: SecurityHolders): boolean =>
  rows.every((row) => row.prior_known) && prior === holders - (opened ?? 0) + (closed ?? 0);

const formatPriorPeriod = ({ prior_period: period }: SecurityHolders): string => period ?? 'the previous quarter';
