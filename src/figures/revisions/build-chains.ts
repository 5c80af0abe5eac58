/**
 * Builds revision chains: the values that filings reported for one figure, in filing order.
 *
 * A value's rank and kind follow only from what was filed before it, so a chain only ever grows: a later release
 * has the same past.
 */
import { compareText } from '../../contract/compare-text.ts';
import { absolute, divide, halfUnit, multiply, negate, subtract } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal } from '../../contract/decimal-text.ts';
import type { Fact } from '../../edgar/facts/fact-row.ts';
import type { FilingRecord } from '../../edgar/filings/submissions.ts';
import { entryOf } from '../groups.ts';
import { type Mapping, mappingOf } from '../metrics/concepts.ts';
import { metricOf, movesWithSplits } from '../metrics/metric-rules.ts';
import type { FiscalCalendar } from '../periods/fiscal-calendar.ts';
import { type Split, splitRatio } from '../shares/splits.ts';
import { type Candidate, candidatesByFigure } from './candidates.ts';
import type { ReportedValue, RevisionKind } from './revision-chain.ts';
import { type ConceptChooser, type FilingCandidates, synonymChooser } from './synonyms.ts';

interface ChainContext {
  readonly calendar: FiscalCalendar;
  readonly filings: readonly FilingRecord[];
  readonly splits: readonly Split[];
  /** Called for every fact of a mapped concept that is not used, with the reason. */
  readonly skip: (reason: string) => void;
}

/** The filings that use a concept for a metric, whatever the period. */
type Usage = ReadonlyMap<Mapping, ReadonlySet<string>>;

/** All chains of a company, each in filing order. */
export function buildChains(facts: readonly Fact[], context: ChainContext): ReportedValue[][] {
  const figures = candidatesByFigure(facts, context.calendar, context.skip);
  const used = usageOf(figures);
  const accepted = new Map(context.filings.map((filing) => [filing.accession, filing.accepted ?? '']));
  const choose = synonymChooser(facts);
  return figures.map((candidates) => linkFilings(onePerFiling(candidates, accepted, choose), used, context));
}

function usageOf(figures: readonly (readonly Candidate[])[]): Usage {
  const used = new Map<Mapping, Set<string>>();
  for (const candidates of figures) {
    for (const { fact, mapping } of candidates) entryOf(used, mapping, () => new Set<string>()).add(fact.accession);
  }
  return used;
}

/** The filings that report a figure in filing order, each with all its candidates, the best concept first. */
function onePerFiling(
  candidates: readonly Candidate[],
  accepted: ReadonlyMap<string, string>,
  choose: ConceptChooser,
): FilingCandidates[] {
  const byFiling = new Map<string, [Candidate, ...Candidate[]]>();
  for (const candidate of candidates) {
    const known = byFiling.get(candidate.fact.accession);
    if (known === undefined) byFiling.set(candidate.fact.accession, [candidate]);
    else known.push(candidate);
  }
  const clock = ({ accession }: Fact) => accepted.get(accession) ?? '';
  return [...byFiling.values()]
    .map((all): FilingCandidates => {
      if (all.length === 1) return all;
      const best = choose(all);
      return [best, ...all.filter((other) => other !== best)];
    })
    .sort(
      ([{ fact: a }], [{ fact: b }]) =>
        compareText(a.filed, b.filed) || compareText(clock(a), clock(b)) || compareText(a.accession, b.accession),
    );
}

function linkFilings(filings: readonly FilingCandidates[], used: Usage, context: ChainContext): ReportedValue[] {
  const chain: ReportedValue[] = [];
  for (const candidates of filings) {
    const previous = chain.at(-1);
    const best = preferredCandidate(candidates, previous);
    const value = best.mapping.signMultiplier === 1 ? best.fact.value : negate(best.fact.value);
    if (previous === undefined) {
      chain.push(toReportedValue(best, value, 1, 'first', null, fiscalLabel(best, context)));
      continue;
    }
    const equal = sameValue(previous.value, value);
    if (!equal && isLesserSynonym(best, previous, used)) {
      context.skip('a concept that ranks below the one a figure is read from');
      continue;
    }
    const ratio = equal ? null : reExpression(previous, value, best.fact.filed, context.splits);
    const kind = equal ? 'same' : ratio === null ? 'revised' : 're_expressed';
    chain.push(toReportedValue(best, value, previous.rank + 1, kind, ratio, previous));
  }
  return chain;
}

/** A filing's best concept, unless it repeats the previous value by the previous concept. */
function preferredCandidate(candidates: FilingCandidates, previous: ReportedValue | undefined): Candidate {
  const repeated = candidates.find(
    ({ fact }) => fact.concept === previous?.concept && sameValue(fact.value, previous.rawValue),
  );
  return repeated ?? candidates[0];
}

/**
 * A filing that has changed concepts altogether is followed. One that still uses the previous concept for other
 * periods, and a lesser one alone for this, means something else: a part, or a total with minorities.
 */
function isLesserSynonym({ fact, mapping }: Candidate, previous: ReportedValue, used: Usage): boolean {
  if (mapping.concept === previous.concept) return false;
  const known = mappingOf(mapping.metricKey, previous.taxonomy, previous.concept);
  return known !== null && mapping.priority > known.priority && used.get(known)?.has(fact.accession) === true;
}

function fiscalLabel(
  { fact, mapping, kind }: Candidate,
  { calendar }: ChainContext,
): Pick<ReportedValue, 'fiscalYear' | 'fiscalPeriod'> {
  const cover = metricOf(mapping.metricKey)?.statement === 'cover' && mapping.taxonomy === 'dei';
  const own = cover ? calendar.ofFiling(fact.accession) : null;
  return own ?? calendar.label(fact.end, kind);
}

/** Compares text first: most values repeat the last one digit for digit. */
function sameValue(a: Decimal, b: Decimal): boolean {
  return a === b || compareDecimals(a, b) === 0;
}

function toReportedValue(
  { fact, mapping, kind: span }: Candidate,
  value: Decimal,
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
  };
}

const SPLIT_TOLERANCE = '0.005';
const CENT: Decimal = '0.005';

/** New shares per old between the two filings, where that explains the change; else null. */
function reExpression(
  previous: ReportedValue,
  value: Decimal,
  filed: string,
  splits: readonly Split[],
): Decimal | null {
  const moves = movesWithSplits(previous.metricKey);
  if (moves === null) return null;
  const ratio = splitRatio(splits, previous.filed, filed);
  if (ratio === null) return null;
  const expected = moves === 'shares' ? multiply(previous.value, ratio) : divide(previous.value, ratio);
  if (expected === null) return null;
  const apart = absolute(subtract(expected, value));
  const written = moves === 'shares' ? multiply(halfUnit(previous.value), ratio) : smaller(halfUnit(value), CENT);
  const relative = multiply(absolute(value), SPLIT_TOLERANCE);
  return compareDecimals(apart, written) <= 0 || compareDecimals(apart, relative) <= 0 ? ratio : null;
}

function smaller(a: Decimal, b: Decimal): Decimal {
  return compareDecimals(a, b) <= 0 ? a : b;
}
