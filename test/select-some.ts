/** Some of many items, for tests that would read all of them for many seconds; all with FIN_TEST_FILES=all. */
export const READS_ALL = process.env.FIN_TEST_FILES === 'all';

/** Returns every `step`-th item, always the same ones. */
export function selectSome<T>(items: Iterable<T>, step: number): readonly T[] {
  return [...items].filter((_, index) => READS_ALL || index % step === 0);
}

/** Returns `all` with FIN_TEST_FILES=all, or else `some`. */
export const countSome = (some: number, all: number): number => (READS_ALL ? all : some);
