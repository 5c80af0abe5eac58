/** Compares derived figures with figures that a person read from filings, for `fin data check --against`. */
import { subtract, takeAbsoluteValue } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal } from '../../contract/decimal-text.ts';
import type { FigureValue } from '../derived/figure.ts';
import type { FigurePeriodKind } from '../periods/period-kind.ts';
import { computeRelativeDifference } from '../relations/relations.ts';

/** The expected value of a figure, with the fields that identify the figure. */
interface ExpectedFigure {
  readonly metric: string;
  /**
   * A fiscal period such as `FY2024` or `Q3 2024`; or, together with `end`, a kind of period: `annual`, `quarter`,
   * `half`, `nine_month`, `ttm` or `instant`.
   */
  readonly period: string;
  /** The last day of the period; null if `period` is a fiscal period. */
  readonly end: string | null;
  readonly value: Decimal;
  /** Null matches any unit. */
  readonly unit: string | null;
}

interface Outcome {
  readonly result: 'equal' | 'different' | 'absent';
  /** The derived value; null if missing. */
  readonly value: Decimal | null;
  /** The difference divided by the expected value; null if the derived value is missing. */
  readonly off: Decimal | null;
}

/** Accepted names for kinds of period. */
const PERIOD_KIND_BY_NAME: Readonly<Record<string, FigurePeriodKind>> = {
  annual: 'annual',
  year: 'annual',
  quarter: 'quarter',
  quarterly: 'quarter',
  half: 'half',
  ytd6: 'half',
  nine_month: 'nine_month',
  ytd9: 'nine_month',
  ttm: 'ttm',
  instant: 'instant',
};
const PERIOD_PATTERN = /^(?:(FY|Q[1-4]|H1|9M)[ -]?(\d{4})|(\d{4})[ -]?(FY|Q[1-4]|H1|9M))$/i;

/** Whether the text is a valid period. A kind of period is valid only together with its last day. */
export function isValidPeriod({ period, end }: Pick<ExpectedFigure, 'period' | 'end'>): boolean {
  return PERIOD_PATTERN.test(period) || (PERIOD_KIND_BY_NAME[period.toLowerCase()] !== undefined && end !== null);
}

/**
 * Compares an expected value with the figure of the same metric, period and unit. If there are several, uses one with
 * an equal value, otherwise the first.
 * @param figures the company's figures as of the compared day
 */
export function compareExpectedFigure(expected: ExpectedFigure, figures: readonly FigureValue[]): Outcome {
  const matches = figures.filter((figure) => matchesExpectedFigure(expected, figure));
  const [first] = matches;
  if (first === undefined) return { result: 'absent', value: null, off: null };
  const equal = matches.find(({ value }) => compareDecimals(value, expected.value) === 0);
  if (equal !== undefined) return { result: 'equal', value: equal.value, off: '0' };
  const deviation = computeRelativeDifference(takeAbsoluteValue(subtract(first.value, expected.value)), expected.value);
  return { result: 'different', value: first.value, off: deviation };
}

function matchesExpectedFigure({ metric, period, end, unit }: ExpectedFigure, figure: FigureValue): boolean {
  if (figure.metricKey !== metric || (unit !== null && figure.unit !== unit)) return false;
  const match = PERIOD_PATTERN.exec(period);
  if (match === null) return figure.end === end && figure.periodKind === PERIOD_KIND_BY_NAME[period.toLowerCase()];
  const name = (match[1] ?? match[4] ?? '').toUpperCase();
  const year = Number(match[2] ?? match[3] ?? '');
  return figure.fiscalPeriod === name && figure.fiscalYear === year && figure.periodKind !== 'ttm';
}
