/** Returns the value. @throws {RangeError} if the value is null or undefined, which callers must have excluded */
export function assertDefined<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new RangeError('a value that must be defined is missing');
  return value;
}
