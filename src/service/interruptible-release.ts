/**
 * A release whose reads stop when nobody waits for them any more, and give way to others while they go on.
 *
 * One read of a release is short and cannot be interrupted; an answer is many. Between two of them lies the
 * place to stop: at the signal the next is not begun. A screen is read column by column for that reason.
 */
import type { ReleaseReader, ScreenTable } from '../release/store/reader.ts';

/** How long one answer may hold the process before others get their turn, in milliseconds. */
const TURN_MS = 1;

export function interruptible(release: ReleaseReader, signal: AbortSignal): ReleaseReader {
  // No finer clock is needed, and to load one takes longer than most answers.
  let turn = Date.now();
  const go = async () => {
    if (Date.now() - turn > TURN_MS) {
      await new Promise((resolve) => setImmediate(resolve));
      turn = Date.now();
    }
    signal.throwIfAborted();
  };
  const guarded =
    <Arguments extends unknown[], Result>(read: (...given: Arguments) => Promise<Result>) =>
    async (...given: Arguments): Promise<Result> => {
      await go();
      const result = await read(...given);
      signal.throwIfAborted();
      return result;
    };
  const column = guarded((name: string) => release.screen([name]));
  return {
    manifest: release.manifest,
    securities: guarded(() => release.securities()),
    companies: guarded(() => release.companies()),
    company: guarded((cik: number) => release.company(cik)),
    reportedValues: guarded((cik: number, keys?: readonly string[]) => release.reportedValues(cik, keys)),
    splits: guarded((cik: number) => release.splits(cik)),
    rawConcepts: guarded((cik: number) => release.rawConcepts(cik)),
    async screen(columns) {
      let length = 0;
      const cells: Record<string, ScreenTable['columns'][string]> = {};
      for (const name of columns) {
        const table = await column(name);
        length = table.length;
        Object.assign(cells, table.columns);
      }
      return { length, columns: cells };
    },
    coverage: guarded(() => release.coverage()),
    includes: (table) => release.includes(table),
    rowsOf: (table, key) => guarded(() => release.rowsOf(table, key))(),
    allOf: (table) => guarded(() => release.allOf(table))(),
    close: () => release.close(),
  };
}
