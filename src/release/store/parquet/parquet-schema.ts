/** What the layout's columns are in Parquet's own words, for whoever writes and whoever reads. */
import type { CompressionCodec, SchemaElement } from 'hyparquet';
import type { Column, Table } from '../../schema/table.ts';

/** gzip, because every reader of Parquet has it and every Node too. */
export const CODEC: CompressionCodec = 'GZIP';

export function schemaOf(table: Table): SchemaElement[] {
  return [{ name: 'root', num_children: table.columns.length }, ...table.columns.map(elementOf)];
}

export function elementOf({ name, type, nullable }: Column): SchemaElement {
  const repetition_type = nullable ? 'OPTIONAL' : 'REQUIRED';
  if (type === 'integer') return { name, type: 'INT32', repetition_type };
  if (type === 'boolean') return { name, type: 'BOOLEAN', repetition_type };
  return { name, type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type };
}
