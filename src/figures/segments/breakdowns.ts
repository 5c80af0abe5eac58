/** Extracts the breakdowns in one report, each with its consolidated total. */

import type { Decimal } from '../../contract/decimal-text.ts';
import type { FiledReport, TaggedFact } from '../../edgar/reports/tagged-report.ts';
import { getOrInsert } from '../../platform/collections.ts';
import type { AxisName } from './axes.ts';
import { findAxisMembers, findAxisPositions, isAggregate } from './axes.ts';
import type { MeasureName } from './measures.ts';
import { findMeasure, isBalanceMeasure } from './measures.ts';

/** One measure of one period, broken down along one axis, in one filing. */
export interface Breakdown {
  readonly axis: AxisName;
  readonly measure: MeasureName;
  readonly concept: string;
  readonly unit: string;
  readonly start: string | null;
  readonly end: string;
  readonly accession: string;
  readonly form: string;
  readonly filed: string;
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
export function isBreakdownFact(concept: string, dimensions: TaggedFact['dimensions']): boolean {
  return findMeasure(concept) !== null && mayBelongToBreakdown(dimensions);
}

/** Whether facts with these dimensions can belong to a breakdown or be its total. */
export function mayBelongToBreakdown(dimensions: TaggedFact['dimensions']): boolean {
  return findAxisMembers(dimensions) !== null || findAxisPositions(dimensions).length > 0;
}

/**
 * Returns three kinds of breakdowns:
 * - direct: facts with exactly one tracked axis;
 * - crossed: facts with a member of another axis (a region within the only product), if a report breaks a measure down
 *   only in such combinations and each member occurs once; crossed members need not add up;
 * - nested: otherwise, members within members of other axes (`collectNestedDrafts`); these need to add up to the total.
 */
export function extractBreakdowns(report: FiledReport): readonly Breakdown[] {
  const totalByKey = new Map<string, ValueWithDecimals>();
  const directDraftByKey = new Map<string, DraftBreakdown>();
  const crossedDraftByKey = new Map<string, DraftBreakdown>();
  for (const fact of report.facts) {
    const measure = findMeasure(fact.concept);
    if (measure === null || isBalanceMeasure(measure) !== (fact.start === null) || !/^[A-Z]{3}$/.test(fact.unit))
      continue;
    const axisMembers = findAxisMembers(fact.dimensions);
    if (axisMembers === null) continue;
    const statedValue = { value: fact.value, decimals: fact.decimals ?? Number.POSITIVE_INFINITY };
    const [firstMember, secondMember, thirdMember] = axisMembers;
    // A fact with only the qualifier "operating segments" is the segments' total, which may differ from the company's.
    if (firstMember === undefined) {
      if (fact.dimensions.length === 0) keepMorePrecise(totalByKey, makeFactKey(fact), statedValue);
    } else if (secondMember === undefined) {
      keepMorePrecise(getOrAddDraft(directDraftByKey, fact, firstMember.axis).members, firstMember.member, statedValue);
    } else if (thirdMember === undefined) {
      for (const [ownMember, otherMember] of [
        [firstMember, secondMember],
        [secondMember, firstMember],
      ] as const) {
        const draftBreakdown = getOrAddDraft(crossedDraftByKey, fact, ownMember.axis);
        const previousOtherMember = draftBreakdown.otherMemberByMember.get(ownMember.member);
        // Null excludes the breakdown: a member combined with several members of the other axis would have to be added
        // up.
        if (previousOtherMember !== undefined && previousOtherMember !== otherMember.member)
          draftBreakdown.otherMemberByMember.set(ownMember.member, null);
        else draftBreakdown.otherMemberByMember.set(ownMember.member, otherMember.member);
        keepMorePrecise(draftBreakdown.members, ownMember.member, statedValue);
      }
    }
  }
  const usableCrossedEntries = [...crossedDraftByKey].filter(
    ([key, { otherMemberByMember, members }]) =>
      members.size > 1 &&
      !hasSeveralMembers(directDraftByKey.get(key)) &&
      ![...otherMemberByMember.values()].includes(null),
  );
  // Compares measures instead of concepts. For example, premiums by kind of customer are revenue too, and must not
  // replace a direct breakdown of revenue.
  const brokenDownMeasureKeys = new Set(
    [...directDraftByKey.values(), ...usableCrossedEntries.map(([, draft]) => draft)]
      .filter(hasSeveralMembers)
      .map(makeMeasureKey),
  );
  const nestedDrafts = [...collectNestedDrafts(report.facts).values()].filter(
    (draft) => !brokenDownMeasureKeys.has(makeMeasureKey(draft)),
  );
  return [
    ...[...directDraftByKey.values()].map((draft) => toBreakdown(draft, report, totalByKey, {})),
    ...usableCrossedEntries.map(([, draft]) => toBreakdown(draft, report, totalByKey, { isCrossed: true })),
    ...nestedDrafts.map((draft) => toBreakdown(draft, report, totalByKey, { isNested: true })),
  ];
}

function hasSeveralMembers(draft: DraftBreakdown | undefined): boolean {
  return draft !== undefined && [...draft.members.keys()].filter((member) => !isAggregate(member)).length > 1;
}

function makeMeasureKey({ axis, fact: { concept, unit, start, end } }: DraftBreakdown): string {
  return `${axis} ${findMeasure(concept)} ${unit} ${start} ${end}`;
}

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
  const draftByKey = new Map<string, { fact: TaggedFact; axis: AxisName; members: Map<string, MemberFact> }>();
  const parentsByKey = new Map<string, Set<string>>();
  for (const fact of facts) {
    const measure = findMeasure(fact.concept);
    if (measure === null || isBalanceMeasure(measure) !== (fact.start === null) || !/^[A-Z]{3}$/.test(fact.unit))
      continue;
    for (const { axis, member, parent, otherMembers } of findAxisPositions(fact.dimensions)) {
      const key = `${axis} ${makeFactKey(fact)}`;
      const nestedDraft = getOrInsert(draftByKey, key, () => ({ fact, axis, members: new Map() }));
      if (parent !== null) getOrInsert(parentsByKey, key, () => new Set<string>()).add(parent);
      const statedValue = { value: fact.value, decimals: fact.decimals ?? Number.POSITIVE_INFINITY };
      nestedDraft.members.set(
        member,
        chooseMemberWithFewestAxes(nestedDraft.members.get(member), { statedValue, otherMembers, isRepeated: false }),
      );
    }
  }
  const nestedDraftByKey = new Map<string, DraftBreakdown>();
  for (const [key, { fact, axis, members }] of draftByKey) {
    const parents = parentsByKey.get(key);
    const leafMembers = [...members].filter(([member]) => !parents?.has(member) && !isAggregate(member));
    const isNested = leafMembers.some(([, { otherMembers }]) => otherMembers.length > 0);
    if (leafMembers.length < 2 || !isNested || leafMembers.some(([, { isRepeated }]) => isRepeated)) continue;
    nestedDraftByKey.set(key, {
      fact,
      axis,
      members: new Map(leafMembers.map(([member, { statedValue }]) => [member, statedValue])),
      otherMemberByMember: new Map(),
    });
  }
  return nestedDraftByKey;
}

function chooseMemberWithFewestAxes(existingMember: MemberFact | undefined, newMember: MemberFact): MemberFact {
  if (existingMember === undefined || newMember.otherMembers.length < existingMember.otherMembers.length)
    return newMember;
  if (newMember.otherMembers.length > existingMember.otherMembers.length) return existingMember;
  if (newMember.otherMembers.join(' ') !== existingMember.otherMembers.join(' '))
    return { ...existingMember, isRepeated: true };
  return newMember.statedValue.decimals > existingMember.statedValue.decimals
    ? { ...newMember, isRepeated: existingMember.isRepeated }
    : existingMember;
}

function makeFactKey({ concept, unit, start, end }: TaggedFact): string {
  return `${concept} ${unit} ${start} ${end}`;
}

function getOrAddDraft(draftByKey: Map<string, DraftBreakdown>, fact: TaggedFact, axis: AxisName): DraftBreakdown {
  const key = `${axis} ${makeFactKey(fact)}`;
  const existingDraft = draftByKey.get(key);
  if (existingDraft !== undefined) return existingDraft;
  const newDraft = { fact, axis, members: new Map(), otherMemberByMember: new Map() };
  draftByKey.set(key, newDraft);
  return newDraft;
}

/** Stores the more precise value: reports often state a figure exactly in a table and rounded in the text. */
function keepMorePrecise(
  valueByKey: Map<string, ValueWithDecimals>,
  key: string,
  statedValue: ValueWithDecimals,
): void {
  const existingValue = valueByKey.get(key);
  if (existingValue === undefined || statedValue.decimals > existingValue.decimals) valueByKey.set(key, statedValue);
}

function toBreakdown(
  { fact, axis, members }: DraftBreakdown,
  report: FiledReport,
  totalByKey: ReadonlyMap<string, ValueWithDecimals>,
  { isCrossed = false, isNested = false },
): Breakdown {
  const measure = findMeasure(fact.concept);
  if (measure === null) throw new TypeError(`${fact.concept} is not a measure of segments`);
  return {
    axis,
    measure,
    concept: fact.concept,
    unit: fact.unit,
    start: fact.start,
    end: fact.end,
    accession: report.accession,
    form: report.form,
    filed: report.filed,
    members: new Map([...members].map(([member, { value }]) => [member, value])),
    total: totalByKey.get(makeFactKey(fact))?.value ?? null,
    isCrossed,
    isNested,
  };
}
