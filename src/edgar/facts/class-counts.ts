/** The share counts of a cover by class, as the text that a fact and a release keep. */
import type { Decimal } from '../../contract/decimal-text.ts';

export interface ClassCount {
  /** The class as filed, such as us-gaap:CommonClassAMember; null for a count without dimensions, which is the company's. */
  readonly member: string | null;
  readonly shares: Decimal;
}

/** Returns the counts of several classes as `member=count`, separated by spaces. */
export const formatClassCounts = (counts: readonly ClassCount[]): string =>
  counts.map(({ member, shares }) => `${member}=${shares}`).join(' ');

/** Reads a text of `formatClassCounts`. */
export const parseClassCounts = (text: string): ClassCount[] =>
  text.split(' ').map((count) => {
    const end = count.lastIndexOf('=');
    return { member: count.slice(0, end), shares: count.slice(end + 1) };
  });
