/** `segments --years` and `--quarters`: reduces an answer to its newest periods and their figures. */

import type { ClientFilter } from '../../ask/command/command.ts';
import type { GivenOptions } from '../../ask/command/option-spec.ts';
import { compareText } from '../../contract/compare-text.ts';
import type { SegmentMeasure, SegmentPeriod, Segments } from '../../contract/resources/segments.ts';
import { option, say } from '../../contract/text/text.ts';
import { formatCount } from '../../contract/text/wording.ts';
import { makeNote } from '../../result/notice.ts';
import { failUsage, readPeriodCounts } from './period-counts.ts';

export interface SegmentPeriodChoice {
  readonly period: 'annual' | 'quarterly';
  readonly count: number;
}

/**
 * Returns the requested periods; null if neither option is given. Throws a usage Failure for an invalid number, or for
 * a contradictory `--period`.
 */
export function readSegmentPeriodChoice(options: GivenOptions): SegmentPeriodChoice | null {
  const { years: yearCount, quarters: quarterCount } = readPeriodCounts(options);
  const periodText = options.get('period')?.at(-1)?.toLowerCase();
  if (yearCount !== null && periodText === 'quarterly')
    failUsage(say`${option('years')} shows fiscal years; it cannot be combined with ${option('period', 'quarterly')}.`);
  if (quarterCount !== null && periodText === 'annual')
    failUsage(say`${option('quarters')} shows quarters; it cannot be combined with ${option('period', 'annual')}.`);
  if (yearCount !== null) return { period: 'annual', count: yearCount };
  return quarterCount === null ? null : { period: 'quarterly', count: quarterCount };
}

export function makePeriodsFilter({ period, count: maxCount }: SegmentPeriodChoice): ClientFilter<Segments> {
  const periodNoun = period === 'annual' ? 'fiscal year' : 'quarter';
  return {
    apply: (data) => {
      const keptPeriods = new Set(sortPeriodNamesByEnd(data).slice(0, maxCount));
      const axes = data.axes.map(({ axis, measures }) => ({
        axis,
        measures: measures
          .map((measure) => keepPeriods(measure, keptPeriods))
          .filter(({ periods }) => periods.length > 0),
      }));
      return { ...data, axes: axes.filter(({ measures }) => measures.length > 0) };
    },
    notices: (segmentsBefore) => {
      const periodCount = sortPeriodNamesByEnd(segmentsBefore).length;
      if (periodCount === 0 || periodCount >= maxCount) return [];
      return [
        makeNote(
          'fewer_periods',
          `This release has the company's segments for only ${formatCount(periodCount, periodNoun)}.`,
          {
            periods: periodCount,
          },
        ),
      ];
    },
  };
}

/**
 * Returns the names of the fiscal periods of all measures, latest end first. End dates of one period may differ by some
 * days between measures, so the latest of them counts.
 */
function sortPeriodNamesByEnd({ axes }: Segments): string[] {
  const endByPeriod = new Map<string, string>();
  for (const { measures } of axes) {
    for (const period of measures.flatMap(({ periods }) => periods)) {
      const knownEnd = endByPeriod.get(formatPeriodName(period));
      if (knownEnd === undefined || knownEnd < period.end_date)
        endByPeriod.set(formatPeriodName(period), period.end_date);
    }
  }
  return [...endByPeriod].sort(([, a], [, b]) => compareText(b, a)).map(([name]) => name);
}

const formatPeriodName = ({ fiscal_year: year, fiscal_period: period }: SegmentPeriod): string => `${period} ${year}`;

/** Removes all periods except `keptPeriods`, and members without a figure in the remaining periods. */
function keepPeriods(measure: SegmentMeasure, keptPeriods: ReadonlySet<string>): SegmentMeasure {
  const keptFlags = measure.periods.map((period) => keptPeriods.has(formatPeriodName(period)));
  const keepItems = <Item>(items: readonly Item[]): Item[] => items.filter((_, index) => keptFlags[index] === true);
  return {
    ...measure,
    periods: keepItems(measure.periods),
    totals: keepItems(measure.totals),
    members: measure.members
      .map((member) => ({ ...member, values: keepItems(member.values) }))
      .filter(({ values }) => values.some((value) => value !== null)),
  };
}
