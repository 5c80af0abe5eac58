/** `--fields`: the columns to show, by name, in the order named. */
import { isDecimal } from '../contract/decimal-text.ts';
import { Failure } from '../contract/failure.ts';
import { didYouMean } from '../contract/nearest.ts';
import { type Block, table } from './blocks.ts';
import type { RenderedAnswer } from './formats/answer-writer.ts';
import { map, type Rows } from './rows.ts';

/** Throws a usage Failure naming an unknown field. */
export function chooseRows(rows: Rows, fields: readonly string[]): Rows {
  const indexes = fields.map((field) => {
    const index = rows.columns.indexOf(field);
    if (index < 0) throw unknownField(field, rows.columns);
    return index;
  });
  return { columns: fields, rows: map(rows.rows, (row) => indexes.map((index) => row[index] ?? null)) };
}

/** The tables of a view with these columns only; the rows as a table where the view lacks one of them. */
export function chooseBlocks(part: RenderedAnswer, fields: readonly string[], titleOf?: TitleOf): readonly Block[] {
  const blocks = part.view();
  const tables = blocks.filter((block) => block.kind === 'table');
  const kept = tables.every(({ columns }) => fields.every((field) => columns.some(({ key }) => key === field)));
  if (tables.length === 0 || !kept) return [rowsTable(chooseRows(part.rows(), fields), titleOf)];
  return blocks.map((block) => {
    if (block.kind !== 'table') return block;
    const indexes = fields.map((field) => block.columns.findIndex(({ key }) => key === field));
    return {
      ...block,
      columns: indexes.flatMap((index) => block.columns[index] ?? []),
      rows: block.rows.map((row) => ('section' in row ? row : indexes.map((index) => row[index] ?? null))),
    };
  });
}

/** What stands above the column of a field. */
export type TitleOf = (key: string) => string;

/** Rows as a table. Figures are right-aligned and never cut; texts are. */
export function rowsTable({ columns, rows }: Rows, titleOf: TitleOf = (key) => key): Block {
  const cells = [...map(rows, (row) => row.map((value) => (typeof value === 'boolean' ? String(value) : value)))];
  const isFigures = (index: number): boolean =>
    cells.every((row) => row[index] === null || isDecimal(String(row[index])));
  const isWhole = (index: number): boolean =>
    cells.every((row) => row[index] === null || WHOLE.test(String(row[index])));
  return table(
    columns.map((key, index) =>
      isFigures(index)
        ? { key, title: titleOf(key), wrapTitle: true, align: 'right' }
        : { key, title: titleOf(key), ...(isWhole(index) ? {} : { shrinkTo: SHORT }), ...dropOf(key) },
    ),
    cells,
  );
}

const SHORT = 12;

/** A part of a day or of an accession number says nothing. */
const WHOLE = /^(?:\d{4}-\d{2}-\d{2}|\d{10}-\d{2}-\d{6})$/;

/** Where a terminal is too narrow, what only links go before figures do. */
const dropOf = (key: string): { readonly drop?: number } =>
  key === 'source_url' ? { drop: 2 } : key.endsWith('accession_number') ? { drop: 1 } : {};

function unknownField(field: string, columns: readonly string[]): Failure {
  const suggestion = didYouMean(field, columns);
  return new Failure('usage', `Unknown column ${JSON.stringify(field)} in --fields.${suggestion}`, {
    hint: `Columns: ${columns.join(', ')}`,
  });
}
