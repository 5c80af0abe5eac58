/**
 * Finds the days on which each value of a revision chain was the current value, so that a table can be read as of any
 * day.
 */
import { compareText } from '../../contract/compare-text.ts';
import { type ReportedValue, selectValueAsOf } from './revision-chain.ts';

export interface CurrentSpan {
  readonly reported: ReportedValue;
  /** The first day at whose end the value was current. */
  readonly from: string;
  /** The first day at whose end the value was no longer current; null if the value still is current. */
  readonly until: string | null;
}

/**
 * Returns spans in order of time, without overlaps. The value of a span is the result of `selectValueAsOf` for
 * every day of the span. A value may have no span, or several spans if a later value was found to be wrong.
 */
export function deriveCurrentSpans(chain: readonly ReportedValue[]): CurrentSpan[] {
  const changeDays = new Set(
    chain.flatMap(({ filed, contradictedOn }) => (contradictedOn === null ? [filed] : [filed, contradictedOn])),
  );
  const spanStarts: { readonly day: string; readonly reported: ReportedValue | null }[] = [];
  for (const day of [...changeDays].sort(compareText)) {
    const reportedValue = selectValueAsOf(chain, day)?.reported ?? null;
    if ((spanStarts.at(-1)?.reported ?? null) !== reportedValue) spanStarts.push({ day, reported: reportedValue });
  }
  return spanStarts.flatMap(({ day, reported }, index) =>
    reported === null ? [] : [{ reported, from: day, until: spanStarts[index + 1]?.day ?? null }],
  );
}
