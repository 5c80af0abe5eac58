/**
 * A revision chain under construction. Tracks the current value, so that the chain need not be searched for each
 * filing.
 */
import { compareDecimals, type Decimal, isEqual } from '../../contract/decimal-text.ts';
import { findConfidence, findCurrentValue, type ReportedValue, selectReliableValues } from './revision-chain.ts';

export class GrowingChain {
  readonly values: ReportedValue[] = [];
  /** The last value that changed the figure: the first value, a revision, or a re-expression. */
  #lastChange: ReportedValue | null = null;
  /** The last report of the amount of `#lastChange`, by any concept. */
  #lastValue: ReportedValue | null = null;
  /** The last report of the amount of `#lastChange`, by the concept of `#lastChange`. */
  #lastValueOfConcept: ReportedValue | null = null;
  #isContradicted = false;
  #maxConfidence: Decimal = '0';

  /** The confidence of the concept that matches the metric best, among the concepts of all values; 0 without values. */
  get maxConfidence(): Decimal {
    return this.#maxConfidence;
  }

  push(value: ReportedValue): void {
    const previousValue = this.values.at(-1);
    if (value.concept !== previousValue?.concept || value.taxonomy !== previousValue.taxonomy) {
      const confidence = findConfidence(value);
      if (compareDecimals(confidence, this.#maxConfidence) > 0) this.#maxConfidence = confidence;
    }
    this.values.push(value);
    if (value.contradictedOn !== null) this.#isContradicted = true;
    if (value.kind !== 'same' || this.#lastChange === null) {
      this.#lastChange = value;
      this.#lastValue = value;
      this.#lastValueOfConcept = value;
    } else if (isEqual(value.value, this.#lastChange.value)) {
      this.#lastValue = value;
      if (value.concept === this.#lastChange.concept) this.#lastValueOfConcept = value;
    }
  }

  /**
   * Returns the current value (`findCurrentValue`) among the values that no filing contradicts by the day; among all
   * values if all are contradicted. Null for an empty chain.
   */
  findCurrentValueOn(day: string): ReportedValue | null {
    if (this.#isContradicted)
      return findCurrentValue(selectReliableValues(this.values, day)) ?? findCurrentValue(this.values);
    if (this.#lastChange === null || this.#lastValue === null) return null;
    if (this.#lastValue.concept === this.#lastChange.concept) return this.#lastValue;
    const isAsConfident = compareDecimals(findConfidence(this.#lastValue), findConfidence(this.#lastChange)) >= 0;
    return isAsConfident ? this.#lastValue : this.#lastValueOfConcept;
  }
}
