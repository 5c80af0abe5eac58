/** Decides what a company's filings state of each figure and period. */
import { listPeriods } from './facts.mjs';
import { FIGURES } from './figures.mjs';
import { findForeignFilings } from './foreign-filings.mjs';
import { isRounded, isSame } from './sums.mjs';

const QUARTER_COUNT = 8;

/**
 * @returns `[{ key, period, isClear, isPlain, value, concept, accn }]`: the value of the newest filing that states it. It is
 * not clear if filings or concepts disagree and nothing proves one of them.
 */
export function answerAll(facts) {
  const foreign = findForeignFilings(facts);
  const own = facts.filter(({ accn }) => !foreign.has(accn));
  return listPeriods(own, QUARTER_COUNT).flatMap((period) =>
    FIGURES.filter(({ kinds }) => kinds.includes(period.kind)).flatMap((figure) => {
      const answer = decide(period.filings, figure);
      return answer === null ? [] : [{ key: figure.key, period, ...answer }];
    }),
  );
}

function decide(filings, { propose, minUnit }) {
  const everywhere = filings.map(({ amounts }) => amounts);
  const statements = filings.flatMap(({ accn, amounts }) => {
    const choice = choose(propose(amounts, everywhere));
    return choice === null ? [] : [{ accn, ...choice }];
  });
  const newest = statements.findLast(({ isPlain }) => isPlain) ?? statements.at(-1);
  if (newest === undefined) return null;
  const position = statements.indexOf(newest);
  const [earlier, later] = [statements.slice(0, position), statements.slice(position + 1)];
  const agreeing = earlier.filter(
    ({ value, isPlain }) => isPlain === newest.isPlain && isSame(value, newest.value, minUnit),
  );
  const isAlone = earlier.every(({ isPlain }) => isPlain !== newest.isPlain);
  // A zero is often only the dash of a table.
  const isSupported = newest.value.isZero()
    ? [newest, ...agreeing].some(({ isProven }) => isProven)
    : newest.isProven || agreeing.length > 0 || isAlone;
  const isContradicted = later.some(({ value }) => !isSame(value, newest.value, minUnit));
  const isClear = isSupported && !isContradicted && !newest.isAmbiguous;
  return { isClear, ...withMoreDigits(newest, earlier, minUnit) };
}

/** The proven candidate, else the first; `isAmbiguous` if others differ and none or several are proven. */
function choose(candidates) {
  const proven = candidates.filter(({ isProven }) => isProven);
  const [best, ...others] = proven.length > 0 ? proven : candidates;
  if (best === undefined) return null;
  return { ...best, isAmbiguous: others.some(({ value }) => !value.eq(best.value)) };
}

/** An earlier value remains if the newest only repeats it with fewer digits. */
function withMoreDigits(newest, earlier, minUnit) {
  return earlier.reduceRight(
    (best, other) => (isRounded(best.value, other.value, minUnit) && !other.value.eq(best.value) ? other : best),
    newest,
  );
}
