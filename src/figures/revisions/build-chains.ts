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
import { convertToDecimal, convertToNewShares, convertToPerNewShare, NO_SPLIT } from '../../contract/split-ratio.ts';
import type { Fact } from '../../edgar/facts/fact-row.ts';
import type { FilingRecord } from '../../edgar/filings/submissions.ts';
import { assertDefined, getOrInsert, groupBy, pushTo, sortIfNeeded } from '../../platform/collections.ts';
import { type Candidate, groupCandidates } from '../evidence/candidates.ts';
import { type ConceptChooser, createConceptChooser, createConfirmedCheck } from '../evidence/choose-concept.ts';
import type { FilingCandidates } from '../evidence/filing-candidates.ts';
import { findProfitsInNotes } from '../evidence/gross-profit.ts';
import { type FactSeries, filterFactSeries, groupFactSeries } from '../facts/fact-series.ts';
import type { FiscalCalendar } from '../facts/fiscal-calendar.ts';
import { type ConceptMapping, findMapping } from '../metrics/concepts.ts';
import { findMetricByKey, findSplitEffect } from '../metrics/metric-rules.ts';
import type { AlignedFact } from '../periods/align-periods.ts';
import type { PeriodKind } from '../periods/period-kind.ts';
import { createRatioFinderByFilings, type Split } from '../shares/splits.ts';
import { type ContradictionDayByFact, findContradictedFacts } from './contradictions/contradictions.ts';
import { findMisdatedFacts } from './contradictions/misdated.ts';
import {
  findConfidence,
  findCurrentValue,
  type ReportedValue,
  type RevisionKind,
  selectReliableValues,
} from './revision-chain.ts';

interface ChainContext {
  readonly calendar: FiscalCalendar;
  readonly filings: readonly FilingRecord[];
  readonly splits: readonly Split[];
  /** Called with the reason whenever a fact is skipped. */
  readonly skip: (reason: string) => void;
  /** Called once for each figure for which a filing states an amount, before evidence may withhold it. */
  readonly countStated: (metricKey: string) => void;
  /**
   * Called with the reason whenever a fact is withheld: other facts show that it is wrong. It counts as skipped too.
   */
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
  const allSeries = groupFactSeries(facts);
  const misdated = findMisdatedFacts(allSeries);
  for (const _ of misdated) context.withhold('a value filed with the dates of another period');
  const profits = findProfitsInNotes(allSeries);
  for (const _ of profits) context.withhold('a gross profit that is not a line of the income statement');
  const series = filterFactSeries(allSeries, (fact) => !misdated.has(fact) && !profits.has(fact));
  const groups = groupCandidates(series, context.calendar, context.skip);
  const contradictions = findContradictedFacts(series, context.splits, context.countContradicted);
  const chooseFilings = createFilingChooser(createConceptChooser(series), context);
  const linkFilings = createLinker(series, groups, contradictions, context);
  // Builds one chain at a time, so that the temporary objects of a chain die in V8's young generation.
  return groups.flatMap((candidates) => {
    context.countStated(assertDefined(candidates[0]).mapping.metricKey);
    const chain = linkFilings(chooseFilings(removeContradictedCandidates(candidates, contradictions)));
    return chain.length > 0 ? [chain] : [];
  });
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
  return (mapping, { mapping: candidateMapping, fact: { accession, value }, kind }) => {
    const uses = listUses(mapping, accession);
    if (uses.length === 0) return false;
    const key = [mapping.metricKey, mapping.concept, candidateMapping.concept, accession, kind].join(' ');
    const isOther = getOrInsert(results, key, () => !areSynonyms(uses, listUses(candidateMapping, accession), kind));
    return isOther || isZero(value);
  };
}

function areSynonyms(uses: readonly Candidate[], otherUses: readonly Candidate[], kind: PeriodKind): boolean {
  const toPeriod = ({ fact: { unit, start, end } }: Candidate) => `${unit} ${start} ${end}`;
  const valueByPeriod = new Map(uses.map((use) => [toPeriod(use), use.fact.value]));
  const commonUses = otherUses.filter((other) => valueByPeriod.has(toPeriod(other)));
  const isAlike = (other: Candidate) => other.kind === kind && !isZero(other.fact.value);
  return (
    commonUses.filter(isAlike).length >= MIN_EQUAL_PERIODS &&
    commonUses.every((other) => isEqual(other.fact.value, valueByPeriod.get(toPeriod(other)) ?? '0'))
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
 * Returns a function that chooses the candidates of each filing, in filing order; within a filing, the best concept
 * first. Counts filings without a usable candidate as withheld, unless the concept chooser returns null.
 */
function createFilingChooser(chooseConcept: ConceptChooser, { filings, withhold }: ChainContext) {
  const timeByFiling = new Map(filings.map((filing) => [filing.accession, filing.accepted]));
  const getTime = ({ accession }: Fact) => timeByFiling.get(accession) ?? '';
  /** Compares filings by day, then by acceptance time if known. */
  const compare = ([{ fact: a }]: FilingCandidates, [{ fact: b }]: FilingCandidates) =>
    compareText(a.filed, b.filed) || compareText(getTime(a), getTime(b)) || compareText(a.accession, b.accession);
  return (candidates: readonly Candidate[]): FilingCandidates[] => {
    const chosen: FilingCandidates[] = [];
    for (const ofFiling of groupBy(candidates, getAccession).values()) {
      const choice = chooseConcept(ofFiling);
      if (typeof choice === 'string') withhold(choice);
      else if (choice !== null) chosen.push(choice);
    }
    return sortIfNeeded(chosen, compare);
  };
}

const getAccession = ({ fact }: Candidate): string => fact.accession;

/** Returns a function that links the chosen candidates of all filings into a chain. */
function createLinker(
  series: readonly FactSeries[],
  groups: readonly (readonly Candidate[])[],
  contradictions: ContradictionDayByFact,
  { calendar, splits, withhold }: ChainContext,
): (filings: readonly FilingCandidates[]) => ReportedValue[] {
  const isMappingUsed = createUsageCheck(groups);
  const isConfirmed = createConfirmedCheck(series);
  const partGroups = groupShorterPeriodsByMetric(groups);
  const addFiling = (chain: GrowingChain, candidates: FilingCandidates): void => {
    const { filed } = candidates[0].fact;
    const previous = findPreviousValue(chain, filed);
    const best = choosePreferredCandidate(candidates, previous, partGroups, chain);
    const { value } = best.fact;
    let kind: RevisionKind = 'first';
    let ratio: Decimal | null = null;
    if (previous !== null) {
      const isUnchanged = isEqual(previous.value, value) || isRounded(value, previous.value, best.mapping.metricKey);
      if (!isUnchanged && isLesserSynonym(best, previous, isMappingUsed, chain) && !isConfirmed(best)) {
        withhold('a value of an XBRL concept that matches the metric less exactly than the concept used before');
        return;
      }
      ratio = isUnchanged ? null : findReExpressionRatio(previous, value, filed, splits);
      kind = isUnchanged ? 'same' : ratio === null ? 'revised' : 're_expressed';
    }
    const contradictedOn = contradictions.get(best.fact) ?? null;
    const label = previous ?? labelCandidate(best, calendar);
    addValue(chain, toReportedValue(best, contradictedOn, chain.values.length + 1, kind, ratio, label));
  };
  return (filings) => {
    const chain: GrowingChain = { values: [], deciding: [], maxConfidence: '0', isContradicted: false };
    for (const candidates of filings) addFiling(chain, candidates);
    return chain.values;
  };
}

/** A chain under construction. Searching all its values for each filing would take minutes for thousands of filings. */
interface GrowingChain {
  readonly values: ReportedValue[];
  /** The values by which `findCurrentValue` finds the current value: the last change, and its last repetitions. */
  deciding: readonly ReportedValue[];
  /** The highest confidence of the concepts of the values. */
  maxConfidence: Decimal;
  isContradicted: boolean;
}

/**
 * Returns the current value among the values that no filing contradicts by the day; among all values if all are
 * contradicted. Null for an empty chain.
 */
function findPreviousValue({ values, deciding, isContradicted }: GrowingChain, day: string): ReportedValue | null {
  if (!isContradicted) return findCurrentValue(deciding);
  return findCurrentValue(selectReliableValues(values, day)) ?? findCurrentValue(values);
}

function addValue(chain: GrowingChain, value: ReportedValue): void {
  const last = chain.values.at(-1);
  const [change, ...repetitions] = chain.deciding;
  chain.values.push(value);
  if (value.contradictedOn !== null) chain.isContradicted = true;
  if (value.concept !== last?.concept || value.taxonomy !== last.taxonomy) {
    const confidence = findConfidence(value);
    if (compareDecimals(confidence, chain.maxConfidence) > 0) chain.maxConfidence = confidence;
  }
  if (change === undefined || value.kind !== 'same') chain.deciding = [value];
  else if (isEqual(value.value, change.value)) {
    const isOfConcept = ({ concept }: ReportedValue) => concept === change.concept;
    chain.deciding = [change, ...(isOfConcept(value) ? [] : repetitions.filter(isOfConcept)), value];
  }
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
  chain: GrowingChain,
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
  if (previousValue !== null && isLessConfident(best, chain)) {
    const repetition = candidates.find(({ fact }) => isEqual(fact.value, previousValue.rawValue));
    if (repetition !== undefined) return repetition;
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
 */
function isLessConfident({ mapping }: Candidate, { maxConfidence }: GrowingChain): boolean {
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
  chain: GrowingChain,
): boolean {
  const { mapping } = candidate;
  if (mapping.concept === previousValue.concept) return false;
  if (isLessConfident(candidate, chain)) return true;
  const previous = findMapping(mapping.metricKey, previousValue.taxonomy, previousValue.concept);
  return previous !== null && mapping.priority > previous.priority && isMappingUsed(previous, candidate);
}

function labelCandidate(
  { fact, mapping, kind }: Candidate,
  calendar: FiscalCalendar,
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
    ? convertToDecimal(ratio)
    : null;
}

const pickSmaller = (a: Decimal, b: Decimal): Decimal => (compareDecimals(a, b) <= 0 ? a : b);
