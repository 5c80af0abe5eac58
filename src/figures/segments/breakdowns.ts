/** Extracts the breakdowns in one report, each with its consolidated total. */

import { type Decimal, shiftDecimal } from '../../contract/decimal-text.ts';
import type { FiledReport, TaggedFact } from '../../edgar/reports/xbrl-report.ts';
import { getOrInsert } from '../../platform/collections.ts';
import type { AxisName } from './axes.ts';
import {
  AXIS_NAMES,
  findAxisMembers,
  findAxisPart,
  findAxisPositions,
  findReconcilingItem,
  isAggregate,
  makeItemName,
  omitGroupQualifier,
} from './axes.ts';
import { findMeasure, isBalance, type MeasureName } from './measures.ts';

/** One measure of one period, broken down along one axis, in one filing. */
export interface Breakdown
  extends Pick<TaggedFact, 'concept' | 'unit' | 'start' | 'end'>,
    Pick<FiledReport, 'accession' | 'form' | 'filed'> {
  readonly axis: AxisName;
  readonly measure: MeasureName;
  /** Values by member name, as filed. */
  readonly members: ReadonlyMap<string, Decimal>;
  /** Amounts that the filing states as parts of a member, by name of the part. */
  readonly parts: ReadonlyMap<string, MemberPart>;
  /** Members that the filing divides into some of the `members`, by name. */
  readonly groups: ReadonlyMap<string, MemberGroup>;
  /** Eliminations, corporate amounts and other items between the members and the total, by name. */
  readonly reconcilingItems: ReadonlyMap<string, AxisItem>;
  /** Values of members of the axis that the filing states only alone or within a member of another axis, by name. */
  readonly otherMembers: ReadonlyMap<string, Decimal>;
  /** The consolidated figure in the same filing; null if missing. */
  readonly total: Decimal | null;
  /**
   * The size of the last digit that is not rounded, by the names of members, groups and reconciling items: 1000000 for
   * millions, 0 for exact figures. `null` is the name of the total.
   */
  readonly units: ReadonlyMap<string | null, Decimal>;
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

interface AxisItem {
  readonly value: Decimal;
  /** Whether the filing states the item as a member of the axis, not only for the whole amount. */
  readonly isOfAxis: boolean;
}

interface MemberPart {
  readonly value: Decimal;
  readonly parent: string;
}

interface MemberGroup {
  readonly value: Decimal;
  readonly members: readonly string[];
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
  readonly partners: Map<string, string | null>;
  readonly groups: ReadonlyMap<string, MemberGroup>;
}

/** Figures of a report next to its breakdowns: by `makeFactKey`, and those of one axis by axis and `makeFactKey`. */
interface Surroundings {
  readonly totals: Map<string, ValueWithDecimals>;
  readonly parts: Map<string, Map<string, ValueWithDecimals & { readonly parent: string }>>;
  readonly reconcilingItems: Map<string, Map<string, ItemFact>>;
  readonly members: Map<string, Map<string, MemberFact>>;
}

interface ItemFact extends ValueWithDecimals {
  readonly isOfAxis: boolean;
  readonly member: string;
}

/** Whether a fact belongs to a breakdown or is a breakdown's total; the reader of data sets skips other facts. */
export const isBreakdownFact = (concept: string, dimensions: TaggedFact['dimensions']): boolean =>
  findMeasure(concept) !== null && mayBelongToBreakdown(dimensions);

/** Whether facts with these dimensions can belong to a breakdown or be its total. */
export const mayBelongToBreakdown = (dimensions: TaggedFact['dimensions']): boolean =>
  findAxisMembers(dimensions) !== null ||
  findAxisPositions(dimensions).length > 0 ||
  findReconcilingItem(dimensions) !== null;

/**
 * Returns three kinds of breakdowns:
 * - direct: facts with exactly one tracked axis;
 * - crossed: facts with a member of another axis (a region within the only product), if a report breaks a measure down
 *   only in such combinations and each member occurs once; crossed members need not add up;
 * - nested: otherwise, members within members of other axes (`collectNestedDrafts`); these need to add up to the total.
 *
 * Each has the parts and reconciling items that the report states for the same amount.
 */
export function extractBreakdowns(report: FiledReport): readonly Breakdown[] {
  const facts = omitGroupQualifiers(report.facts);
  const surroundings = collectSurroundings(facts);
  const direct = new Map<string, DraftBreakdown>();
  const crossed = new Map<string, DraftBreakdown>();
  for (const fact of facts) {
    const members = isAmountOfMeasure(fact) ? (findAxisMembers(fact.dimensions) ?? []) : [];
    for (const entry of members.length > 2 ? [] : members) {
      const draft = getOrAddDraft(members.length === 1 ? direct : crossed, fact, entry.axis);
      keepMorePrecise(draft.members, entry.member, toStatedValue(fact));
      const other = members.find((member) => member !== entry)?.member;
      if (other === undefined) continue;
      // Null excludes the breakdown: a member combined with several members of the other axis would have to be added up.
      const isRepeated = getOrInsert(draft.partners, entry.member, (): string | null => other) !== other;
      if (isRepeated) draft.partners.set(entry.member, null);
    }
  }
  const usableDrafts = [...crossed]
    .filter(
      ([key, { partners, members }]) =>
        members.size > 1 && !hasSeveralMembers(direct.get(key)) && ![...partners.values()].includes(null),
    )
    .map(([, draft]) => draft);
  // Compares measures instead of concepts. For example, premiums by kind of customer are revenue too, and must not
  // replace a direct breakdown of revenue.
  const measureKeys = new Set([...direct.values(), ...usableDrafts].filter(hasSeveralMembers).map(makeMeasureKey));
  const nested = [...collectNestedDrafts(facts).values()].filter((draft) => !measureKeys.has(makeMeasureKey(draft)));
  return [
    ...[...direct.values()].map((draft) => toBreakdown(draft, report, surroundings, {})),
    ...usableDrafts.map((draft) => toBreakdown(draft, report, surroundings, { isCrossed: true })),
    ...nested.map((draft) => toBreakdown(draft, report, surroundings, { isNested: true })),
  ];
}

/**
 * Returns the facts without qualifiers that name groups of segments, if the filing states the segments of an amount
 * only with such qualifiers. The groups' own amounts become those of segments.
 */
function omitGroupQualifiers(facts: readonly TaggedFact[]): readonly TaggedFact[] {
  const makeKey = (fact: TaggedFact, dimensions = fact.dimensions): string | null => {
    const [first, ...others] = findAxisMembers(dimensions) ?? [];
    return first === undefined || others.length > 0 ? null : `${first.axis} ${makeFactKey(fact)}`;
  };
  const direct = new Set(facts.map((fact) => makeKey(fact)));
  const rests = facts.map(({ dimensions }) => omitGroupQualifier(dimensions));
  const grouped = new Set(facts.map((fact, at) => makeKey(fact, rests[at] ?? [])).filter((key) => !direct.has(key)));
  return facts.map((fact, index) => {
    const rest = rests[index] ?? null;
    if (rest === null) return fact;
    const dimensions = rest.length > 0 ? rest : fact.dimensions.map(({ member }) => ({ axis: SEGMENT_AXIS, member }));
    const key = makeKey(fact, dimensions);
    return key !== null && grouped.has(key) ? { ...fact, dimensions } : fact;
  });
}

const SEGMENT_AXIS = 'us-gaap:StatementBusinessSegmentsAxis';

function collectSurroundings(facts: readonly TaggedFact[]): Surroundings {
  const result: Surroundings = { totals: new Map(), parts: new Map(), reconcilingItems: new Map(), members: new Map() };
  for (const fact of facts) {
    if (!isAmountOfMeasure(fact)) continue;
    const key = makeFactKey(fact);
    const statedValue = toStatedValue(fact);
    // A fact with only the qualifier "operating segments" is the segments' total, which may differ from the company's.
    if (fact.dimensions.length === 0) keepMorePrecise(result.totals, key, statedValue);
    const part = findAxisPart(fact.dimensions);
    if (part !== null) {
      const parts = getOrInsert(result.parts, `${part.axis} ${key}`, () => new Map());
      keepMorePrecise(parts, part.member, { ...statedValue, parent: part.parent });
    }
    const axisMembers = findAxisMembers(fact.dimensions) ?? [];
    for (const { axis, member } of axisMembers.length > 2 ? [] : axisMembers) {
      const otherMembers = axisMembers.filter((other) => other.axis !== axis).map((other) => other.member);
      const members = getOrInsert(result.members, `${axis} ${key}`, () => new Map<string, MemberFact>());
      const candidate = { statedValue, parent: null, otherMembers, isRepeated: false };
      members.set(member, chooseMemberWithFewestAxes(members.get(member), candidate));
    }
    const item = findReconcilingItem(fact.dimensions);
    if (item === null) continue;
    for (const axis of item.axis === null ? AXIS_NAMES : [item.axis]) {
      const items = getOrInsert(result.reconcilingItems, `${axis} ${key}`, () => new Map<string, ItemFact>());
      const candidate = { ...statedValue, isOfAxis: item.axis !== null, member: item.member };
      keepMorePrecise(items, item.axis === null ? item.member : makeItemName(item), candidate);
    }
  }
  return result;
}

/** Whether a fact is an amount of money of a measure, with a period of the measure's kind. */
function isAmountOfMeasure({ concept, start, unit }: TaggedFact): boolean {
  const measure = findMeasure(concept);
  return measure !== null && isBalance(measure) === (start === null) && /^[A-Z]{3}$/.test(unit);
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
  readonly parent: string | null;
  readonly otherMembers: readonly string[];
  /**
   * Whether the member has several facts with equally many but different `otherMembers`; these facts would have to be
   * added up.
   */
  readonly isRepeated: boolean;
}

/**
 * Returns drafts by axis, concept, unit and period. Each member is represented by its fact with the fewest other axes;
 * members of a subordinate axis replace their parent member, which becomes a group. Omits drafts with fewer than two
 * members, without a nested member, or with a member whose facts would have to be added up (`isRepeated`).
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
      const candidate = { statedValue: toStatedValue(fact), parent, otherMembers, isRepeated: false };
      draft.members.set(member, chooseMemberWithFewestAxes(draft.members.get(member), candidate));
    }
  }
  const nested = new Map<string, DraftBreakdown>();
  for (const [key, { fact, axis, members }] of drafts) {
    const parents = parentsOf.get(key);
    const leaves = [...members].filter(([member]) => !parents?.has(member) && !isAggregate(member));
    const isNested = leaves.some(([, { otherMembers }]) => otherMembers.length > 0);
    if (leaves.length < 2 || !isNested || leaves.some(([, { isRepeated }]) => isRepeated)) continue;
    const values = new Map(leaves.map(([member, { statedValue }]) => [member, statedValue]));
    const groups = new Map<string, MemberGroup>();
    for (const parent of parents ?? []) {
      const value = members.get(parent)?.statedValue.value;
      const parts = leaves.filter(([, leaf]) => leaf.parent === parent).map(([member]) => member);
      if (value !== undefined) groups.set(parent, { value, members: parts });
    }
    nested.set(key, { fact, axis, members: values, partners: new Map(), groups });
  }
  return nested;
}

function chooseMemberWithFewestAxes(existing: MemberFact | undefined, candidate: MemberFact): MemberFact {
  if (existing === undefined || candidate.otherMembers.length < existing.otherMembers.length) return candidate;
  if (candidate.otherMembers.length > existing.otherMembers.length) return existing;
  if (candidate.otherMembers.join(' ') !== existing.otherMembers.join(' ')) return { ...existing, isRepeated: true };
  return candidate.statedValue.decimals > existing.statedValue.decimals
    ? { ...candidate, isRepeated: existing.isRepeated }
    : existing;
}

const makeFactKey = ({ concept, unit, start, end }: TaggedFact): string => `${concept} ${unit} ${start} ${end}`;

function getOrAddDraft(drafts: Map<string, DraftBreakdown>, fact: TaggedFact, axis: AxisName): DraftBreakdown {
  const key = `${axis} ${makeFactKey(fact)}`;
  return getOrInsert(drafts, key, () => ({ fact, axis, members: new Map(), partners: new Map(), groups: new Map() }));
}

/** Stores the more precise value: reports often state a figure exactly in a table and rounded in the text. */
function keepMorePrecise<T extends ValueWithDecimals>(values: Map<string, T>, key: string, candidate: T): void {
  const existing = values.get(key);
  if (existing === undefined || candidate.decimals > existing.decimals) values.set(key, candidate);
}

function toBreakdown(
  { fact, axis, members, groups }: DraftBreakdown,
  report: FiledReport,
  surroundings: Surroundings,
  { isCrossed = false, isNested = false },
): Breakdown {
  const measure = findMeasure(fact.concept);
  if (measure === null) throw new TypeError(`${fact.concept} is not a measure of segments`);
  const { concept, unit, start, end } = fact;
  const { accession, form, filed } = report;
  const key = `${axis} ${makeFactKey(fact)}`;
  const total = surroundings.totals.get(makeFactKey(fact));
  const isNamed = (member: string) => members.has(member) || groups.has(member);
  const parts = [...(surroundings.parts.get(key) ?? [])].filter(
    ([member, { parent }]) => !isNamed(member) && members.has(parent),
  );
  const partNames = new Set(parts.map(([member]) => member));
  const otherMembers = [...(surroundings.members.get(key) ?? [])].filter(
    ([member, { isRepeated }]) => !isRepeated && !isNamed(member) && !partNames.has(member),
  );
  const statedItems = [...(surroundings.reconcilingItems.get(key) ?? [])];
  const isOwnName = (member: string) =>
    !isNamed(member) &&
    !otherMembers.some(([other]) => other === member) &&
    statedItems.filter(([, item]) => item.member === member).length === 1;
  const items = statedItems.map(([name, item]) => [isOwnName(item.member) ? item.member : name, item] as const);
  const namedValues = [
    ...members,
    ...otherMembers.map(([name, { statedValue }]) => [name, statedValue] as const),
    ...items,
    ...(total === undefined ? [] : [[null, total] as const]),
  ];
  return {
    ...{ axis, measure, concept, unit, start, end, accession, form, filed },
    members: new Map([...members].map(([member, { value }]) => [member, value])),
    parts: new Map(parts.map(([member, { value, parent }]) => [member, { value, parent }])),
    groups,
    reconcilingItems: new Map(items.map(([member, { value, isOfAxis }]) => [member, { value, isOfAxis }])),
    otherMembers: new Map(otherMembers.map(([member, { statedValue }]) => [member, statedValue.value])),
    total: total?.value ?? null,
    units: new Map(namedValues.map(([name, { decimals }]) => [name, toUnit(decimals)])),
    isCrossed,
    isNested,
  };
}

const toUnit = (decimals: number): Decimal => (Number.isFinite(decimals) ? shiftDecimal('1', -decimals) : '0');
