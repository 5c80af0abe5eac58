/**
 * Builds revision chains. A revision chain contains the values that filings reported for one figure, in filing order. A
 * value's rank depends only on earlier filings, so later releases only add to the chains. A value's kind may change if
 * a later filing proves a split.
 */
import { compareText } from '../../contract/compare-text.ts';
import { computeHalfOfLastPlace, multiply, subtract, takeAbsoluteValue } from '../../contract/decimal.ts';
import {
  compareDecimals,
  type Decimal,
  extractSignificantDigits,
  isEqual,
  isZero,
  shiftDecimal,
} from '../../contract/decimal-text.ts';
import {
  convertRatioToDecimal,
  convertToNewShares,
  convertToPerNewShare,
  NO_SPLIT,
} from '../../contract/split-ratio.ts';
import type { Fact } from '../../edgar/facts/fact-row.ts';
import type { FilingRecord } from '../../edgar/filings/submissions.ts';
import { assertDefined } from '../../platform/assert-defined.ts';
import { getOrInsert, groupBy, pushTo, sortIfNeeded } from '../../platform/collections.ts';
import { type Candidate, groupCandidates } from '../evidence/candidates.ts';
import { type ConceptChooser, createConceptChooser, createConfirmedCheck } from '../evidence/choose-concept.ts';
import type { FilingCandidates } from '../evidence/filing-candidates.ts';
import { findProfitsInNotes } from '../evidence/gross-profit.ts';
import { filterFactsOfSeries, groupFactSeries } from '../facts/fact-series.ts';
import type { FiscalCalendar } from '../facts/fiscal-calendar.ts';
import { type ConceptMapping, findMapping } from '../metrics/concepts.ts';
import { findMetricByKey, findSplitEffect } from '../metrics/metric-rules.ts';
import type { AlignedFact } from '../periods/align-periods.ts';
import type { PeriodKind } from '../periods/period-kind.ts';
import { createRatioFinderByFilings, type Split } from '../shares/splits.ts';
import { type ContradictionDayByFact, findContradictedFacts } from './contradictions/contradictions.ts';
import { findMisdatedFacts } from './contradictions/misdated.ts';
import { GrowingChain } from './growing-chain.ts';
import type { ReportedValue, RevisionKind } from './revision-chain.ts';

interface ChainContext {
  readonly calendar: FiscalCalendar;
  readonly filings: readonly FilingRecord[];
  readonly splits: readonly Split[];
  /** Called with the reason whenever a fact is skipped. */
  readonly skip: (reason: string) => void;
  /** Called once for each figure for which a filing states an amount, before evidence may withhold it. */
  readonly countStated: (metricKey: string) => void;
  /** Called with the reason whenever evidence withholds a fact, which counts as skipped too. */
  readonly withhold: (reason: string) => void;
  /** Called with the rule whenever other facts contradict a fact. */
  readonly countContradicted: (rule: string) => void;
}

/**
 * Cash flow without discontinued operations. A filing that uses this concept excludes discontinued operations from its
 * revenue and income, too, so its changed value counts as a revision, although the concept matches less exactly.
 */
const CONTINUING_OPERATIONS_CONCEPTS: ReadonlySet<string> = new Set([
  'NetCashProvidedByUsedInOperatingActivitiesContinuingOperations',
]);

/** Whether the filing of a candidate uses another concept for the metric, in any period, and not as a synonym. */
type UsageCheck = (mapping: ConceptMapping, candidate: Candidate) => boolean;

/** Returns all chains of a company, each in filing order. */
export function buildChains(facts: readonly AlignedFact[], context: ChainContext): ReportedValue[][] {
  const series = groupFactSeries(facts);
  const misdatedFacts = findMisdatedFacts(series);
  for (const _ of misdatedFacts) context.withhold('a value filed with the dates of another period');
  const profitFactsInNotes = findProfitsInNotes(series);
  for (const _ of profitFactsInNotes) context.withhold('a gross profit that is not a line of the income statement');
  const usableSeries = filterFactsOfSeries(series, (fact) => !misdatedFacts.has(fact) && !profitFactsInNotes.has(fact));
  const candidateGroups = groupCandidates(usableSeries, context.calendar, context.skip);
  const isMappingUsed = createUsageCheck(candidateGroups);
  const compareFilings = createFilingComparator(context.filings);
  const chooseSynonym = createConceptChooser(usableSeries);
  const isConfirmed = createConfirmedCheck(usableSeries);
  const partGroupsByMetric = groupShorterPeriodsByMetric(candidateGroups);
  const contradictionDayByFact = findContradictedFacts(usableSeries, context.splits, context.countContradicted);
  // Builds one chain at a time, so that the temporary objects of a chain die in V8's young generation.
  const chains: ReportedValue[][] = [];
  for (const candidates of candidateGroups) {
    context.countStated(assertDefined(candidates[0]).mapping.metricKey);
    const candidatesPerFiling = chooseCandidatesPerFiling(
      removeContradictedCandidates(candidates, contradictionDayByFact),
      compareFilings,
      chooseSynonym,
      context.withhold,
    );
    const chain = linkFilingsIntoChain(
      candidatesPerFiling,
      isMappingUsed,
      partGroupsByMetric,
      contradictionDayByFact,
      isConfirmed,
      context,
    );
    if (chain.length > 0) chains.push(chain);
  }
  return chains;
}

/** Minimum number of periods of one length for which a filing states two concepts that are synonyms. */
const MIN_EQUAL_PERIODS = 2;

/**
 * Returns the function that tells whether a filing uses a mapping. Two concepts are synonyms in a filing that states
 * equal amounts of both for all common periods. The candidates of a mapping are collected on the first call, because
 * most mappings are never checked.
 */
function createUsageCheck(groups: readonly (readonly Candidate[])[]): UsageCheck {
  const byMapping = new Map<ConceptMapping, ReadonlyMap<string, readonly Candidate[]>>();
  const listUses = (mapping: ConceptMapping, accession: string) => {
    const listAll = () =>
      groups
        .filter(([first]) => first?.mapping.metricKey === mapping.metricKey)
        .flatMap((candidates) => candidates.filter((candidate) => candidate.mapping === mapping));
    return getOrInsert(byMapping, mapping, () => groupBy(listAll(), getAccession)).get(accession) ?? [];
  };
  const results = new Map<string, boolean>();
  return (mapping, { mapping: own, fact: { accession, value }, kind }) => {
    const uses = listUses(mapping, accession);
    if (uses.length === 0) return false;
    const key = [mapping.metricKey, mapping.concept, own.concept, accession, kind].join(' ');
    const isOther = getOrInsert(results, key, () => !areSynonyms(uses, listUses(own, accession), kind));
    return isOther || isZero(value);
  };
}

function areSynonyms(uses: readonly Candidate[], others: readonly Candidate[], kind: PeriodKind): boolean {
  const toPeriod = ({ fact: { unit, start, end } }: Candidate) => `${unit} ${start} ${end}`;
  const valueByPeriod = new Map(uses.map((use) => [toPeriod(use), use.fact.value]));
  const common = others.filter((other) => valueByPeriod.has(toPeriod(other)));
  const isAlike = (other: Candidate) => other.kind === kind && !isZero(other.fact.value);
  return (
    common.filter(isAlike).length >= MIN_EQUAL_PERIODS &&
    common.every((other) => isEqual(other.fact.value, valueByPeriod.get(toPeriod(other)) ?? '0'))
  );
}

/**
 * Removes wrong candidates if the same filing also reports the figure by a concept that is not wrong. Errors that only
 * later filings show do not count.
 */
function removeContradictedCandidates(
  candidates: readonly Candidate[],
  contradictionDayByFact: ContradictionDayByFact,
): readonly Candidate[] {
  const isContradictedWhenFiled = ({ fact }: Candidate) => contradictionDayByFact.get(fact) === fact.filed;
  if (candidates.length === 1 || !candidates.some(isContradictedWhenFiled)) return candidates;
  return candidates.filter(
    (candidate) =>
      !isContradictedWhenFiled(candidate) ||
      candidates.every(
        (other) =>
          other === candidate || other.fact.accession !== candidate.fact.accession || isContradictedWhenFiled(other),
      ),
  );
}

/**
 * Returns the candidates of each filing, in filing order; within a filing, the best concept first. Calls `skip` for
 * filings without a usable candidate, unless the chooser returns null.
 */
function chooseCandidatesPerFiling(
  candidates: readonly Candidate[],
  compareFilings: FilingComparator,
  chooseSynonym: ConceptChooser,
  skip: (reason: string) => void,
): FilingCandidates[] {
  const chosen: FilingCandidates[] = [];
  for (const group of groupByFiling(candidates)) {
    const choice = chooseSynonym(group);
    if (typeof choice === 'string') skip(choice);
    else if (choice !== null) chosen.push(choice);
  }
  return sortIfNeeded(chosen, compareFilings);
}

type FilingComparator = (a: FilingCandidates, b: FilingCandidates) => number;

/** Compares filings by day, then by acceptance time if known. */
function createFilingComparator(filings: readonly FilingRecord[]): FilingComparator {
  const timeByFiling = new Map(filings.map((filing) => [filing.accession, filing.accepted]));
  const getTime = ({ accession }: Fact) => timeByFiling.get(accession) ?? '';
  return ({ 0: { fact: a } }, { 0: { fact: b } }) =>
    compareText(a.filed, b.filed) || compareText(getTime(a), getTime(b)) || compareText(a.accession, b.accession);
}

function groupByFiling(candidates: readonly Candidate[]): readonly FilingCandidates[] {
  const areDistinct =
    candidates.length > MAX_COMPARED_CANDIDATES
      ? new Set(candidates.map(getAccession)).size === candidates.length
      : candidates.every((candidate, index) => !hasEarlierCandidateOfFiling(candidate, index, candidates));
  return areDistinct ? candidates.map((candidate) => [candidate]) : [...groupBy(candidates, getAccession).values()];
}

/** Maximum number of candidates for which comparing all pairs is faster than building a set. */
const MAX_COMPARED_CANDIDATES = 16;

function hasEarlierCandidateOfFiling(candidate: Candidate, index: number, all: readonly Candidate[]): boolean {
  for (let earlierIndex = 0; earlierIndex < index; earlierIndex++)
    if (getAccession(assertDefined(all[earlierIndex])) === getAccession(candidate)) return true;
  return false;
}

function getAccession({ fact }: Candidate): string {
  return fact.accession;
}

function linkFilingsIntoChain(
  candidatesPerFiling: readonly FilingCandidates[],
  isMappingUsed: UsageCheck,
  partGroupsByMetric: PartGroups,
  contradictionDayByFact: ContradictionDayByFact,
  isConfirmed: (candidate: Candidate) => boolean,
  context: ChainContext,
): ReportedValue[] {
  const growingChain = new GrowingChain();
  const chain = growingChain.values;
  for (const candidates of candidatesPerFiling) {
    const { filed } = candidates[0].fact;
    const previousValue = growingChain.findCurrentValueOn(filed);
    const { maxConfidence } = growingChain;
    const best = choosePreferredCandidate(candidates, previousValue, partGroupsByMetric, maxConfidence);
    const { value } = best.fact;
    const contradictedOn = contradictionDayByFact.get(best.fact) ?? null;
    if (previousValue === null) {
      growingChain.push(toReportedValue(best, contradictedOn, 1, 'first', null, labelCandidate(best, context)));
      continue;
    }
    const isUnchanged =
      isEqual(previousValue.value, value) || isRounded(value, previousValue.value, best.mapping.metricKey);
    if (!isUnchanged && isLesserSynonym(best, previousValue, isMappingUsed, maxConfidence) && !isConfirmed(best)) {
      context.withhold('a value of an XBRL concept that matches the metric less exactly than the concept used before');
      continue;
    }
    const ratio = isUnchanged ? null : findReExpressionRatio(previousValue, value, best.fact.filed, context.splits);
    const revisionKind = isUnchanged ? 'same' : ratio === null ? 'revised' : 're_expressed';
    growingChain.push(toReportedValue(best, contradictedOn, chain.length + 1, revisionKind, ratio, previousValue));
  }
  return chain;
}

/**
 * Returns a filing's best candidate. Prefers a repetition of the previous value: by the previous concept, or by any
 * concept if the best one is less exact than an earlier one. If several concepts have one value, prefers the
 * concept that shorter periods use, to derive a quarter from values of one concept.
 */
function choosePreferredCandidate(
  candidates: FilingCandidates,
  previousValue: ReportedValue | null,
  partGroups: PartGroups,
  maxConfidence: Decimal,
): Candidate {
  const [best] = candidates;
  if (candidates.length === 1) return best;
  // Ignores a repeated value of a less exact concept, such as income including minorities, if the filing also reports
  // the metric itself.
  const repeatedCandidate = candidates.find(
    ({ fact, mapping }) =>
      fact.concept === previousValue?.concept &&
      isEqual(fact.value, previousValue.rawValue) &&
      compareDecimals(mapping.confidence, best.mapping.confidence) >= 0,
  );
  if (repeatedCandidate !== undefined) return repeatedCandidate;
  if (previousValue !== null && isLessConfident(best, maxConfidence)) {
    const same = candidates.find(({ fact }) => isEqual(fact.value, previousValue.rawValue));
    if (same !== undefined) return same;
  }
  const equalCandidates = candidates
    .slice(1)
    .filter(({ fact }) => isEqual(fact.value, best.fact.value))
    .sort((a, b) => a.mapping.priority - b.mapping.priority);
  if (equalCandidates.length === 0) return best;
  return [best, ...equalCandidates].find((candidate) => isUsedForParts(candidate, partGroups)) ?? best;
}

function isUsedForParts({ fact, mapping }: Candidate, groups: PartGroups): boolean {
  const { concept, unit, start, end, filed } = fact;
  const isPart = ({ fact: part }: Candidate) =>
    part.start === start && part.concept === concept && part.unit === unit && part.end < end && part.filed <= filed;
  return groups.get(mapping.metricKey)?.some((candidates) => candidates.some(isPart)) ?? false;
}

/** The candidates for periods shorter than a year: by metric, one list per figure. */
type PartGroups = ReadonlyMap<string, readonly (readonly Candidate[])[]>;

function groupShorterPeriodsByMetric(groups: readonly (readonly Candidate[])[]): PartGroups {
  const byMetric = new Map<string, (readonly Candidate[])[]>();
  for (const candidates of groups) {
    const { kind, mapping } = assertDefined(candidates[0]);
    if (kind !== 'instant' && kind !== 'annual') pushTo(byMetric, mapping.metricKey, candidates);
  }
  return byMetric;
}

/**
 * Whether a value repeats an earlier value with fewer digits, such as 189,000 million for 188,548 million. At least two
 * digits must remain, because fewer may match by chance. Values per share count as exact to the cent, even if the cents
 * end in zeros.
 */
function isRounded(value: Decimal, earlierValue: Decimal, metricKey: string): boolean {
  const isPerShare = findSplitEffect(metricKey) === 'per_share';
  const place = findLastDigitPlace(value, isPerShare);
  if (place <= findLastDigitPlace(earlierValue, isPerShare) || extractSignificantDigits(value).length < 2) return false;
  const doubled = multiply(takeAbsoluteValue(subtract(value, earlierValue)), '2');
  return compareDecimals(doubled, shiftDecimal('1', place)) <= 0;
}

/** Returns the exponent of ten of the last nonzero digit, or -2 (cents) if an amount per share has fewer decimals. */
function findLastDigitPlace(value: Decimal, isPerShare: boolean): number {
  const [integer = '', fraction = ''] = value.split('.');
  const decimalCount = fraction.replace(/0+$/, '').length;
  const digitPlace = decimalCount > 0 ? -decimalCount : integer.length - integer.replace(/0+$/, '').length;
  return isPerShare ? Math.min(digitPlace, -2) : digitPlace;
}

/**
 * Whether the concept matches the metric less exactly than a concept by which the figure was reported before. False for
 * share counts, amounts per share and `CONTINUING_OPERATIONS_CONCEPTS`.
 * @param maxConfidence the highest confidence of the concepts by which the figure was reported before
 */
function isLessConfident({ mapping }: Candidate, maxConfidence: Decimal): boolean {
  if (findSplitEffect(mapping.metricKey) !== null || CONTINUING_OPERATIONS_CONCEPTS.has(mapping.concept)) return false;
  return compareDecimals(mapping.confidence, maxConfidence) < 0;
}

/**
 * Whether a changed value by a different concept is a different amount, such as a part or a total including minorities,
 * and not a revision. True if the concept is less exact. Also true if it has lower priority and the filing uses the
 * previous concept for other periods.
 */
function isLesserSynonym(
  candidate: Candidate,
  previousValue: ReportedValue,
  isMappingUsed: UsageCheck,
  maxConfidence: Decimal,
): boolean {
  const { mapping } = candidate;
  if (mapping.concept === previousValue.concept) return false;
  if (isLessConfident(candidate, maxConfidence)) return true;
  const previous = findMapping(mapping.metricKey, previousValue.taxonomy, previousValue.concept);
  return previous !== null && mapping.priority > previous.priority && isMappingUsed(previous, candidate);
}

function labelCandidate(
  { fact, mapping, kind }: Candidate,
  { calendar }: ChainContext,
): Pick<ReportedValue, 'fiscalYear' | 'fiscalPeriod'> {
  const isCover = findMetricByKey(mapping.metricKey)?.statement === 'cover' && mapping.taxonomy === 'dei';
  const filingLabel = isCover ? calendar.findFilingLabel(fact.accession) : null;
  return filingLabel ?? calendar.labelPeriod(fact.end, kind);
}

/** Lists every field instead of using a spread, which would make millions of these objects larger and slower. */
function toReportedValue(
  { fact, mapping, kind: periodKind }: Candidate,
  contradictedOn: string | null,
  rank: number,
  kind: RevisionKind,
  ratio: Decimal | null,
  { fiscalYear, fiscalPeriod }: Pick<ReportedValue, 'fiscalYear' | 'fiscalPeriod'>,
): ReportedValue {
  return {
    metricKey: mapping.metricKey,
    unit: fact.unit,
    start: fact.start,
    end: fact.end,
    periodKind,
    fiscalYear,
    fiscalPeriod,
    rank,
    kind,
    value: fact.value,
    splitRatio: ratio,
    taxonomy: fact.taxonomy,
    concept: fact.concept,
    rawValue: fact.value,
    accession: fact.accession,
    form: fact.form,
    filed: fact.filed,
    frame: fact.frame,
    filedStart: fact.filedPeriod?.start ?? null,
    filedEnd: fact.filedPeriod?.end ?? null,
    classCounts: fact.classCounts ?? null,
    source: fact.source ?? null,
    contradictedOn,
    unconfirmed: null,
    unconfirmedOn: null,
  };
}

const RE_EXPRESSION_TOLERANCE = '0.005';
const HALF_CENT: Decimal = '0.005';

/**
 * Returns new shares per old share between the two filings if splits explain the change of the value; otherwise null.
 */
function findReExpressionRatio(
  previousValue: ReportedValue,
  value: Decimal,
  filed: string,
  splits: readonly Split[],
): Decimal | null {
  const splitEffect = findSplitEffect(previousValue.metricKey);
  if (splitEffect === null) return null;
  const ratio = createRatioFinderByFilings(splits)(previousValue.filed, filed);
  if (ratio === null || ratio === NO_SPLIT) return null;
  const expectedValue =
    splitEffect === 'shares'
      ? convertToNewShares(previousValue.value, ratio)
      : convertToPerNewShare(previousValue.value, ratio);
  const difference = takeAbsoluteValue(subtract(expectedValue, value));
  const roundingTolerance =
    splitEffect === 'shares'
      ? convertToNewShares(computeHalfOfLastPlace(previousValue.value), ratio)
      : pickSmaller(computeHalfOfLastPlace(value), HALF_CENT);
  const relativeTolerance = multiply(takeAbsoluteValue(value), RE_EXPRESSION_TOLERANCE);
  return compareDecimals(difference, roundingTolerance) <= 0 || compareDecimals(difference, relativeTolerance) <= 0
    ? convertRatioToDecimal(ratio)
    : null;
}

function pickSmaller(a: Decimal, b: Decimal): Decimal {
  return compareDecimals(a, b) <= 0 ? a : b;
}
