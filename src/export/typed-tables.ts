/**
 * Definitions of the typed tables: source, type and description of each column. The files, the SQL views and the schema
 * page are generated from these definitions.
 */
import { findDefinition } from '../contract/figures.ts';
import { DATE_COLUMNS, SCREEN_COLUMNS, SCREEN_FIGURES } from '../contract/screen-columns.ts';
import { isInternal } from '../figures/metrics/metric-rules.ts';
import { dateSplits, selectDailyPrices } from '../figures/prices/price-observations.ts';
import { type CurrentSpan, deriveCurrentSpans } from '../figures/revisions/current-spans.ts';
import { type ReportedValue, splitIntoChains } from '../figures/revisions/revision-chain.ts';
import type { Split } from '../figures/shares/splits.ts';
import { groupBy } from '../platform/collections.ts';
import { COMPANIES, SECURITIES } from '../store/schema/companies.ts';
import { FILINGS } from '../store/schema/filings.ts';
import { FORMER_NAMES, FORMER_TICKERS } from '../store/schema/former-names.ts';
import { HOLDER_POSITIONS, HOLDER_REPORTS, SECURITY_HOLDERS } from '../store/schema/holders.ts';
import { INSIDER_FILINGS, INSIDER_OWNERS, INSIDER_TRADES } from '../store/schema/insiders.ts';
import { PRICE_SOURCES, PRICES, type PriceRow, SECURITIES_WITH_PRICES } from '../store/schema/prices.ts';
import { REPORTED_VALUES, SPLITS } from '../store/schema/reported-values.ts';
import { SCREEN } from '../store/schema/screen.ts';
import {
  EMPTIED_CELL_MARK,
  HISTORY_COLUMNS,
  SCREEN_HISTORY,
  SCREEN_HISTORY_COMPANIES,
} from '../store/schema/screen-history.ts';
import { SEGMENTS } from '../store/schema/segments.ts';
import type { Cell, Table, WithCik } from '../store/schema/table.ts';
import type { ScannedRowGroup } from '../store/table-reader.ts';
import type { ValueType } from './typed-value.ts';

export interface TypedColumn {
  readonly name: string;
  readonly type: ValueType;
  readonly about: string;
  /** Name of the column in the source table; null if `expand` or `changes` computes the column. */
  readonly sourceColumn: string | null;
}

/** The rows of a typed table that are made from one row group of its source. */
export interface ExpandedGroup {
  /** For each row, the number of its source row. */
  readonly rows: readonly number[];
  /** Cells by column name, for columns that the source lacks or that replace a source column. */
  readonly computed: Readonly<Record<string, readonly Cell[]>>;
}

export interface TypedTable {
  readonly name: string;
  readonly source: Table;
  readonly about: string;
  /** The order of rows, as text for the schema page. */
  readonly order: string;
  /** The column that sorts the rows of a span (see typed-span.ts); null if rows stay in the order of the source. */
  readonly sortedBy: string | null;
  readonly columns: readonly TypedColumn[];
  /**
   * Computes the table's rows from a row group of the source. Absent if the table has the source's rows, unchanged or
   * completed with `changes`.
   */
  readonly expand?: (
    group: ScannedRowGroup<unknown>,
    readOtherTable: ReadOtherTable,
  ) => ExpandedGroup | Promise<ExpandedGroup>;
  /**
   * Set if a row of the source has only the cells that changed since its key's previous row. The table is then not
   * divided: all its row groups are one span.
   */
  readonly changes?: ChangeColumns;
}

/**
 * The columns needed to complete rows that contain only changes. All of them except `untilColumn` are columns of the
 * source.
 */
export interface ChangeColumns {
  readonly keyColumn: string;
  /** A boolean column: true if the row is complete, so that null means no value; false if null means unchanged. */
  readonly wholeColumn: string;
  /** A boolean column: true if the row only repeats the previous row. The typed table omits such rows. */
  readonly repeatedColumn: string;
  /** The cell that marks a value as removed since the previous row. */
  readonly emptyMark: string;
  readonly columns: ReadonlySet<string>;
  /**
   * Column with the first day on which a row is valid. `untilColumn` is computed from it: the first day of the key's
   * next row.
   */
  readonly fromColumn: string;
  readonly untilColumn: string;
}

/** Returns the rows of a company in another table of the release; empty if the release does not include the table. */
export type ReadOtherTable = <Row>(table: Table<Row>, cik: number) => Promise<readonly Row[]>;

type ColumnDescription = readonly [name: string, type: ValueType, about: string, sourceColumn?: string | null];

const toTypedColumns = (descriptions: readonly ColumnDescription[]): TypedColumn[] =>
  descriptions.map(([name, type, about, sourceColumn = name]) => ({ name, type, about, sourceColumn }));

const CIK_COLUMN: ColumnDescription = ['cik', 'integer', 'Central Index Key of the company'];
const TICKER_COLUMN: ColumnDescription = [
  'ticker_normalized',
  'text',
  'Ticker in capitals, with dots and slashes written as dashes: BRK-B',
];
const ACCESSION_COLUMN: ColumnDescription = ['accession_number', 'text', 'Accession number of the filing'];
const FORM_COLUMN: ColumnDescription = ['form', 'text', 'Form type of the filing, such as 10-K'];
const FILED_COLUMN: ColumnDescription = ['filed_at', 'date', 'Date the filing was filed'];
const LAST_REPORT_COLUMN: ColumnDescription = [
  'last_report',
  'date',
  "Date of the company's last annual or interim report",
];
const GONE_COLUMN: ColumnDescription = [
  'gone',
  'boolean',
  'Whether the company has stopped reporting; null if unknown',
];
const INDUSTRY_COLUMNS: readonly ColumnDescription[] = [
  ['sic', 'text', 'Code of the industry (Standard Industrial Classification)'],
  ['industry', 'text', 'Name of the industry'],
];
const HOLDER_COLUMN: ColumnDescription = ['holder_cik', 'integer', 'Central Index Key of the manager'];
const PERIOD_COLUMN: ColumnDescription = ['period', 'date', 'Last day of the reported quarter'];
const AMOUNT_TYPE_COLUMN: ColumnDescription = [
  'amount_type',
  'text',
  'SH: number of shares. PRN: principal amount of notes',
];
const MARKET_VALUE_COLUMN: ColumnDescription = [
  'value',
  'decimal',
  'Market value in whole US dollars; values reported in thousands are converted',
];

const FIGURES_TABLE: TypedTable = {
  name: 'figures',
  source: REPORTED_VALUES,
  about:
    'Every value of a metric that a filing reported, restated values included. ' +
    'Values that no later filing replaces: stands_from IS NOT NULL AND stands_until IS NULL. Values as of a day: stands_from <= day AND ' +
    '(stands_until > day OR stands_until IS NULL). Derived figures, such as ratios and fourth quarters, are not included: see the table screen, or fin metrics.',
  order: 'group of consecutive CIKs, then metric_key, cik, unit, end_date, start_date, revision_rank',
  sortedBy: 'metric_key',
  columns: toTypedColumns([
    CIK_COLUMN,
    ['metric_key', 'text', 'Key of the metric; fin catalog lists the keys'],
    ['unit', 'text', 'Unit of measure, such as USD, USD/shares or shares'],
    [
      'period_kind',
      'text',
      'annual, quarter, half or nine_month (amounts of a period), or instant (balances of a day)',
    ],
    ['start_date', 'date', 'First day of the period; null for balances'],
    ['end_date', 'date', 'Last day of the period'],
    ['fiscal_year', 'integer', 'Fiscal year of the period'],
    ['fiscal_period', 'text', 'Fiscal period: FY, Q1 to Q4, H1 (half year) or 9M (nine months)'],
    [
      'revision_rank',
      'integer',
      'Position of the value among all values reported for this metric and period, in filing order, from 1',
    ],
    [
      'kind',
      'text',
      'first (first report); same (reported again, unchanged); revised (changed); re_expressed (adjusted for a stock split); reinstated (another row for a value that became current again)',
    ],
    ['value', 'decimal', 'Value, exact'],
    ['stands_from', 'date', 'First day on which the value was current; null if it never was', null],
    [
      'stands_until',
      'date',
      'First day on which the value was no longer current; null if it still is, or never was',
      null,
    ],
    ['split_ratio', 'decimal', 'New shares per old share, if the value was adjusted for a split'],
    ['taxonomy', 'text', 'Taxonomy of the XBRL concept, such as us-gaap'],
    ['concept', 'text', 'XBRL concept that the filing used as a tag'],
    ['raw_value', 'decimal', 'Value as tagged in the filing, with its original sign'],
    ACCESSION_COLUMN,
    FORM_COLUMN,
    FILED_COLUMN,
    [
      'contradicted_on',
      'date',
      'First day on which other filings showed that the value is wrong; null for nearly all values',
    ],
    [
      'unconfirmed',
      'text',
      'Relation to other stated amounts that the value breaks, such as assets = liabilities + equity; null for nearly all values',
    ],
    ['unconfirmed_on', 'date', 'First day on which filings showed that the relation is broken'],
  ]),
  expand: expandReportedValues,
};

/**
 * Returns each value of a metric with the days on which it was current. A value that became current again, after
 * another had replaced it, gets a further row each time.
 */
function expandReportedValues(group: ScannedRowGroup<unknown>): ExpandedGroup {
  const values = Array.from({ length: group.rows }, (_, index) => group.row(index) as WithCik<ReportedValue>);
  const rows: number[] = [];
  const computedColumns = { kind: [] as Cell[], stands_from: [] as Cell[], stands_until: [] as Cell[] };
  const addRow = (row: number, kind: Cell, span: CurrentSpan | null) => {
    rows.push(row);
    computedColumns.kind.push(kind);
    computedColumns.stands_from.push(span?.from ?? null);
    computedColumns.stands_until.push(span?.until ?? null);
  };
  let nextIndex = 0;
  for (const chain of splitIntoChains(values)) {
    const chainStart = nextIndex;
    nextIndex += chain.length;
    // All values of a chain have the same metric.
    if (chain[0] !== undefined && isInternal(chain[0].metricKey)) continue;
    const spans = deriveCurrentSpans(chain);
    for (const [index, value] of chain.entries()) {
      const rowCountBefore = rows.length;
      for (const span of spans) {
        if (span.reported === value)
          addRow(chainStart + index, rows.length === rowCountBefore ? value.kind : 'reinstated', span);
      }
      if (rows.length === rowCountBefore) addRow(chainStart + index, value.kind, null);
    }
  }
  return { rows, computed: computedColumns };
}

/**
 * Returns all splits. A split gets an effective day only if share prices prove it: the day that filings declare may be
 * the day of the board's decision.
 */
async function addEffectiveDays(
  group: ScannedRowGroup<unknown>,
  readOtherTable: ReadOtherTable,
): Promise<ExpandedGroup> {
  const splits = Array.from({ length: group.rows }, (_, index) => group.row(index) as WithCik<Split>);
  const effectiveDayBySplit = new Map<Split, string>();
  for (const [cik, companySplits] of groupBy(splits, (split) => split.cik)) {
    for (const dailyPrices of await readDailyPricesByClass(cik, readOtherTable)) {
      for (const split of companySplits) {
        const [datedSplit] = dateSplits([split], dailyPrices);
        if (datedSplit !== undefined && datedSplit.provenBy !== null) effectiveDayBySplit.set(split, datedSplit.until);
      }
    }
  }
  return {
    rows: splits.map((_, index) => index),
    computed: { effective_date: splits.map((split) => effectiveDayBySplit.get(split) ?? null) },
  };
}

/** Returns daily prices, one list per ordinary share class of the company. */
async function readDailyPricesByClass(
  cik: number,
  readOtherTable: ReadOtherTable,
): Promise<readonly (readonly PriceRow[])[]> {
  const shareClasses = (await readOtherTable(SECURITIES_WITH_PRICES, cik)).filter(({ isShare }) => isShare);
  if (shareClasses.length === 0) return [];
  const pricesByTicker = groupBy(await readOtherTable(PRICES, cik), ({ tickerNormalized }) => tickerNormalized);
  return shareClasses.map(({ tickerNormalized }) => selectDailyPrices(pricesByTicker.get(tickerNormalized) ?? []));
}

/** Types of the screener's columns, by name. The names of figures and dates come from `contract/screen-columns.ts`. */
const SCREEN_COLUMN_TYPES = new Map<string, ValueType>([
  ...SCREEN_FIGURES.map(({ key }) => [key, 'decimal'] as const),
  ...DATE_COLUMNS.map((name) => [name, 'date'] as const),
  ['fiscal_year', 'integer'],
]);

const SCREEN_COLUMN_DESCRIPTIONS: Readonly<Record<string, string>> = {
  fiscal_year: 'Fiscal year of the annual figures',
  annual_end_date: 'Last day of the fiscal year',
  instant_end_date: 'Date of the balance sheet',
  prior_annual_end_date: 'Last day of the previous fiscal year',
  public_float_end_date: 'Date of the public float',
  shares_outstanding_end_date: 'Date of the share count',
  price_day: 'Date of the price',
  ttm_end_date: 'Last day of the trailing twelve months',
  coverage_state: 'always "covered": the company has an annual revenue, an annual net income or total assets',
  ...Object.fromEntries(INDUSTRY_COLUMNS.map(([name, , about]) => [name, about])),
};

const describeScreenColumn = (name: string): ColumnDescription => {
  const about = SCREEN_COLUMN_DESCRIPTIONS[name] ?? findDefinition(name)?.label;
  if (about === undefined) throw new RangeError(`The screener's column ${name} has no description.`);
  return [name, SCREEN_COLUMN_TYPES.get(name) ?? 'text', about];
};

/** The typed tables, in the order of the schema page. */
export const TYPED_TABLES: readonly TypedTable[] = [
  {
    name: 'companies',
    source: COMPANIES,
    about: 'One row for each company in the release.',
    order: 'cik',
    sortedBy: null,
    columns: toTypedColumns([
      CIK_COLUMN,
      ['entity_name', 'text', 'Name of the company'],
      [
        'coverage_state',
        'text',
        'covered: the company has an annual revenue, an annual net income or total assets. partial: it has only other figures, or partial_facts is true. none: it has no figures',
      ],
      ['filing_count', 'integer', "Number of the company's filings in the release"],
      ['raw_fact_count', 'integer', 'Number of XBRL facts that the company reported'],
      [
        'metric_value_count',
        'integer',
        "Number of metric values that were read or computed from the company's XBRL facts",
      ],
      ['latest_filed_at', 'date', "Date of the company's latest filing", 'latest_filing_at'],
      LAST_REPORT_COLUMN,
      GONE_COLUMN,
      ...INDUSTRY_COLUMNS,
      ['industry_source', 'text', 'third_party if sic is from a third party; null if it is from the SEC'],
      ['partial_facts', 'boolean', "True if the release has only some of the company's facts, otherwise null"],
    ]),
  },
  {
    name: 'securities',
    source: SECURITIES,
    about: 'One row for each ticker, with its company.',
    order: 'ticker',
    sortedBy: null,
    columns: toTypedColumns([
      [
        'ticker',
        'text',
        'Ticker as listed by the SEC; if the SEC lists no ticker of the company, its last one or "CIK" followed by ten digits',
      ],
      TICKER_COLUMN,
      ['exchange', 'text', 'Stock exchange'],
      CIK_COLUMN,
      ['is_primary', 'boolean', 'Whether this is the primary ticker of the company'],
      ['is_active', 'boolean', 'Whether the SEC still lists the ticker'],
      [
        'coverage_state',
        'text',
        'Coverage of the company (companies.coverage_state); inactive if the ticker is no longer listed',
      ],
    ]),
  },
  {
    name: 'former_names',
    source: FORMER_NAMES,
    about: 'Former names of companies.',
    order: 'cik, latest name first',
    sortedBy: null,
    columns: toTypedColumns([
      CIK_COLUMN,
      ['name', 'text', 'Former name'],
      ['first_day', 'date', 'First day on which the company had the name; null if unknown'],
      ['last_day', 'date', 'Last day on which the company had the name; null if unknown'],
    ]),
  },
  {
    name: 'former_tickers',
    source: FORMER_TICKERS,
    about: "Former ticker symbols of securities, as found in the SEC's lists of fails to deliver.",
    order: 'cik, then symbol',
    sortedBy: null,
    columns: toTypedColumns([
      CIK_COLUMN,
      ['symbol', 'text', 'Former symbol'],
      TICKER_COLUMN,
      ['first_day', 'date', 'First day on which a list of fails to deliver includes the symbol'],
      ['last_day', 'date', 'Last day on which a list of fails to deliver includes the symbol'],
    ]),
  },
  FIGURES_TABLE,
  {
    name: 'splits',
    source: SPLITS,
    about:
      'Stock splits that filings prove. effective_date is taken from the prices in the release; if it is null, the split ' +
      'took effect after old_basis_until and no later than new_basis_from.',
    order: 'cik, then the day of the split',
    sortedBy: null,
    expand: addEffectiveDays,
    columns: toTypedColumns([
      CIK_COLUMN,
      ['ratio', 'decimal', 'New shares per old share'],
      [
        'effective_date',
        'date',
        'First trading day after the split, as prices show it; null if no price shows it',
        null,
      ],
      ACCESSION_COLUMN,
      ['old_basis_until', 'date', 'Last day that filings show to be before the split'],
      ['new_basis_from', 'date', 'First day that filings show to be after the split'],
    ]),
  },
  {
    name: 'screen',
    source: SCREEN,
    about:
      'One row for each company with an annual revenue, an annual net income or total assets, and with a listed security: its latest annual figures, balances, ratios and price. ' +
      'A release built with --screen-since leaves out companies whose figures all end before that day.',
    order: 'ticker',
    sortedBy: null,
    columns: toTypedColumns([
      CIK_COLUMN,
      ['ticker', 'text', 'Primary ticker'],
      ['exchange', 'text', 'Stock exchange'],
      ['entity_name', 'text', 'Name of the company'],
      ...SCREEN_COLUMNS.map(describeScreenColumn),
    ]),
  },
  {
    name: 'screen_history',
    source: SCREEN_HISTORY,
    about:
      'Past rows of the screener, without prices: a new row for each day on which a filing changed the figures of a company. ' +
      'To read the rows that are valid on a day: FROM screen_as_of(day). The macro leaves out rows whose fiscal year ended more than ' +
      '18 months before the day; figures of trailing twelve months that ended more than 185 days before the day are null. ' +
      'A row in which every figure is null means that the company has no figures from that day on.',
    order: 'month of valid_from, then cik, then valid_from',
    sortedBy: null,
    changes: {
      ...{
        keyColumn: 'cik',
        wholeColumn: 'whole',
        repeatedColumn: 'repeated',
        emptyMark: EMPTIED_CELL_MARK,
        columns: new Set(HISTORY_COLUMNS),
      },
      ...{ fromColumn: 'day', untilColumn: 'valid_until' },
    },
    columns: toTypedColumns([
      CIK_COLUMN,
      ['valid_from', 'date', 'First day on which the row is valid: the date of the filing', 'day'],
      ['valid_until', 'date', "First day of the company's next row; null for its last row", null],
      ...HISTORY_COLUMNS.map(describeScreenColumn),
    ]),
  },
  {
    name: 'screen_history_companies',
    source: SCREEN_HISTORY_COMPANIES,
    about:
      'One row for each company in screen_history, with its current ticker and name. Companies that have stopped reporting are included.',
    order: 'ticker',
    sortedBy: null,
    columns: toTypedColumns([
      CIK_COLUMN,
      ['ticker', 'text', 'Primary ticker; if the company has none today, its last one or "CIK" followed by ten digits'],
      ['exchange', 'text', 'Stock exchange; empty if the company has no ticker today'],
      ['is_active', 'boolean', 'Whether the company has a ticker today'],
      ['entity_name', 'text', 'Name of the company'],
      LAST_REPORT_COLUMN,
      GONE_COLUMN,
      ...INDUSTRY_COLUMNS,
    ]),
  },
  {
    name: 'filings',
    source: FILINGS,
    about: 'Filings, with one row for each company that a filing names as a party.',
    order: 'group of consecutive CIKs, then filed_at, cik',
    sortedBy: 'filed_at',
    columns: toTypedColumns([
      CIK_COLUMN,
      ACCESSION_COLUMN,
      FORM_COLUMN,
      FILED_COLUMN,
      ['accepted_at', 'timestamp', 'Time at which the SEC accepted the filing, in UTC; null if unknown'],
      [
        'announcement_timing',
        'text',
        'When a current report (8-K) with earnings was accepted, by New York trading hours: before_open, during_market or after_close; null for other filings, or if the time is unknown',
      ],
      ['items', 'text', 'Item numbers of a current report (8-K), separated by commas; empty for other forms'],
      ['primary_document', 'text', 'File name of the main document'],
      ['report_date', 'date', 'Date of the period or event that the filing reports on'],
      ['fiscal_year', 'integer', 'Fiscal year that a periodic report covers; null for other filings, or if unknown'],
      ['fiscal_period', 'text', 'Fiscal period that a periodic report covers: FY, or Q1 to Q4'],
      ['period_end', 'date', 'Last day of the fiscal period'],
    ]),
  },
  {
    name: 'insider_filings',
    source: INSIDER_FILINGS,
    about: 'Forms 4 and 5 that report a purchase or sale, without those that an amendment replaced.',
    order: 'cik, latest filing first',
    sortedBy: null,
    columns: toTypedColumns([
      CIK_COLUMN,
      ACCESSION_COLUMN,
      FORM_COLUMN,
      ['filed_at', 'date', 'Date the filing was filed; null if unknown'],
      ['period_of_report', 'date', 'Date of the earliest transaction'],
      [
        'aff10b5_one',
        'boolean',
        'Whether the form indicates a trading plan under Rule 10b5-1(c); null if the form has no such box',
      ],
    ]),
  },
  {
    name: 'insider_owners',
    source: INSIDER_OWNERS,
    about: 'Reporting owners of the filings in insider_filings: one row for each owner named in a filing.',
    order: 'cik, then filing',
    sortedBy: null,
    columns: toTypedColumns([
      CIK_COLUMN,
      ACCESSION_COLUMN,
      ['owner_cik', 'integer', 'Central Index Key of the owner'],
      ['owner_name', 'text', 'Name of the owner', 'name'],
      ['is_director', 'boolean', 'Whether the owner is a director'],
      ['is_officer', 'boolean', 'Whether the owner is an officer'],
      ['is_ten_percent_owner', 'boolean', 'Whether the owner holds more than ten percent of a class of the securities'],
      [
        'is_other',
        'boolean',
        'Whether the form marks the box "Other": a relationship that is not director, officer or ten percent owner',
      ],
      ['officer_title', 'text', "Officer's title"],
      ['other_text', 'text', 'Description of the relationship, if the box "Other" is marked'],
    ]),
  },
  {
    name: 'insider_trades',
    source: INSIDER_TRADES,
    about:
      "Purchases and sales of non-derivative securities. To add them up as fin does, select value_status = 'counted' AND NOT repeated.",
    order: 'cik, then filing',
    sortedBy: null,
    columns: toTypedColumns([
      CIK_COLUMN,
      ACCESSION_COLUMN,
      ['ordinal', 'integer', 'Position among the non-derivative transactions of the filing, from 1'],
      ['security_title', 'text', 'Title of the security'],
      ['transaction_code', 'text', 'P: purchase. S: sale'],
      ['transaction_date', 'date', 'Date of the trade'],
      ['shares', 'decimal', 'Number of shares traded'],
      ['price_per_share', 'decimal', 'Price per share in US dollars'],
      ['acquired_disposed_code', 'text', 'A: acquired. D: disposed of. As filed'],
      ['shares_owned_following', 'decimal', 'Number of shares owned after the trade'],
      ['direct_indirect_ownership', 'text', 'D: owned directly. I: owned indirectly'],
      ['nature_of_ownership', 'text', 'Nature of indirect ownership'],
      ['footnote_ids', 'text', 'Ids of footnotes in the filing, separated by commas'],
      [
        'value_status',
        'text',
        'counted (the value is usable); suspect (the price, number of shares or date is missing or cannot be right); not_equity (the security is not common equity)',
      ],
      ['transaction_value', 'decimal', 'Number of shares times price, in US dollars'],
      ['repeated', 'boolean', 'Whether an earlier filing reports the same trade'],
    ]),
  },
  {
    name: 'manager_reports',
    source: HOLDER_REPORTS,
    about: "Form 13F: totals of each institutional manager's holdings at the end of a quarter.",
    order: 'holder_cik, then period',
    sortedBy: null,
    columns: toTypedColumns([
      HOLDER_COLUMN,
      ['holder_name', 'text', 'Name of the manager'],
      PERIOD_COLUMN,
      ACCESSION_COLUMN,
      FILED_COLUMN,
      ['positions', 'integer', 'Number of positions in the report'],
      ['value_total', 'decimal', 'Market value of all positions in US dollars'],
      ['other_managers', 'integer', 'Number of other managers whose holdings the report includes'],
      [
        'prior_period',
        'date',
        "Last day of the quarter of the manager's previous report; null if the release does not include that report",
      ],
      ['opened', 'integer', 'Number of positions that the previous report does not have; null if prior_period is null'],
      ['closed', 'integer', 'Number of positions that only the previous report has; null if prior_period is null'],
    ]),
  },
  {
    name: 'holdings',
    source: HOLDER_POSITIONS,
    about:
      "Form 13F: the positions in each manager's latest report, each with its amount and value in the previous report.",
    order: 'holder_cik, largest position first',
    sortedBy: null,
    columns: toTypedColumns([
      HOLDER_COLUMN,
      ['cusip', 'text', 'CUSIP as reported'],
      ['issuer', 'text', 'Name of the issuer, as reported'],
      ['class', 'text', 'Title of the class of securities, as reported'],
      ['put_call', 'text', 'Put or Call for an option; empty for shares and notes'],
      ['amount', 'decimal', 'Number of shares, or principal amount of notes; see amount_type'],
      AMOUNT_TYPE_COLUMN,
      MARKET_VALUE_COLUMN,
      ['weight', 'decimal', "Share of the report's total value, as a fraction"],
      [
        'prior_amount',
        'decimal',
        'Amount in the previous report; null for a new position, or if the release has no previous report',
      ],
      [
        'prior_value',
        'decimal',
        'Value in the previous report; null for a new position, or if the release has no previous report',
      ],
      ['cik', 'integer', 'Central Index Key of the issuer; null if the release does not cover the company'],
      [
        'ticker_normalized',
        'text',
        'Ticker of the security; empty for notes, which have no ticker; null if cik is null',
      ],
    ]),
  },
  {
    name: 'security_holders',
    source: SECURITY_HOLDERS,
    about: 'Form 13F by company: the managers that held a security at the end of a quarter.',
    order: 'cik, then period, ticker_normalized, largest position first',
    sortedBy: null,
    columns: toTypedColumns([
      CIK_COLUMN,
      ['ticker_normalized', 'text', "Ticker of the security; empty for the company's notes, which have no ticker"],
      PERIOD_COLUMN,
      HOLDER_COLUMN,
      ['holder_name', 'text', 'Name of the manager'],
      ACCESSION_COLUMN,
      FILED_COLUMN,
      ['amount', 'decimal', 'Number of shares, or principal amount of notes; see amount_type'],
      AMOUNT_TYPE_COLUMN,
      MARKET_VALUE_COLUMN,
      ['weight', 'decimal', "Share of the report's total value, as a fraction"],
      ['prior_known', 'boolean', "Whether the manager's report for the previous quarter is in the release"],
      ['next_known', 'boolean', "Whether the manager's report for the next quarter is in the release"],
    ]),
  },
  {
    name: 'segments',
    source: SEGMENTS,
    about: 'Figures by business segment, geography and product. Rows without a member are the consolidated figures.',
    order: 'cik, then series (rows with the same period, axis, measure, concept and unit), latest end_date first',
    sortedBy: null,
    columns: toTypedColumns([
      CIK_COLUMN,
      ['period', 'text', 'annual or quarterly'],
      ['axis', 'text', 'segment, geography or product'],
      ['measure', 'text', 'Measured quantity, such as revenue'],
      ['concept', 'text', 'XBRL concept, as prefix:Name'],
      ['unit', 'text', 'Unit of measure'],
      ['fiscal_year', 'integer', 'Fiscal year of the period'],
      ['fiscal_period', 'text', 'Fiscal period: FY, or Q1 to Q4'],
      ['end_date', 'date', 'Last day of the period'],
      ['derived', 'boolean', 'Whether the value was computed for a fourth quarter, as the year less three quarters'],
      [
        'basis',
        'integer',
        'Number of the segment definition: 1 is the newest, earlier definitions have higher numbers. Only periods with the same number can be compared',
      ],
      ACCESSION_COLUMN,
      FORM_COLUMN,
      FILED_COLUMN,
      ['member', 'text', 'XBRL member; null for the consolidated figure'],
      ['label', 'text', 'Name of the member'],
      ['value', 'decimal', 'Value, exact; null if no filing reports the consolidated figure'],
    ]),
  },
  {
    name: 'prices',
    source: PRICES,
    about: 'Prices by source, not adjusted for splits. If a row has an attribution_text, show it next to the price.',
    order: 'cik, then ticker_normalized, day, source',
    sortedBy: null,
    columns: toTypedColumns([
      CIK_COLUMN,
      TICKER_COLUMN,
      ['day', 'date', 'Trading day'],
      ['price', 'decimal', 'Price per share in US dollars'],
      [
        'source',
        'text',
        'Source of the price, best first: venue (last sale on an exchange), venue_official (official close), fails (list of fails to deliver), nport (valuation in Form N-PORT), thirteen_f (value per share in Form 13F)',
      ],
      ['sample', 'integer', 'Number of reports whose implied prices were compared; 1 if the source states the price'],
      [
        'agreement',
        'decimal',
        'Fraction of the reports counted in sample whose implied price is within about one percent of the price in this row; null if the source states the price',
      ],
      ['sold_at', 'timestamp', 'Time of the last sale, in UTC; null if the source does not state a time'],
      ['attribution_text', 'text', 'Attribution that the exchange requires; null for other sources'],
    ]),
  },
  {
    name: 'price_sources',
    source: PRICE_SOURCES,
    about: 'Sources of prices, with the attribution that must be shown next to the prices of a source.',
    order: 'source',
    sortedBy: null,
    columns: toTypedColumns([
      ['source', 'text', 'Source, as in the table prices'],
      ['attribution_text', 'text', 'Attribution that must be shown; null if no attribution is required'],
      ['attribution_url', 'text', 'Web address that the attribution links to'],
    ]),
  },
];

/** Returns the table with this name. Throws a RangeError for an unknown name. */
export function findTypedTable(name: string): TypedTable {
  const table = TYPED_TABLES.find((candidate) => candidate.name === name);
  if (table === undefined) throw new RangeError(`Unknown typed table ${name}.`);
  return table;
}

/**
 * Whether the source column may contain texts that do not fit the type. Throws a RangeError if the source lacks the
 * column.
 */
export function mayNeedRemainderColumn({ source }: TypedTable, { type, sourceColumn }: TypedColumn): boolean {
  if (sourceColumn === null) return false;
  const storedColumn = source.columns.find(({ name }) => name === sourceColumn);
  if (storedColumn === undefined) throw new RangeError(`the table ${source.name} has no column ${sourceColumn}`);
  return storedColumn.type === 'text' && type !== 'text';
}
