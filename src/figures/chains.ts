/**
 * Statement chains: what each filing said of one figure, in filing order.
 *
 * A chain only ever grows: a statement's rank and kind follow from what was on file before it, so that what a
 * release says of the past stays as it is in every later one.
 */
import type { Decimal } from '../contract/decimal.ts';
import { compareDecimals } from '../contract/decimal.ts';
import { absolute, divide, halfUnit, multiply, negate, subtract } from './arithmetic.ts';
import { daysBetween } from './days.ts';
import type { FiscalCalendar } from './fiscal-calendar.ts';
import { formClass } from './forms.ts';
import { conceptName, MAPPINGS_BY_CONCEPT } from './mappings.ts';
import { fitsPeriod, fitsUnit, metricOf, movesWithSplits } from './metric-rules.ts';
import { periodKind } from './periods.ts';
import { splitRatio } from './splits.ts';
import type { Candidate, Chooser } from './synonyms.ts';
import { synonymChooser } from './synonyms.ts';
import type { Fact, FilingRecord, PeriodKind, Split, Statement, StatementKind } from './types.ts';

/** Lease and debt schedules tag years to come; a report's own dates lie before its filing. */
const LATEST_END_DAYS = 45;
/** A balance sheet's count below this is a placeholder: 1, 100, 1000. */
const SMALLEST_COUNT = '10000';
const SPLIT_TOLERANCE = '0.005';
const CENT: Decimal = '0.005';

export interface ChainContext {
  readonly calendar: FiscalCalendar;
  readonly filings: readonly FilingRecord[];
  readonly splits: readonly Split[];
  /** Told of every fact of a mapped concept that is not used, with the reason. */
  readonly setAside: (reason: string) => void;
}

/** All chains of a company, one after the other, each in filing order. */
export function buildChains(facts: readonly Fact[], context: ChainContext): Statement[] {
  const groups = new Map<string, Candidate[]>();
  const used = new Set<string>();
  for (const candidate of candidates(facts, context)) {
    const { fact, mapping } = candidate;
    used.add(usage(fact.accession, mapping.metricKey, mapping.concept));
    const key = `${mapping.metricKey} ${fact.unit} ${fact.start} ${fact.end}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [candidate]);
    else group.push(candidate);
  }
  const accepted = new Map(context.filings.map((filing) => [filing.accession, filing.accepted ?? '']));
  const choose = synonymChooser(facts);
  const statements: Statement[] = [];
  for (const group of groups.values()) {
    const members = onePerFiling(group, accepted, choose);
    statements.push(...link(members, used, context));
  }
  return statements;
}

function* candidates(facts: readonly Fact[], context: ChainContext): Generator<Candidate> {
  const withCoverCount = new Set<string>();
  for (const fact of facts)
    if (fact.concept === 'EntityCommonStockSharesOutstanding') withCoverCount.add(fact.accession);
  for (const fact of facts) {
    const mappings = MAPPINGS_BY_CONCEPT.get(conceptName(fact.taxonomy, fact.concept));
    if (mappings === undefined) continue;
    const kind = periodKind(fact.start, fact.end);
    for (const mapping of mappings) {
      const reason = unfit(fact, mapping.metricKey, kind, context, withCoverCount);
      if (reason === null && kind !== null) yield { fact, mapping, kind };
      else if (reason !== null) context.setAside(reason);
    }
  }
}

/** Why a fact is no statement of the metric; null when it is one. */
function unfit(
  fact: Fact,
  metricKey: string,
  kind: PeriodKind | null,
  context: ChainContext,
  withCoverCount: ReadonlySet<string>,
): string | null {
  if (formClass(fact.form) === null) return 'a form that does not report';
  if (kind === null) return 'a length that is no fiscal period';
  if (!fitsPeriod(metricKey, kind)) return 'a flow without a start, or a stock with one';
  if (!fitsUnit(metricKey, fact.unit)) return 'a unit that does not fit the metric';
  if (fact.end > fact.filed && daysBetween(fact.filed, fact.end) > LATEST_END_DAYS)
    return 'a period that ends after the filing';
  if (kind === 'annual' && context.calendar.label(fact.end, kind).fiscalPeriod !== 'FY') {
    return 'twelve months that are no fiscal year';
  }
  if (metricKey === 'common_shares_outstanding' && fact.taxonomy !== 'dei') {
    if (withCoverCount.has(fact.accession)) return 'a balance sheet count of a filing whose cover has one';
    if (compareDecimals(fact.value, SMALLEST_COUNT) < 0) return 'a placeholder for a share count';
  }
  return null;
}

function usage(accession: string, metricKey: string, concept: string): string {
  return `${accession} ${metricKey} ${concept}`;
}

/** The filings of a group in filing order, each with all it says of the figure, its best concept first. */
function onePerFiling(
  group: readonly Candidate[],
  accepted: ReadonlyMap<string, string>,
  choose: Chooser,
): Candidate[][] {
  if (group.length === 1) return [[...group]];
  const byFiling = new Map<string, [Candidate, ...Candidate[]]>();
  for (const candidate of group) {
    const known = byFiling.get(candidate.fact.accession);
    if (known === undefined) byFiling.set(candidate.fact.accession, [candidate]);
    else known.push(candidate);
  }
  const order = ({ fact }: Candidate) => `${fact.filed} ${accepted.get(fact.accession) ?? ''} ${fact.accession}`;
  return [...byFiling.values()]
    .map((stated) => {
      const best = choose(stated);
      return { order: order(best), stated: [best, ...stated.filter((other) => other !== best)] };
    })
    .sort((a, b) => (a.order < b.order ? -1 : 1))
    .map(({ stated }) => stated);
}

function link(filings: readonly Candidate[][], used: ReadonlySet<string>, context: ChainContext): Statement[] {
  const chain: Statement[] = [];
  for (const stated of filings) {
    const previous = chain.at(-1);
    const best = spokenBy(stated, previous);
    if (best === undefined) continue;
    const value = best.mapping.signMultiplier === 1 ? best.fact.value : negate(best.fact.value);
    if (previous === undefined) {
      chain.push(statement(best, value, 1, 'first', null, label(best, context)));
      continue;
    }
    const equal = sameValue(previous.value, value);
    if (!equal && isLesserSynonym(best, previous, used)) {
      context.setAside('a lesser synonym of a figure on file');
      continue;
    }
    const ratio = equal ? null : reExpression(previous, value, best.fact.filed, context.splits);
    const kind = equal ? 'same' : ratio === null ? 'revised' : 're_expressed';
    chain.push(statement(best, value, previous.rank + 1, kind, ratio, previous));
  }
  return chain;
}

/** What a filing says: its best concept, unless it repeats what is on file by the concept that says so there. */
function spokenBy(stated: readonly Candidate[], previous: Statement | undefined): Candidate | undefined {
  const repeated = stated.find(
    ({ fact }) => fact.concept === previous?.concept && sameValue(fact.value, previous.rawValue),
  );
  return repeated ?? stated[0];
}

/**
 * A filing that has changed to another concept altogether speaks with it. One that still uses the concept on
 * file elsewhere, and states this period by a lesser one alone, means something else (a part, a total with
 * minorities, cash with restricted cash).
 */
function isLesserSynonym({ fact, mapping }: Candidate, previous: Statement, used: ReadonlySet<string>): boolean {
  if (mapping.concept === previous.concept) return false;
  const known = MAPPINGS_BY_CONCEPT.get(conceptName(previous.taxonomy, previous.concept));
  const priority = known?.find((entry) => entry.metricKey === mapping.metricKey)?.priority ?? 0;
  return mapping.priority > priority && used.has(usage(fact.accession, mapping.metricKey, previous.concept));
}

function label(
  { fact, mapping, kind }: Candidate,
  { calendar }: ChainContext,
): Pick<Statement, 'fiscalYear' | 'fiscalPeriod'> {
  const cover = metricOf(mapping.metricKey)?.statement === 'cover' && mapping.taxonomy === 'dei';
  const own = cover ? calendar.ofFiling(fact.accession) : null;
  return own ?? calendar.label(fact.end, kind);
}

/** The ratio of the splits between the two filings, where it explains the change; else null. */
function reExpression(previous: Statement, value: Decimal, filed: string, splits: readonly Split[]): Decimal | null {
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

/** Most statements repeat the last one digit for digit. */
function sameValue(a: Decimal, b: Decimal): boolean {
  return a === b || compareDecimals(a, b) === 0;
}

function smaller(a: Decimal, b: Decimal): Decimal {
  return compareDecimals(a, b) <= 0 ? a : b;
}

function statement(
  { fact, mapping, kind: span }: Candidate,
  value: Decimal,
  rank: number,
  kind: StatementKind,
  ratio: Decimal | null,
  { fiscalYear, fiscalPeriod }: Pick<Statement, 'fiscalYear' | 'fiscalPeriod'>,
): Statement {
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
