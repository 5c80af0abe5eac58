/**
 * Returns a function that computes a value at its first call and then returns the same value. Used for tables that most
 * commands do not need, because computing all tables when the program starts would take longer than a short command.
 */
export function onFirstUse<T extends NonNullable<unknown>>(compute: () => T): () => T {
  let value: T | undefined;
  return () => {
    value ??= compute();
    return value;
  };
}
