/** `segments --years` and `--quarters`: the newest periods of an answer, with their figures. */

import type { Narrowing } from '../../../ask/command.ts';
import type { GivenOptions } from '../../../ask/option-spec.ts';
import { compareText } from '../../../contract/compare-text.ts';
import type { SegmentMeasure, SegmentPeriod, Segments } from '../../../contract/resources/segments.ts';
import { option, say } from '../../../contract/text/text.ts';
import { noteOf } from '../../../result/notice.ts';
import { count } from '../../../result/wording.ts';
import { readPeriodCounts, refuse } from './period-counts.ts';

export interface SegmentPeriods {
  readonly period: 'annual' | 'quarterly';
  readonly count: number;
}

/** Null without these options. Throws a usage Failure for an invalid number, and together with another period. */
export function readSegmentPeriods(options: GivenOptions): SegmentPeriods | null {
  const { years, quarters } = readPeriodCounts(options);
  const given = options.get('period')?.at(-1)?.toLowerCase();
  if (years !== null && given === 'quarterly')
    refuse(say`${option('years')} shows fiscal years; it cannot be combined with ${option('period', 'quarterly')}.`);
  if (quarters !== null && given === 'annual')
    refuse(say`${option('quarters')} shows quarters; it cannot be combined with ${option('period', 'annual')}.`);
  if (years !== null) return { period: 'annual', count: years };
  return quarters === null ? null : { period: 'quarterly', count: quarters };
}

export function narrowPeriods({ period, count: most }: SegmentPeriods): Narrowing<Segments> {
  const unit = period === 'annual' ? 'fiscal year' : 'quarter';
  return {
    apply: (data) => {
      const kept = new Set(newestFirst(data).slice(0, most));
      const axes = data.axes.map(({ axis, measures }) => ({
        axis,
        measures: measures.map((measure) => ofPeriods(measure, kept)).filter(({ periods }) => periods.length > 0),
      }));
      return { ...data, axes: axes.filter(({ measures }) => measures.length > 0) };
    },
    notices: (before) => {
      const periods = newestFirst(before).length;
      if (periods === 0 || periods >= most) return [];
      return [noteOf('fewer_periods', `This release has only ${count(periods, unit)}.`, { periods })];
    },
  };
}

/** The fiscal periods of all measures, by their latest end: the ends may differ by some days between measures. */
function newestFirst({ axes }: Segments): string[] {
  const ends = new Map<string, string>();
  for (const { measures } of axes) {
    for (const period of measures.flatMap(({ periods }) => periods)) {
      const known = ends.get(nameOf(period));
      if (known === undefined || known < period.end_date) ends.set(nameOf(period), period.end_date);
    }
  }
  return [...ends].sort(([, a], [, b]) => compareText(b, a)).map(([name]) => name);
}

const nameOf = ({ fiscal_year: year, fiscal_period: period }: SegmentPeriod): string => `${period} ${year}`;

/** Leaves out periods, and members without a figure in the remaining ones. */
function ofPeriods(measure: SegmentMeasure, kept: ReadonlySet<string>): SegmentMeasure {
  const shown = measure.periods.map((period) => kept.has(nameOf(period)));
  const among = <Item>(items: readonly Item[]): Item[] => items.filter((_, index) => shown[index] === true);
  return {
    ...measure,
    periods: among(measure.periods),
    totals: among(measure.totals),
    members: measure.members
      .map((member) => ({ ...member, values: among(member.values) }))
      .filter(({ values }) => values.some((value) => value !== null)),
  };
}
