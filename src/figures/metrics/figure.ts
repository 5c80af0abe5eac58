/**
 * A figure as a sum of readings.
 *
 * Every figure of ours that is not a quotient is read statements added up with a sign: a reported value is
 * one term, a fourth quarter two (the year less nine months), its free cash flow four. Keeping figures in this form
 * keeps their whole lineage, whatever they are later combined into.
 */

import { add, subtract } from '../../contract/decimal.ts';
import type { Decimal } from '../../contract/decimal-text.ts';
import { compareDecimals } from '../../contract/decimal-text.ts';
import type { StatementName } from '../../contract/figures.ts';
import type { PeriodKind } from '../periods/period-kind.ts';
import type { FigureKey, ReportedValue, StandingValue } from '../revisions/revision-chain.ts';
import { countRevisingFilings } from '../revisions/revision-chain.ts';
import { mappingOf } from './mappings.ts';
import { metricOf } from './metric-rules.ts';

/** One figure as it stands, or as it stood on a day. */
export interface FigureValue extends FigureKey {
  readonly periodKind: PeriodKind;
  readonly fiscalYear: number | null;
  readonly fiscalPeriod: string | null;
  readonly valueKind: 'reported' | 'derived';
  readonly value: Decimal;
  readonly confidence: Decimal;
  readonly statementName: StatementName | null;
  /** The statement the value is read from; of a derived figure the latest-filed of its inputs. */
  readonly readFrom: ReportedValue;
  readonly revised: boolean;
  readonly revisionCount: number;
  readonly inputs: readonly FigureInput[];
}

/** One input of a figure and the part it plays: `value`, `minuend`, `subtrahend`, `addend`, `numerator`, `denominator`. */
export interface FigureInput {
  readonly role: string;
  readonly reported: ReportedValue;
}

export interface Term {
  readonly source: StandingValue;
  readonly negative: boolean;
}

/** A figure with its terms and what it is worth. */
export interface Figure extends FigureKey {
  readonly periodKind: PeriodKind;
  readonly fiscalYear: number | null;
  readonly fiscalPeriod: string | null;
  readonly derived: boolean;
  readonly value: Decimal;
  readonly confidence: Decimal;
  readonly terms: readonly Term[];
}

/** How far each way of deriving is trusted, at most; ours, and never above its inputs. */
export const DERIVED_CONFIDENCE = {
  /** A quarter that its year, or its year to date, leaves. */
  quarter: '0.95',
  /** The same where the longer period was revised by a filing that does not restate the shorter one. */
  mixedBases: '0.7',
  /** A total that follows from the other two of its identity. */
  identity: '0.9',
} as const;

export function reportedFigure(source: StandingValue): Figure {
  const { reported: standing } = source;
  return {
    metricKey: standing.metricKey,
    unit: standing.unit,
    start: standing.start,
    end: standing.end,
    periodKind: standing.periodKind,
    fiscalYear: standing.fiscalYear,
    fiscalPeriod: standing.fiscalPeriod,
    derived: false,
    value: standing.value,
    confidence: mappingOf(standing.metricKey, standing.taxonomy, standing.concept)?.confidence ?? '0.5',
    terms: [{ source, negative: false }],
  };
}

/** `plus` less `minus`, under the key and labels given; as trusted as the least of its inputs, and `atMost` that. */
export function combine(
  identity: Pick<Figure, 'metricKey' | 'unit' | 'start' | 'end' | 'periodKind' | 'fiscalYear' | 'fiscalPeriod'>,
  plus: readonly Figure[],
  minus: readonly Figure[],
  atMost: Decimal,
): Figure {
  let value: Decimal = '0';
  let confidence = atMost;
  for (const figure of plus) value = add(value, figure.value);
  for (const figure of minus) value = subtract(value, figure.value);
  for (const figure of [...plus, ...minus]) {
    const differs = figure.confidence !== confidence;
    if (differs && compareDecimals(figure.confidence, confidence) < 0) confidence = figure.confidence;
  }
  return {
    ...identity,
    derived: true,
    value,
    confidence,
    terms: [
      ...plus.flatMap((figure) => figure.terms),
      ...minus.flatMap((figure) => figure.terms.map(({ source, negative }) => ({ source, negative: !negative }))),
    ],
  };
}

/** The figure as it is answered. A ratio gives its inputs itself, by numerator and denominator. */
export function toFigureValue(figure: Figure, inputs: readonly FigureInput[] = roles(figure)): FigureValue {
  const revisions = countRevisingFilings(figure.terms.map((term) => term.source));
  return {
    metricKey: figure.metricKey,
    unit: figure.unit,
    start: figure.start,
    end: figure.end,
    periodKind: figure.periodKind,
    fiscalYear: figure.fiscalYear,
    fiscalPeriod: figure.fiscalPeriod,
    valueKind: figure.derived ? 'derived' : 'reported',
    value: figure.value,
    confidence: figure.confidence,
    statementName: metricOf(figure.metricKey)?.statement ?? null,
    readFrom: latestFiled(figure.terms),
    revised: revisions > 0,
    revisionCount: revisions,
    inputs,
  };
}

/** `value` of a reported figure; of a derived one the first is the minuend (or an addend, where nothing is taken off). */
function roles(figure: Figure): FigureInput[] {
  if (!figure.derived) return figure.terms.map(({ source }) => ({ role: 'value', reported: source.reported }));
  const hasSubtrahend = figure.terms.some((term) => term.negative);
  return figure.terms.map(({ source, negative }, index) => ({
    role: negative ? 'subtrahend' : index === 0 && hasSubtrahend ? 'minuend' : 'addend',
    reported: source.reported,
  }));
}

function latestFiled(terms: readonly Term[]): ReportedValue {
  const [first, ...rest] = terms;
  if (first === undefined) throw new RangeError('a figure without terms');
  let latest = first.source.reported;
  for (const { source } of rest) if (source.reported.filed > latest.filed) latest = source.reported;
  return latest;
}
