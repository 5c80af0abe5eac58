import { defineCommand } from '../ask/command/command.ts';
import { makeRowsOption } from '../ask/command/options.ts';
import type { Holder, HolderPosition } from '../contract/resources/holders.ts';
import { type Cell, makeFigureCell, makeSignedCell } from '../result/blocks.ts';
import { makeNote, type Notice } from '../result/notice.ts';
import { makeFieldColumns, makeTable } from '../result/table.ts';
import { makeAmount, subtractOrNull, toNewSharesOrNull } from './amounts/amounts.ts';
import { makeElsewhereNotices, makeReportersTable } from './holdings/elsewhere.ts';

export default defineCommand({
  operation: 'manager',
  args: [{ parameter: 'cik', many: true }],
  examples: {
    'manager 7195': "a manager's latest report, largest positions first",
    'manager 7195 --all --csv': 'one row for each position',
    'manager 7195 --quarter 2020-12-31': 'the report for a quarter, with changes since the report before it',
    'manager 7195 --rows quarters --csv': 'one row for each reported quarter',
  },
  options: [makeRowsOption('positions', 'quarters', 'summary', 'reporters')],
  result: ({ data, items }) => ({
    title: `${data.name} (CIK ${data.cik}): holdings, ${data.period}`,
    facts: [
      ['Positions', data.positions],
      ['Value', makeFigureCell(data.value_total, 'money')],
      ...(data.opened == null ? [] : [['Positions opened', data.opened] as const]),
      ...(data.closed == null ? [] : [['Positions closed', data.closed] as const]),
      ['Filed', `${data.filed_at} (${data.accession_number})`],
      ['Quarters reported', data.quarters?.length ?? 0],
    ],
    tables: [
      makeTable<HolderPosition>({
        name: 'positions',
        columns: [
          { key: 'manager_cik', value: () => data.cik },
          { key: 'manager_name', value: () => data.name },
          ...(['period', 'filed_at', 'accession_number'] as const).map((key) => ({ key, value: () => data[key] })),
          { key: 'cusip', tone: 'quiet', drop: 4 },
          { key: 'issuer', shrinkTo: 14 },
          { key: 'class', shrinkTo: 6, drop: 3 },
          { key: 'put_call', label: 'Option', drop: 2 },
          { key: 'amount', measure: 'shares', cell: makeAmount },
          { key: 'amount_type' },
          { key: 'value', measure: 'money' },
          { key: 'prior_amount', measure: 'shares' },
          { key: 'prior_value', measure: 'money' },
          { key: 'weight', measure: 'fraction' },
          ...makeFieldColumns('ticker', 'cik', 'entity_name', 'split_ratio'),
          { key: 'change', value: null, align: 'right', drop: 1, cell: (row) => makeChangeCell(row, data) },
        ],
        shownKeys: ['ticker', 'issuer', 'class', 'put_call', 'amount', 'change', 'value', 'weight', 'cusip'],
        records: items as () => Iterable<HolderPosition>,
      }),
      makeTable({
        name: 'quarters',
        coversAllPages: true,
        columns: MANAGER_COLUMNS,
        shownKeys: [],
        records: () => (data.quarters ?? []).map((quarter) => ({ ...pickManagerFields(data), ...quarter })),
      }),
      makeTable({
        name: 'summary',
        coversAllPages: true,
        columns: [
          ...MANAGER_COLUMNS,
          ...makeFieldColumns('rows_total', 'other_managers', 'prior_period', 'opened', 'closed'),
        ],
        shownKeys: [],
        records: () => [{ ...data, ...pickManagerFields(data) }],
      }),
      makeReportersTable(data),
    ],
    notices: [...makeSplitNotices(data), ...makeElsewhereNotices(data)],
  }),
});

function makeSplitNotices({ rows, prior_period: priorPeriod, period }: Holder): readonly Notice[] {
  const splitRows = (rows ?? []).filter((row) => row.split_ratio !== undefined);
  const tickers = [...new Set(splitRows.flatMap((row) => row.ticker ?? []))];
  if (tickers.length === 0) return [];
  const text = `Shares were or may have been split between ${priorPeriod ?? 'the quarters'} and ${period}: ${tickers.join(', ')}. Their changes are in new shares, or missing; previous amounts are as filed.`;
  return [makeNote('split_between', text, { tickers })];
}

const MANAGER_COLUMNS = [
  ...makeFieldColumns('manager_cik', 'manager_name', 'period', 'filed_at', 'accession_number', 'positions'),
  { key: 'value_total', measure: 'money' } as const,
];

const pickManagerFields = ({ cik, name }: Holder) => ({ manager_cik: cik, manager_name: name });

/** Shows "new" only if an earlier report exists and lacks the position. */
function makeChangeCell(position: HolderPosition, { prior_period: priorPeriod }: Holder): Cell {
  const { amount, prior_amount: prior, split_ratio: ratio } = position;
  if (prior == null) return priorPeriod == null ? null : { text: 'new', tone: 'up' };
  return makeSignedCell(subtractOrNull(amount, toNewSharesOrNull(prior, ratio)), 'shares');
}
