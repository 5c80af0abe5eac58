/** Options `--years` and `--quarters`, which select the newest periods. The HTTP API has no such parameters. */

import type { GivenOptions, OptionSpec } from '../../ask/command/option-spec.ts';
import { Failure } from '../../contract/failure.ts';
import { quote } from '../../contract/text/quote.ts';
import { option, say, type Text } from '../../contract/text/text.ts';

export const PERIOD_COUNT_OPTIONS: readonly OptionSpec[] = [
  { name: 'years', value: 'count', help: 'Number of fiscal years to show, newest first' },
  { name: 'quarters', value: 'count', help: 'Number of quarters to show, newest first' },
];

export interface PeriodCounts {
  readonly years: number | null;
  readonly quarters: number | null;
}

/**
 * Returns the requested number of periods. Throws a usage Failure for an invalid number, or if both options are given.
 */
export function readPeriodCounts(options: GivenOptions): PeriodCounts {
  const [years, quarters] = [readCount(options, 'years'), readCount(options, 'quarters')];
  if (years !== null && quarters !== null)
    failUsage(say`${option('years')} and ${option('quarters')} cannot be combined; choose one.`);
  return { years, quarters };
}

/** Maximum number of periods; no company has filed as many. */
const MAX_PERIODS = 200;

function readCount(options: GivenOptions, name: string): number | null {
  const texts = options.get(name);
  if (texts === undefined) return null;
  const [text = '', ...others] = texts;
  if (others.length > 0) failUsage(say`${option(name)} was given ${texts.length} times; give it once.`);
  const count = Number(text);
  if (/^\d{1,4}$/.test(text) && count >= 1 && count <= MAX_PERIODS) return count;
  return failUsage(say`${option(name)} takes a whole number from 1 to ${MAX_PERIODS}, not ${quote(text)}.`);
}

export function failUsage(text: Text): never {
  throw new Failure('usage', text);
}
