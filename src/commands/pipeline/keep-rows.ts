/** Leaves rows out of an answer by an option of the command: the interface has no parameter for it. */
import type { Answer, Narrowing, RowFilter } from '../command.ts';
import { listOf } from '../empty-answers/empty-answer.ts';
import type { FetchedAnswer } from './fetch.ts';

/** `answer` stays as the service gave it, so that pages are counted as the service counts them. */
export function keepRows(fetched: FetchedAnswer, { keeps, notice }: RowFilter): FetchedAnswer {
  const { answer, pages, whole } = fetched;
  const kept = ({ data, meta }: Answer<unknown>): Answer<unknown> => {
    const rows = listOf({ data, meta });
    return { data: rows.filter((row) => keeps(row, meta, rows)), meta, unfiltered: data };
  };
  const textOf = ({ data, meta }: Answer<unknown>): string => JSON.stringify({ data, meta });
  let [left, rows] = [0, 0];
  for (const page of pages()) {
    rows += listOf(page).length;
    left += listOf(page).length - listOf(kept(page)).length;
  }
  return {
    ...fetched,
    *pages() {
      for (const page of pages()) yield kept(page);
    },
    whole: () => kept(whole()),
    text: () => [textOf(kept(whole()))],
    notices: [...(fetched.notices ?? []), ...notice(left, rows, answer.meta)],
  };
}

/** All pages as one, narrowed. `answer` stays as the service gave it. */
export function narrowAnswer(fetched: FetchedAnswer, { apply, notice }: Narrowing): FetchedAnswer {
  const before = fetched.whole();
  const narrowed: Answer<unknown> = { ...before, data: apply(before.data, before.meta) };
  return {
    ...fetched,
    pages: () => [narrowed],
    whole: () => narrowed,
    text: () => [JSON.stringify({ data: narrowed.data, meta: narrowed.meta })],
    notices: [...(fetched.notices ?? []), ...notice(before.data, narrowed.data)],
  };
}
