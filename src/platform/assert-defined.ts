/** Returns the value, which callers know to be defined. Throws a RangeError if it is null or undefined. */
export function assertDefined<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new RangeError('a value that must be defined is missing');
  return value;
}
