/** Which names of members are one member: filers spell them differently, and rename them. */
import { type Decimal, isZero } from '../../contract/decimal-text.ts';
import { pushTo } from '../../platform/collections.ts';
import { shortName } from './axes.ts';
import type { LeafBreakdown } from './subtotals.ts';

/**
 * One name for each member, without prefix, case and a final `Segment`, unless a filing has two that differ only so. A
 * member that a later filing reports under another name, with the same figures of the same periods, has the later name.
 * @param breakdowns all that filings report of one axis, concept and unit
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

/** Fewer digits may agree by chance. */
const LEAST_DIGITS = 4;

/** The later name of each renamed member. */
function renames(breakdowns: readonly LeafBreakdown[], nameOf: (member: string) => string): Map<string, string> {
  const byPeriod = new Map<string, { readonly filed: string; readonly members: ReadonlyMap<string, Decimal> }[]>();
  const together = new Set<string>();
  for (const { start, end, filed, members } of breakdowns) {
    const named = new Map([...members].map(([member, value]) => [nameOf(member), value]));
    for (const one of named.keys()) for (const other of named.keys()) together.add(`${one} ${other}`);
    pushTo(byPeriod, `${start} ${end}`, { filed, members: named });
  }
  const pairs = new Map<string, { digits: number; differs: boolean; readonly from: string; readonly to: string }>();
  for (const stated of byPeriod.values()) {
    for (const earlier of stated) {
      for (const later of stated.filter(({ filed }) => filed > earlier.filed)) {
        for (const [from, value] of earlier.members) {
          for (const [to, again] of later.members) {
            if (from === to || together.has(`${from} ${to}`)) continue;
            const pair = pairs.get(`${from} ${to}`) ?? { digits: 0, differs: false, from, to };
            if (value !== again) pair.differs = true;
            else pair.digits += significantDigits(value);
            pairs.set(`${from} ${to}`, pair);
          }
        }
      }
    }
  }
  const found = [...pairs.values()].filter(({ digits, differs }) => !differs && digits >= LEAST_DIGITS);
  // A name that would become two, or two that would become one, is left as it is.
  const once = (side: 'from' | 'to', name: string) => found.filter((pair) => pair[side] === name).length === 1;
  return new Map(
    found.filter(({ from, to }) => once('from', from) && once('to', to)).map(({ from, to }) => [from, to]),
  );
}

function significantDigits(value: Decimal): number {
  return isZero(value) ? 0 : value.replace(/[-.]/g, '').replace(/^0+|0+$/g, '').length;
}
