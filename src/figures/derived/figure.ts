/**
 * A figure is a sum of reported values, or a quotient of two such sums.
 * A reported figure has one term. A derived fourth quarter has two terms (the year and nine months), and free cash flow
 * of that quarter has four terms. The terms are the complete lineage of a figure, through any number of derivations.
 */

import { add, negate, sum } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal } from '../../contract/decimal-text.ts';
import { hasInferredDates } from '../../edgar/facts/fact-row.ts';
import { assertDefined, groupBy } from '../../platform/collections.ts';
import { findMapping } from '../metrics/concepts.ts';
import type { FigurePeriodKind } from '../periods/period-kind.ts';
import { isOneBasis, selectComparableValues } from '../revisions/one-basis.ts';
import type { FigureKey, ReportedValue, SelectedValue } from '../revisions/revision-chain.ts';
import { countRevisingFilings, listStatedFacts } from '../revisions/revision-chain.ts';

/** A reported value that a figure adds or subtracts. */
export interface Term {
  readonly source: SelectedValue;
  readonly negative: boolean;
}

/** The key, unit, dates and fiscal period of a figure. */
export interface FigureSubject extends FigureKey {
  readonly periodKind: FigurePeriodKind;
  readonly fiscalYear: number | null;
  readonly fiscalPeriod: string | null;
}

export interface Figure extends FigureSubject {
  readonly derived: boolean;
  readonly value: Decimal;
  readonly confidence: Decimal;
  /**
   * The terms of the sum, or of the numerator of a quotient. Empty if the sum or numerator is only a price or a market
   * capitalization.
   */
  readonly terms: readonly Term[];
  /** The terms of a quotient's denominator; empty for a sum. */
  readonly denominator: readonly Term[];
  /** The part of the value that comes from a market price and has no terms. */
  readonly market?: Decimal | undefined;
  /**
   * Whether filings show the value to be wrong. A wrong value is shown as filed, but is never used to derive figures.
   */
  readonly isContradicted?: boolean;
}

/**
 * One input of a figure and its role: `value`, `minuend`, `subtrahend`, `addend`, `numerator`, `denominator`, or
 * `contradicted` for a value that filings show to be wrong.
 */
export interface FigureInput {
  readonly role: string;
  readonly reported: ReportedValue;
}

/** One figure, current or as of a day, in the form that responses use. */
export interface FigureValue extends FigureSubject {
  readonly valueKind: 'reported' | 'derived';
  readonly value: Decimal;
  readonly confidence: Decimal;
  readonly readFrom: ReportedValue;
  readonly revised: boolean;
  readonly revisionCount: number;
  readonly inputs: readonly FigureInput[];
}

/**
 * Maximum confidence of a figure by the way of deriving it or its dates, estimated by us. If an input has a lower
 * confidence, the figure has the input's confidence.
 */
export const DERIVED_CONFIDENCE = {
  /** A quarter derived from a longer period less its earlier parts. */
  quarter: '0.95',
  /** A metric that no filing reports, computed from other metrics. */
  notReported: '0.9',
  /** A reported value whose days are inferred from rounded dates. */
  inferredDates: '0.9',
  /** A sum, difference or quotient that defines the figure, or a market price. */
  exact: '1',
} as const;

/** Confidence of a stored value whose concept this version no longer reads for the metric. */
const UNMAPPED_CONFIDENCE = '0.5';
const NO_TERMS: readonly Term[] = [];

export function toReportedFigure(source: SelectedValue): Figure {
  const { metricKey, unit, start, end, periodKind, fiscalYear, fiscalPeriod, value, taxonomy, concept, classCounts } =
    source.reported;
  const confidence = findMapping(metricKey, taxonomy, concept)?.confidence ?? UNMAPPED_CONFIDENCE;
  return {
    metricKey,
    unit,
    start,
    end,
    periodKind,
    fiscalYear,
    fiscalPeriod,
    derived: classCounts !== null,
    value,
    confidence: hasInferredDates(source.reported)
      ? pickLower(confidence, DERIVED_CONFIDENCE.inferredDates)
      : confidence,
    terms: [{ source, negative: false }],
    denominator: NO_TERMS,
  };
}

/** The inputs of a sum (`plus` minus `minus`), and the maximum confidence of the result. */
interface SignedFigures {
  readonly plus: readonly Figure[];
  readonly minus: readonly Figure[];
  readonly maxConfidence: Decimal;
}

/**
 * Returns the sum of the inputs; null if the inputs' values are not comparable (`isOneBasis`) or `accepts` returns
 * false for the values.
 */
export function sumFiguresOnOneBasis(
  subject: FigureSubject,
  inputs: SignedFigures,
  accepts: (values: readonly SelectedValue[]) => boolean = () => true,
): Figure | null {
  const terms = listTerms(inputs);
  const values = terms.map(({ source }) => source);
  return isOneBasis(values) && accepts(values) ? new SumFigure(subject, inputs, terms) : null;
}

/** Returns the sum of several metrics; null if values with the same end date are not comparable (`isOneBasis`). */
export function sumFiguresOfMetrics(subject: FigureSubject, inputs: SignedFigures): Figure | null {
  const terms = listTerms(inputs);
  const sources = terms.map(({ source }) => source);
  const groupByEnd = () => [...groupBy(sources, ({ reported }) => reported.end).values()];
  return isOneBasis(sources) || groupByEnd().every((values) => isOneBasis(values))
    ? new SumFigure(subject, inputs, terms)
    : null;
}

/**
 * Returns the two operands of a ratio or change with comparable values: values of one filing if possible, otherwise
 * values that pass `isOneBasis`. Null without such values.
 */
export function toComparablePair(figure: Figure, other: Figure): readonly [Figure, Figure] | null {
  const terms = [...figure.terms, ...other.terms];
  const sources = terms.map(({ source }) => source);
  const values = selectComparableValues(sources);
  if (values === null) return null;
  const comparableTerms = terms.map(({ negative }, index) => ({ source: assertDefined(values[index]), negative }));
  return [
    replaceTerms(figure, comparableTerms.slice(0, figure.terms.length)),
    replaceTerms(other, comparableTerms.slice(figure.terms.length)),
  ];
}

function replaceTerms(figure: Figure, terms: readonly Term[]): Figure {
  if (terms.every(({ source }, index) => source === figure.terms[index]?.source)) return figure;
  const { derived, confidence, denominator, market = '0' } = figure;
  return { ...pickSubject(figure), derived, confidence, denominator, terms, value: add(market, sumTerms(terms)) };
}

function listTerms({ plus, minus }: SignedFigures): Term[] {
  const terms: Term[] = [];
  for (const figure of plus) terms.push(...figure.terms);
  for (const figure of minus)
    for (const { source, negative } of figure.terms) terms.push({ source, negative: !negative });
  return terms;
}

/**
 * Computes value and confidence lazily: most sums are of periods that no response shows. A class, because objects with
 * getters of their own are several times slower to make.
 */
class SumFigure implements Figure {
  readonly metricKey: string;
  readonly unit: string;
  readonly start: string | null;
  readonly end: string;
  readonly periodKind: FigurePeriodKind;
  readonly fiscalYear: number | null;
  readonly fiscalPeriod: string | null;
  readonly derived = true;
  readonly denominator = NO_TERMS;
  readonly #inputs: SignedFigures;
  #value: Decimal | undefined;
  #confidence: Decimal | undefined;

  constructor(
    subject: FigureSubject,
    inputs: SignedFigures,
    readonly terms: readonly Term[],
  ) {
    this.metricKey = subject.metricKey;
    this.unit = subject.unit;
    this.start = subject.start;
    this.end = subject.end;
    this.periodKind = subject.periodKind;
    this.fiscalYear = subject.fiscalYear;
    this.fiscalPeriod = subject.fiscalPeriod;
    this.#inputs = inputs;
  }

  get value(): Decimal {
    this.#value ??= this.market === undefined ? sumTerms(this.terms) : add(this.market, sumTerms(this.terms));
    return this.#value;
  }

  get market(): Decimal | undefined {
    return this.#inputs.plus.find(({ market }) => market !== undefined)?.market;
  }

  get confidence(): Decimal {
    this.#confidence ??= this.#findConfidence();
    return this.#confidence;
  }

  #findConfidence(): Decimal {
    const { plus, minus, maxConfidence } = this.#inputs;
    const sources = this.terms.map(({ source }) => toReportedFigure(source));
    return findMinConfidence([...plus, ...minus, ...sources], maxConfidence);
  }
}

/** Returns the sum of the terms' values, with their signs. */
export const sumTerms = (terms: readonly Term[]): Decimal =>
  sum(terms.map(({ source: { reported }, negative }) => (negative ? negate(reported.value) : reported.value)));

/** Returns only the fields that identify a figure: key, unit, dates and fiscal period. */
export function pickSubject(figure: FigureSubject): FigureSubject {
  const { metricKey, unit, start, end, periodKind, fiscalYear, fiscalPeriod } = figure;
  return { metricKey, unit, start, end, periodKind, fiscalYear, fiscalPeriod };
}

/** Returns a figure with the given quotient as value, and the terms of dividend and divisor. */
export function toQuotientFigure(subject: FigureSubject, value: Decimal, dividend: Figure, divisor: Figure): Figure {
  return {
    derived: true,
    ...subject,
    value,
    confidence: findMinConfidence([dividend, divisor], DERIVED_CONFIDENCE.exact),
    terms: dividend.terms,
    denominator: divisor.terms,
  };
}

/** Returns the figure of a price or market capitalization on one day. */
export function makeMarketFigure(metricKey: string, unit: string, day: string, value: Decimal): Figure {
  return {
    metricKey,
    unit,
    start: null,
    end: day,
    periodKind: 'instant',
    fiscalYear: null,
    fiscalPeriod: null,
    derived: false,
    value,
    confidence: DERIVED_CONFIDENCE.exact,
    terms: NO_TERMS,
    denominator: NO_TERMS,
    market: value,
  };
}

function findMinConfidence(figures: readonly Figure[], max: Decimal): Decimal {
  let lowest = max;
  for (const { confidence } of figures) lowest = pickLower(confidence, lowest);
  return lowest;
}

const pickLower = (a: Decimal, b: Decimal): Decimal => (a !== b && compareDecimals(a, b) < 0 ? a : b);

/** Returns the figure in the form that responses use. */
export function toFigureValue(figure: Figure): FigureValue {
  const fields = toFigureFields(figure);
  const readFrom = findLastInput(figure);
  return { readFrom, revised: fields.revisionCount > 0, inputs: listInputs(figure), ...fields };
}

/** Returns the fields that `FigureValue` and `ResponseFigure` have in common. */
export function toFigureFields(figure: Figure): Omit<FigureValue, 'readFrom' | 'revised' | 'inputs'> {
  return {
    ...pickSubject(figure),
    valueKind: figure.derived ? 'derived' : 'reported',
    value: figure.value,
    confidence: figure.confidence,
    revisionCount: countRevisingFilings(listAllTerms(figure).map(({ source }) => source)),
  };
}

/** Returns the number of filed facts that the value is computed from. */
export const countInputs = (figure: Figure): number =>
  listAllTerms(figure).reduce((count, { source }) => count + listStatedFacts(source.reported).length, 0);

function listInputs({ derived, terms, denominator, isContradicted }: Figure): FigureInput[] {
  const isDifference = terms.some((term) => term.negative);
  const toRole = ({ negative }: Term, index: number): string => {
    if (isContradicted === true) return 'contradicted';
    if (!derived) return 'value';
    if (denominator.length > 0) return 'numerator';
    if (negative) return 'subtrahend';
    return index === 0 && isDifference ? 'minuend' : 'addend';
  };
  const toInputs = (role: string, { source }: Term) =>
    listStatedFacts(source.reported).map((reported) => ({ role, reported }));
  return [
    ...terms.flatMap((term, index) => toInputs(toRole(term, index), term)),
    ...denominator.flatMap((term) => toInputs('denominator', term)),
  ];
}

const listAllTerms = ({ terms, denominator }: Figure): readonly Term[] =>
  denominator.length === 0 ? terms : [...terms, ...denominator];

/**
 * Returns the day on which the figure was first known. For a derived figure, this is the first day on which all of its
 * inputs had been filed.
 */
export function findFirstKnownDay(figure: Figure): string {
  const days = listAllTerms(figure).map(({ source: { reported, chain } }) => chain[0]?.filed ?? reported.filed);
  return days.reduce((latest, day) => (day > latest ? day : latest), '');
}

/** Returns the reported value that supplies the figure; for a derived figure, the input that was filed last. */
export function findLastInput(figure: Figure): ReportedValue {
  const values = listAllTerms(figure).map(({ source }) => source.reported);
  return values.reduce((latest, value) => (value.filed > latest.filed ? value : latest));
}
