import type { Measure } from '../../contract/figures.ts';
import type { Meta } from '../../contract/resources/envelope.ts';
import type { ScreenRow } from '../../contract/resources/screen.ts';
import { PRICED_COLUMNS, SCREEN_COLUMNS, SCREEN_FIGURES } from '../../contract/screen-columns.ts';
import { type Cell, type Column, figure, table } from '../../output/blocks.ts';
import { pick } from '../../output/rows.ts';
import { addDays } from '../../platform/dates.ts';
import { type Answer, command, type Prepared, type RawParameters, type ViewContext } from '../command.ts';
import { refuseValues } from './screen-values.ts';
import { expandClauses } from './shared/screen-filters.ts';

const IDENTITY = ['cik', 'ticker', 'exchange', 'entity_name'];
const FIGURES = new Map(SCREEN_FIGURES.map((entry) => [entry.key, entry]));

/** Shown beside the filtered and sorted figures when no columns are named. None moves with a price: a release covers the answer. */
const TELLING = ['fiscal_year', 'revenue', 'revenue_yoy', 'operating_margin', 'net_income', 'free_cash_flow'];

export default command<readonly ScreenRow[]>({
  operation: 'screen',
  args: [],
  examples: [
    { line: 'screen --where revenue_yoy:gt:20%', shows: 'companies that grew by more than a fifth' },
    {
      line: 'screen --where revenue:gt:10B --where net_margin:gte:20% --sort net_margin --dir desc',
      shows: 'large and profitable, best margin first',
    },
    {
      line: 'screen --where roe:gt:0.3 --columns roe,net_income,stockholders_equity --limit 500 --csv',
      shows: 'chosen figures for a spreadsheet',
    },
  ],
  help:
    'Fractions are written as the service writes them (0.2) or in percent (20%); large values take K, M, B or T. ' +
    'Without --columns a table shows the figures you filter and sort by and a few telling ones; ' +
    'JSON, NDJSON and CSV hold every figure.',
  valueHints: {
    where: 'Write column:op:value: op gte, lte, gt or lt, the value as 0.2, 20% or 1.5B (K, M, B, T).',
    columns: 'fin help figures lists the figures.',
    sort: 'fin help figures lists the figures.',
  },
  prepare: (given, { format, unchecked }): Prepared => {
    if (unchecked !== true) refuseValues(given);
    const { parameters: expanded, warnings } = expandClauses(given);
    const named = expanded.some(([name]) => name === 'columns');
    const columns = named || format !== 'table' ? [] : [['columns', chosen(expanded).join(',')] as const];
    return { parameters: [...expanded, ...columns], warnings };
  },
  notices: ({ data, meta }, { local = false }) => {
    const aside = local && (meta.set_aside ?? 0) > 0 ? needOfPrice(meta) : [];
    const missing = (meta.columns ?? [])
      .filter((key) => PRICED_COLUMNS.has(key))
      .map((key) => [key, data.filter((row) => row[key] == null).length] as const)
      .filter(([, rows]) => rows > 0);
    if (missing.length === 0) return aside;
    const named = missing.map(([key, rows]) => `${key} (${rows} of ${data.length} rows)`).join(', ');
    return [...aside, `Missing: ${named}. Such figures need a price of late: fin prices shows what there is.`];
  },
  view: (answer) => {
    const keys = columnsOf(answer);
    const columns: Column[] = [
      { key: 'ticker', title: 'Ticker' },
      { key: 'entity_name', title: 'Company', shrinkTo: 14 },
      ...keys.map(
        (key, index): Column => ({
          key,
          title: key,
          align: FIGURES.has(key) || key === 'fiscal_year' ? 'right' : 'left',
          ...(index === 0 ? {} : { drop: index }),
        }),
      ),
    ];
    return [
      table(
        columns,
        answer.data.map((row) => [
          { text: row.ticker, tone: 'strong' },
          row.entity_name,
          ...keys.map((key) => cell(row, key)),
        ]),
      ),
    ];
  },
  rows: (answer, context) => pick([...IDENTITY, ...programColumns(answer, context)], answer.data),
});

/** Our own service's rule: a price makes no ratio of a release that is more days later. */
const OLDEST_PRICE_DAYS = 180;

/** Why companies with a price on file are set aside all the same. */
function needOfPrice({ where = [], release }: Partial<Meta>): string[] {
  const priced = [...new Set(where.map((clause) => clause.split(':')[0] ?? ''))].filter((key) =>
    PRICED_COLUMNS.has(key),
  );
  if (priced.length === 0 || release == null) return [];
  const first = addDays(release.date, -OLDEST_PRICE_DAYS);
  return [
    `For ${priced.join(', ')} a price of ${first} or later must be on file: one counts for ${OLDEST_PRICE_DAYS} days.`,
  ];
}

/** The figures a person filters and sorts by, in that order, then the telling ones. */
function chosen(given: RawParameters): string[] {
  const asked = given.flatMap(([name, text]) => {
    if (name === 'where') return [text.split(':')[0] ?? ''];
    return name === 'sort' && text !== 'ticker' ? [text] : [];
  });
  return [...new Set([...asked.filter((key) => key !== ''), ...TELLING])];
}

/** The columns that were asked for, as the service echoes them; else those the rows have. */
function columnsOf({ data, meta }: Answer<readonly ScreenRow[]>): readonly string[] {
  if (meta.columns !== undefined) return meta.columns;
  const present = new Set(data.flatMap((row) => Object.keys(row)));
  return [...present].filter((key) => !IDENTITY.includes(key));
}

/** A header that does not depend on the rows: without columns every one of the interface. */
function programColumns(answer: Answer<readonly ScreenRow[]>, { parameters }: ViewContext): readonly string[] {
  const named = answer.meta.columns ?? parameters.columns;
  return Array.isArray(named) ? named.map(String) : SCREEN_COLUMNS;
}

function cell(row: ScreenRow, key: string): Cell {
  const value = row[key] ?? null;
  const measure: Measure | undefined = FIGURES.get(key)?.measure;
  if (measure === undefined || typeof value === 'number') return value;
  return { ...figure(value, measure), signed: key.endsWith('_yoy') };
}
