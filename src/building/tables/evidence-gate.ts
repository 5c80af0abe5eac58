/**
 * Decides from the companies' counts whether a release has far more unconfirmed, withheld or revised figures than the
 * previous one, or than any companies measured so far. Filers err at a steady rate; a sudden change is a fault of ours.
 */
import { formatCount } from '../../contract/text/format-counts.ts';
import type { EvidenceCounts } from '../../figures/relations/evidence-counts.ts';
import { sumNumbers } from '../../platform/collections.ts';
import type { Check } from '../../store/releases/manifest.ts';

export interface CompanyEvidence extends EvidenceCounts {
  readonly cik: number;
}

type CountName = keyof EvidenceCounts;

/** A share of figures: `part` of `whole`, with the bounds that it must not exceed. */
interface Measure {
  readonly part: CountName;
  readonly whole: CountName;
  readonly label: string;
  /** Maximum number of parts per thousand. */
  readonly maxPerThousand: number;
}

/**
 * Each bound is about twice the highest share of 5,000 random sets of 50 companies. They were drawn from the 341 complete
 * captures of company facts that were available, large and small, of every industry, with a million figures in all.
 */
const MEASURES: readonly Measure[] = [
  { part: 'unconfirmed', whole: 'shown', label: 'shown figures are unconfirmed', maxPerThousand: 12 },
  { part: 'withheld', whole: 'stated', label: 'stated figures are withheld', maxPerThousand: 30 },
  { part: 'revised', whole: 'repeated', label: 'repeated values differ from the earlier one', maxPerThousand: 130 },
  { part: 'misplaced', whole: 'labelled', label: 'quarters are not at their place in the year', maxPerThousand: 20 },
  { part: 'duplicates', whole: 'flows', label: 'flows have another value for the same period', maxPerThousand: 0.5 },
];

/** Shares of fewer values are only reported: a few companies may have unusual shares. */
const MIN_JUDGED_VALUES = 50_000;

/** A share may grow by this factor from one release to the next, and by `MAX_ADDED_PER_THOUSAND`. */
const MAX_GROWTH = 1.25;
const MAX_ADDED_PER_THOUSAND = 2;

const PER_THOUSAND = 1000;

/** @param previous the companies of the previous release; null if there is none, or if it has no counts */
export function checkEvidence(current: readonly CompanyEvidence[], previous: readonly CompanyEvidence[] | null): Check {
  const earlier = new Map(previous?.map((company) => [company.cik, company]));
  const inBoth = current.filter(({ cik }) => earlier.has(cik));
  const before = inBoth.flatMap(({ cik }) => earlier.get(cik) ?? []);
  const results = MEASURES.flatMap((measure) => [
    judge(measure, current, measure.maxPerThousand, `at most ${measure.maxPerThousand}`),
    ...(inBoth.length === 0 ? [] : [judgeChange(measure, inBoth, before)]),
  ]);
  const failures = results.filter(({ passed }) => !passed);
  return {
    name: 'evidence',
    passed: failures.length === 0,
    detail: (failures.length > 0 ? failures : results).map(({ text }) => text).join('; '),
  };
}

interface Judgement {
  readonly passed: boolean;
  readonly text: string;
}

function judge(measure: Measure, companies: readonly CompanyEvidence[], max: number, bound: string): Judgement {
  const { part, whole, label } = measure;
  const [count, wholeCount] = [sumCounts(companies, part), sumCounts(companies, whole)];
  const perThousand = computePerThousand(count, wholeCount);
  const isJudged = wholeCount >= MIN_JUDGED_VALUES;
  const text = `${perThousand.toFixed(1)} of 1,000 ${label} (${isJudged ? bound : `not judged: ${formatCount(wholeCount, 'value')}`})`;
  return { passed: !isJudged || perThousand <= max, text };
}

function judgeChange(measure: Measure, companies: readonly CompanyEvidence[], earlier: typeof companies): Judgement {
  const before = computePerThousand(sumCounts(earlier, measure.part), sumCounts(earlier, measure.whole));
  const max = before * MAX_GROWTH + MAX_ADDED_PER_THOUSAND;
  const { passed, text } = judge(measure, companies, max, `at most ${max.toFixed(1)}, from ${before.toFixed(1)}`);
  return { passed, text: `of ${formatCount(companies.length, 'company', 'companies')} in both releases, ${text}` };
}

const sumCounts = (companies: readonly CompanyEvidence[], name: CountName): number =>
  sumNumbers(companies.map((company) => company[name]));

const computePerThousand = (part: number, whole: number): number => (whole === 0 ? 0 : (part / whole) * PER_THOUSAND);
