/**
 * The typed tables, derived from the schema of a release's tables: a typed table has the columns with a description. The
 * rows and columns of three tables are computed. The files, the SQL views and the schema page are generated from them.
 */

import { isInternal } from '../figures/metrics/metric-rules.ts';
import { dateSplits, selectDailyPrices } from '../figures/prices/price-observations.ts';
import { type CurrentSpan, deriveCurrentSpans } from '../figures/revisions/current-spans.ts';
import { type ReportedValue, splitIntoChains } from '../figures/revisions/revision-chain.ts';
import type { Split } from '../figures/shares/splits.ts';
import { groupBy } from '../platform/collections.ts';
import type { Cell, Column, ValueType } from '../store/schema/columns.ts';
import type { Table, TypedForm, WithCik } from '../store/schema/declare-table.ts';
import { ALL_TABLES } from '../store/schema/layout.ts';
import { PRICES, type PriceRow, SECURITIES_WITH_PRICES } from '../store/schema/prices.ts';
import { REPORTED_VALUES, SPLITS } from '../store/schema/reported-values.ts';
import { EMPTIED_CELL, HISTORY_COLUMNS, SCREEN_HISTORY } from '../store/schema/screen.ts';
import type { ScannedRowGroup } from '../store/table-reader.ts';

/** The rows of a typed table that are made from one row group of its source. */
interface ExpandedGroup {
  /** For each row, the number of its source row. */
  readonly rows: readonly number[];
  /** Cells by column name, for columns that the source lacks or that replace a source column. */
  readonly computed: Readonly<Record<string, readonly Cell[]>>;
}

export type Expand = (group: ScannedRowGroup<unknown>, read: ReadOtherTable) => ExpandedGroup | Promise<ExpandedGroup>;

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

/** Columns of a typed table that its source lacks, and how they and the rows are computed: see `TypedTable`. */
interface Computation {
  /** The stored column that precedes the computed columns. */
  readonly after: string;
  readonly columns: readonly { readonly name: string; readonly type: ValueType; readonly about: string }[];
  readonly expand?: Expand;
  readonly changes?: ChangeColumns;
}

const date = (name: string, about: string) => ({ name, type: 'date', about }) as const;

const COMPUTED_BY_SOURCE: ReadonlyMap<Table, Partial<Computation>> = new Map<Table, Computation>([
  [
    REPORTED_VALUES,
    {
      after: 'value',
      columns: [
        date('stands_from', 'First day on which the value was current; null if it never was'),
        date('stands_until', 'First day on which the value was no longer current; null if it still is, or never was'),
      ],
      expand: expandReportedValues,
    },
  ],
  [
    SPLITS,
    {
      after: 'effective_date',
      columns: [
        date('effective_date', 'First trading day after the split, as prices show it; null if no price shows it'),
      ],
      expand: addEffectiveDays,
    },
  ],
  [
    SCREEN_HISTORY,
    {
      after: 'day',
      columns: [date('valid_until', "First day of the company's next row; null for its last row")],
      changes: {
        ...{ keyColumn: 'cik', wholeColumn: 'whole', repeatedColumn: 'repeated', emptyMark: EMPTIED_CELL },
        ...{ columns: new Set(HISTORY_COLUMNS), fromColumn: 'day', untilColumn: 'valid_until' },
      },
    },
  ],
]);

/**
 * Returns each value of a metric with the days on which it was current. A value that became current again, after
 * another had replaced it, gets a further row each time.
 */
function expandReportedValues(group: ScannedRowGroup<unknown>): ExpandedGroup {
  const values = Array.from({ length: group.rows }, (_, index) => group.row(index) as WithCik<ReportedValue>);
  const rows: number[] = [];
  const computed = { kind: [] as Cell[], stands_from: [] as Cell[], stands_until: [] as Cell[] };
  const addRow = (row: number, kind: Cell, span: CurrentSpan | null) => {
    rows.push(row);
    computed.kind.push(kind);
    computed.stands_from.push(span?.from ?? null);
    computed.stands_until.push(span?.until ?? null);
  };
  let nextIndex = 0;
  for (const chain of splitIntoChains(values)) {
    const start = nextIndex;
    nextIndex += chain.length;
    // All values of a chain have the same metric.
    if (chain[0] !== undefined && isInternal(chain[0].metricKey)) continue;
    const spans = deriveCurrentSpans(chain);
    for (const [index, value] of chain.entries()) {
      const startLength = rows.length;
      for (const span of spans) {
        if (span.reported === value)
          addRow(start + index, rows.length === startLength ? value.kind : 'reinstated', span);
      }
      if (rows.length === startLength) addRow(start + index, value.kind, null);
    }
  }
  return { rows, computed };
}

/**
 * Returns all splits. A split gets an effective day only if share prices show this day, because the day that filings
 * declare may be the day of the board's decision.
 */
async function addEffectiveDays(group: ScannedRowGroup<unknown>, read: ReadOtherTable): Promise<ExpandedGroup> {
  const splits = Array.from({ length: group.rows }, (_, index) => group.row(index) as WithCik<Split>);
  const dayBySplit = new Map<Split, string>();
  for (const [cik, ofCompany] of groupBy(splits, (split) => split.cik)) {
    for (const prices of await readDailyPricesByClass(cik, read)) {
      for (const split of ofCompany) {
        const [dated] = dateSplits([split], prices);
        if (dated !== undefined && dated.provenBy !== null) dayBySplit.set(split, dated.until);
      }
    }
  }
  const days = splits.map((split) => dayBySplit.get(split) ?? null);
  return { rows: splits.map((_, index) => index), computed: { effective_date: days } };
}

/** Returns daily prices, one list per ordinary share class of the company. */
async function readDailyPricesByClass(cik: number, read: ReadOtherTable): Promise<readonly (readonly PriceRow[])[]> {
  const classes = (await read(SECURITIES_WITH_PRICES, cik)).filter(({ isShare }) => isShare);
  if (classes.length === 0) return [];
  const byTicker = groupBy(await read(PRICES, cik), ({ tickerNormalized }) => tickerNormalized);
  return classes.map(({ tickerNormalized }) => selectDailyPrices(byTicker.get(tickerNormalized) ?? []));
}

interface TypedColumn {
  readonly name: string;
  readonly type: ValueType;
  readonly about: string;
  /** Name of the column in the source table; null if `expand` or `changes` computes the column. */
  readonly sourceColumn: string | null;
}

export interface TypedTable extends Pick<TypedForm, 'about' | 'order'> {
  readonly name: string;
  readonly source: Table;
  /** The column that sorts the rows of a span (see typed-span.ts); null if rows stay in the order of the source. */
  readonly sortedBy: string | null;
  readonly columns: readonly TypedColumn[];
  /**
   * Computes the table's rows from a row group of the source. Absent if the table has the source's rows, unchanged or
   * completed with `changes`.
   */
  readonly expand?: Expand;
  /**
   * Set if a row of the source has only the cells that changed since its key's previous row. The table is then not
   * divided: all its row groups are one span.
   */
  readonly changes?: ChangeColumns;
}

/** The typed tables, in the order of the schema page. */
export const TYPED_TABLES: readonly TypedTable[] = ALL_TABLES.flatMap((source) =>
  source.typed === undefined ? [] : [toTypedTable(source, source.typed)],
);

function toTypedTable(source: Table, typed: TypedForm): TypedTable {
  const { name = source.name, about, order, sortedBy = null } = typed;
  const { after = null, columns: added = [], ...computation } = COMPUTED_BY_SOURCE.get(source) ?? {};
  const computed = added.map((column) => ({ ...column, sourceColumn: null }));
  const columns = source.columns.flatMap((stored) => {
    return stored.name === after ? [...toTypedColumns(stored), ...computed] : toTypedColumns(stored);
  });
  return { name, source, about, order, sortedBy, ...computation, columns };
}

/** Returns no column if the stored column has no description. Throws a RangeError if the description is empty. */
function toTypedColumns({ name, typedName = name, type, valueType = type, about }: Column): TypedColumn[] {
  if (about === '') throw new RangeError(`The column ${name} has an empty description.`);
  return about === undefined ? [] : [{ name: typedName, type: valueType, about, sourceColumn: name }];
}

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
  const stored = source.columns.find(({ name }) => name === sourceColumn);
  if (stored === undefined) throw new RangeError(`the table ${source.name} has no column ${sourceColumn}`);
  return stored.type === 'text' && type !== 'text';
}
