/**
 * A release whose reads stop at a signal, and let other requests run in between. One read is short and cannot be
 * interrupted, but an answer takes many: after the signal the next is not begun. So a screen is read column by column.
 */
import type { ReleaseReader, ScreenTable } from '../release/store/reader.ts';

/** Milliseconds after which one answer lets other requests run. */
const YIELD_AFTER_MS = 1;

export function interruptible(release: ReleaseReader, signal: AbortSignal): ReleaseReader {
  let resumed = Date.now();
  const pause = async () => {
    if (Date.now() - resumed > YIELD_AFTER_MS) {
      await new Promise((resolve) => setImmediate(resolve));
      resumed = Date.now();
    }
    signal.throwIfAborted();
  };
  const guarded =
    <Arguments extends unknown[], Result>(read: (...given: Arguments) => Promise<Result>) =>
    async (...given: Arguments): Promise<Result> => {
      await pause();
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
