/** Checks of one metric's figures over time. */

import { compareText } from '../../contract/compare-text.ts';
import { subtract, sum, takeAbsoluteValue } from '../../contract/decimal.ts';
import type { Decimal } from '../../contract/decimal-text.ts';
import { assertDefined } from '../../platform/assert-defined.ts';
import { sortIfNeeded } from '../../platform/collections.ts';
import { addDays } from '../../platform/dates.ts';
import { findFiguresAfterBasisBreak } from '../derived/basis-breaks.ts';
import type { Figure } from '../derived/figure.ts';
import { isAdditive } from '../metrics/metric-rules.ts';
import { compareDerivedQuarters } from '../relations/outlying-quarters.ts';
import { computeRelativeExcess } from '../relations/relations.ts';
import { groupByMetricAndUnit } from '../revisions/revision-chain.ts';
import { type CheckRecorder, describeFigure } from './case.ts';

/** Maximum number of days between the ends of one period in two filings: weekly calendars shift the end. */
const MAX_END_SHIFT_DAYS = 7;
const QUARTERS_PER_YEAR = 4;
/**
 * Tolerated difference between a year and the sum of its quarters, as a fraction of the quarters' absolute amounts:
 * later filings may restate only the year.
 */
const RESTATEMENT_TOLERANCE: Decimal = '0.05';

/** Compares years with their four quarters. Answers mark a year that differs as a break of basis. */
export function checkQuarterSums(figures: readonly Figure[], record: CheckRecorder): void {
  for (const { years, quarters } of groupFlowSeries(figures)) {
    for (const year of years) {
      const since = addDays(assertDefined(year.start), -MAX_END_SHIFT_DAYS);
      const parts = quarters.filter(({ start, end }) => end <= year.end && assertDefined(start) >= since);
      if (parts.length !== QUARTERS_PER_YEAR) continue;
      const values = parts.map(({ value }) => value);
      const difference = takeAbsoluteValue(subtract(year.value, sum(values)));
      // Measures the difference against the sum of absolute values, because flows of opposite sign may cancel out.
      const total = sum(values.map(takeAbsoluteValue));
      record(
        computeRelativeExcess(difference, total, RESTATEMENT_TOLERANCE),
        () => describeFigure(year),
        () => findFiguresAfterBasisBreak([year, ...parts]).has(year),
      );
    }
  }
}

/** Compares derived quarters with the quarters before and after. Answers mark each quarter that is far from both. */
export function checkOutlyingQuarters(figures: readonly Figure[], record: CheckRecorder): void {
  for (const { quarter, isOutlying } of compareDerivedQuarters(figures))
    record(
      isOutlying ? '1' : '0',
      () => describeFigure(quarter),
      () => true,
    );
}

interface FlowSeries {
  readonly years: readonly Figure[];
  /** The quarters of the series, earliest first. */
  readonly quarters: readonly Figure[];
}

/** Returns the years and quarters of each flow of money. */
function groupFlowSeries(figures: readonly Figure[]): FlowSeries[] {
  const flows = figures.filter(({ metricKey }) => isAdditive(metricKey));
  return groupByMetricAndUnit(flows).map((series) => ({
    years: series.filter(({ periodKind }) => periodKind === 'annual'),
    quarters: sortByEnd(series.filter(({ periodKind }) => periodKind === 'quarter')),
  }));
}

const sortByEnd = (figures: readonly Figure[]): Figure[] =>
  sortIfNeeded([...figures], (a, b) => compareText(a.end, b.end));
