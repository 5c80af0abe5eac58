/** DuckDB views of the typed tables, in a local directory or at an address. */
import { SOURCE_PRECEDENCE } from '../figures/prices/price-observations.ts';
import { TWELVE_MONTHS_COLUMNS } from '../store/schema/screen.ts';
import { TYPED_TABLES } from './typed-tables.ts';
import type { WrittenTable } from './write-typed-tables.ts';

export { ANALYTICS_FOLDER, readAnalyticsManifest } from './analytics-manifest.ts';

const formatSqlLiteral = (text: string): string => `'${text.replaceAll("'", "''")}'`;

type TablesByName = Readonly<Record<string, Pick<WrittenTable, 'file' | 'columns'>>>;

/**
 * Views and macros for queries that are easily written wrong in SQL. `neededTable` is the name of the table that a view
 * reads.
 */
const VIEWS_AND_MACROS: readonly { readonly neededTable: string; readonly sql: string; readonly about: string }[] = [
  {
    neededTable: 'figures',
    sql: `CREATE OR REPLACE VIEW current_figures AS
  FROM figures WHERE stands_from IS NOT NULL AND stands_until IS NULL;`,
    about: 'Reported figures that no later filing in the release replaces.',
  },
  {
    neededTable: 'figures',
    sql: `CREATE OR REPLACE MACRO figures_as_of(as_of) AS TABLE
  FROM figures WHERE stands_from <= as_of AND (stands_until > as_of OR stands_until IS NULL);`,
    about: "Reported figures that no filing had replaced by the end of a day: FROM figures_as_of(DATE '2024-06-30')",
  },
  {
    neededTable: 'screen_history',
    sql: `CREATE OR REPLACE MACRO screen_as_of(as_of) AS TABLE
  SELECT companies.*, history.* EXCLUDE (cik, ${TWELVE_MONTHS_COLUMNS.join(', ')}),
    ${TWELVE_MONTHS_COLUMNS.map((name) => `CASE WHEN history.ttm_end_date >= as_of - 185 THEN history.${name} END AS ${name}`).join(',\n    ')}
  FROM screen_history AS history JOIN screen_history_companies AS companies USING (cik)
  WHERE valid_from <= as_of AND (valid_until > as_of OR valid_until IS NULL)
    AND annual_end_date >= as_of - INTERVAL 18 MONTH;`,
    about:
      "Companies with their figures as of a day, including companies that have since stopped reporting, but not companies whose latest fiscal year ended more than 18 months before the day: FROM screen_as_of(DATE '2019-06-28')",
  },
  {
    neededTable: 'prices',
    sql: `CREATE OR REPLACE VIEW daily_prices AS
  FROM prices
  QUALIFY row_number() OVER (PARTITION BY cik, ticker_normalized, day
    ORDER BY list_position([${SOURCE_PRECEDENCE.map(formatSqlLiteral).join(', ')}], source)) = 1;`,
    about: 'The price of each day, from the best source for that day; not adjusted for splits.',
  },
  {
    neededTable: 'insider_trades',
    sql: `CREATE OR REPLACE VIEW counted_trades AS
  SELECT trades.*, filings.filed_at, filings.form
  FROM insider_trades AS trades JOIN insider_filings AS filings USING (cik, accession_number)
  WHERE trades.value_status = 'counted' AND NOT trades.repeated;`,
    about: 'Purchases and sales that fin counts in totals, each trade once, with the date of filing.',
  },
];

/**
 * Returns a script that DuckDB runs at its start (`duckdb -init release.sql`).
 * @param base the directory or address of the tables; default: DuckDB's working directory
 */
export function renderReleaseSql(stamp: string, tables: TablesByName, base = '.'): string {
  const sections = [
    [
      `-- DuckDB views of release ${stamp}: duckdb -init release.sql`,
      '-- Run it in the directory of the tables, or set the variable fin to their directory or web address.',
      '-- For a web address, DuckDB loads its extension httpfs, which it downloads once.',
      `SET VARIABLE fin = ${formatSqlLiteral(base.replace(/\/+$/, ''))};`,
    ].join('\n'),
    ...TYPED_TABLES.flatMap(({ name, about, order }) => {
      const table = tables[name];
      return table === undefined ? [] : [makeViewStatement(name, table, `${about} Sorted by ${order}.`)];
    }),
    ...VIEWS_AND_MACROS.filter(({ neededTable }) => tables[neededTable] !== undefined).map(
      ({ about, sql }) => `-- ${about}\n${sql}`,
    ),
  ];
  return `${sections.join('\n\n')}\n`;
}

const makeViewStatement = (name: string, { file, columns }: TablesByName[string], about: string): string =>
  [
    `CREATE OR REPLACE VIEW ${name} AS FROM read_parquet(getvariable('fin') || ${formatSqlLiteral(`/${file}`)});`,
    `COMMENT ON VIEW ${name} IS ${formatSqlLiteral(about)};`,
    ...columns.map((column) => `COMMENT ON COLUMN ${name}."${column.name}" IS ${formatSqlLiteral(column.about)};`),
  ].join('\n');
