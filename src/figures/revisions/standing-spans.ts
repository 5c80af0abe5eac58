/** When each value of a revision chain was the one that stood, so that a table can be read as of any day. */
import { compareText } from '../../contract/compare-text.ts';
import { type ReportedValue, standingValue } from './revision-chain.ts';

export interface StandingSpan {
  readonly reported: ReportedValue;
  /** The first day at whose end the value stood. */
  readonly from: string;
  /** The first day at whose end it did not; null while it stands. */
  readonly until: string | null;
}

/**
 * The spans in order of time; none overlap. At the end of any day the value of its span is the one that `standingValue`
 * reads as of that day. A value may have none, or stand again after a later one was found to be wrong.
 */
export function standingSpans(chain: readonly ReportedValue[]): StandingSpan[] {
  const [only] = chain;
  // As nearly half of all chains are.
  if (chain.length === 1 && only?.contradictedOn === null) return [{ reported: only, from: only.filed, until: null }];
  const days = new Set(
    chain.flatMap(({ filed, contradictedOn }) => (contradictedOn === null ? [filed] : [filed, contradictedOn])),
  );
  const starts: { readonly day: string; readonly reported: ReportedValue | null }[] = [];
  for (const day of [...days].sort(compareText)) {
    const reported = standingValue(chain, day)?.reported ?? null;
    if ((starts.at(-1)?.reported ?? null) !== reported) starts.push({ day, reported });
  }
  return starts.flatMap(({ day, reported }, at) =>
    reported === null ? [] : [{ reported, from: day, until: starts[at + 1]?.day ?? null }],
  );
}
