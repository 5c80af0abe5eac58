/** `fin managers --overlap`: the positions that several managers reported for the latest quarter common to all of them. */

import type { Answer } from '../../ask/command/answer.ts';
import type { Delegation, FailedInput, ResultContext, ResultMembers } from '../../ask/command/command.ts';
import { defineCommand } from '../../ask/command/command.ts';
import type { ParsedArguments } from '../../ask/command/option-spec.ts';
import { add, divide, sum } from '../../contract/decimal.ts';
import { compareDecimals } from '../../contract/decimal-text.ts';
import { Failure, failUsage } from '../../contract/failure.ts';
import { parseCik } from '../../contract/identifiers.ts';
import type { RawParameters } from '../../contract/question.ts';
import type { Holder, HolderPosition } from '../../contract/resources/holders.ts';
import { quote } from '../../contract/text/quote.ts';
import { call, option, say } from '../../contract/text/text.ts';
import { makeFigureCell } from '../../result/blocks.ts';
import { findLatest } from '../../result/labels.ts';
import { makeNoteIf } from '../../result/notice.ts';
import { type Column, makeFieldColumns, makeTable, type Table } from '../../result/table.ts';
import { makeAmount } from '../amounts/amounts.ts';
import { makeElsewhereNotices } from './elsewhere.ts';

type HolderAnswer = Answer<Holder>;
type Failed = readonly FailedInput[];

const OVERLAP_COMMAND = defineCommand({
  operation: 'manager',
  name: 'managers',
  parameters: [],
  args: [{ parameter: 'cik', many: true }],
  examples: {},
  // All positions are needed, whatever the user's limit of the shown positions.
  request: () => ({ parameters: [], extent: { kind: 'pages' } }),
  alignAnswers,
  result: (answer, context) => makeOverlap([answer], context, []),
  combineAnswers: makeOverlap,
});

/** Returns the command that answers `--overlap`. Throws a usage Failure for fewer than two managers. */
export function delegateOverlap({ args, options }: ParsedArguments): Delegation {
  const texts = (options.get('overlap') ?? []).flatMap((text) => text.split(',')).map((text) => text.trim());
  const ciks = [...new Set(texts.filter((text) => text !== ''))];
  if (args.length > 0) failUsage(say`${option('overlap')} takes the place of a name: remove ${quote(args.join(' '))}.`);
  const wrong = ciks.find((text) => parseCik(text.replace(/^CIK/i, '')) === null);
  const hint = say`Find the CIK of a manager: ${call('managers', { query: '<name>' })}`;
  if (wrong !== undefined) failUsage(say`${option('overlap')}: ${quote(wrong)} is not a CIK.`, hint);
  if (ciks.length < 2) failUsage(say`${option('overlap')} needs at least two managers, such as 7195,1067983.`, hint);
  for (const name of ['limit', 'offset', 'rows']) {
    if (options.has(name)) failUsage(say`${option('overlap')} shows all common positions: remove ${option(name)}.`);
  }
  return { command: OVERLAP_COMMAND, parsed: { args: ciks, options } };
}

const listQuarters = (holder: Holder): string[] => [holder, ...holder.quarters].map(({ period }) => period);

/** Returns the parameter `quarter` for answers about a later quarter than the latest one common to all managers. */
function alignAnswers(answers: readonly HolderAnswer[]): readonly RawParameters[] {
  const [first, ...others] = answers.map(({ data }) => listQuarters(data));
  if (first === undefined || others.length === 0) return [];
  const common = first.filter((quarter) => others.every((quarters) => quarters.includes(quarter)));
  const latest = common.sort().at(-1);
  if (latest === undefined) {
    const texts = answers.map(({ data }) => `${data.name} for ${data.quarters.map(({ period }) => period).join(', ')}`);
    throw new Failure('not_found', `No quarter has reports of all these managers: ${texts.join('; ')}.`, {
      hint: 'Leave out a manager. With local:, earlier quarters may help: fin data fetch --holders <quarters>, then fin data build.',
    });
  }
  return answers.map(({ data }) => (data.period === latest ? [] : [['quarter', latest]]));
}

type SharedPosition = ReturnType<typeof findSharedPositions>[number];

const makeKey = ({ cusip, put_call: putCall, amount_type: type }: HolderPosition) => `${cusip} ${putCall} ${type}`;

/** Returns the positions by key; adds up rows that another service lists separately. */
function indexPositions({ rows }: Holder): ReadonlyMap<string, HolderPosition> {
  const byKey = new Map<string, HolderPosition>();
  for (const row of rows) {
    const key = makeKey(row);
    const position = byKey.get(key);
    const [amount, value] = [add(position?.amount ?? '0', row.amount), add(position?.value ?? '0', row.value)];
    byKey.set(key, position === undefined ? row : { ...position, amount, value });
  }
  return byKey;
}

/**
 * Returns the positions that all managers have, as the first manager reports them, largest common value first; and the
 * amount and value of each manager, in the order of the managers.
 */
function findSharedPositions(managers: readonly Holder[]) {
  const [first, ...others] = managers.map(indexPositions);
  return [...(first ?? [])]
    .flatMap(([key, position]) => {
      const holdings = [position, ...others.flatMap((positions) => positions.get(key) ?? [])];
      if (holdings.length < managers.length) return [];
      return [{ position, holdings, value: sum(holdings.map(({ value }) => value)) }];
    })
    .sort((a, b) => compareDecimals(b.value, a.value));
}

type ComparedManager = ReturnType<typeof compareManagers>[number];

/** Adds the number and value of the common positions, and their fraction of the report's value (null without one). */
const compareManagers = (holders: readonly Holder[], positions: readonly SharedPosition[]) =>
  holders.map((holder, index) => {
    const shared = sum(positions.flatMap(({ holdings }) => holdings[index]?.value ?? []));
    const weight = divide(shared, holder.value_total);
    return { ...holder, shared: positions.length, shared_value: shared, shared_weight: weight };
  });

function makeOverlap(answers: readonly HolderAnswer[], { form }: ResultContext, failed: Failed): ResultMembers {
  // Fails if a report is missing: the positions that the remaining managers share would be a wrong answer.
  if (failed.length > 0)
    throw new Failure('not_found', `The overlap needs the reports of all managers; missing: ${listNames(failed)}.`);
  const holders = answers.map(({ data }) => data);
  const positions = findSharedPositions(holders);
  const managers = compareManagers(holders, positions);
  const period = holders[0]?.period ?? '';
  const later = holders.flatMap(({ name, quarters }) => {
    const last = findLatest(quarters.map((quarter) => quarter.period)) ?? period;
    return last > period ? [`${name} (${last})`] : [];
  });
  const laterText = `${period} is the latest quarter that all of these managers reported. Later reports: ${later.join(', ')}.`;
  const isEmpty = positions.length === 0;
  return {
    title: `Positions that ${holders.map(({ name }) => name).join(', ')} have in common, ${period}`,
    tables: [makePositionsTable(positions, holders), makeManagersTable(managers), makeOverlapTable(positions, holders)],
    notices: [
      ...makeNoteIf(later.length > 0, 'earlier_quarter', laterText, { period }),
      ...makeNoteIf(isEmpty && form !== 'document', 'no_rows', 'No position is in all of these reports.'),
      ...holders.flatMap(makeElsewhereNotices),
    ],
    document: () => {
      const meta = { release: answers.at(-1)?.meta.release ?? null };
      return [JSON.stringify({ data: makeDocument(period, managers, positions), meta }, null, 2)];
    },
  };
}

const listNames = (failed: Failed): string => failed.map(({ input }) => input.name).join(', ');

type PositionOfManager = HolderPosition & { readonly holder: Holder };

/** Returns one row for each position and manager. */
const makePositionsTable = (positions: readonly SharedPosition[], holders: readonly Holder[]): Table =>
  makeTable<PositionOfManager>({
    name: 'positions',
    columns: [
      { key: 'period', value: ({ holder }) => holder.period },
      ...makeFieldColumns('ticker', 'cik', 'entity_name', 'cusip', 'issuer', 'class', 'put_call'),
      { key: 'manager_cik', value: ({ holder }) => holder.cik },
      { key: 'manager_name', value: ({ holder }) => holder.name },
      { key: 'amount', measure: 'shares' },
      { key: 'amount_type' },
      { key: 'value', measure: 'money' },
      { key: 'weight', measure: 'fraction' },
    ],
    shownKeys: [],
    records: () =>
      positions.flatMap(({ holdings }) =>
        holdings.map((holding, index) => ({ ...holding, holder: holders[index] as Holder })),
      ),
  });

const makeManagersTable = (managers: readonly ComparedManager[]): Table =>
  makeTable<ComparedManager>({
    name: 'managers',
    columns: [
      { key: 'name', label: 'Manager', shrinkTo: 16 },
      { key: 'cik', label: 'CIK', align: 'right' },
      { key: 'positions', label: 'Positions', align: 'right' },
      { key: 'shared', label: 'In common', align: 'right' },
      { key: 'shared_weight', label: 'Share of portfolio', measure: 'fraction' },
      { key: 'filed_at', label: 'Filed', drop: 1 },
    ],
    records: () => managers,
  });

/** Returns the table for terminals: one row for each position, with the amount and value of each manager. */
const makeOverlapTable = (positions: readonly SharedPosition[], holders: readonly Holder[]): Table =>
  makeTable<SharedPosition>({
    name: 'overlap',
    title: 'Positions in common',
    columns: [
      { key: 'ticker', cell: ({ position }) => position.ticker ?? null },
      { key: 'issuer', shrinkTo: 12, cell: ({ position }) => position.issuer },
      { key: 'put_call', label: 'Option', drop: 2, cell: ({ position }) => position.put_call },
      ...holders.flatMap(({ cik, name }, index): Column<SharedPosition>[] => [
        {
          ...{ key: `amount_${cik}`, label: `${name}: amount`, align: 'right', wrapsTitle: true, drop: 3 + index },
          cell: ({ holdings }) => makeAmount(holdings[index] as HolderPosition),
        },
        {
          ...{ key: `value_${cik}`, label: `${name}: value`, align: 'right', wrapsTitle: true },
          cell: ({ holdings }) => makeFigureCell(holdings[index]?.value, 'money'),
        },
      ]),
    ],
    records: () => positions,
  });

const makeDocument = (period: string, managers: readonly ComparedManager[], positions: readonly SharedPosition[]) => ({
  period,
  managers: managers.map(({ cik, name, accession_number, filed_at, positions, value_total, ...shared }) => ({
    ...{ cik, name, accession_number, filed_at, positions, value_total, shared: shared.shared },
    ...{ shared_value: shared.shared_value, shared_weight: shared.shared_weight },
  })),
  positions: positions.map(({ position, holdings, value }) => ({
    ...{ cusip: position.cusip, issuer: position.issuer, class: position.class, put_call: position.put_call },
    ...{ ticker: position.ticker ?? null, cik: position.cik ?? null, amount_type: position.amount_type, value },
    holders: holdings.map(({ amount, value, weight = null }, index) => {
      return { cik: managers[index]?.cik, amount, value, weight };
    }),
  })),
});
