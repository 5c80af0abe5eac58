/** One answer as text, rows and view, with its attribution. */
import { operationOf } from '../../contract/operations.ts';
import { type Block, note } from '../../output/blocks.ts';
import { chooseBlocks, chooseRows } from '../../output/choose-fields.ts';
import type { RenderedAnswer } from '../../output/formats/answer-writer.ts';
import { map, type Rows } from '../../output/rows.ts';
import type { Answer, QuestionCommand, ViewContext } from '../command.ts';
import type { Presentation } from './answer-output.ts';
import type { FetchedAnswer } from './fetched-answer.ts';

/** The attribution is no field that `--fields` could leave out: no option turns it off. */
export function renderAnswer(
  command: QuestionCommand,
  fetched: FetchedAnswer,
  context: ViewContext,
  { fields }: Pick<Presentation, 'fields'>,
): RenderedAnswer {
  const attribution = attributionOf(fetched.answer);
  const rowsOf = (page: Answer<unknown>): Rows => command.rows(page, context);
  const plain: RenderedAnswer = {
    text: fetched.text,
    rows: () => rowsOfAll(fetched, rowsOf),
    view: () => command.view(fetched.whole(), context),
  };
  const rows = (): Rows => (fields === null ? plain.rows() : chooseRows(plain.rows(), fields));
  const view = (): readonly Block[] => (fields === null ? plain.view() : chooseBlocks(plain, fields));
  if (attribution === null) return { ...plain, rows, view };
  return {
    ...plain,
    rows: () => withColumn(rows(), attribution),
    view: () => [...view(), note(attribution)],
  };
}

/** The columns alone, of a question of several inputs none of which was answered. */
export function renderNothing(
  command: QuestionCommand,
  context: ViewContext,
  { fields }: Pick<Presentation, 'fields'>,
): RenderedAnswer {
  const { rows: entry, priced } = operationOf(command.operation);
  const data = entry === null ? {} : entry.field === null ? [] : { [entry.field]: [] };
  const rows = (): Rows => {
    const { columns } = command.rows({ data, meta: {} }, context);
    const chosen = fields === null ? { columns, rows: [] } : chooseRows({ columns, rows: [] }, fields);
    return priced === 'always' ? withColumn(chosen, '') : chosen;
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
  const walk = function* (): Generator<Rows['rows'] extends Iterable<infer Row> ? Row : never> {
    for (const page of pages()) yield* rowsOf(page).rows;
  };
  const [first] = pages();
  return { columns: first === undefined ? [] : rowsOf(first).columns, rows: walk() };
}

/** The sentence and its terms, on one line; null where none is asked for. */
export function attributionOf({ meta }: Answer<unknown>): string | null {
  const { attribution } = meta;
  return attribution === undefined ? null : `${attribution.text} ${attribution.url}`;
}

const withColumn = ({ columns, rows }: Rows, attribution: string): Rows => ({
  columns: [...columns, 'attribution'],
  rows: map(rows, (row) => [...row, attribution]),
});
