/** The scale of days: a day's place between the first and the last. Days are no figures; they may be numbers. */

const MS_PER_DAY = 86_400_000;

const timeOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);

export interface DayScale {
  readonly first: string;
  readonly last: string;
  /** 0 on the first day, 1 on the last; in the middle where both are one. */
  readonly place: (day: string) => number;
  /** The day at a place. */
  readonly at: (place: number) => string;
}

export function dayScale(first: string, last: string): DayScale {
  const from = timeOf(first);
  const span = timeOf(last) - from;
  return {
    first,
    last,
    place: (day) => (span === 0 ? 0.5 : (timeOf(day) - from) / span),
    at: (place) => {
      const days = Math.round((place * span) / MS_PER_DAY);
      return new Date(from + days * MS_PER_DAY).toISOString().slice(0, 10);
    },
  };
}
