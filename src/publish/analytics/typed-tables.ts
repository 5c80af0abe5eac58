/**
 * The definition of the typed tables: source, type and description of each column. Files, SQL views and the schema
 * page are made from it.
 */
import { figureOf } from '../../contract/figures.ts';
import { SCREEN_COLUMNS, SCREEN_DATES, SCREEN_FIGURES } from '../../contract/screen-columns.ts';
import { isInternal } from '../../figures/metrics/metric-rules.ts';
import { dailyPrices, dateSplits } from '../../figures/prices/price-observations.ts';
import { chainsOf, type ReportedValue } from '../../figures/revisions/revision-chain.ts';
import { type StandingSpan, standingSpans } from '../../figures/revisions/standing-spans.ts';
import type { Split } from '../../figures/shares/splits.ts';
import { groupBy } from '../../platform/collections.ts';
import { COMPANIES, SECURITIES } from '../../store/schema/companies.ts';
import { FILINGS } from '../../store/schema/filings.ts';
import { FORMER_NAMES, FORMER_TICKERS } from '../../store/schema/former-names.ts';
import { HOLDER_POSITIONS, HOLDER_REPORTS, SECURITY_HOLDERS } from '../../store/schema/holders.ts';
import { INSIDER_FILINGS, INSIDER_OWNERS, INSIDER_TRADES } from '../../store/schema/insiders.ts';
import { PRICE_LINES, PRICE_SOURCES, PRICES, type PriceRow } from '../../store/schema/prices.ts';
import { REPORTED_VALUES, SPLITS } from '../../store/schema/reported-values.ts';
import { SCREEN } from '../../store/schema/screen.ts';
import {
  HISTORY_COLUMNS,
  NOW_EMPTY,
  SCREEN_HISTORY,
  SCREEN_HISTORY_COMPANIES,
} from '../../store/schema/screen-history.ts';
import { SEGMENTS } from '../../store/schema/segments.ts';
import type { Cell, OfCompany, Table } from '../../store/schema/table.ts';
import type { ScannedRowGroup } from '../../store/table-reader.ts';
import type { ValueType } from './typed-value.ts';

export interface TypedColumn {
  readonly name: string;
  readonly type: ValueType;
  readonly about: string;
  /** The column of the source table; null if `expand` computes it. */
  readonly from: string | null;
}

/** The rows of a typed table that are made from a row group of its source. */
export interface Expanded {
  /** The source row of each row. */
  readonly rows: readonly number[];
  /** Cells by column name, for columns that the source lacks or that replace the source's. */
  readonly computed: Readonly<Record<string, readonly Cell[]>>;
}

export interface TypedTable {
  readonly name: string;
  readonly source: Table;
  readonly about: string;
  /** The order of rows, as text for readers. */
  readonly order: string;
  /** The column that rows are sorted by within each span; null if they keep the order of the source. */
  readonly sortedBy: string | null;
  readonly columns: readonly TypedColumn[];
  /** For tables whose rows do not correspond one to one to the source's, or that need other tables. */
  readonly expand?: (group: ScannedRowGroup<unknown>, others: OtherTables) => Expanded | Promise<Expanded>;
  /**
   * For a source whose rows contain only changes since the previous row with the same key; all rows are then one
   * span.
   */
  readonly changes?: ChangedRows;
}

/** How rows of changes become complete rows. All names are columns of the source. */
export interface ChangedRows {
  readonly key: string;
  /** A flag: true if null means a missing value, not an unchanged one. */
  readonly whole: string;
  /** The cell that marks a value which has become missing. */
  readonly empty: string;
  readonly columns: ReadonlySet<string>;
  /** The first day on which a row is valid; the computed column `until` is the day of the key's next row. */
  readonly from: string;
  readonly until: string;
}

/** Returns a company's rows in another table of the release; empty if the release does not include it. */
export type OtherTables = <Row>(table: Table<Row>, cik: number) => Promise<readonly Row[]>;

type Described = readonly [name: string, type: ValueType, about: string, from?: string | null];

const columns = (described: readonly Described[]): TypedColumn[] =>
  described.map(([name, type, about, from = name]) => ({ name, type, about, from }));

const CIK: Described = ['cik', 'integer', 'Central Index Key of the company'];
const TICKER: Described = ['ticker_normalized', 'text', 'Ticker in capitals, with dots and slashes as dashes'];
const ACCESSION: Described = ['accession_number', 'text', 'Accession number of the filing'];
const FORM: Described = ['form', 'text', 'Form type of the filing, such as 10-K'];
const FILED: Described = ['filed_at', 'date', 'Day of filing'];
const LAST_REPORT: Described = ['last_report', 'date', 'Day of its last annual or interim report'];
const GONE: Described = ['gone', 'boolean', 'Whether it no longer reports; null where that is not known'];
const INDUSTRY: readonly Described[] = [
  ['sic', 'text', 'Code of its industry (Standard Industrial Classification)'],
  ['industry', 'text', 'Description of the code'],
];
const HOLDER: Described = ['holder_cik', 'integer', 'Central Index Key of the manager'];
const PERIOD: Described = ['period', 'date', 'Last day of the quarter that is reported'];
const AMOUNT_TYPE: Described = ['amount_type', 'text', 'SH: shares. PRN: principal of notes'];
const VALUE_HELD: Described = [
  'value',
  'decimal',
  'Market value in US dollars, in whole dollars whatever the report was in',
];

const FIGURES: TypedTable = {
  name: 'figures',
  source: REPORTED_VALUES,
  about:
    'Every value that a filing reported of a metric: as it stands, as it stood on any day, and each restatement. ' +
    'As it stands: stands_from IS NOT NULL AND stands_until IS NULL. As of a day: stands_from <= day AND ' +
    '(stands_until > day OR stands_until IS NULL). Derived figures, such as ratios and fourth quarters, are not in it: see screen, or fin metrics.',
  order: 'metric_key within each span of companies, then cik, unit, end_date, start_date, revision_rank',
  sortedBy: 'metric_key',
  columns: columns([
    CIK,
    ['metric_key', 'text', 'Key of the metric, as in fin catalog'],
    ['unit', 'text', 'Unit of measure, such as USD, USD/shares, shares'],
    ['period_kind', 'text', 'annual, quarter, half, nine_month (of flows), or instant (of balances)'],
    ['start_date', 'date', 'First day of the period; null of balances'],
    ['end_date', 'date', 'Last day of the period'],
    ['fiscal_year', 'integer', 'Fiscal year of the period'],
    ['fiscal_period', 'text', 'FY, Q1 to Q4, H1 or 9M'],
    [
      'revision_rank',
      'integer',
      'From 1: the place of the value among all reported of this figure, in order of filing',
    ],
    [
      'kind',
      'text',
      'first; same (as before); revised; re_expressed for a stock split; reinstated (a second row of a value that stood again)',
    ],
    ['value', 'decimal', 'The value, exact'],
    ['stands_from', 'date', 'First day on which the value stood; null of one that never did', null],
    ['stands_until', 'date', 'First day on which it no longer stood; null while it stands', null],
    ['split_ratio', 'decimal', 'New shares per old share, of a re-expressed value'],
    ['taxonomy', 'text', 'Taxonomy of the XBRL concept, such as us-gaap'],
    ['concept', 'text', 'XBRL concept that was tagged'],
    ['raw_value', 'decimal', 'The value with the sign as tagged'],
    ACCESSION,
    FORM,
    FILED,
    ['contradicted_on', 'date', 'Day from which filings show that the value is wrong; null of nearly all'],
  ]),
  expand: standingRows,
};

/**
 * Returns a row for each value of a metric, with the days on which it was current; if it became current again,
 * another row.
 */
function standingRows(group: ScannedRowGroup<unknown>): Expanded {
  const values = Array.from({ length: group.rows }, (_, index) => group.row(index) as OfCompany<ReportedValue>);
  const rows: number[] = [];
  const computed = { kind: [] as Cell[], stands_from: [] as Cell[], stands_until: [] as Cell[] };
  const add = (row: number, kind: Cell, span: StandingSpan | null) => {
    rows.push(row);
    computed.kind.push(kind);
    computed.stands_from.push(span?.from ?? null);
    computed.stands_until.push(span?.until ?? null);
  };
  let next = 0;
  for (const chain of chainsOf(values)) {
    const first = next;
    next += chain.length;
    // All values of a chain have the same metric.
    if (chain[0] !== undefined && isInternal(chain[0].metricKey)) continue;
    const spans = standingSpans(chain);
    for (const [at, value] of chain.entries()) {
      const before = rows.length;
      for (const span of spans) {
        if (span.reported === value) add(first + at, rows.length === before ? value.kind : 'reinstated', span);
      }
      if (rows.length === before) add(first + at, value.kind, null);
    }
  }
  return { rows, computed };
}

/**
 * Returns the splits with the days that prices of the company's shares prove. A day that is only declared may be that
 * of the board's decision.
 */
async function provenSplits(group: ScannedRowGroup<unknown>, others: OtherTables): Promise<Expanded> {
  const splits = Array.from({ length: group.rows }, (_, index) => group.row(index) as OfCompany<Split>);
  const days = new Map<Split, string>();
  for (const [cik, own] of groupBy(splits, (split) => split.cik)) {
    for (const daily of await dailyPricesOf(cik, others)) {
      for (const split of own) {
        const [shown] = dateSplits([split], daily);
        if (shown !== undefined && shown.provenBy !== null) days.set(split, shown.until);
      }
    }
  }
  return {
    rows: splits.map((_, index) => index),
    computed: { effective_date: splits.map((split) => days.get(split) ?? null) },
  };
}

/** Returns the prices of each ordinary share of a company. */
async function dailyPricesOf(cik: number, others: OtherTables): Promise<readonly (readonly PriceRow[])[]> {
  const shares = (await others(PRICE_LINES, cik)).filter(({ isShare }) => isShare);
  if (shares.length === 0) return [];
  const prices = groupBy(await others(PRICES, cik), ({ tickerNormalized }) => tickerNormalized);
  return shares.map(({ tickerNormalized }) => dailyPrices(prices.get(tickerNormalized) ?? []));
}

/** Types of the screener's columns; its figures and their names come from the contract. */
const SCREEN_TYPES = new Map<string, ValueType>([
  ...SCREEN_FIGURES.map(({ key }) => [key, 'decimal'] as const),
  ...SCREEN_DATES.map((name) => [name, 'date'] as const),
  ['fiscal_year', 'integer'],
]);

const OTHERS_OF_SCREEN: Readonly<Record<string, string>> = {
  fiscal_year: 'Fiscal year of the annual figures',
  annual_end_date: 'Last day of the fiscal year',
  instant_end_date: 'Day of the balance sheet',
  prior_annual_end_date: 'Last day of the fiscal year before',
  public_float_end_date: 'Day of the public float',
  shares_outstanding_end_date: 'Day of the share count',
  price_day: 'Day of the price',
  ttm_end_date: 'Last day of the trailing twelve months',
  coverage_state: 'covered: has core metrics. partial: has some figures',
  ...Object.fromEntries(INDUSTRY.map(([name, , about]) => [name, about])),
};

const screenColumn = (name: string): Described => {
  const about = OTHERS_OF_SCREEN[name] ?? figureOf(name)?.label;
  if (about === undefined) throw new RangeError(`The column ${name} of the screener is not described.`);
  return [name, SCREEN_TYPES.get(name) ?? 'text', about];
};

/** In the order of the schema page. */
export const TYPED_TABLES: readonly TypedTable[] = [
  {
    name: 'companies',
    source: COMPANIES,
    about: 'Every company of the release.',
    order: 'cik',
    sortedBy: null,
    columns: columns([
      CIK,
      ['entity_name', 'text', 'Name of the company'],
      ['coverage_state', 'text', 'covered: has core metrics. partial: has some figures. none: has no figure'],
      ['filing_count', 'integer', 'Filings in the release'],
      ['raw_fact_count', 'integer', 'XBRL facts that it reported'],
      ['metric_value_count', 'integer', 'Values of metrics read from them'],
      ['latest_filed_at', 'date', 'Day of its latest filing', 'latest_filing_at'],
      LAST_REPORT,
      GONE,
      ...INDUSTRY,
    ]),
  },
  {
    name: 'securities',
    source: SECURITIES,
    about: 'Tickers, and the companies they are of.',
    order: 'ticker',
    sortedBy: null,
    columns: columns([
      ['ticker', 'text', 'Ticker as the SEC lists it'],
      TICKER,
      ['exchange', 'text', 'Exchange'],
      CIK,
      ['is_primary', 'boolean', 'Whether it is the first ticker of its company'],
      ['is_active', 'boolean', 'Whether the SEC still lists it'],
      ['coverage_state', 'text', 'As of its company; inactive where it is no longer listed'],
    ]),
  },
  {
    name: 'former_names',
    source: FORMER_NAMES,
    about: 'Names that companies had before.',
    order: 'cik, the latest first',
    sortedBy: null,
    columns: columns([
      CIK,
      ['name', 'text', 'Former name'],
      ['first_day', 'date', 'First day of the name; null where it is not known'],
      ['last_day', 'date', 'Last day of the name; null where it is not known'],
    ]),
  },
  {
    name: 'former_tickers',
    source: FORMER_TICKERS,
    about: 'Symbols that securities had before, as lists of fails to deliver show them.',
    order: 'cik, then symbol',
    sortedBy: null,
    columns: columns([
      CIK,
      ['symbol', 'text', 'Former symbol'],
      TICKER,
      ['first_day', 'date', 'First day on which a list has the symbol'],
      ['last_day', 'date', 'Last day on which a list has the symbol'],
    ]),
  },
  FIGURES,
  {
    name: 'splits',
    source: SPLITS,
    about:
      'Stock splits that filings prove. The day is that which prices of the release show; without it, the split was after ' +
      'old_basis_until and by new_basis_from.',
    order: 'cik, then the day of the split',
    sortedBy: null,
    expand: provenSplits,
    columns: columns([
      CIK,
      ['ratio', 'decimal', 'New shares per old share'],
      ['effective_date', 'date', 'First day of the new shares, as prices prove it; null where they do not', null],
      ACCESSION,
      ['old_basis_until', 'date', 'Latest day of a share count in old shares'],
      ['new_basis_from', 'date', 'Earliest day of a share count in new shares'],
    ]),
  },
  {
    name: 'screen',
    source: SCREEN,
    about:
      'One row for each company with core metrics and a listed security: its latest annual figures, balances, ratios and price.',
    order: 'ticker',
    sortedBy: null,
    columns: columns([
      CIK,
      ['ticker', 'text', 'Primary ticker'],
      ['exchange', 'text', 'Exchange'],
      ['entity_name', 'text', 'Name of the company'],
      ...SCREEN_COLUMNS.map(screenColumn),
    ]),
  },
  {
    name: 'screen_history',
    source: SCREEN_HISTORY,
    about:
      "A company's row of the screener from the day of a filing that changed it, without prices. As of a day: FROM screen_as_of(day). " +
      'A row counts while its fiscal year ended at most 18 months before the day, twelve months for 185 days after their end. ' +
      'All cells of a row are null from the day on which it no longer has any.',
    order: 'month of valid_from, then cik, then valid_from',
    sortedBy: null,
    changes: {
      ...{ key: 'cik', whole: 'whole', empty: NOW_EMPTY, columns: new Set(HISTORY_COLUMNS) },
      ...{ from: 'day', until: 'valid_until' },
    },
    columns: columns([
      CIK,
      ['valid_from', 'date', 'First day of the row: the day of the filing', 'day'],
      ['valid_until', 'date', 'First day of the next row of the company; null of its last', null],
      ...HISTORY_COLUMNS.map(screenColumn),
    ]),
  },
  {
    name: 'screen_history_companies',
    source: SCREEN_HISTORY_COMPANIES,
    about: 'Every company of screen_history, those included that no longer report, under its ticker and name of today.',
    order: 'ticker',
    sortedBy: null,
    columns: columns([
      CIK,
      ['ticker', 'text', 'Primary ticker; CIK and ten digits where there is none today'],
      ['exchange', 'text', 'Exchange; empty without a ticker'],
      ['entity_name', 'text', 'Name of the company'],
      LAST_REPORT,
      GONE,
      ...INDUSTRY,
    ]),
  },
  {
    name: 'filings',
    source: FILINGS,
    about: 'Every filing in the lists of its parties: one row for each party.',
    order: 'filed_at within each span of companies, then cik',
    sortedBy: 'filed_at',
    columns: columns([
      CIK,
      ACCESSION,
      FORM,
      FILED,
      ['accepted_at', 'timestamp', 'Moment of acceptance, in UTC; null where it is not known'],
      ['announcement_timing', 'text', 'before_open, during_market or after_close of the New York session'],
      ['items', 'text', 'Item numbers of a current report, joined by commas; empty of other forms'],
      ['primary_document', 'text', 'File name of the main document'],
      ['report_date', 'date', 'Period or event that the filing reports on'],
      ['fiscal_year', 'integer', 'Fiscal year that a periodic report is about; null of other filings'],
      ['fiscal_period', 'text', 'FY, or Q1 to Q4, of that year'],
      ['period_end', 'date', 'Last day of that period'],
    ]),
  },
  {
    name: 'insider_filings',
    source: INSIDER_FILINGS,
    about: 'Forms 4 and 5 in effect that report a purchase or sale.',
    order: 'cik, the latest first',
    sortedBy: null,
    columns: columns([
      CIK,
      ACCESSION,
      FORM,
      ['filed_at', 'date', 'Day of filing; null where it is not known'],
      ['period_of_report', 'date', 'Day of the earliest transaction'],
      [
        'aff10b5_one',
        'boolean',
        'Whether a plan under Rule 10b5-1(c) is indicated; null where the form has no such box',
      ],
    ]),
  },
  {
    name: 'insider_owners',
    source: INSIDER_OWNERS,
    about: 'The reporting owners of these filings: one row for each owner of a filing.',
    order: 'cik, then filing',
    sortedBy: null,
    columns: columns([
      CIK,
      ACCESSION,
      ['owner_cik', 'integer', 'Central Index Key of the owner'],
      ['owner_name', 'text', 'Name of the owner', 'name'],
      ['is_director', 'boolean', 'Director'],
      ['is_officer', 'boolean', 'Officer'],
      ['is_ten_percent_owner', 'boolean', 'Owner of more than ten percent'],
      ['is_other', 'boolean', 'Another relationship'],
      ['officer_title', 'text', 'Title of an officer'],
      ['other_text', 'text', 'The other relationship'],
    ]),
  },
  {
    name: 'insider_trades',
    source: INSIDER_TRADES,
    about:
      "Purchases and sales of non-derivative securities. For sums: value_status = 'counted' AND NOT repeated, as fin counts them.",
    order: 'cik, then filing',
    sortedBy: null,
    columns: columns([
      CIK,
      ACCESSION,
      ['ordinal', 'integer', 'Place among the transactions of the filing, from 1'],
      ['security_title', 'text', 'Title of the security'],
      ['transaction_code', 'text', 'P: purchase. S: sale'],
      ['transaction_date', 'date', 'Day of the trade'],
      ['shares', 'decimal', 'Shares'],
      ['price_per_share', 'decimal', 'Price of a share in US dollars'],
      ['acquired_disposed_code', 'text', 'A or D, as filed'],
      ['shares_owned_following', 'decimal', 'Shares owned afterwards'],
      ['direct_indirect_ownership', 'text', 'D: direct. I: indirect'],
      ['nature_of_ownership', 'text', 'Nature of an indirect ownership'],
      ['footnote_ids', 'text', 'Footnotes of the filing, joined by commas'],
      ['value_status', 'text', 'counted; suspect (figures that cannot be right); not_equity (no common equity)'],
      ['transaction_value', 'decimal', 'Shares times price'],
      ['repeated', 'boolean', 'Whether an earlier filing reports the same trade'],
    ]),
  },
  {
    name: 'manager_reports',
    source: HOLDER_REPORTS,
    about: 'Form 13F: what each institutional manager held at the end of a quarter, in sum.',
    order: 'holder_cik, then period',
    sortedBy: null,
    columns: columns([
      HOLDER,
      ['holder_name', 'text', 'Name of the manager'],
      PERIOD,
      ACCESSION,
      FILED,
      ['positions', 'integer', 'Positions in the report'],
      ['value_total', 'decimal', 'Market value of all positions in US dollars'],
      ['other_managers', 'integer', 'Other managers that the report includes'],
      ['prior_period', 'date', 'Quarter of the report before it; null without one'],
      ['opened', 'integer', 'Positions that are new since'],
      ['closed', 'integer', 'Positions that are gone since'],
    ]),
  },
  {
    name: 'holdings',
    source: HOLDER_POSITIONS,
    about: "Form 13F: each position of each manager's latest report, beside what it was in the report before.",
    order: 'holder_cik, the largest position first',
    sortedBy: null,
    columns: columns([
      HOLDER,
      ['cusip', 'text', 'CUSIP as reported'],
      ['issuer', 'text', 'Issuer as reported'],
      ['class', 'text', 'Title of the class as reported'],
      ['put_call', 'text', 'Put or Call of an option; empty of shares and notes'],
      ['amount', 'decimal', 'Shares, or principal of notes'],
      AMOUNT_TYPE,
      VALUE_HELD,
      ['weight', 'decimal', "Share of the report's total value"],
      ['prior_amount', 'decimal', 'Amount in the report before; null of a new position'],
      ['prior_value', 'decimal', 'Value in the report before'],
      ['cik', 'integer', 'Company that the CUSIP names, where it is covered'],
      ['ticker_normalized', 'text', 'Security that the CUSIP names, where it is covered'],
    ]),
  },
  {
    name: 'security_holders',
    source: SECURITY_HOLDERS,
    about: 'Form 13F by company: what each manager held of a security at the end of a quarter.',
    order: 'cik, then period, ticker_normalized, the largest first',
    sortedBy: null,
    columns: columns([
      CIK,
      ['ticker_normalized', 'text', 'Security; empty of notes of the company, which no ticker names'],
      PERIOD,
      HOLDER,
      ['holder_name', 'text', 'Name of the manager'],
      ACCESSION,
      FILED,
      ['amount', 'decimal', 'Shares, or principal of notes'],
      AMOUNT_TYPE,
      VALUE_HELD,
      ['weight', 'decimal', "Share of the report's total value"],
      ['prior_known', 'boolean', "Whether the manager's report for the quarter before is in the release"],
      ['next_known', 'boolean', "Whether the manager's report for the quarter after is in the release"],
    ]),
  },
  {
    name: 'segments',
    source: SEGMENTS,
    about:
      'Figures by segment, geography and product. The consolidated figure of each series and period has no member.',
    order: 'cik, then series, the latest period first',
    sortedBy: null,
    columns: columns([
      CIK,
      ['period', 'text', 'annual or quarterly'],
      ['axis', 'text', 'segment, geography or product'],
      ['measure', 'text', 'What is measured, such as revenue'],
      ['concept', 'text', 'XBRL concept, prefix:Name'],
      ['unit', 'text', 'Unit of measure'],
      ['fiscal_year', 'integer', 'Fiscal year of the period'],
      ['fiscal_period', 'text', 'FY, or Q1 to Q4'],
      ['end_date', 'date', 'Last day of the period'],
      ['derived', 'boolean', 'Whether the period is a fourth quarter, derived from the year'],
      [
        'basis',
        'integer',
        '1 for the newest period and those that compare with it; another number after a new structure',
      ],
      ACCESSION,
      FORM,
      FILED,
      ['member', 'text', 'XBRL member; null of the consolidated figure'],
      ['label', 'text', 'Name of the member'],
      ['value', 'decimal', 'The value, exact; null of a consolidated figure that is not reported'],
    ]),
  },
  {
    name: 'prices',
    source: PRICES,
    about:
      'Prices by source, as traded on the day and not adjusted for splits. Where a row has an attribution_text, show it beside the price.',
    order: 'cik, then ticker_normalized, day, source',
    sortedBy: null,
    columns: columns([
      CIK,
      TICKER,
      ['day', 'date', 'Trading day'],
      ['price', 'decimal', 'US dollars a share'],
      [
        'source',
        'text',
        'The best first: venue (last sale), venue_official (close), fails (fails-to-deliver list), nport (N-PORT marks), thirteen_f (implied by Form 13F)',
      ],
      ['sample', 'integer', 'Reports behind the price'],
      ['agreement', 'decimal', 'Share of the reports within one percent of it; null where there is no sample'],
      ['sold_at', 'timestamp', 'Moment of the last sale, in UTC; only from a venue that gives it'],
      ['attribution_text', 'text', 'Attribution that the venue asks for'],
    ]),
  },
  {
    name: 'price_sources',
    source: PRICE_SOURCES,
    about: 'The sources of prices, with the attribution that must be shown.',
    order: 'source',
    sortedBy: null,
    columns: columns([
      ['source', 'text', 'Source, as in prices'],
      ['attribution_text', 'text', 'Attribution that must be shown; null where none is asked for'],
      ['attribution_url', 'text', 'Where the attribution leads'],
    ]),
  },
];

/** Throws a RangeError for an unknown name. */
export function typedTable(name: string): TypedTable {
  const table = TYPED_TABLES.find((one) => one.name === name);
  if (table === undefined) throw new RangeError(`there is no typed table ${name}`);
  return table;
}

/** Whether a type may not hold all texts of the source. Throws a RangeError if the source lacks the column. */
export function mayNotHold({ source }: TypedTable, { type, from }: TypedColumn): boolean {
  if (from === null) return false;
  const stored = source.columns.find(({ name }) => name === from);
  if (stored === undefined) throw new RangeError(`the table ${source.name} has no column ${from}`);
  return stored.type === 'text' && type !== 'text';
}
