/** Finds names of the same member: filers spell members differently, and rename them. */
import { type Decimal, isZero } from '../../contract/decimal-text.ts';
import { getOrInsert, groupBy } from '../../platform/collections.ts';
import { shortName } from './axes.ts';
import type { LeafBreakdown } from './subtotals.ts';

/**
 * Returns one name per member: without prefix, case and a final `Segment`, unless a filing has two names that differ
 * only so. A member that a later filing reports under another name with the same figures for the same periods gets
 * the later name.
 * @param breakdowns all breakdowns in filings of one axis, concept and unit
 */
export function memberNames(breakdowns: readonly LeafBreakdown[]): (member: string) => string {
  const spelled = spellings(breakdowns);
  const renamed = renames(breakdowns, spelled);
  return (member) => {
    const name = spelled(member);
    return renamed.get(name) ?? name;
  };
}

function spellings(breakdowns: readonly LeafBreakdown[]): (member: string) => string {
  const plain = (member: string) =>
    shortName(member)
      .replace(/(?<=.)Segments?$/, '')
      .toLowerCase();
  const distinct = new Set<string>();
  for (const { members } of breakdowns) {
    const seen = new Set<string>();
    for (const member of members.keys()) {
      const folded = plain(member);
      if (seen.has(folded)) distinct.add(folded);
      seen.add(folded);
    }
  }
  return (member) => (distinct.has(plain(member)) ? member : plain(member));
}

/** Minimum number of digits of equal values; fewer may be equal by chance. */
const MIN_EQUAL_DIGITS = 4;

/** Values by member, from one statement of a period. */
type Members = ReadonlyMap<string, Decimal>;

interface Statement {
  readonly period: string;
  readonly filed: string;
  readonly members: Members;
}

/** Returns the later name of each renamed member. */
function renames(breakdowns: readonly LeafBreakdown[], nameOf: (member: string) => string): Map<string, string> {
  const statements = breakdowns.map(({ start, end, filed, members }) => ({
    ...{ period: `${start} ${end}`, filed },
    members: new Map([...members].map(([member, value]) => [nameOf(member), value])),
  }));
  const names = new ComparedNames(statements);
  for (const [earlierStatement, laterStatement] of restatements(statements))
    names.compare(earlierStatement.members, laterStatement.members);
  return names.renames();
}

/** Yields each pair of an earlier and a later statement of the same period. */
function* restatements(statements: readonly Statement[]): Generator<readonly [earlier: Statement, later: Statement]> {
  for (const statedStatements of groupBy(statements, ({ period }) => period).values()) {
    for (const earlierStatement of statedStatements) {
      for (const laterStatement of statedStatements)
        if (laterStatement.filed > earlierStatement.filed) yield [earlierStatement, laterStatement];
    }
  }
}

/** Two names that never occur in one statement, and the comparison of their values. */
interface NamePair {
  readonly from: string;
  readonly to: string;
  equalDigits: number;
  differs: boolean;
}

class ComparedNames {
  readonly #together = new Set<string>();
  readonly #pairs = new Map<string, NamePair>();

  constructor(statements: readonly Statement[]) {
    for (const { members } of statements)
      for (const one of members.keys()) for (const other of members.keys()) this.#together.add(pairKey(one, other));
  }

  compare(earlier: Members, later: Members): void {
    for (const [from, before] of earlier) {
      for (const [to, after] of later) {
        const pair = this.#pairOf(from, to);
        if (pair === null) continue;
        if (before === after) pair.equalDigits += significantDigits(before);
        else pair.differs = true;
      }
    }
  }

  /** Leaves out a name that would become two, and two names that would become one. */
  renames(): Map<string, string> {
    const equalPairs = [...this.#pairs.values()].filter(
      (pair) => !pair.differs && pair.equalDigits >= MIN_EQUAL_DIGITS,
    );
    const [from, to] = [groupBy(equalPairs, (pair) => pair.from), groupBy(equalPairs, (pair) => pair.to)];
    const unique = equalPairs.filter((pair) => from.get(pair.from)?.length === 1 && to.get(pair.to)?.length === 1);
    return new Map(unique.map((pair) => [pair.from, pair.to]));
  }

  /** Null for equal names, and for two that occur in one statement. */
  #pairOf(from: string, to: string): NamePair | null {
    const key = pairKey(from, to);
    if (from === to || this.#together.has(key)) return null;
    return getOrInsert(this.#pairs, key, () => ({ from, to, equalDigits: 0, differs: false }));
  }
}

const pairKey = (one: string, other: string): string => `${one} ${other}`;

function significantDigits(value: Decimal): number {
  return isZero(value) ? 0 : value.replace(/[-.]/g, '').replace(/^0+|0+$/g, '').length;
}
