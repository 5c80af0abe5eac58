/** Runs a utility command and prints its report. */
import type { GivenOptions, OptionSpec, ParsedArguments } from '../ask/command/option-spec.ts';
import { Failure } from '../contract/failure.ts';
import { didYouMean } from '../contract/nearest.ts';
import { formatAlternatives, quote } from '../contract/text/quote.ts';
import type { UtilityCall, UtilityCommand } from './command-line/utility.ts';
import { printReport } from './output/report.ts';

interface UtilityContext extends Omit<UtilityCall, 'args' | 'options'> {
  readonly parsed: ParsedArguments;
}

/**
 * Runs the command, prints its report, and returns the exit code. Throws a usage Failure for an invalid option value.
 */
export async function runUtility(utility: UtilityCommand, { parsed, ...context }: UtilityContext): Promise<number> {
  const options = Object.fromEntries(utility.options.map((spec) => [spec.name, readOption(spec, parsed.options)]));
  const report = await utility.run({ ...context, args: parsed.args, options });
  if (report === undefined) return 0;
  await printReport(report, context.globals, context.io);
  return report.exitCode ?? 0;
}

function readOption({ name, value, values, many }: OptionSpec, given: GivenOptions): UtilityCall['options'][string] {
  const texts = given.get(name);
  if (texts === undefined) return undefined;
  if (value === undefined) return true;
  const unknown = texts.find((text) => values !== undefined && !values.includes(text));
  if (values !== undefined && unknown !== undefined) {
    const advice = didYouMean(unknown, values);
    throw new Failure(
      'usage',
      `Unknown value ${quote(unknown)} for --${name}.${advice} Use ${formatAlternatives(values)}.`,
    );
  }
  if (many === true) return texts;
  if (texts.length > 1) throw new Failure('usage', `--${name} was given ${texts.length} times; give it once.`);
  return texts[0];
}
