/** A revision chain while it is built: it tracks the current value, so that the chain is not read again. */
import { compareDecimals, isEqual } from '../../contract/decimal-text.ts';
import { confidenceOf, type ReportedValue, reliableBy, standingIn } from './revision-chain.ts';

export class GrowingChain {
  readonly values: ReportedValue[] = [];
  /** The last value that differs from the one before. */
  #change: ReportedValue | null = null;
  /** The last reports of that value, by any concept and by its own. */
  #last: ReportedValue | null = null;
  #lastByConcept: ReportedValue | null = null;
  #isContradicted = false;

  push(value: ReportedValue): void {
    this.values.push(value);
    if (value.contradictedOn !== null) this.#isContradicted = true;
    if (value.kind !== 'same' || this.#change === null) {
      this.#change = value;
      this.#last = value;
      this.#lastByConcept = value;
    } else if (isEqual(value.value, this.#change.value)) {
      this.#last = value;
      if (value.concept === this.#change.concept) this.#lastByConcept = value;
    }
  }

  /**
   * The result of `standingIn` for values that no filing contradicts by the day, or for all values if there are none;
   * null for an empty chain.
   */
  standing(day: string): ReportedValue | null {
    if (this.#isContradicted) return standingIn(reliableBy(this.values, day)) ?? standingIn(this.values);
    if (this.#change === null || this.#last === null) return null;
    if (this.#last.concept === this.#change.concept) return this.#last;
    const isSure = compareDecimals(confidenceOf(this.#last), confidenceOf(this.#change)) >= 0;
    return isSure ? this.#last : this.#lastByConcept;
  }
}
