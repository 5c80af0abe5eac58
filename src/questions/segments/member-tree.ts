/** The members of a breakdown as a tree, with the remainder of each level. */
import { sum } from '../../contract/decimal.ts';
import { type Decimal, isZero } from '../../contract/decimal-text.ts';
import type { SegmentMeasure, SegmentMember } from '../../contract/resources/segments.ts';
import { subtractOrNull } from '../amounts/amounts.ts';

export type PeriodValues = SegmentMeasure['totals'];

export class MemberTree {
  readonly #measure: SegmentMeasure;
  readonly #parents: ReadonlyMap<SegmentMember, SegmentMember | null>;

  constructor(measure: SegmentMeasure) {
    this.#measure = measure;
    this.#parents = new Map(measure.members.map((member) => [member, findParent(measure.members, member)]));
  }

  getParent(member: SegmentMember): SegmentMember | null {
    return this.#parents.get(member) ?? null;
  }

  /** Returns the parts of a member, or the members of the top level, without those that are not added. */
  listBelow(parent: SegmentMember | null): readonly SegmentMember[] {
    return this.#measure.members.filter((member) => member.role !== 'not_added' && this.getParent(member) === parent);
  }

  /** Returns the value of a member, or the sum of its parts in a period in which only they have values. */
  getAmount(member: SegmentMember, index: number): Decimal | null {
    return member.values[index] ?? this.#sumBelow(member, index);
  }

  /**
   * Returns the part of the values of each member, and last of the total (`parent` is null), that is in none of the members
   * below. Omits remainders that are zero in all periods.
   */
  listRemainders() {
    const { members, totals } = this.#measure;
    const parents = [...members.filter((member) => this.listBelow(member).length > 0), null];
    return parents
      .map((parent) => ({ parent, values: this.#subtractBelow(parent?.values ?? totals, parent) }))
      .filter(({ values }) => !values.every((value) => value === null || isZero(value)));
  }

  #subtractBelow(values: PeriodValues, parent: SegmentMember | null): PeriodValues {
    return values.map((value, index) => subtractOrNull(value, this.#sumBelow(parent, index)));
  }

  #sumBelow(parent: SegmentMember | null, index: number): Decimal | null {
    const amounts = this.listBelow(parent).flatMap((member) => this.getAmount(member, index) ?? []);
    return amounts.length === 0 ? null : sum(amounts);
  }
}

/** Returns the parent of a member; null if the answer has no such member, or if the member is above its own parent. */
function findParent(members: readonly SegmentMember[], member: SegmentMember): SegmentMember | null {
  const find = ({ parent }: SegmentMember) =>
    parent === undefined ? undefined : members.find((other) => other.member === parent && other.role !== 'not_added');
  const parent = find(member);
  let above = parent;
  for (let steps = 0; above !== undefined && steps < members.length; steps += 1) {
    if (above === member) return null;
    above = find(above);
  }
  return parent ?? null;
}
