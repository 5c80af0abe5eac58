/** How answers are shown: as text, rows or view, in the format asked for, on the stream, pager or file behind it. */

import { operationOf } from '../../contract/operations.ts';
import { type Block, note } from '../../output/blocks.ts';
import { chooseBlocks, chooseRows, rowsTable } from '../../output/choose-fields.ts';
import type { AnswerWriter, RenderedAnswer, Write } from '../../output/formats/answer-writer.ts';
import { csvWriter, tsvWriter } from '../../output/formats/csv.ts';
import { jsonWriter } from '../../output/formats/json.ts';
import { ndjsonWriter } from '../../output/formats/ndjson.ts';
import { map, type Rows } from '../../output/rows.ts';
import { writeAtomically } from '../../platform/atomic-write.ts';
import { systemFailure } from '../../platform/system-error.ts';
import type { Answer, QuestionCommand, ViewContext } from '../command.ts';
import type { Format, GlobalOptions } from '../command-line/global-options.ts';
import type { Io, OutputTarget } from '../io.ts';
import { columnLabel } from '../questions/shared/labels.ts';
import type { FetchedAnswer } from './fetch.ts';
import { filingsTable, linkOf } from './filing-links.ts';
import type { Drawing } from './question-options.ts';

/** How answers are shown. */
export interface Presentation extends Pick<GlobalOptions, 'format' | 'fields' | 'exact' | 'header' | 'quiet'> {
  readonly drawing: Drawing | null;
}

export interface AnswerOutput {
  write(text: string): void;
  /** Logs a line that belongs to the answer: below it, where that is buffered. */
  log(line: string): void;
  /** Writes what is buffered. */
  flush(): Promise<void>;
}

/** @param buffered whether nothing may be written before `flush`; a terminal's pager must have all of it too */
export function openOutput(target: OutputTarget, buffered: boolean): AnswerOutput {
  if (!buffered && !target.pages) return { write: target.print, log: target.log, flush: async () => undefined };
  const [texts, lines]: [string[], string[]] = [[], []];
  return {
    write: (text) => {
      texts.push(text);
    },
    log: (line) => {
      lines.push(line);
    },
    async flush() {
      if (target.pages) await target.page(texts.join(''));
      else for (const text of texts) target.print(text);
      for (const line of lines) target.log(line);
      texts.length = 0;
      lines.length = 0;
    },
  };
}

/** Stdout and its pager, or the file of a drawing in their place. */
export function outputTarget(presentation: Presentation, io: Io): OutputTarget {
  const file = presentation.drawing?.file ?? null;
  if (file === null) return io;
  return { print: (text) => writeFile(file, text, presentation, io), log: io.log, page: io.page, pages: false };
}

function writeFile(file: string, content: string | Uint8Array, { quiet }: Presentation, io: Io): void {
  try {
    writeAtomically(file, content, { mode: 0o666, makeDirectory: false });
  } catch (cause) {
    const advice = 'Its directory must exist, and you must be allowed to write to it.';
    throw systemFailure('usage', `${file} cannot be written`, cause, advice);
  }
  if (!quiet) io.log(`Written: ${file}`);
}

/** Only a table or a drawing loads the code of tables and charts. */
export async function openAnswerWriter(
  presentation: Presentation,
  io: Io,
  several: boolean,
  write: Write,
  figureColumns: readonly string[] = [],
): Promise<AnswerWriter> {
  const { format, exact, header, drawing } = presentation;
  if (drawing?.form === 'xlsx') return openSpreadsheet(drawing.file, figureColumns, presentation, io);
  if (drawing !== null && drawing.form !== 'chart') {
    const { documentWriter } = await import('../../output/formats/document-writer.ts');
    return documentWriter(drawing.form, write);
  }
  const sink = { write, isTerminal: io.outIsTerminal, header };
  const writers: Readonly<Record<Format, () => AnswerWriter | Promise<AnswerWriter>>> = {
    json: () => jsonWriter(sink, several),
    ndjson: () => ndjsonWriter(sink),
    csv: () => csvWriter(sink),
    tsv: () => tsvWriter(sink),
    md: async () => (await import('../../output/formats/markdown.ts')).markdownWriter(sink, exact),
    table: async () => {
      const { tableWriter } = await import('../../output/formats/table-writer.ts');
      return tableWriter(sink, { width: io.width, exact, colors: io.colors, charts: drawing !== null });
    },
  };
  return writers[format]();
}

async function openSpreadsheet(
  file: string,
  figureColumns: readonly string[],
  presentation: Presentation,
  io: Io,
): Promise<AnswerWriter> {
  const { spreadsheetWriter } = await import('../../output/formats/spreadsheet.ts');
  const { isFigureField } = await import('../../contract/resources/figure-fields.ts');
  const isFigure = (column: string): boolean => figureColumns.includes(column) || isFigureField(column);
  const write = (bytes: Uint8Array): void => writeFile(file, bytes, presentation, io);
  return spreadsheetWriter(write, { header: presentation.header, isFigure, linkOf });
}

/** The attribution goes with every column of the price feed: no option turns it off. */
export function renderAnswer(
  command: QuestionCommand,
  fetched: FetchedAnswer,
  context: ViewContext,
  { fields }: Pick<Presentation, 'fields'>,
): RenderedAnswer {
  const attribution = attributionOf(fetched.answer);
  const rowsOf = (page: Answer<unknown>): Rows => {
    const rows = command.rows(page, context);
    return showsPrices(command, rows.columns) ? withColumn(rows, attribution) : rows;
  };
  const plain: RenderedAnswer = {
    text: fetched.text,
    rows: () => rowsOfAll(fetched, rowsOf),
    view: () =>
      // Days that were walked are pages of their own, whose counts are not one day's.
      command.viewsRows === true && command.walkTo !== undefined
        ? [rowsTable(rowsOfAll(fetched, rowsOf), columnLabel)]
        : command.view(fetched.whole(), context),
  };
  const view = (): readonly Block[] => (fields === null ? plain.view() : chooseBlocks(plain, fields, columnLabel));
  const isPriced = () => showsPrices(command, fields ?? plain.rows().columns);
  return {
    ...plain,
    rows: () => chosenRows(command, plain.rows(), fields),
    view: () => (attribution !== null && isPriced() ? [...view(), note(attribution)] : view()),
    ...(command.hasSheet === true && fields === null
      ? { sheet: () => command.view(fetched.whole(), { ...context, width: null }) }
      : {}),
    filings: () => filingsTable(plain.rows()),
    about: () => aboutAnswer(fetched.answer, isPriced() ? attribution : null),
  };
}

/** The rows with the columns of `--fields`, and the attribution where one of them comes from the price feed. */
function chosenRows(command: QuestionCommand, rows: Rows, fields: readonly string[] | null): Rows {
  if (fields === null) return rows;
  const added = showsPrices(command, fields) && !fields.includes(ATTRIBUTION) ? [ATTRIBUTION] : [];
  return chooseRows(rows, [...fields, ...added]);
}

/** Whether one of the columns comes from the price feed. */
export const showsPrices = ({ priceColumns = [] }: QuestionCommand, columns: readonly string[]): boolean =>
  priceColumns === 'all' || columns.some((column) => priceColumns.includes(column));

/** The columns alone, of a question of several inputs none of which was answered. */
export function renderNothing(
  command: QuestionCommand,
  context: ViewContext,
  { fields }: Pick<Presentation, 'fields'>,
): RenderedAnswer {
  const { rows: entry } = operationOf(command.operation);
  const data = entry === null ? {} : entry.field === null ? [] : { [entry.field]: [] };
  const rows = (): Rows => {
    const { columns } = command.rows({ data, meta: {} }, context);
    const all: Rows = { columns, rows: [] };
    return chosenRows(command, showsPrices(command, columns) ? withColumn(all, null) : all, fields);
  };
  return { text: () => [], rows, view: () => [] };
}

/** Rows as CSV and NDJSON have them, whatever the format. */
export function countRows(command: QuestionCommand, fetched: FetchedAnswer, context: ViewContext): number {
  let rows = 0;
  for (const page of fetched.pages()) for (const _ of command.rows(page, context).rows) rows += 1;
  return rows;
}

/** The rows of every page under the columns of the first: all answer the same question. */
function rowsOfAll({ pages }: FetchedAnswer, rowsOf: (page: Answer<unknown>) => Rows): Rows {
  const [first] = pages();
  if (first === undefined) return { columns: [], rows: [] };
  const { columns, rows } = rowsOf(first);
  const walk = function* (): Generator<Rows['rows'] extends Iterable<infer Row> ? Row : never> {
    for (const page of pages()) yield* page === first ? rows : rowsOf(page).rows;
  };
  return { columns, rows: walk() };
}

function aboutAnswer({ meta }: Answer<unknown>, attribution: string | null): readonly (readonly [string, string])[] {
  const { release, as_of: day } = meta;
  return [
    ...(release == null ? [] : [['Release', release.stamp] as const]),
    ...(day === undefined ? [] : [['As of', day] as const]),
    ...(attribution === null ? [] : [['Prices', attribution] as const]),
  ];
}

/** The sentence and its terms, on one line; null where none is asked for. */
export function attributionOf({ meta }: Answer<unknown>): string | null {
  const { attribution } = meta;
  return attribution === undefined ? null : `${attribution.text} ${attribution.url}`;
}

const ATTRIBUTION = 'attribution';

const withColumn = ({ columns, rows }: Rows, attribution: string | null): Rows => ({
  columns: [...columns, ATTRIBUTION],
  rows: map(rows, (row) => [...row, attribution]),
});
