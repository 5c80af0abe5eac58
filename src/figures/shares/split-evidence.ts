/** Figures that filings restate on another share basis, which prove splits. */

import { compareText } from '../../contract/compare-text.ts';
import { divide } from '../../contract/decimal.ts';
import type { Decimal } from '../../contract/decimal-text.ts';
import { isZero } from '../../contract/decimal-text.ts';
import type { Fact } from '../../edgar/facts/fact-row.ts';
import { formClass } from '../filings/forms.ts';
import { pushTo } from '../groups.ts';
import type { Declaration } from './split-declarations.ts';
import { declaredRatio, plainRatio } from './split-ratios.ts';

export const COUNTS: ReadonlySet<string> = new Set([
  'WeightedAverageNumberOfDilutedSharesOutstanding',
  'WeightedAverageNumberOfSharesOutstandingBasic',
  'WeightedAverageNumberOfShareOutstandingBasicAndDiluted',
  'AdjustedWeightedAverageShares',
  'WeightedAverageShares',
]);
export const PER_SHARE: ReadonlySet<string> = new Set([
  'EarningsPerShareDiluted',
  'EarningsPerShareBasic',
  'EarningsPerShareBasicAndDiluted',
]);
const COUNTS_AND_PER_SHARE: ReadonlySet<string> = new Set([...COUNTS, ...PER_SHARE]);

/** A change of one period's figure between two filings, as new shares per old, and the filings' days. */
interface Change {
  readonly ratio: Decimal;
  readonly period: string;
  readonly after: string;
  readonly until: string;
  readonly accession: string;
  readonly perShare: boolean;
}

/** The changes that agree on a ratio and on the days between which the split was. */
export interface SuspectedSplit {
  readonly ratio: Decimal;
  after: string;
  until: string;
  accession: string;
  readonly periods: Set<string>;
}

/** Suspected splits from the facts of all filings, earliest first. */
export function suspectedSplits(facts: readonly Fact[], declared: readonly Declaration[]): SuspectedSplit[] {
  // A change of figures per share proves only a ratio that was declared.
  const concepts = declared.length === 0 ? COUNTS : COUNTS_AND_PER_SHARE;
  return gather(changes(facts, concepts), declared);
}

function changes(facts: readonly Fact[], concepts: ReadonlySet<string>): Change[] {
  const series = new Map<string, Fact[]>();
  for (const fact of facts) {
    if (!concepts.has(fact.concept)) continue;
    if (formClass(fact.form) === null || isZero(fact.value)) continue;
    const key = `${fact.concept} ${fact.unit} ${fact.start} ${fact.end}`;
    pushTo(series, key, fact);
  }
  const found: Change[] = [];
  for (const group of series.values()) {
    group.sort((a, b) => compareText(a.filed, b.filed) || compareText(a.accession, b.accession));
    for (let index = 1; index < group.length; index++) {
      const [before, now] = [group[index - 1], group[index]];
      if (before === undefined || now === undefined || before.value === now.value) continue;
      const perShare = PER_SHARE.has(now.concept);
      const ratio = perShare ? divide(before.value, now.value) : divide(now.value, before.value);
      if (ratio === null || ratio.startsWith('-') || before.filed === now.filed) continue;
      found.push({
        ratio,
        period: `${now.start} ${now.end}`,
        after: before.filed,
        until: now.filed,
        accession: now.accession,
        perShare,
      });
    }
  }
  return found.sort((a, b) => compareText(a.until, b.until));
}

function gather(found: readonly Change[], declared: readonly Declaration[]): SuspectedSplit[] {
  const suspects: SuspectedSplit[] = [];
  for (const change of found) {
    const ratio = change.perShare ? declaredRatio(change.ratio, declared) : plainRatio(change.ratio, declared);
    if (ratio === null) continue;
    const known = suspects.find(
      (suspect) => suspect.ratio === ratio && suspect.after < change.until && change.after < suspect.until,
    );
    if (known === undefined) {
      const { after, until, accession } = change;
      suspects.push({ ratio, after, until, accession, periods: new Set([change.period]) });
    } else {
      known.periods.add(change.period);
      if (change.after > known.after) known.after = change.after;
      if (change.until < known.until) {
        known.until = change.until;
        known.accession = change.accession;
      }
    }
  }
  return suspects;
}
