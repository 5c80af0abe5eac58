/** A moment to the second: its fractions tell a person nothing. */
export const formatInstant = (instant: string | null | undefined): string | null =>
  instant?.replace(/\.\d+(?=Z|[+-]\d)/, '') ?? null;
