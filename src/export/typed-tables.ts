/**
 * The typed tables, derived from the schema of a release's tables: a typed table has the columns with a description,
 * and those that `computed-columns.ts` adds. The files, the SQL views and the schema page are generated from them.
 */

import type { Column, ValueType } from '../store/schema/columns.ts';
import type { Table, TypedForm } from '../store/schema/declare-table.ts';
import { ALL_TABLES } from '../store/schema/layout.ts';
import { type ChangeColumns, COMPUTED_BY_SOURCE, type Expand } from './computed-columns.ts';

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
  const { after = null, columns = [], ...computation } = COMPUTED_BY_SOURCE.get(source) ?? {};
  const computed = columns.map((column) => ({ ...column, sourceColumn: null }));
  return {
    ...{ name, source, about, order, sortedBy, ...computation },
    columns: source.columns.flatMap((column) => [
      ...toTypedColumns(column),
      ...(column.name === after ? computed : []),
    ]),
  };
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
