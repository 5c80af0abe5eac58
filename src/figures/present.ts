/** The value itself. @throws {RangeError} where there is none, which the caller has excluded */
export function present<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new RangeError('a value that must be there is missing');
  return value;
}
