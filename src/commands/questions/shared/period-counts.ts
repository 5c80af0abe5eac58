/** `--years` and `--quarters` choose the newest periods: the interface has no parameter for that. */
import { Failure } from '../../../contract/failure.ts';
import { quote } from '../../../contract/quote.ts';
import type { GivenOptions, OptionSpec } from '../../command-line/option-spec.ts';

export const PERIOD_COUNT_OPTIONS: readonly OptionSpec[] = [
  { name: 'years', value: 'count', help: 'Show so many fiscal years, the newest first' },
  { name: 'quarters', value: 'count', help: 'Show so many quarters, the newest first' },
];

export interface PeriodCounts {
  readonly years: number | null;
  readonly quarters: number | null;
}

/** Throws a usage Failure for what is no count, and for both. */
export function readPeriodCounts(options: GivenOptions): PeriodCounts {
  const [years, quarters] = [readCount(options, 'years'), readCount(options, 'quarters')];
  if (years !== null && quarters !== null) refuse('--years and --quarters cannot be combined; choose one.');
  return { years, quarters };
}

/** More than any company has filed. */
const MOST = 200;

function readCount(options: GivenOptions, name: string): number | null {
  const texts = options.get(name);
  if (texts === undefined) return null;
  const [text = '', ...others] = texts;
  if (others.length > 0) refuse(`--${name} was given ${texts.length} times; give it once.`);
  const count = Number(text);
  if (/^\d{1,4}$/.test(text) && count >= 1 && count <= MOST) return count;
  return refuse(`--${name} takes a whole number from 1 to ${MOST}, not ${quote(text)}.`);
}

export function refuse(message: string): never {
  throw new Failure('usage', message);
}
