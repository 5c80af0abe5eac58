import { Failure } from '../../contract/failure.ts';
import type { Measure } from '../../contract/figures/formula.ts';
import { operandsOf } from '../../contract/figures.ts';
import { didYouMean } from '../../contract/nearest.ts';
import { givenText, type RawParameters, withParameter } from '../../contract/question/question.ts';
import { quote } from '../../contract/quote.ts';
import type { Meta } from '../../contract/resources/envelope.ts';
import type { ScreenRow } from '../../contract/resources/screen.ts';
import { PRICED_COLUMNS, SCREEN_COLUMNS, SCREEN_FIGURES } from '../../contract/screen-columns.ts';
import { type Cell, type Column, figure, table } from '../../output/blocks.ts';
import { ownValue, pick } from '../../output/rows.ts';
import { count } from '../../output/wording.ts';
import { addDays } from '../../platform/dates.ts';
import { type Answer, command, type Prepared, type ViewContext } from '../command.ts';
import { formatOf } from '../command-line/global-options.ts';
import { columnLabel } from './shared/labels.ts';
import { LISTED_OPTIONS, listedRows } from './shared/listed-companies.ts';
import { MAX_AGE, oldRowsNotice, YEAR_END, youngerRows } from './shared/row-age.ts';
import { expandFilters, filteredFigures } from './shared/screen-filters.ts';

const IDENTITY = ['cik', 'ticker', 'exchange', 'entity_name'];
const FIGURES = new Map(SCREEN_FIGURES.map((entry) => [entry.key, entry]));

/** Shown beside the filtered and sorted figures where no columns are named. None needs a price, so the release alone fixes the answer. */
const COMMON = ['revenue', 'revenue_yoy', 'operating_margin', 'net_income', 'free_cash_flow'];

export default command({
  operation: 'screen',
  args: [],
  examples: [
    { line: 'screen --where revenue_yoy:gt:20%', shows: 'companies that grew by more than a fifth' },
    {
      line: 'screen --where revenue:gt:10B --where net_margin:gte:20% --sort net_margin --dir desc',
      shows: 'large and profitable, best margin first',
    },
    { line: 'screen --tickers AAPL,MSFT,NVDA --columns revenue,roe', shows: 'figures of a list of companies' },
    {
      line: 'screen --as-of 2019-06-28 --where revenue_yoy:gt:20%',
      shows: 'the same as of a past day, with companies that no longer report',
    },
    { line: 'screen --sort revenue --dir desc --max-age 18m', shows: 'the largest, without figures long out of date' },
    {
      line: 'screen --where roe:gt:0.3 --columns roe,net_income,stockholders_equity --limit 500 --csv',
      shows: 'chosen figures for a spreadsheet',
    },
  ],
  help:
    'Write fractions as 0.2 or 20%, large values as 10M or 1.5B (K, M, B, T). Without --columns a table shows the ' +
    'figures you filter and sort by and a few common ones; JSON, NDJSON and CSV have every figure. Tables from ' +
    'a release always show the fiscal year and its end.\n\n' +
    "Amounts are in US dollars: fin's own service compares a company that reports in another currency by what it " +
    'also states in dollars, and leaves its amounts empty where it states none. Ratios are in its own currency.\n\n' +
    '--as-of shows every company whose last fiscal year ended within 18 months before the day and had been reported by then, ' +
    'whether or not it still reports, with the figures of fin metrics --as-of. A company without a ticker of today is shown as ' +
    'CIK and ten digits.\n\n' +
    '--max-age is no parameter of the service: rows are left out here, of each page it answers, so that a page may ' +
    'have fewer rows than --limit. With --all every page is filtered. --tickers and --watchlist are none either: every page ' +
    'is fetched for them, unless --limit or --offset names one.',
  options: [...LISTED_OPTIONS, MAX_AGE],
  rowFilter: (options) => [listedRows(options), youngerRows(options)].filter((filter) => filter !== null),
  valueHints: {
    where: 'Write --where figure:op:value, such as revenue_yoy:gt:20% (gte, lte, gt, lt). See: fin help figures',
    columns: 'See: fin help figures',
    sort: 'See: fin help figures',
  },
  prepare: (given, { format, fields, local, unchecked = false, options }): Prepared => {
    const { parameters: expanded, warnings } = expandFilters(given, { unchecked });
    const named = givenText(expanded, 'columns')?.split(',');
    const isView = formatOf(format).form === 'view';
    // In a table the columns of the answer are not all that could be asked for.
    const unknown = (fields ?? []).find((name) => !KNOWN_COLUMNS.includes(name));
    if (isView && !unchecked && unknown !== undefined) throw unknownColumn(unknown);
    const chosen = (fields ?? []).filter((name) => SCREEN_COLUMNS.some((column) => column === name));
    const extra = [...chosen, ...(options?.has(MAX_AGE.name) === true ? [YEAR_END] : [])];
    if (!isView) {
      return { parameters: named === undefined ? expanded : withColumns(expanded, [...named, ...extra]), warnings };
    }
    const shown = [...(named ?? tableColumns(expanded)), ...extra];
    // The interface promises figures as columns: of a service over the network no more is asked for than was named.
    if (!local) return { parameters: withColumns(expanded, shown), warnings };
    const year = shown.includes('fiscal_year') ? [] : ['fiscal_year'];
    return { parameters: withColumns(expanded, [...year, ...shown, YEAR_END]), warnings };
  },
  notices: ({ data, meta }, { local = false }, pages) => {
    const aside = local && (meta.set_aside ?? 0) > 0 ? [...priceNotice(meta), ...dollarNotice(meta)] : [];
    const rows = function* () {
      for (const page of pages()) yield* page.data;
    };
    const dated = [
      ...goneNotice(meta),
      ...(meta.as_of === undefined ? oldRowsNotice(rows(), meta) : []),
      ...(local ? otherCurrencyNotice(rows()) : []),
    ];
    const missing = (meta.columns ?? [])
      .filter((key) => PRICED_COLUMNS.has(key))
      .map((key) => [key, data.filter((row) => ownValue(row, key) === null).length] as const)
      .filter(([, rows]) => rows > 0);
    if (missing.length === 0) return [...aside, ...dated];
    const named = missing.map(([key, rows]) => `${key} (${rows} of ${data.length} rows)`).join(', ');
    return [...aside, ...dated, `Missing: ${named}. These figures need a recent price. See: fin prices <ticker>`];
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
          // Without the year and the first figure a row says nothing.
          ...(key === 'fiscal_year' || index <= 1 ? {} : { drop: index }),
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
  rows: (answer, context) =>
    pick([...IDENTITY, ...programColumns(answer, context), ...statusColumns(answer)], answer.data),
  priceColumns: [...PRICED_COLUMNS],
});

/** Whether a company of a past day still reports. */
const STATUS = ['last_report', 'gone'];

const statusColumns = ({ data, meta }: Answer<readonly ScreenRow[]>): readonly string[] =>
  meta.as_of !== undefined || data.some((row) => row.gone !== undefined) ? STATUS : [];

const KNOWN_COLUMNS: readonly string[] = [...IDENTITY, ...SCREEN_COLUMNS, ...STATUS, 'attribution'];

const unknownColumn = (name: string): Failure =>
  new Failure('usage', `Unknown column ${quote(name)} in --fields.${didYouMean(name, KNOWN_COLUMNS)}`, {
    hint: 'All figures: fin help figures. All columns of the rows: fin screen --limit 1 --csv',
  });

/** A rule of fin's own service: it uses a price for ratios while it is at most this many days older than the release. */
const OLDEST_PRICE_DAYS = 180;

/** How many companies of a past day are not among today's. */
function goneNotice({ as_of: day, universe, no_longer_reporting: gone }: Partial<Meta>): string[] {
  if (day === undefined || universe === undefined || gone === undefined) return [];
  return [`${gone} of the ${count(universe, 'company', 'companies')} of ${day} no longer report.`];
}

/** Why companies with a price are left out all the same. */
function priceNotice({ where = [], release, as_of: day }: Partial<Meta>): string[] {
  const priced = filteredFigures(where).filter((key) => PRICED_COLUMNS.has(key));
  if (priced.length === 0 || release == null) return [];
  const first = addDays(day ?? release.date, -OLDEST_PRICE_DAYS);
  return [`A filter on ${priced.join(', ')} needs a price from ${first} or later.`];
}

const AMOUNTS: ReadonlySet<string> = new Set(
  SCREEN_FIGURES.filter(({ measure }) => measure === 'money' || measure === 'per_share').map(({ key }) => key),
);

/** Why companies with amounts are left out all the same. */
function dollarNotice({ where = [] }: Partial<Meta>): string[] {
  if (!filteredFigures(where).some((key) => AMOUNTS.has(key))) return [];
  return ['Amounts are compared in US dollars: companies that state none in dollars are left out.'];
}

/** Ratios, each with the amounts that it is of. */
const OF_AMOUNTS = SCREEN_FIGURES.flatMap(({ key, ...entry }) => {
  const formula = 'formula' in entry ? entry.formula : undefined;
  if (formula?.kind !== 'ratio' && formula?.kind !== 'growth') return [];
  return [{ key, amounts: operandsOf(formula).filter((operand) => AMOUNTS.has(operand)) }];
});

/** Names companies that have a ratio but not the amounts it is of: they report in another currency. */
function otherCurrencyNotice(rows: Iterable<ScreenRow>): string[] {
  const tickers: string[] = [];
  for (const row of rows) if (isOfOtherCurrency(row)) tickers.push(row.ticker);
  if (tickers.length === 0) return [];
  const others = tickers.length > MOST_NAMES ? ` and ${tickers.length - MOST_NAMES} more` : '';
  const named = tickers.slice(0, MOST_NAMES).join(', ') + others;
  return [`Amounts are in US dollars; reported only in another currency: ${named}. See: fin metrics <ticker>`];
}

const MOST_NAMES = 6;

function isOfOtherCurrency(row: ScreenRow): boolean {
  return OF_AMOUNTS.some(({ key, amounts }) => row[key] != null && amounts.some((operand) => row[operand] === null));
}

/** The parameters with these columns, each once. */
function withColumns(parameters: RawParameters, columns: readonly string[]): RawParameters {
  const names = new Set(columns.map((name) => name.trim()));
  return withParameter(parameters, 'columns', [...names].join(','));
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
