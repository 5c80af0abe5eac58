/** Extracts the breakdowns in one report, each with its consolidated total. */

import type { Decimal } from '../../contract/decimal-text.ts';
import type { FiledReport, TaggedFact } from '../../edgar/reports/tagged-report.ts';
import { getOrInsert } from '../../platform/collections.ts';
import type { AxisName } from './axes.ts';
import { findAxisMembers, findAxisPositions, isAggregate } from './axes.ts';
import type { MeasureName } from './measures.ts';
import { findMeasure, isBalanceMeasure } from './measures.ts';

/** One measure of one period, broken down along one axis, in one filing. */
export interface Breakdown
  extends Pick<TaggedFact, 'concept' | 'unit' | 'start' | 'end'>,
    Pick<FiledReport, 'accession' | 'form' | 'filed'> {
  readonly axis: AxisName;
  readonly measure: MeasureName;
  /** Values by member name, as filed. */
  readonly members: ReadonlyMap<string, Decimal>;
  /** The consolidated figure in the same filing; null if missing. */
  readonly total: Decimal | null;
  /**
   * Whether members are reported only in combination with a member of another axis, such as products within their
   * segment.
   */
  readonly isCrossed: boolean;
  /**
   * Whether some members are reported only within members of other axes. Such a breakdown is known to be complete only
   * if the sum of its members equals the total.
   */
  readonly isNested: boolean;
}

interface ValueWithDecimals {
  readonly value: Decimal;
  readonly decimals: number;
}

/** A breakdown under construction. `fact` is any of its facts and supplies the concept, unit and period. */
interface DraftBreakdown {
  readonly fact: TaggedFact;
  readonly axis: AxisName;
  readonly members: Map<string, ValueWithDecimals>;
  /** The member of another axis with which each member is combined; null if there are several such members. */
  readonly otherMemberByMember: Map<string, string | null>;
}

/** Whether a fact belongs to a breakdown or is a breakdown's total; the reader of data sets skips other facts. */
export const isBreakdownFact = (concept: string, dimensions: TaggedFact['dimensions']): boolean =>
  findMeasure(concept) !== null && mayBelongToBreakdown(dimensions);

/** Whether facts with these dimensions can belong to a breakdown or be its total. */
export const mayBelongToBreakdown = (dimensions: TaggedFact['dimensions']): boolean =>
  findAxisMembers(dimensions) !== null || findAxisPositions(dimensions).length > 0;

/**
 * Returns three kinds of breakdowns:
 * - direct: facts with exactly one tracked axis;
 * - crossed: facts with a member of another axis (a region within the only product), if a report breaks a measure down
 *   only in such combinations and each member occurs once; crossed members need not add up;
 * - nested: otherwise, members within members of other axes (`collectNestedDrafts`); these need to add up to the total.
 */
export function extractBreakdowns(report: FiledReport): readonly Breakdown[] {
  const totals = new Map<string, ValueWithDecimals>();
  const direct = new Map<string, DraftBreakdown>();
  const crossed = new Map<string, DraftBreakdown>();
  for (const fact of report.facts) {
    if (!isAmountOfMeasure(fact)) continue;
    const members = findAxisMembers(fact.dimensions);
    if (members === null) continue;
    const stated = toStatedValue(fact);
    const [first, second, third] = members;
    // A fact with only the qualifier "operating segments" is the segments' total, which may differ from the company's.
    if (first === undefined) {
      if (fact.dimensions.length === 0) keepMorePrecise(totals, makeFactKey(fact), stated);
    } else if (second === undefined) {
      keepMorePrecise(getOrAddDraft(direct, fact, first.axis).members, first.member, stated);
    } else if (third === undefined) {
      for (const [own, other] of [
        [first, second],
        [second, first],
      ] as const) {
        const draft = getOrAddDraft(crossed, fact, own.axis);
        const previous = draft.otherMemberByMember.get(own.member);
        // Null excludes the breakdown: a member combined with several members of the other axis would have to be added
        // up.
        if (previous !== undefined && previous !== other.member) draft.otherMemberByMember.set(own.member, null);
        else draft.otherMemberByMember.set(own.member, other.member);
        keepMorePrecise(draft.members, own.member, stated);
      }
    }
  }
  const usable = [...crossed].filter(
    ([key, { otherMemberByMember, members }]) =>
      members.size > 1 && !hasSeveralMembers(direct.get(key)) && ![...otherMemberByMember.values()].includes(null),
  );
  // Compares measures instead of concepts. For example, premiums by kind of customer are revenue too, and must not
  // replace a direct breakdown of revenue.
  const seen = new Set(
    [...direct.values(), ...usable.map(([, draft]) => draft)].filter(hasSeveralMembers).map(makeMeasureKey),
  );
  const nested = [...collectNestedDrafts(report.facts).values()].filter((draft) => !seen.has(makeMeasureKey(draft)));
  return [
    ...[...direct.values()].map((draft) => toBreakdown(draft, report, totals, {})),
    ...usable.map(([, draft]) => toBreakdown(draft, report, totals, { isCrossed: true })),
    ...nested.map((draft) => toBreakdown(draft, report, totals, { isNested: true })),
  ];
}

/** Whether a fact is an amount of money of a measure, with a period of the measure's kind. */
function isAmountOfMeasure({ concept, start, unit }: TaggedFact): boolean {
  const measure = findMeasure(concept);
  return measure !== null && isBalanceMeasure(measure) === (start === null) && /^[A-Z]{3}$/.test(unit);
}

const toStatedValue = ({ value, decimals }: TaggedFact): ValueWithDecimals => ({
  value,
  decimals: decimals ?? Number.POSITIVE_INFINITY,
});

const hasSeveralMembers = (draft: DraftBreakdown | undefined): boolean =>
  draft !== undefined && [...draft.members.keys()].filter((member) => !isAggregate(member)).length > 1;

const makeMeasureKey = ({ axis, fact: { concept, unit, start, end } }: DraftBreakdown): string =>
  `${axis} ${findMeasure(concept)} ${unit} ${start} ${end}`;

interface MemberFact {
  readonly statedValue: ValueWithDecimals;
  readonly otherMembers: readonly string[];
  /**
   * Whether the member has several facts with equally many but different `otherMembers`; these facts would have to be
   * added up.
   */
  readonly isRepeated: boolean;
}

/**
 * Returns drafts by axis, concept, unit and period. Each member is represented by its fact with the fewest other axes;
 * members of a subordinate axis replace their parent member. Omits drafts with fewer than two members, without a nested
 * member, or with a member whose facts would have to be added up (`isRepeated`).
 */
function collectNestedDrafts(facts: readonly TaggedFact[]): Map<string, DraftBreakdown> {
  const drafts = new Map<string, { fact: TaggedFact; axis: AxisName; members: Map<string, MemberFact> }>();
  const parentsOf = new Map<string, Set<string>>();
  for (const fact of facts) {
    if (!isAmountOfMeasure(fact)) continue;
    for (const { axis, member, parent, otherMembers } of findAxisPositions(fact.dimensions)) {
      const key = `${axis} ${makeFactKey(fact)}`;
      const draft = getOrInsert(drafts, key, () => ({ fact, axis, members: new Map() }));
      if (parent !== null) getOrInsert(parentsOf, key, () => new Set<string>()).add(parent);
      const added = { statedValue: toStatedValue(fact), otherMembers, isRepeated: false };
      draft.members.set(member, chooseMemberWithFewestAxes(draft.members.get(member), added));
    }
  }
  const nested = new Map<string, DraftBreakdown>();
  for (const [key, { fact, axis, members }] of drafts) {
    const parents = parentsOf.get(key);
    const leaves = [...members].filter(([member]) => !parents?.has(member) && !isAggregate(member));
    const isNested = leaves.some(([, { otherMembers }]) => otherMembers.length > 0);
    if (leaves.length < 2 || !isNested || leaves.some(([, { isRepeated }]) => isRepeated)) continue;
    const values = new Map(leaves.map(([member, { statedValue }]) => [member, statedValue]));
    nested.set(key, { fact, axis, members: values, otherMemberByMember: new Map() });
  }
  return nested;
}

function chooseMemberWithFewestAxes(existing: MemberFact | undefined, added: MemberFact): MemberFact {
  if (existing === undefined || added.otherMembers.length < existing.otherMembers.length) return added;
  if (added.otherMembers.length > existing.otherMembers.length) return existing;
  if (added.otherMembers.join(' ') !== existing.otherMembers.join(' ')) return { ...existing, isRepeated: true };
  return added.statedValue.decimals > existing.statedValue.decimals
    ? { ...added, isRepeated: existing.isRepeated }
    : existing;
}

const makeFactKey = ({ concept, unit, start, end }: TaggedFact): string => `${concept} ${unit} ${start} ${end}`;

function getOrAddDraft(drafts: Map<string, DraftBreakdown>, fact: TaggedFact, axis: AxisName): DraftBreakdown {
  const key = `${axis} ${makeFactKey(fact)}`;
  return getOrInsert(drafts, key, () => ({ fact, axis, members: new Map(), otherMemberByMember: new Map() }));
}

/** Stores the more precise value: reports often state a figure exactly in a table and rounded in the text. */
function keepMorePrecise(values: Map<string, ValueWithDecimals>, key: string, stated: ValueWithDecimals): void {
  const existing = values.get(key);
  if (existing === undefined || stated.decimals > existing.decimals) values.set(key, stated);
}

function toBreakdown(
  { fact, axis, members }: DraftBreakdown,
  report: FiledReport,
  totals: ReadonlyMap<string, ValueWithDecimals>,
  { isCrossed = false, isNested = false },
): Breakdown {
  const measure = findMeasure(fact.concept);
  if (measure === null) throw new TypeError(`${fact.concept} is not a measure of segments`);
  const { concept, unit, start, end } = fact;
  const { accession, form, filed } = report;
  return {
    ...{ axis, measure, concept, unit, start, end, accession, form, filed },
    members: new Map([...members].map(([member, { value }]) => [member, value])),
    total: totals.get(makeFactKey(fact))?.value ?? null,
    isCrossed,
    isNested,
  };
}
