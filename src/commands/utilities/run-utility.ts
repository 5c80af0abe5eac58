/** Runs a utility command, and prints what it reports in the format asked for. */
import { Failure } from '../../contract/failure.ts';
import { didYouMean } from '../../contract/nearest.ts';
import { quote } from '../../contract/quote.ts';
import type { GivenOptions, OptionSpec, ParsedArguments } from '../command-line/option-spec.ts';
import { printReport } from '../report.ts';
import type { UtilityCall, UtilityCommand } from './utility.ts';

export interface UtilityContext extends Omit<UtilityCall, 'args' | 'options'> {
  readonly parsed: ParsedArguments;
}

/** The exit code. Throws a usage Failure for an option's value that is not one of its values. */
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
    const suggestion = didYouMean(unknown, values);
    throw new Failure('usage', `--${name} ${quote(unknown)} is not known.${suggestion} Use ${values.join(', ')}.`);
  }
  if (many === true) return texts;
  if (texts.length > 1) throw new Failure('usage', `--${name} was given ${texts.length} times; give it once.`);
  return texts[0];
}
