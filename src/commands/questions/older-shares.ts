/** Which per-share figures and counts of shares of an answer are in shares of before a split, as far as the answer itself tells. */
import type { MetricValue } from '../../contract/resources/metrics.ts';
import { daysBetween } from '../../platform/dates.ts';
import { measureOf } from './shared/measure-of.ts';

export const BEFORE_SPLIT = 'of before a split, so most likely in the shares of then';

const OF_SHARES = new Set(['per_share', 'shares']);

/** Within so many days after a split every filer has stated its annual and quarterly figures anew. */
const SETTLED = 400;

/**
 * An answer names no split, but where one of its figures was re-expressed, those read from filings before that were
 * not. Filings that follow each other re-express for one and the same split, so the first of them counts.
 */
export function beforeSplit(data: readonly MetricValue[]): ReadonlySet<MetricValue> {
  const ofShares = data.filter(({ metric_key: key, unit }) => OF_SHARES.has(measureOf(key, unit)));
  const restated = ofShares.flatMap(({ read_from: from }) =>
    from?.kind === 're_expressed' && from.filed_at != null ? [from.filed_at] : [],
  );
  let since: string | undefined;
  for (const filed of restated.sort().reverse()) {
    if (since !== undefined && daysBetween(filed, since) > SETTLED) break;
    since = filed;
  }
  const split = since;
  if (split === undefined) return new Set();
  return new Set(ofShares.filter(({ read_from: from }) => from?.filed_at != null && from.filed_at < split));
}
