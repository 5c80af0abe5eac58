import type { Holder, HolderPosition } from '../../contract/resources/holders.ts';
import { type Cell, change, fields, figure, quiet, table, title } from '../../output/blocks.ts';
import { pick, type Rows } from '../../output/rows.ts';
import { type Answer, command } from '../command.ts';
import { difference } from './shared/differences.ts';

export default command({
  operation: 'manager',
  args: [{ parameter: 'cik', many: true }],
  valueHints: { cik: 'Find the CIK of a manager: fin managers <name>' },
  examples: [
    { line: 'manager 7195', shows: "a manager's latest report, largest position first" },
    { line: 'manager 7195 --limit 500 --csv', shows: 'a row for each position' },
    { line: 'manager 7195 --rows quarters --csv', shows: 'a row for each quarter it reported' },
  ],
  view: ({ data }) => [
    title(`${data.name} (CIK ${data.cik}): holdings, ${data.period}`),
    fields([
      ['Positions', data.positions],
      ['Value', figure(data.value_total, 'money')],
      ...(data.opened == null ? [] : [['Opened', data.opened] as [string, Cell]]),
      ...(data.closed == null ? [] : [['Closed', data.closed] as [string, Cell]]),
      ['Filed', `${data.filed_at} (${data.accession_number})`],
      ['Quarters reported', data.quarters.length],
    ]),
    table(
      [
        { key: 'ticker', title: 'Ticker' },
        { key: 'issuer', title: 'Issuer', shrinkTo: 14 },
        { key: 'class', title: 'Class', shrinkTo: 6, drop: 3 },
        { key: 'put_call', title: 'Option', drop: 2 },
        { key: 'amount', title: 'Amount', align: 'right' },
        { key: 'change', title: 'Change', align: 'right', drop: 1 },
        { key: 'value', title: 'Value', align: 'right' },
        { key: 'weight', title: 'Weight', align: 'right' },
        { key: 'cusip', title: 'CUSIP', drop: 4 },
      ],
      data.rows.map((row) => [
        row.ticker ?? null,
        row.issuer,
        row.class,
        row.put_call,
        { ...figure(row.amount, 'shares'), mark: row.amount_type === 'SH' ? '' : ` ${row.amount_type}` },
        changeOf(row, data),
        figure(row.value, 'money'),
        figure(row.weight, 'fraction'),
        quiet(row.cusip),
      ]),
    ),
  ],
  rows: positionRows,
  rowChoices: { positions: positionRows, quarters: quarterRows, summary: summaryRows },
});

function positionRows({ data }: Answer<Holder>): Rows {
  const { rows, cik, name, period, filed_at, accession_number } = data;
  return pick(
    [
      'manager_cik',
      'manager_name',
      'period',
      'filed_at',
      'accession_number',
      'cusip',
      'issuer',
      'class',
      'put_call',
      'amount',
      'amount_type',
      'value',
      'prior_amount',
      'prior_value',
      'weight',
      'ticker',
      'cik',
      'entity_name',
    ],
    rows.map((row) => ({ ...row, manager_cik: cik, manager_name: name, period, filed_at, accession_number })),
  );
}

const MANAGER = ['manager_cik', 'manager_name', 'period', 'filed_at', 'accession_number', 'positions', 'value_total'];

/** A row for each quarter that the manager reported. */
function quarterRows({ data: { quarters, cik, name } }: Answer<Holder>): Rows {
  return pick(
    MANAGER,
    quarters.map((quarter) => ({ ...quarter, manager_cik: cik, manager_name: name })),
  );
}

/** The report as a whole, in one row. */
function summaryRows({ data }: Answer<Holder>): Rows {
  return pick(
    [...MANAGER, 'rows_total', 'other_managers', 'prior_period', 'opened', 'closed'],
    [{ ...data, manager_cik: data.cik, manager_name: data.name }],
  );
}

/** A position is new only where there is an earlier report without it. */
function changeOf({ amount, prior_amount: prior }: HolderPosition, { prior_period: before }: Holder): Cell {
  if (prior == null) return before == null ? null : { text: 'new', tone: 'up' };
  return change(difference(amount, prior), 'shares');
}
