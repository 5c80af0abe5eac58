/** A release in memory for the service's tests: rows written in tests are read like rows of files. */

import { SCREEN_COLUMNS } from '../../src/contract/screen-columns.ts';
import type { RawConceptSummary } from '../../src/edgar/facts/company-facts.ts';
import { collectQuarterStarts } from '../../src/figures/figure-values.ts';
import type { ReportedValue } from '../../src/figures/revisions/revision-chain.ts';
import type { Split } from '../../src/figures/shares/splits.ts';
import type { ReleaseReader } from '../../src/store/reader.ts';
import type { Manifest } from '../../src/store/releases/manifest.ts';
import type { Cell } from '../../src/store/schema/columns.ts';
import type { Company, Security } from '../../src/store/schema/companies.ts';
import { requireKey, type Table } from '../../src/store/schema/declare-table.ts';
import type { CellCondition } from '../../src/store/table-reader.ts';

export interface ReleaseRows {
  readonly manifest: Manifest;
  readonly securities: readonly Security[];
  readonly companies: readonly Company[];
  readonly statements: ReadonlyMap<number, readonly ReportedValue[]>;
  readonly rawConcepts: ReadonlyMap<number, readonly RawConceptSummary[]>;
  /** One row for each company; missing columns are null. */
  readonly screen: readonly Readonly<Record<string, string | number | null>>[];
  readonly coverage: ReadonlyMap<string, number>;
  /** Rows of all other tables, by table name. The release does not include tables that are not in this map. */
  readonly families?: ReadonlyMap<string, readonly unknown[]>;
}

export interface ReadHooks {
  /** Awaited before every read. */
  readonly before?: () => Promise<void>;
}

export function makeMemoryRelease(rows: ReleaseRows, hooks: ReadHooks = {}): ReleaseReader {
  const readAfterHook = async <T>(value: T): Promise<T> => {
    await hooks.before?.();
    return value;
  };
  const findRowsBetween = <Row>(table: Table<Row>, firstKey: number, lastKey: number) =>
    ((rows.families?.get(table.name) ?? []) as readonly Row[]).filter((row) => {
      const key = requireKey(table, row);
      return key >= firstKey && key <= lastKey;
    });
  return {
    manifest: rows.manifest,
    securities: () => readAfterHook([...rows.securities].sort((a, b) => (a.ticker < b.ticker ? -1 : 1))),
    companies: () => readAfterHook([...rows.companies].sort((a, b) => a.cik - b.cik)),
    company: (cik) => readAfterHook(rows.companies.find((company) => company.cik === cik) ?? null),
    reportedValues: (cik, keys) =>
      readAfterHook(
        (rows.statements.get(cik) ?? []).filter((row) => keys === undefined || keys.includes(row.metricKey)),
      ),
    quarterStarts: (cik, asOf) => readAfterHook(collectQuarterStarts(rows.statements.get(cik) ?? [], asOf)),
    splits: () => readAfterHook<readonly Split[]>([]),
    rawConcepts: (cik) => readAfterHook(rows.rawConcepts.get(cik) ?? []),
    screen: (columns, rowNumbers) => {
      const storedColumnNames = ['cik', 'ticker', 'exchange', 'entity_name', ...SCREEN_COLUMNS];
      const requestedStoredColumns = columns.filter((column) => storedColumnNames.includes(column));
      const selectedRows = rowNumbers === undefined ? rows.screen : rowNumbers.map((row) => rows.screen[row]);
      return readAfterHook({
        length: selectedRows.length,
        columns: Object.fromEntries(
          requestedStoredColumns.map((column) => [column, selectedRows.map((row) => row?.[column] ?? null)]),
        ),
      });
    },
    coverage: () => readAfterHook(rows.coverage),
    includes: ({ name }) => rows.families?.has(name) ?? false,
    rowsOf: (table, key, ...conditions) =>
      readAfterHook(findRowsBetween(table, key, key).filter(makeRowFilter(table, conditions))),
    pageOf: async (table, key, { offset, limit }, ...conditions) => {
      const matchingRows = (await readAfterHook(findRowsBetween(table, key, key))).filter(
        makeRowFilter(table, conditions),
      );
      return { rows: matchingRows.slice(offset, offset + limit), total: matchingRows.length };
    },
    rowsBetween: (table, firstKey, lastKey) => readAfterHook(findRowsBetween(table, firstKey, lastKey)),
    rowsOfEach: (table, keys) =>
      readAfterHook([...new Set(keys)].sort((a, b) => a - b).flatMap((key) => findRowsBetween(table, key, key))),
    columnsOf: (table, names, rowNumbers) => {
      const tableRows = rows.families?.get(table.name) ?? [];
      const selectedRows = rowNumbers === undefined ? tableRows : rowNumbers.map((row) => tableRows[row]);
      const findFieldName = (name: string) => table.columns.find((column) => column.name === name)?.field ?? name;
      return readAfterHook(
        names.map((name) => selectedRows.map((row) => Reflect.get(Object(row), findFieldName(name)) as Cell)),
      );
    },
    // No test asks a release in memory for screens of past days.
    groupsBetween: () => readAfterHook([]),
    columnsIn: () => readAfterHook([]),
    allOf: <Row>(table: Table<Row>) => readAfterHook((rows.families?.get(table.name) ?? []) as readonly Row[]),
    close: async () => {},
  };
}

/** Returns a filter that keeps the rows that meet all conditions. */
function makeRowFilter<Row>({ columns }: Table<Row>, conditions: readonly CellCondition[]): (row: Row) => boolean {
  const findField = (name: string) => columns.find((column) => column.name === name)?.field as keyof Row;
  return (row) => conditions.every(({ column, passes }) => passes(row[findField(column)] as Cell));
}
