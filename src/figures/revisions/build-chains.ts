/**
 * Builds revision chains: the values that filings reported for one figure, in filing order.
 * A value's rank and kind depend only on earlier filings, so that chains only grow: a later release has the same
 * past.
 */
import { compareText } from '../../contract/compare-text.ts';
import { absolute, halfUnit, multiply, negate, subtract } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal, isEqual, shiftDecimal } from '../../contract/decimal-text.ts';
import { inNewShares, NO_SPLIT, perNewShare, ratioDecimal } from '../../contract/split-ratio.ts';
import type { Fact } from '../../edgar/facts/fact-row.ts';
import type { FilingRecord } from '../../edgar/filings/submissions.ts';
import { assertDefined } from '../../platform/assert-defined.ts';
import { getOrInsert, groupBy, pushTo, sortIfNeeded } from '../../platform/collections.ts';
import { filterSeries, seriesOf } from '../facts/fact-series.ts';
import type { FiscalCalendar } from '../facts/fiscal-calendar.ts';
import { type Mapping, mappingOf } from '../metrics/concepts.ts';
import { metricOf, movesWithSplits } from '../metrics/metric-rules.ts';
import type { AlignedFact } from '../periods/align-periods.ts';
import { ratioByFilings, type Split } from '../shares/splits.ts';
import { type Contradictions, contradictedFacts } from './contradictions/contradictions.ts';
import { misdatedFacts } from './contradictions/misdated.ts';
import { GrowingChain } from './growing-chain.ts';
import type { ReportedValue, RevisionKind } from './revision-chain.ts';
import { type Candidate, candidatesByFigure } from './synonyms/candidates.ts';
import { type FilingCandidates, isFilled } from './synonyms/filing-candidates.ts';
import { costProver, profitsOfNotes } from './synonyms/gross-profit.ts';
import { type ConceptChooser, quartersOfParts, synonymChooser } from './synonyms/synonyms.ts';

interface ChainContext {
  readonly calendar: FiscalCalendar;
  readonly filings: readonly FilingRecord[];
  readonly splits: readonly Split[];
  /** Called for every unused fact of a mapped concept, with the reason. */
  readonly skip: (reason: string) => void;
}

/**
 * Concepts that restate a year for discontinued operations. They are accepted: the filing restates its other flows
 * the same way.
 */
const RESTATED_BASES: ReadonlySet<string> = new Set(['NetCashProvidedByUsedInOperatingActivitiesContinuingOperations']);

/** Whether a filing uses a concept for a metric, in any period. */
type Usage = (mapping: Mapping, accession: string) => boolean;

/** All chains of a company, each in filing order. */
export function buildChains(facts: readonly AlignedFact[], context: ChainContext): ReportedValue[][] {
  const series = seriesOf(facts);
  const partial = quartersOfParts(series);
  for (const _ of partial) context.skip('a quarterly value of only a part of the company');
  const misdated = misdatedFacts(series);
  for (const _ of misdated) context.skip('a value that belongs to another period');
  const notes = profitsOfNotes(series);
  for (const _ of notes) context.skip('a gross profit that is not a line of the income statement');
  const wholeSeries = filterSeries(series, (fact) => !partial.has(fact) && !misdated.has(fact) && !notes.has(fact));
  const figures = candidatesByFigure(wholeSeries, context.calendar, context.skip);
  const used = usageOf(figures);
  const order = filingOrder(context.filings);
  const choose = synonymChooser(wholeSeries);
  const isProven = costProver(wholeSeries);
  const parts = partsOf(figures);
  const contradicted = contradictedFacts(wholeSeries, context.splits);
  // One chain at a time, so that its temporary objects die in V8's young generation.
  const chains: ReportedValue[][] = [];
  for (const candidates of figures) {
    const filings = onePerFiling(withoutContradicted(candidates, contradicted), order, choose, context.skip);
    const chain = linkFilings(filings, used, parts, contradicted, isProven, context);
    if (chain.length > 0) chains.push(chain);
  }
  return chains;
}

/** Built lazily per mapping: most mappings are never looked up. */
function usageOf(figures: readonly (readonly Candidate[])[]): Usage {
  const used = new Map<Mapping, ReadonlySet<string>>();
  const filingsWith = (mapping: Mapping) => {
    const uses = figures.flatMap((candidates) => candidates.filter((candidate) => candidate.mapping === mapping));
    return new Set(uses.map(filingOf));
  };
  return (mapping, accession) => getOrInsert(used, mapping, () => filingsWith(mapping)).has(accession);
}

/** If a filing contradicts one of its concepts, it may report the figure by another. */
function withoutContradicted(candidates: readonly Candidate[], contradicted: Contradictions): readonly Candidate[] {
  const isWrong = ({ fact }: Candidate) => contradicted.get(fact) === fact.filed;
  if (candidates.length === 1 || !candidates.some(isWrong)) return candidates;
  return candidates.filter(
    (candidate) =>
      !isWrong(candidate) ||
      candidates.every(
        (otherCandidate) =>
          otherCandidate === candidate ||
          otherCandidate.fact.accession !== candidate.fact.accession ||
          isWrong(otherCandidate),
      ),
  );
}

/** The filings that report a figure, in filing order, each with all its candidates, best concept first. */
function onePerFiling(
  candidates: readonly Candidate[],
  order: FilingOrder,
  choose: ConceptChooser,
  skip: (reason: string) => void,
): FilingCandidates[] {
  const filings: FilingCandidates[] = [];
  for (const own of byFiling(candidates)) {
    const choice = choose(own);
    if (typeof choice === 'string') skip(choice);
    else if (choice !== null) filings.push(choice);
  }
  return sortIfNeeded(filings, order);
}

type FilingOrder = (a: FilingCandidates, b: FilingCandidates) => number;

/** Sorted by day, then by acceptance time if known. */
function filingOrder(filings: readonly FilingRecord[]): FilingOrder {
  const accepted = new Map(filings.map((filing) => [filing.accession, filing.accepted]));
  const clock = ({ accession }: Fact) => accepted.get(accession) ?? '';
  return ({ 0: { fact: a } }, { 0: { fact: b } }) =>
    compareText(a.filed, b.filed) || compareText(clock(a), clock(b)) || compareText(a.accession, b.accession);
}

function byFiling(candidates: readonly Candidate[]): readonly FilingCandidates[] {
  const isAlone =
    candidates.length > FEW
      ? new Set(candidates.map(filingOf)).size === candidates.length
      : candidates.every((candidate, index) => !isOfFilingBefore(candidate, index, candidates));
  return isAlone
    ? candidates.map((candidate) => [candidate])
    : [...groupBy(candidates, filingOf).values()].filter(isFilled);
}

/** Up to this number of candidates, comparing pairs is faster than a set. */
const FEW = 16;

function isOfFilingBefore(candidate: Candidate, index: number, allCandidates: readonly Candidate[]): boolean {
  for (let at = 0; at < index; at++)
    if (filingOf(assertDefined(allCandidates[at])) === filingOf(candidate)) return true;
  return false;
}

function filingOf({ fact }: Candidate): string {
  return fact.accession;
}

function linkFilings(
  filings: readonly FilingCandidates[],
  used: Usage,
  parts: Parts,
  contradicted: Contradictions,
  isProven: (candidate: Candidate) => boolean,
  context: ChainContext,
): ReportedValue[] {
  const growing = new GrowingChain();
  const chain = growing.values;
  for (const candidates of filings) {
    const { filed } = candidates[0].fact;
    const previousValue = growing.standing(filed);
    const bestCandidate = preferredCandidate(candidates, previousValue, parts, chain);
    const value =
      bestCandidate.mapping.signMultiplier === 1 ? bestCandidate.fact.value : negate(bestCandidate.fact.value);
    const contradictedOn = contradicted.get(bestCandidate.fact) ?? null;
    if (previousValue === null) {
      growing.push(
        toReportedValue(bestCandidate, value, contradictedOn, 1, 'first', null, fiscalLabel(bestCandidate, context)),
      );
      continue;
    }
    const equal =
      isEqual(previousValue.value, value) || isRounded(value, previousValue.value, bestCandidate.mapping.metricKey);
    if (!equal && isLesserSynonym(bestCandidate, previousValue, used, chain) && !isProven(bestCandidate)) {
      context.skip('a value of a less exact XBRL concept than the metric already uses');
      continue;
    }
    const ratio = equal ? null : reExpression(previousValue, value, bestCandidate.fact.filed, context.splits);
    const kind = equal ? 'same' : ratio === null ? 'revised' : 're_expressed';
    growing.push(toReportedValue(bestCandidate, value, contradictedOn, chain.length + 1, kind, ratio, previousValue));
  }
  return chain;
}

/**
 * A filing's best concept, unless the filing repeats the previous value with the previous concept. If several
 * concepts have the same value, the concept of the period's parts is preferred, so that a quarter can be derived
 * within one concept.
 */
function preferredCandidate(
  candidates: FilingCandidates,
  previousValue: ReportedValue | null,
  parts: Parts,
  chain: readonly ReportedValue[],
): Candidate {
  const [bestCandidate] = candidates;
  if (candidates.length === 1) return bestCandidate;
  // A substitute, such as income including minorities, is not used if the filing also reports the metric itself.
  const repeated = candidates.find(
    ({ fact, mapping }) =>
      fact.concept === previousValue?.concept &&
      isEqual(fact.value, previousValue.rawValue) &&
      compareDecimals(mapping.confidence, bestCandidate.mapping.confidence) >= 0,
  );
  if (repeated !== undefined) return repeated;
  if (previousValue !== null && isLessExact(bestCandidate, chain)) {
    const sameValue = candidates.find(({ fact }) => isEqual(fact.value, previousValue.rawValue));
    if (sameValue !== undefined) return sameValue;
  }
  const equals = candidates
    .slice(1)
    .filter(
      ({ fact, mapping }) =>
        fact.value === bestCandidate.fact.value && mapping.confidence === bestCandidate.mapping.confidence,
    )
    .sort((a, b) => a.mapping.priority - b.mapping.priority);
  if (equals.length === 0) return bestCandidate;
  return [bestCandidate, ...equals].find((candidate) => isUsedForParts(candidate, parts)) ?? bestCandidate;
}

function isUsedForParts({ fact, mapping }: Candidate, parts: Parts): boolean {
  const { concept, unit, start, end, filed } = fact;
  const isPart = ({ fact: part }: Candidate) =>
    part.start === start && part.concept === concept && part.unit === unit && part.end < end && part.filed <= filed;
  return parts.get(mapping.metricKey)?.some((candidates) => candidates.some(isPart)) ?? false;
}

/** The candidates of each metric for periods shorter than a year, by figure. */
type Parts = ReadonlyMap<string, readonly (readonly Candidate[])[]>;

function partsOf(figures: readonly (readonly Candidate[])[]): Parts {
  const parts = new Map<string, (readonly Candidate[])[]>();
  for (const candidates of figures) {
    const { kind, mapping } = assertDefined(candidates[0]);
    if (kind !== 'instant' && kind !== 'annual') pushTo(parts, mapping.metricKey, candidates);
  }
  return parts;
}

/**
 * Whether a value repeats an earlier one with fewer digits: 189,000 million for 188,548 million. At least two digits
 * must remain; fewer prove nothing. Values per share are compared in cents, including trailing zeros.
 */
function isRounded(value: Decimal, earlier: Decimal, metricKey: string): boolean {
  const perShare = movesWithSplits(metricKey) === 'per_share';
  const place = lastPlace(value, perShare);
  if (place <= lastPlace(earlier, perShare) || significantDigits(value).length < 2) return false;
  const twiceApart = multiply(absolute(subtract(value, earlier)), '2');
  return compareDecimals(twiceApart, shiftDecimal('1', place)) <= 0;
}

/** The power of ten of the last nonzero digit. */
function lastPlace(value: Decimal, perShare: boolean): number {
  const [whole = '', fraction = ''] = value.split('.');
  const decimals = fraction.replace(/0+$/, '').length;
  const place = decimals > 0 ? -decimals : whole.length - whole.replace(/0+$/, '').length;
  return perShare ? Math.min(place, -2) : place;
}

function significantDigits(value: Decimal): string {
  return value.replace(/[-.]/g, '').replace(/^0+|0+$/g, '');
}

/** Whether the concept matches the metric less exactly than one that reported the figure before. */
function isLessExact({ mapping }: Candidate, chain: readonly ReportedValue[]): boolean {
  if (movesWithSplits(mapping.metricKey) !== null || RESTATED_BASES.has(mapping.concept)) return false;
  return chain.some(({ taxonomy, concept }) => {
    const knownMapping = mappingOf(mapping.metricKey, taxonomy, concept);
    return knownMapping !== null && compareDecimals(mapping.confidence, knownMapping.confidence) < 0;
  });
}

/**
 * Follows a filing that has changed entirely to an equal concept. A filing that still uses the previous concept for
 * other periods, or a concept of lower priority only for this figure, means something else: a part, or a total with
 * minorities.
 */
function isLesserSynonym(
  candidate: Candidate,
  previousValue: ReportedValue,
  used: Usage,
  chain: readonly ReportedValue[],
): boolean {
  const { fact, mapping } = candidate;
  if (mapping.concept === previousValue.concept) return false;
  if (isLessExact(candidate, chain)) return true;
  const knownMapping = mappingOf(mapping.metricKey, previousValue.taxonomy, previousValue.concept);
  return knownMapping !== null && mapping.priority > knownMapping.priority && used(knownMapping, fact.accession);
}

function fiscalLabel(
  { fact, mapping, kind }: Candidate,
  { calendar }: ChainContext,
): Pick<ReportedValue, 'fiscalYear' | 'fiscalPeriod'> {
  const cover = metricOf(mapping.metricKey)?.statement === 'cover' && mapping.taxonomy === 'dei';
  const ownLabel = cover ? calendar.ofFiling(fact.accession) : null;
  return ownLabel ?? calendar.label(fact.end, kind);
}

/** Written out because millions of these are made, and a spread makes them larger and slower. */
function toReportedValue(
  { fact, mapping, kind: span }: Candidate,
  value: Decimal,
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
    periodKind: span,
    fiscalYear,
    fiscalPeriod,
    rank,
    kind,
    value,
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
  };
}

const SPLIT_TOLERANCE = '0.005';
const CENT: Decimal = '0.005';

/** New shares per old share between the two filings, if a split explains the change; otherwise null. */
function reExpression(
  previousValue: ReportedValue,
  value: Decimal,
  filed: string,
  splits: readonly Split[],
): Decimal | null {
  const moves = movesWithSplits(previousValue.metricKey);
  if (moves === null) return null;
  const ratio = ratioByFilings(splits)(previousValue.filed, filed);
  if (ratio === null || ratio === NO_SPLIT) return null;
  const expected =
    moves === 'shares' ? inNewShares(previousValue.value, ratio) : perNewShare(previousValue.value, ratio);
  const apart = absolute(subtract(expected, value));
  const written =
    moves === 'shares' ? inNewShares(halfUnit(previousValue.value), ratio) : smaller(halfUnit(value), CENT);
  const relative = multiply(absolute(value), SPLIT_TOLERANCE);
  return compareDecimals(apart, written) <= 0 || compareDecimals(apart, relative) <= 0 ? ratioDecimal(ratio) : null;
}

function smaller(a: Decimal, b: Decimal): Decimal {
  return compareDecimals(a, b) <= 0 ? a : b;
}
