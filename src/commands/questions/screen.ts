import type { Measure } from '../../contract/figures.ts';
import type { RawParameters } from '../../contract/question/question.ts';
import type { Meta } from '../../contract/resources/envelope.ts';
import type { ScreenRow } from '../../contract/resources/screen.ts';
import { PRICED_COLUMNS, SCREEN_COLUMNS, SCREEN_FIGURES } from '../../contract/screen-columns.ts';
import { type Cell, type Column, figure, table } from '../../output/blocks.ts';
import { ownValue, pick } from '../../output/rows.ts';
import { addDays } from '../../platform/dates.ts';
import { type Answer, command, type Prepared, type ViewContext } from '../command.ts';
import { columnLabel } from './shared/labels.ts';
import { expandFilters, filteredFigures } from './shared/screen-filters.ts';

const IDENTITY = ['cik', 'ticker', 'exchange', 'entity_name'];
const FIGURES = new Map(SCREEN_FIGURES.map((entry) => [entry.key, entry]));

/** Shown beside the filtered and sorted figures where no columns are named. None needs a price, so the release alone fixes the answer. */
const COMMON = ['fiscal_year', 'revenue', 'revenue_yoy', 'operating_margin', 'net_income', 'free_cash_flow'];

export default command({
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
    'Write fractions as 0.2 or 20%, large values as 10M or 1.5B (K, M, B, T). Without --columns a table shows the ' +
    'figures you filter and sort by and a few common ones; JSON, NDJSON and CSV have every figure.',
  valueHints: {
    where: 'Write --where figure:op:value, such as revenue_yoy:gt:20% (gte, lte, gt, lt). See: fin help figures',
    columns: 'See: fin help figures',
    sort: 'See: fin help figures',
  },
  prepare: (given, { format, unchecked = false }): Prepared => {
    const { parameters: expanded, warnings } = expandFilters(given, { unchecked });
    const named = expanded.some(([name]) => name === 'columns');
    const columns = named || format !== 'table' ? [] : [['columns', tableColumns(expanded).join(',')] as const];
    return { parameters: [...expanded, ...columns], warnings };
  },
  notices: ({ data, meta }, { local = false }) => {
    const aside = local && (meta.set_aside ?? 0) > 0 ? priceNotice(meta) : [];
    const missing = (meta.columns ?? [])
      .filter((key) => PRICED_COLUMNS.has(key))
      .map((key) => [key, data.filter((row) => ownValue(row, key) === null).length] as const)
      .filter(([, rows]) => rows > 0);
    if (missing.length === 0) return aside;
    const named = missing.map(([key, rows]) => `${key} (${rows} of ${data.length} rows)`).join(', ');
    return [...aside, `Missing: ${named}. These figures need a recent price. See: fin prices <ticker>`];
  },
  view: (answer) => {
    const keys = columnsOf(answer);
    const columns: Column[] = [
      { key: 'ticker', title: 'Ticker' },
      { key: 'entity_name', title: 'Company', shrinkTo: 12 },
      ...keys.map(
        (key, index): Column => ({
          key,
          title: columnLabel(key),
          wrapTitle: true,
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
  priceColumns: [...PRICED_COLUMNS],
});

/** A rule of fin's own service: it uses a price for ratios while it is at most this many days older than the release. */
const OLDEST_PRICE_DAYS = 180;

/** Why companies with a price are left out all the same. */
function priceNotice({ where = [], release }: Partial<Meta>): string[] {
  const priced = filteredFigures(where).filter((key) => PRICED_COLUMNS.has(key));
  if (priced.length === 0 || release == null) return [];
  const first = addDays(release.date, -OLDEST_PRICE_DAYS);
  return [`A filter on ${priced.join(', ')} needs a price from ${first} or later.`];
}

/** The figures of filters and sorting, in that order, then the common ones. */
function tableColumns(parameters: RawParameters): string[] {
  const filters = parameters.flatMap(([name, text]) => (name === 'where' ? [text] : []));
  const sorted = parameters.flatMap(([name, text]) => (name === 'sort' && text !== 'ticker' ? [text] : []));
  // An unknown figure is refused as a filter or as the order, not as a column that nobody named.
  const known = [...filteredFigures(filters), ...sorted].filter((key) => FIGURES.has(key) || key === 'fiscal_year');
  return [...new Set([...known, ...COMMON])];
}

/** The columns of the answer, as the service echoes them; else those the rows have. */
function columnsOf({ data, meta }: Answer<readonly ScreenRow[]>): readonly string[] {
  if (meta.columns !== undefined) return meta.columns;
  const present = new Set(data.flatMap((row) => Object.keys(row)));
  return [...present].filter((key) => !IDENTITY.includes(key));
}

/** The columns for programs, which must not depend on the rows: without --columns all of the interface. */
function programColumns(answer: Answer<readonly ScreenRow[]>, { parameters }: ViewContext): readonly string[] {
  const named = answer.meta.columns ?? parameters.columns;
  return Array.isArray(named) ? named.map(String) : SCREEN_COLUMNS;
}

function cell(row: ScreenRow, key: string): Cell {
  const value = ownValue(row, key);
  const measure: Measure | undefined = FIGURES.get(key)?.measure;
  if (measure !== undefined && typeof value === 'string')
    return { ...figure(value, measure), signed: key.endsWith('_yoy') };
  return typeof value === 'boolean' ? String(value) : value;
}
