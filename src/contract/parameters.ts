/**
 * The parameters of the HTTP API as data. `source` states who set a parameter's bounds: the HTTP API (`stated`), or
 * fin, where the HTTP API sets none (`ours`, see choices.md). A client enforces fin's bounds only for fin's own
 * service.
 */
import { COMPANY_METRIC_KEYS } from './figures.ts';
import { FILTER_COLUMNS, SCREEN_COLUMNS } from './screen-columns.ts';
import type { Clause } from './where-clause.ts';

export type RuleSource = 'stated' | 'ours';

export type ParameterKind =
  | 'string'
  | 'ticker'
  | 'metric_key'
  | 'accession'
  | 'cik'
  | 'integer'
  | 'boolean'
  | 'date'
  | 'uuid'
  | 'choice'
  | 'list'
  | 'clauses';

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly kind: ParameterKind;
  readonly required: boolean;
  readonly source: RuleSource;
  /** One line of help, without a full stop at the end. */
  readonly help: string;
  readonly default?: string | number | boolean;
  /** Bounds of an integer, or of the length of a string or of each list item. */
  readonly min?: number;
  readonly max?: number;
  /** Minimum and maximum number of list items or filters. */
  readonly minItems?: number;
  readonly maxItems?: number;
  /** All valid values of a choice, all valid items of a list, or the keys of all figures that filters may use. */
  readonly values?: readonly string[];
  /**
   * Form that each item of a list must have: a regular expression, and a description such as "a SIC code: …" for
   * messages.
   */
  readonly itemForm?: { readonly pattern: string; readonly description: string };
  /** Whether letter case is ignored; values are then converted to upper case. */
  readonly anyCase?: boolean;
}

type ParameterRules = Partial<Omit<Parameter, 'name' | 'in' | 'kind' | 'help'>>;

/** Rules that parameters have in common. */
type CommonRules = Pick<Parameter, 'in' | 'required' | 'source'>;

/** A parameter whose name, kind and rules are literal types, so that the type of its value can be derived. */
type TypedParameter<Name extends string, Kind extends ParameterKind, Rules extends ParameterRules> = Omit<
  Parameter,
  'name' | 'kind' | keyof Rules
> &
  Readonly<Rules> & { readonly name: Name; readonly kind: Kind };

type NoRules = Record<never, never>;

/** Returns a function that declares parameters with the given rules; rules of a single parameter have precedence. */
const declare =
  <const C extends CommonRules>(common: C) =>
  <const N extends string, const K extends ParameterKind, const R extends ParameterRules = NoRules>(
    name: N,
    kind: K,
    help: string,
    rules?: R,
  ) =>
    ({ name, kind, help, ...common, ...rules }) as unknown as TypedParameter<N, K, Omit<C, keyof R> & R>;

const inPath = declare({ in: 'path', required: true, source: 'stated' });
const inQuery = declare({ in: 'query', required: false, source: 'stated' });
/** Declares a parameter whose bounds are rules of fin. `ADDED_PARAMETERS` lists those that the HTTP API lacks. */
const ours = declare({ in: 'query', required: false, source: 'ours' });

/** Type of a parameter's parsed value. */
export type ValueOf<P> = P extends { readonly kind: 'integer' | 'cik' }
  ? number
  : P extends { readonly kind: 'boolean' }
    ? boolean
    : P extends { readonly kind: 'list' }
      ? readonly string[]
      : P extends { readonly kind: 'clauses' }
        ? readonly Clause[]
        : P extends { readonly kind: 'choice'; readonly values: readonly (infer Value)[] }
          ? Value
          : string;

type AlwaysPresentParameter = { readonly required: true } | { readonly default: string | number | boolean };

/** Parsed values of several parameters by name; optional parameters without a default may be missing. */
export type ValuesOf<List extends readonly Parameter[]> = {
  readonly [P in List[number] as P extends AlwaysPresentParameter ? P['name'] : never]: ValueOf<P>;
} & {
  readonly [P in List[number] as P extends AlwaysPresentParameter ? never : P['name']]?: ValueOf<P>;
};

const ourFlag = <const N extends string>(name: N, help: string) => ours(name, 'boolean', help, { default: false });

/** Rules of a list of names whose letter case is ignored. */
const NAMES = { min: 1, minItems: 1, anyCase: true } as const;

export const ticker = inPath('ticker', 'ticker', 'Ticker of a company', { min: 1 });
export const metricKey = inPath('metric_key', 'metric_key', 'Metric key, as listed by "fin catalog"', { min: 1 });
export const accession = inPath('accession', 'accession', 'Accession number of a filing');
export const cik = inPath('cik', 'cik', 'CIK of a manager');

export const searchQuery = inQuery('query', 'string', 'Ticker prefix or entity name', { required: true, min: 1 });
export const managerName = inQuery('query', 'string', 'Name of a manager (default: list the largest managers)', {
  max: 64,
});

export const asOf = inQuery('as_of', 'date', 'Show values as reported by this date');
export const screenDay = ours('as_of', 'date', 'Show the screen as of this day, from reports filed by then');
export const valueVersion = ours(
  'values',
  'choice',
  'latest: with later restatements; first: as first reported (default: latest)',
  { values: ['latest', 'first'] },
);
export const factConcept = ours('concept', 'string', 'Show facts of this XBRL concept, such as us-gaap:InventoryNet', {
  min: 1,
  max: 256,
});
export const conceptWords = ours(
  'search',
  'string',
  'Show concepts whose names contain these words, such as lease cost',
  { min: 1, max: 64 },
);
export const factsAsOf = ours('as_of', 'date', 'Show facts filed by this date');
export const splitAdjusted = ourFlag('split_adjusted', 'Adjust figures for later stock splits');
export const metricsPeriod = inQuery('period', 'choice', 'Periods to show', {
  values: ['latest', 'annual', 'quarterly', 'all'],
  default: 'latest',
});
export const segmentsPeriod = inQuery('period', 'choice', 'Periods to show', {
  values: ['annual', 'quarterly'],
  default: 'annual',
});
export const metricKeys = ours(
  'keys',
  'list',
  'Metrics to show, by key (default: those of statements and cover pages)',
  { min: 1, minItems: 1, values: COMPANY_METRIC_KEYS },
);
export const collapseParameter = inQuery(
  'collapse',
  'boolean',
  'Show one row for each metric, unit, kind of period and period end',
  { default: false },
);
export const valueId = inQuery('metric_value_id', 'uuid', 'Show only the value with this id');
export const fiscalYear = inQuery('fiscal_year', 'integer', 'Show only values of this fiscal year');
/** Fiscal periods: the year, the quarters, the first half (H1) and the first nine months (9M). */
export const fiscalPeriod = ours('fiscal_period', 'choice', 'Show only values of this fiscal period', {
  values: ['FY', 'Q1', 'Q2', 'Q3', 'Q4', 'H1', '9M'],
  anyCase: true,
});
export const forms = inQuery('forms', 'list', 'Form types, matched exactly: 10-K does not include 10-K/A', NAMES);
/**
 * Forms that the list of a day includes only if `forms` names them: reports of large owners, and registrations of
 * shares.
 */
export const FORMS_LISTED_IF_NAMED: ReadonlySet<string> = new Set(
  ['SC 13D', 'SCHEDULE 13D', 'S-1'].flatMap((form) => [form, `${form}/A`]),
);
export const formsOfDay = ours('forms', 'list', 'List only filings of these forms, also of 13D and S-1', NAMES);
export const itemNumbers = inQuery('items', 'list', 'Show only 8-Ks that have all these item numbers', {
  min: 4,
  minItems: 1,
});
export const filingsDay = inQuery('date', 'date', 'Day to show (default: the latest in the release)');
export const tickers = inQuery('tickers', 'list', 'Show only these companies, by ticker', { ...NAMES, maxItems: 60 });
export const quarter = ours('quarter', 'date', 'End of the quarter (default: latest)');
export const tradedSince = inQuery('since', 'date', 'Show transactions on or after this day');
export const filedSince = inQuery('since', 'date', 'Show filings filed on or after this day');
export const filedUntil = inQuery('until', 'date', 'Show filings filed on or before this day');
export const tradeKind = inQuery('kind', 'choice', 'Show purchases, sales or both', {
  values: ['all', 'purchase', 'sale'],
  default: 'all',
});
export const priceRange = ours('range', 'choice', 'Period that ends with the latest price', {
  values: ['1m', '3m', '6m', '1y', '2y', '5y', 'max'],
});
export const pricesFrom = ours('from', 'date', 'First day to show');
export const pricesTo = ours('to', 'date', 'Last day to show');

export const whereClauses = inQuery(
  'where',
  'clauses',
  'Filter companies by column:op:value (repeatable); op is gte, lte, gt or lt',
  { maxItems: 64, values: FILTER_COLUMNS },
);
export const sortColumn = inQuery('sort', 'choice', 'Sort by ticker or by a figure of the screener', {
  values: ['ticker', ...FILTER_COLUMNS],
  default: 'ticker',
});
export const industry = ours('industry', 'string', 'Show only companies whose industry description has these words', {
  min: 2,
  max: 100,
});
export const sic = ours('sic', 'list', 'Show only these industries, by SIC code or its first digits', {
  min: 1,
  max: 4,
  minItems: 1,
  maxItems: 60,
  itemForm: { pattern: '^[0-9]{1,4}$', description: 'a SIC code (four digits) or the first digits of one' },
});
export const peersOf = ours('peers_of', 'ticker', "Show companies in this ticker's industry", { min: 1 });
export const countsByFigure = ourFlag(
  'set_aside_by',
  'Count the companies that lack each filtered figure, in meta.set_aside_by',
);
export const countsOfMissing = ourFlag(
  'missing_by',
  'Count the matching companies that lack each sorted or shown figure, in meta.missing_by',
);
export const sortDirection = inQuery('dir', 'choice', 'Sort direction', { values: ['asc', 'desc'], default: 'asc' });
export const columns = inQuery(
  'columns',
  'list',
  "Figures to show (default: all except fin's additions, such as ebitda; for a past day, also without price figures)",
  { min: 1, minItems: 1, values: SCREEN_COLUMNS },
);

export const offset = inQuery('offset', 'integer', 'Number of rows to skip', { min: 0, max: 1_000_000, default: 0 });

/** Returns the parameter `limit` with the default and maximum of one operation. */
export const limit = (source: RuleSource, { default: fallback = 25, max = 500 } = {}) =>
  inQuery('limit', 'integer', 'Maximum number of rows', { source, min: 1, max, default: fallback });
