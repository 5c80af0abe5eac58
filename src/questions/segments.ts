import { defineCommand } from '../ask/command/command.ts';
import { makeRowsOption } from '../ask/command/options.ts';
import { compareText } from '../contract/compare-text.ts';
import { sum } from '../contract/decimal.ts';
import { type Decimal, isZero } from '../contract/decimal-text.ts';
import { withParameter } from '../contract/question.ts';
import type { SegmentAxis, SegmentMeasure, SegmentMember, Segments } from '../contract/resources/segments.ts';
import { capitalize } from '../contract/text/format-counts.ts';
import type { BarChart } from '../result/blocks.ts';
import { type Block, type Cell, type Column, makeFigureCell, makeTitleBlock, type TableRow } from '../result/blocks.ts';
import { findLatest, formatPeriod, makeDisplayName, makeDistinctPeriodLabels } from '../result/labels.ts';
import { makeFieldColumns, makeTable, type Table } from '../result/table.ts';
import { divideOrNull, subtractOrNull } from './amounts/amounts.ts';
import { makePeriodsFilter, PERIOD_COUNT_OPTIONS, readSegmentPeriodChoice } from './periods/period-counts.ts';
import { makeNoticesOfReportsAfter } from './reports/report-notices.ts';

type SegmentPeriod = SegmentMeasure['periods'][number];

const DERIVED_MARK = '*';
/**
 * Marks a period that is not comparable with the newest period, because the company changed its segments since then.
 * Two marks mean that it changed them twice.
 */
const OTHER_BASIS_MARK = '†';
const OTHER_BASIS_MEANING =
  'reported before the company changed these segments, so not comparable with periods reported after the change';
const RECONCILING_MARK = '‡';
const NOT_ADDED_MARK = '§';
const LEGEND: readonly (readonly [string, string])[] = [
  [DERIVED_MARK, 'computed as the year less its first three quarters'],
  [OTHER_BASIS_MARK, OTHER_BASIS_MEANING],
  [RECONCILING_MARK, 'reconciling item: eliminations, sales between segments, and amounts outside the members'],
  [NOT_ADDED_MARK, 'also stated, but not added up: it overlaps with the rows above, or may overlap'],
];

const markBasis = (basis = 1): string => OTHER_BASIS_MARK.repeat(Math.max(0, basis - 1));
const formatMarks = ({ derived = false, basis }: SegmentPeriod) => (derived ? DERIVED_MARK : '') + markBasis(basis);

export default defineCommand({
  operation: 'segments',
  args: [{ parameter: 'ticker', many: true }],
  examples: {
    'segments AAPL':
      'revenue by business segment, geography and product, with percentages of the total; parts of a member are below it',
    'segments AAPL --years 3': 'the last three fiscal years; --quarters 8 shows the last eight quarters',
    'segments AAPL --chart': 'the values of each member by year, as a bar chart',
    'segments AAPL --period quarterly --csv':
      'one row for each member and quarter; rows with the same parent add up to the parent, and rows without a parent ' +
      'to the total, except rows with the role not_added, which overlap with others',
  },
  options: [...PERIOD_COUNT_OPTIONS, makeRowsOption('members', 'summary')],
  hasCharts: true,
  request: ({ givenParameters, options }) => {
    const choice = readSegmentPeriodChoice(options);
    if (choice === null) return { parameters: givenParameters };
    const parameters = withParameter(givenParameters, 'period', choice.period);
    return { parameters, narrowing: makePeriodsFilter(choice) };
  },
  result: async ({ data }, { lookUp }) => {
    const periods = data.axes.flatMap(({ measures }) => measures.flatMap((measure) => measure.periods));
    const newest = findLatest(periods.map(({ end_date: end }) => end));
    const title = `${data.entity_name} (${data.ticker}): segments, ${data.period}`;
    return {
      title,
      tables: [makeMembersTable(data), makeSummaryTable(data)],
      layout: () => {
        const blocks = data.axes.flatMap((axis) => axis.measures.flatMap((item) => makeMeasureBlocks(axis, item)));
        return [makeTitleBlock(title), ...blocks];
      },
      hasSheet: true,
      charts: {
        isShownByDefault: false,
        draw: () =>
          data.axes.flatMap((axis) => {
            const members = listMembers(axis);
            return axis.measures.map((measure) => makeMeasureChart(axis, measure, members));
          }),
        notes: () => (periods.some(({ basis = 1 }) => basis > 1) ? [`${OTHER_BASIS_MARK} ${OTHER_BASIS_MEANING}`] : []),
      },
      notices: newest === null ? [] : await makeNoticesOfReportsAfter(newest, data, lookUp, 'segments'),
    };
  },
});

type OwnField = 'axis' | 'measure' | 'concept' | 'unit' | 'member' | 'label' | 'value' | 'total' | 'parent' | 'role';
type MemberRow = SegmentPeriod & Pick<Segments, 'ticker' | 'cik' | 'entity_name'> & Readonly<Record<OwnField, unknown>>;

const makeMembersTable = (data: Segments): Table =>
  makeTable<MemberRow>({
    name: 'members',
    columns: [
      ...makeFieldColumns('ticker', 'cik', 'entity_name', 'axis', 'measure', 'concept', 'unit', 'member', 'label'),
      ...makeFieldColumns('fiscal_year', 'fiscal_period', 'end_date'),
      { key: 'value', measure: 'money' },
      { key: 'total', measure: 'money' },
      { key: 'derived', value: ({ derived = false }) => derived },
      ...makeFieldColumns('accession_number', 'form', 'filed_at'),
      { key: 'basis', value: ({ basis = 1 }) => basis },
      ...makeFieldColumns('parent', 'role'),
    ],
    records: () => generateMemberRows(data),
  });

type MemberFields = Pick<MemberRow, 'member' | 'label' | 'parent' | 'role'>;

/**
 * Yields a row for each member and period, then rows for the remainders. In a period, rows with the same parent add up
 * to the parent, and rows without a parent to the total; rows with the role `not_added` do not count.
 */
function* generateMemberRows({ ticker, cik, entity_name, axes }: Segments): Generator<MemberRow> {
  for (const { axis, measures } of axes) {
    for (const measure of measures) {
      const { measure: name, concept, unit, periods, totals } = measure;
      const common = { ticker, cik, entity_name, axis, measure: name, concept, unit };
      for (const { values, describe, isRemainder } of listRows(measure)) {
        for (const [index, period] of periods.entries()) {
          const value = values[index] ?? null;
          if (isRemainder && (value === null || isZero(value))) continue;
          yield { ...common, ...describe(index), ...period, value, total: totals[index] ?? null };
        }
      }
    }
  }
}

function listRows(measure: SegmentMeasure) {
  const tree = makeMemberTree(measure);
  const members = measure.members.map((member) => ({
    ...{ values: member.values, isRemainder: false },
    describe: (index: number) => describeMember(member, tree, index),
  }));
  const remainders = tree.remainders.map(({ parent, values }) => {
    const fields = { member: null, label: labelRemainder(parent), parent: parent?.member ?? null, role: 'remainder' };
    return { values, isRemainder: true, describe: (): MemberFields => fields };
  });
  return [...members, ...remainders];
}

/**
 * Returns the fields that identify a member in a period. Omits the parent if the parent has no value in the period,
 * because the member then counts directly towards the total. Keeps a parent that is not among the answer's members.
 */
function describeMember(member: SegmentMember, tree: MemberTree, index: number): MemberFields {
  const above = tree.getParent(member);
  const isAlone = above !== null && (above.values[index] ?? null) === null;
  const { label, parent = null, role = 'member' } = member;
  return { member: member.member, label, parent: isAlone ? null : parent, role };
}

const makeSummaryTable = (data: Segments): Table =>
  makeTable({
    name: 'summary',
    columns: makeFieldColumns('ticker', 'cik', 'entity_name', 'period', 'documents', 'updated_at'),
    shownKeys: [],
    records: () => [data],
  });

/**
 * Returns a table of one measure, newest period first, with each member's percentage of the newest consolidated total.
 * Parts are below their member. The remainder of the total, or of a member with parts, has its own row.
 */
function makeMeasureBlocks(axis: SegmentAxis, measure: SegmentMeasure): Block[] {
  const { totals } = measure;
  const newestFirst = sortPeriodsByEnd(measure).reverse();
  const [last] = newestFirst;
  // Some filers break down a figure without reporting its total.
  const hasTotals = totals.some((total) => total !== null);
  const columns: Column[] = [
    { key: 'label', title: capitalize(axis.axis), shrinkTo: 16 },
    ...(hasTotals ? [{ key: 'share', title: 'Share', align: 'right' } as const] : []),
    ...newestFirst.map(({ period }, position): Column => {
      const mark = formatMarks(period);
      const key = formatPeriod(period);
      return { key, title: key + mark, mark, align: 'right', ...(position === 0 ? {} : { drop: position }) };
    }),
  ];
  const makeShare = (values: PeriodValues): Cell =>
    last === undefined ? null : makeFigureCell(divideOrNull(values[last.index], totals[last.index]), 'fraction');
  const makeValues = (values: PeriodValues): Cell[] =>
    newestFirst.map(({ index }) => makeFigureCell(values[index], 'money'));
  const makeRow = (label: Cell, values: PeriodValues): TableRow => {
    return [label, ...(hasTotals ? [makeShare(values)] : []), ...makeValues(values)];
  };
  const { listBelow, remainders } = makeMemberTree(measure);
  const makeMemberRow = (one: SegmentMember, depth: number) => makeRow(makeMemberLabel(one, depth), one.values);
  const makeRowsBelow = (parent: SegmentMember | null, depth: number): TableRow[] => {
    const label: Cell = { text: PART_INDENT.repeat(depth) + labelRemainder(parent), tone: 'quiet' };
    const makeRows = (member: SegmentMember) => [makeMemberRow(member, depth), ...makeRowsBelow(member, depth + 1)];
    const rest = remainders.filter((remainder) => remainder.parent === parent);
    return [...listBelow(parent).flatMap(makeRows), ...rest.map(({ values }) => makeRow(label, values))];
  };
  return [
    makeTitleBlock(formatMeasureTitle(axis, measure)),
    {
      kind: 'table',
      columnNoun: 'periods',
      columns,
      rows: [
        ...makeRowsBelow(null, 0),
        ...(hasTotals ? [[{ text: 'Consolidated', tone: 'strong' } as const, '', ...makeValues(totals)]] : []),
        ...measure.members.filter(({ role }) => role === 'not_added').map((member) => makeMemberRow(member, 0)),
      ],
      legend: LEGEND,
    },
  ];
}

function makeMemberLabel({ label, role }: SegmentMember, depth: number): Cell {
  const mark = role === 'reconciling' ? RECONCILING_MARK : role === 'not_added' ? NOT_ADDED_MARK : '';
  const text = `${PART_INDENT.repeat(depth)}${label}`;
  return mark === '' ? text : { text: `${text} ${mark}`, mark, ...(role === 'not_added' ? { tone: 'quiet' } : {}) };
}

/** Returns the labels of all members of an axis; the index of a label selects the member's colour in every chart. */
const listMembers = ({ measures }: SegmentAxis): readonly string[] => [
  ...new Set(measures.flatMap(({ members }) => members.map(({ label }) => label))),
];

/**
 * Returns a chart of one measure, such as revenue by segment, with all members on one scale. Members are shown instead
 * of their parts.
 * @param labels the labels of all members of the axis
 */
function makeMeasureChart(axis: SegmentAxis, measure: SegmentMeasure, labels: readonly string[]): BarChart {
  const indexed = sortPeriodsByEnd(measure);
  const tree = makeMemberTree(measure);
  const rest = tree.remainders.find(({ parent }) => parent === null);
  const members = [
    ...tree.listBelow(null).map((member) => {
      return { label: member.label, values: measure.periods.map((_, index) => tree.getAmount(member, index)) };
    }),
    ...(rest === undefined ? [] : [{ label: REST_LABEL, values: rest.values }]),
  ];
  const names = makeDistinctPeriodLabels(indexed.map(({ period }) => period));
  return {
    ...{ kind: 'bars', title: formatMeasureTitle(axis, measure), measure: 'money', together: 'stacked' },
    periods: names.map((name, index) => name + markBasis(indexed[index]?.period.basis)),
    series: members.map(({ label, values }) => {
      const colour = labels.includes(label) ? labels.indexOf(label) : labels.length;
      return { label, values: indexed.map(({ index }) => values[index] ?? null), colour };
    }),
  };
}

const REMAINDER_LABEL = 'Other (total less the members)';
/** Name of the remainder in charts, which have little space for names. */
const REST_LABEL = 'Total less members';
const PART_INDENT = '  ';

const labelRemainder = (parent: SegmentMember | null): string =>
  parent === null ? REMAINDER_LABEL : `Other (${parent.label} less its parts)`;

/** Returns periods sorted by end date, each with its index in the arrays of values. */
const sortPeriodsByEnd = ({ periods }: SegmentMeasure) =>
  periods
    .map((period, index) => ({ period, index }))
    .sort((a, b) => compareText(a.period.end_date, b.period.end_date) || b.index - a.index);

/**
 * Returns the title of a measure. If the company changed the measure's XBRL concept, so that several entries have this
 * measure, the title names the concept.
 */
function formatMeasureTitle({ axis, measures }: SegmentAxis, { measure, concept, unit }: SegmentMeasure): string {
  const several = measures.filter((other) => other.measure === measure).length > 1;
  return capitalize(`${makeDisplayName(measure)} by ${axis}, ${unit}${several ? ` (${concept})` : ''}`);
}

type PeriodValues = SegmentMeasure['totals'];
type MemberTree = ReturnType<typeof makeMemberTree>;

/** Returns the members of a breakdown as a tree, with the remainder of each level. */
function makeMemberTree({ members, totals }: SegmentMeasure) {
  const parents = new Map(members.map((member) => [member, findParent(members, member)]));
  const getParent = (member: SegmentMember) => parents.get(member) ?? null;
  /**
   * Returns the direct parts of a member (null: the members of the top level), except those with the role `not_added`,
   * which overlap with others.
   */
  const listBelow = (parent: SegmentMember | null) =>
    members.filter((member) => member.role !== 'not_added' && getParent(member) === parent);
  /** Returns the value of a member; if the member has no value in the period, the sum of the values of its parts. */
  const getAmount = (member: SegmentMember, index: number): Decimal | null =>
    member.values[index] ?? sumBelow(member, index);
  const sumBelow = (parent: SegmentMember | null, index: number): Decimal | null => {
    const amounts = listBelow(parent).flatMap((member) => getAmount(member, index) ?? []);
    return amounts.length === 0 ? null : sum(amounts);
  };
  const subtractBelow = (values: PeriodValues, parent: SegmentMember | null): PeriodValues =>
    values.map((value, index) => subtractOrNull(value, sumBelow(parent, index)));
  /**
   * The remainder of each member with parts, and last of the total (`parent` is null): its values less the sum of the
   * members directly below. Omits remainders that are zero in all periods.
   */
  const remainders = [...members.filter((member) => listBelow(member).length > 0), null]
    .map((parent) => ({ parent, values: subtractBelow(parent?.values ?? totals, parent) }))
    .filter(({ values }) => !values.every((value) => value === null || isZero(value)));
  return { getParent, listBelow, getAmount, remainders };
}

/** Returns the parent of a member; null if it is not in the answer, or if the parents form a cycle. */
function findParent(members: readonly SegmentMember[], member: SegmentMember): SegmentMember | null {
  const find = ({ parent }: SegmentMember) =>
    parent === undefined ? undefined : members.find((other) => other.member === parent && other.role !== 'not_added');
  const parent = find(member);
  let above = parent;
  for (let steps = 0; above !== undefined && steps < members.length; steps += 1) {
    if (above === member) return null;
    above = find(above);
  }
  return parent ?? null;
}
