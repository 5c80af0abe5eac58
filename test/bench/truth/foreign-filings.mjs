/** Finds filings with the statements of another company, such as a company in which the filer holds shares. */
import { groupBy } from './facts.mjs';
import { isSame } from './sums.mjs';

const MIN_CONTRADICTIONS = 5;
/** Two filings that agree in as many amounts, and in most, are of one company. */
const MIN_AGREEMENTS = 3;

/**
 * Returns accession numbers of filings that contradict the company's own. Afterwards its own filings repeat the earlier
 * amounts, as they never do after a restatement; or the filing is a current report that agrees in nothing.
 */
export function findForeignFilings(facts) {
  const groups = [...groupBy(facts, ({ concept, unit, start, end }) => `${concept} ${unit} ${start} ${end}`).values()];
  const own = findOwnFilings(groups);
  const tallies = new Map();
  for (const group of groups) {
    const ownFacts = group.filter(({ accn }) => own.has(accn));
    for (const { accn, form, filed, value } of group) {
      if (own.has(accn) || ownFacts.length === 0) continue;
      const tally = tallies.get(accn) ?? { form, agreeing: 0, differing: 0, repeated: 0 };
      tallies.set(accn, tally);
      const differing = ownFacts.filter((other) => !isSame(other.value, value));
      tally[differing.length < ownFacts.length ? 'agreeing' : 'differing'] += 1;
      const earlier = differing.filter((other) => other.filed <= filed);
      const later = differing.filter((other) => other.filed > filed);
      if (earlier.some((one) => later.some((other) => other.value.eq(one.value)))) tally.repeated += 1;
    }
  }
  const isForeign = ({ form, agreeing, differing, repeated }) =>
    differing > agreeing * 2 &&
    (repeated >= MIN_CONTRADICTIONS || (/^8-K/.test(form) && agreeing === 0 && differing >= MIN_CONTRADICTIONS));
  return new Set([...tallies].filter(([, tally]) => isForeign(tally)).map(([accn]) => accn));
}

/** Returns the largest set of filings that agree with each other, directly or through others. */
function findOwnFilings(groups) {
  const pairs = new Map();
  for (const [one, other] of groups.flatMap(listPairs)) {
    const key = [one.accn, other.accn].sort().join(' ');
    const tally = pairs.get(key) ?? { agreeing: 0, differing: 0 };
    tally[isSame(one.value, other.value) ? 'agreeing' : 'differing'] += 1;
    pairs.set(key, tally);
  }
  const sets = new Map(groups.flat().map(({ accn }) => [accn, new Set([accn])]));
  for (const [key, { agreeing, differing }] of pairs) {
    const [one, other] = key.split(' ').map((accn) => sets.get(accn));
    if (agreeing < MIN_AGREEMENTS || agreeing < differing || one === other) continue;
    for (const accn of other) sets.set(accn, one.add(accn));
  }
  return [...sets.values()].reduce((largest, set) => (set.size > largest.size ? set : largest), new Set());
}

const listPairs = (group) => group.flatMap((one, index) => group.slice(0, index).map((other) => [one, other]));
