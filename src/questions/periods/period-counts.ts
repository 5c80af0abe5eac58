/** Options `--years` and `--quarters`, which select the newest periods. The HTTP API has no such parameters. */

import type { ClientFilter } from '../../ask/command/command.ts';
import type { GivenOptions, OptionSpec } from '../../ask/command/option-spec.ts';
import { compareText } from '../../contract/compare-text.ts';
import { failUsage } from '../../contract/failure.ts';
import type { SegmentMeasure, SegmentPeriod, Segments } from '../../contract/resources/segments.ts';
import { formatCount } from '../../contract/text/format-counts.ts';
import { quote } from '../../contract/text/quote.ts';
import { option, say } from '../../contract/text/text.ts';
import { makeNote } from '../../result/notice.ts';

export const PERIOD_COUNT_OPTIONS: readonly OptionSpec[] = [
  { name: 'years', value: 'count', help: 'Number of fiscal years to show, newest first' },
  { name: 'quarters', value: 'count', help: 'Number of quarters to show, newest first' },
];

/**
 * Returns the requested number of periods. Throws a usage Failure for an invalid number, or if both options are given.
 */
export function readPeriodCounts(options: GivenOptions) {
  const years = readCount(options, 'years');
  const quarters = readCount(options, 'quarters');
  if (years !== null && quarters !== null)
    failUsage(say`${option('years')} and ${option('quarters')} cannot be combined; choose one.`);
  return { years, quarters };
}

/** Maximum number of periods; no company has filed as many. */
const MAX_PERIODS = 200;

function readCount(options: GivenOptions, name: string): number | null {
  const texts = options.get(name) ?? [];
  const [text] = texts;
  if (text === undefined) return null;
  if (texts.length > 1) failUsage(say`${option(name)} was given ${texts.length} times; give it once.`);
  const count = Number(text);
  if (/^\d{1,4}$/.test(text) && count >= 1 && count <= MAX_PERIODS) return count;
  return failUsage(say`${option(name)} takes a whole number from 1 to ${MAX_PERIODS}, not ${quote(text)}.`);
}

type SegmentPeriodChoice = { readonly period: 'annual' | 'quarterly'; readonly count: number };

/**
 * Returns the requested periods; null if neither option is given. Throws a usage Failure for an invalid number, or for
 * a contradictory `--period`.
 */
export function readSegmentPeriodChoice(options: GivenOptions): SegmentPeriodChoice | null {
  const { years, quarters } = readPeriodCounts(options);
  const period = options.get('period')?.at(-1)?.toLowerCase();
  if (years !== null && period === 'quarterly')
    failUsage(say`${option('years')} shows fiscal years; it cannot be combined with ${option('period', 'quarterly')}.`);
  if (quarters !== null && period === 'annual')
    failUsage(say`${option('quarters')} shows quarters; it cannot be combined with ${option('period', 'annual')}.`);
  if (years !== null) return { period: 'annual', count: years };
  return quarters === null ? null : { period: 'quarterly', count: quarters };
}

export function makePeriodsFilter({ period, count: max }: SegmentPeriodChoice): ClientFilter<Segments> {
  const noun = period === 'annual' ? 'fiscal year' : 'quarter';
  return {
    apply: (data) => {
      const kept = new Set(sortPeriodNamesByEnd(data).slice(0, max));
      const axes = data.axes.map(({ axis, measures }) => ({
        axis,
        measures: measures.map((measure) => keepPeriods(measure, kept)).filter(({ periods }) => periods.length > 0),
      }));
      return { ...data, axes: axes.filter(({ measures }) => measures.length > 0) };
    },
    notices: (before) => {
      const periods = sortPeriodNamesByEnd(before).length;
      if (periods === 0 || periods >= max) return [];
      const text = `This release has the company's segments for only ${formatCount(periods, noun)}.`;
      return [makeNote('fewer_periods', text, { periods })];
    },
  };
}

/**
 * Returns the names of the fiscal periods of all measures, latest end first. End dates of one period may differ by some
 * days between measures, so the latest of them counts.
 */
function sortPeriodNamesByEnd({ axes }: Segments): readonly string[] {
  const periods = axes.flatMap(({ measures }) => measures.flatMap((measure) => measure.periods));
  periods.sort((a, b) => compareText(b.end_date, a.end_date));
  return [...new Set(periods.map(formatPeriodName))];
}

const formatPeriodName = ({ fiscal_year: year, fiscal_period: period }: SegmentPeriod): string => `${period} ${year}`;

/** Removes all periods except `kept`, and members without a figure in the remaining periods. */
function keepPeriods(measure: SegmentMeasure, kept: ReadonlySet<string>): SegmentMeasure {
  const flags = measure.periods.map((period) => kept.has(formatPeriodName(period)));
  const keepItems = <Item>(items: readonly Item[]): Item[] => items.filter((_, index) => flags[index] === true);
  return {
    ...measure,
    periods: keepItems(measure.periods),
    totals: keepItems(measure.totals),
    members: measure.members
      .map((member) => ({ ...member, values: keepItems(member.values) }))
      .filter(({ values }) => values.some((value) => value !== null)),
  };
}
