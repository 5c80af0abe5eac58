import type { Answer } from '../../ask/answer.ts';
import { command, type Narrowing, type Typed } from '../../ask/command.ts';
import { expandFilters, filteredFigures } from '../../ask/values/screen-filters.ts';
import { Failure } from '../../contract/failure.ts';
import { operandsOf } from '../../contract/figures.ts';
import {
  givenText,
  type ParameterValues,
  type RawParameters,
  withParameter,
} from '../../contract/question/question.ts';
import type { Meta } from '../../contract/resources/envelope.ts';
import type { ScreenRow } from '../../contract/resources/screen.ts';
import { PLAIN_COLUMNS, PRICED_COLUMNS, SCREEN_COLUMNS, SCREEN_FIGURES } from '../../contract/screen-columns.ts';
import { didYouMean } from '../../contract/text/nearest.ts';
import { quote } from '../../contract/text/quote.ts';
import { call, option, say } from '../../contract/text/text.ts';
import { addDays } from '../../platform/dates.ts';
import { type Cell, change } from '../../result/blocks.ts';
import { type Notice, noteOf } from '../../result/notice.ts';
import { ownValue, type Value } from '../../result/rows.ts';
import { type Column, table } from '../../result/table.ts';
import { count } from '../../result/wording.ts';
import { LISTED_OPTIONS, listedCompanies } from './shared/listed-companies.ts';
import { oldRowsNotices, recentYears, YEAR_END, YEAR_ENDED_WITHIN } from './shared/row-age.ts';

const IDENTITY = ['cik', 'ticker', 'exchange', 'entity_name'];
const FIGURES = new Map(SCREEN_FIGURES.map((entry) => [entry.key, entry]));

/**
 * Columns shown with the filtered and sorted figures if none are named. None of them needs a price, so only the
 * release determines the answer.
 */
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
      shows: 'the companies of that day, by what had been reported',
    },
    {
      line: 'screen --sort revenue:desc --year-ended-within 18m',
      shows: 'the largest, without figures long out of date',
    },
    {
      line: 'screen --where roe:gt:0.3 --columns roe,net_income,stockholders_equity --all --csv',
      shows: 'chosen figures for a spreadsheet',
    },
  ],
  help:
    'Write fractions as 0.2 or 20%, large values as 10M or 1.5B (K, M, B, T). Without --columns a table shows the ' +
    'figures you filter and sort by and a few common ones; JSON, NDJSON and CSV have every figure. Tables of a release on ' +
    'this machine show the fiscal year and its end.\n\n' +
    "Amounts are in US dollars: fin's own service compares a company that reports in another currency by what it " +
    'also states in dollars, and leaves its amounts empty where it states none. Ratios are in its own currency.\n\n' +
    '--as-of shows every company whose last fiscal year ended within 18 months before the day and had been reported by then, ' +
    'whether or not it still reports, with the figures of fin metrics --as-of. A company without a ticker of today is shown as ' +
    'CIK and ten digits.\n\n' +
    '--year-ended-within, --tickers and --watchlist are no parameters of the service: every page is fetched and filtered ' +
    'here, and --limit and --offset count what is left.',
  options: [...LISTED_OPTIONS, YEAR_ENDED_WITHIN],
  request: (typed) => {
    const { parameters, notices } = expandFilters(typed.given, typed);
    const columns = columnsToAsk(parameters, typed);
    const narrows = [listedCompanies(typed.options), recentYears(typed.options)].filter((one) => one !== null);
    return {
      parameters: columns === null ? parameters : withParameter(parameters, 'columns', columns.join(',')),
      narrow: inTurn(narrows),
      notices,
    };
  },
  result: (answer, { inProcess, parameters }) => {
    const { items, meta } = answer;
    return {
      tables: [
        table({
          name: 'companies',
          columns: screenColumns(answer, parameters),
          shown: shownColumns(answer),
          records: items,
        }),
      ],
      notices: [
        ...(inProcess && (meta.set_aside ?? 0) > 0 ? [...priceNotices(meta), ...dollarNotices(meta)] : []),
        ...goneNotices(meta),
        ...(meta.as_of === undefined ? oldRowsNotices(items(), meta) : []),
        ...(inProcess ? otherCurrencyNotices(items()) : []),
        ...missingPriceNotices(answer),
      ],
    };
  },
});

type Screen = Answer<readonly ScreenRow[]>;

/** Combines narrowings, each applied to the result of the previous one; null if there are none. */
function inTurn(narrows: readonly Narrowing<readonly ScreenRow[]>[]): Narrowing<readonly ScreenRow[]> | null {
  if (narrows.length === 0) return null;
  return {
    apply: (data, meta) => narrows.reduce((rows, { apply }) => apply(rows, meta), data),
    notices: (before, _, meta) => {
      let rows = before;
      return narrows.flatMap(({ apply, notices }) => {
        const [all, left] = [rows, apply(rows, meta)];
        rows = left;
        return notices(all, left, meta);
      });
    },
  };
}

/**
 * The columns to request; null for all columns of the service. Requests only columns that the user named, or that
 * fin's own service is known to have.
 */
function columnsToAsk(
  parameters: RawParameters,
  { form, fields, inProcess, unchecked, options }: Typed,
): readonly string[] | null {
  const named = givenText(parameters, 'columns')
    ?.split(',')
    .map((name) => name.trim());
  const isView = form === 'view';
  // In a table, the columns of the answer are not all the available ones.
  const unknown = (fields ?? []).find((name) => !KNOWN_COLUMNS.includes(name));
  if (isView && !unchecked && unknown !== undefined) throw unknownColumn(unknown);
  const chosen = (fields ?? []).filter((name) => SCREEN_COLUMNS.some((column) => column === name));
  const extra = [...chosen, ...(options.has(YEAR_ENDED_WITHIN.name) ? [YEAR_END] : [])];
  if (!isView && named === undefined) return null;
  const shown = [...(named ?? tableColumns(parameters)), ...extra];
  if (!isView || !inProcess) return [...new Set(shown)];
  // If the year is named, it is shown where the user put it.
  const year = shown.includes('fiscal_year') ? [] : ['fiscal_year'];
  return [...new Set([...year, ...shown, YEAR_END])];
}

/** Programs get columns that do not depend on the rows: without --columns, all of the interface. */
function screenColumns({ meta, items }: Screen, { columns }: ParameterValues): readonly Column<ScreenRow>[] {
  const named = meta.columns ?? columns;
  const keys = Array.isArray(named) ? named.map(String) : PLAIN_COLUMNS;
  return [
    { key: 'cik' },
    { key: 'ticker', tone: 'strong' },
    { key: 'exchange' },
    { key: 'entity_name', shrinkTo: 12 },
    ...keys.map(figureColumn),
    ...(meta.as_of !== undefined || hasStatus(items()) ? STATUS.map((key) => ({ key })) : []),
  ];
}

function figureColumn(key: string): Column<ScreenRow> {
  const measure = FIGURES.get(key)?.measure;
  return {
    ...{ key, wrapTitle: true, align: measure !== undefined || key === 'fiscal_year' ? 'right' : 'left' },
    ...(measure === undefined ? {} : { measure }),
    ...(PRICED_COLUMNS.has(key) ? { priced: true } : {}),
    ...(key.endsWith('_yoy') ? { cell: (row) => signedCell(ownValue(row, key)) } : {}),
  };
}

const signedCell = (value: Value): Cell =>
  value === null || typeof value === 'string' ? change(value, 'fraction') : String(value);

const shownColumns = (answer: Screen): readonly string[] => ['ticker', 'entity_name', ...answeredColumns(answer)];

/** The columns of the answer as the service echoes them, or else those of its rows. */
function answeredColumns({ meta, items }: Screen): readonly string[] {
  if (meta.columns !== undefined) return meta.columns;
  const present = new Set<string>();
  for (const row of items()) for (const key of Object.keys(row)) present.add(key);
  return [...present].filter((key) => !IDENTITY.includes(key));
}

/** Notices of missing price figures. */
function missingPriceNotices({ data, meta }: Screen): readonly Notice[] {
  const missing = (meta.columns ?? [])
    .filter((key) => PRICED_COLUMNS.has(key))
    .map((key) => [key, data.filter((row) => ownValue(row, key) === null).length] as const)
    .filter(([, rows]) => rows > 0);
  if (missing.length === 0) return [];
  const listed = missing.map(([key, rows]) => `${key} (${rows} of ${data.length} rows)`).join(', ');
  const text = say`Missing: ${listed}. These figures need a recent price. See: ${call('prices', { ticker: '<ticker>' })}`;
  return [noteOf('prices_missing', text, { columns: missing.map(([key]) => key) })];
}

/** Columns that tell whether a company of a past day still reports. */
const STATUS = ['last_report', 'gone'];

function hasStatus(rows: Iterable<ScreenRow>): boolean {
  for (const row of rows) if (row.gone !== undefined) return true;
  return false;
}

const KNOWN_COLUMNS: readonly string[] = [...IDENTITY, ...SCREEN_COLUMNS, ...STATUS, 'attribution'];

const unknownColumn = (name: string): Failure =>
  new Failure('usage', say`Unknown column ${quote(name)} in ${option('fields')}.${didYouMean(name, KNOWN_COLUMNS)}`, {
    hint: say`All figures: ${call('help figures')}. All columns of the rows: fin screen --limit 1 --csv`,
  });

/** Maximum age of a price for ratios, in days before the release; a rule of fin's own service. */
const MAX_PRICE_AGE_DAYS = 180;

/** Number of companies of a past day that no longer report. */
function goneNotices({ as_of: day, universe, no_longer_reporting: gone }: Partial<Meta>): readonly Notice[] {
  if (day === undefined || universe === undefined || gone === undefined) return [];
  // Nothing to report is not a notice.
  if (gone === 0) return [];
  const text = `${gone} of the ${count(universe, 'company', 'companies')} of ${day} no longer ${gone === 1 ? 'reports' : 'report'}.`;
  return [noteOf('no_longer_reporting', text, { gone, universe })];
}

/** Notices of companies that are left out although they have a price. */
function priceNotices({ where = [], release, as_of: day }: Partial<Meta>): readonly Notice[] {
  const priced = filteredFigures(where).filter((key) => PRICED_COLUMNS.has(key));
  if (priced.length === 0 || release == null) return [];
  const first = addDays(day ?? release.date, -MAX_PRICE_AGE_DAYS);
  const text = `A filter on ${priced.join(', ')} needs a price from ${first} or later.`;
  return [noteOf('prices_needed', text, { columns: priced, from: first })];
}

const AMOUNTS: ReadonlySet<string> = new Set(
  SCREEN_FIGURES.filter(({ measure }) => measure === 'money' || measure === 'per_share').map(({ key }) => key),
);

/** Notices of companies that are left out although they have amounts. */
function dollarNotices({ where = [] }: Partial<Meta>): readonly Notice[] {
  if (!filteredFigures(where).some((key) => AMOUNTS.has(key))) return [];
  const text = 'Amounts are compared in US dollars: companies that state none in dollars are left out.';
  return [noteOf('dollars_only', text)];
}

/** Ratios, each with the amounts it is computed from. */
const OF_AMOUNTS = SCREEN_FIGURES.flatMap(({ key, ...entry }) => {
  const formula = 'formula' in entry ? entry.formula : undefined;
  if (formula?.kind !== 'ratio' && formula?.kind !== 'growth') return [];
  return [{ key, amounts: operandsOf(formula).filter((operand) => AMOUNTS.has(operand)) }];
});

/** Names companies that have a ratio but not its amounts, because they report in another currency. */
function otherCurrencyNotices(rows: Iterable<ScreenRow>): readonly Notice[] {
  const tickers: string[] = [];
  for (const row of rows) if (isOfOtherCurrency(row)) tickers.push(row.ticker);
  if (tickers.length === 0) return [];
  const others = tickers.length > MAX_NAMES ? ` and ${tickers.length - MAX_NAMES} more` : '';
  const listed = tickers.slice(0, MAX_NAMES).join(', ') + others;
  const text = say`Amounts are in US dollars; reported only in another currency: ${listed}. See: ${call('metrics', { ticker: '<ticker>' })}`;
  return [noteOf('other_currency', text, { tickers })];
}

const MAX_NAMES = 6;

function isOfOtherCurrency(row: ScreenRow): boolean {
  return OF_AMOUNTS.some(({ key, amounts }) => row[key] != null && amounts.some((operand) => row[operand] === null));
}

/** The figures of filters and sorting, in that order, then the common ones. */
function tableColumns(parameters: RawParameters): string[] {
  const filters = parameters.flatMap(([name, text]) => (name === 'where' ? [text] : []));
  const sorted = parameters.flatMap(([name, text]) => (name === 'sort' && text !== 'ticker' ? [text] : []));
  // An unknown figure is rejected as a filter or sort key, not as a column that nobody named.
  const known = [...filteredFigures(filters), ...sorted].filter((key) => FIGURES.has(key) || key === 'fiscal_year');
  return [...new Set([...known, ...COMMON])];
}
