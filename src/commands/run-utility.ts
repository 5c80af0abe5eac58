/** Runs a utility command, and prints what it reports in the form asked for. */
import type { ClientEvent } from '../client/events.ts';
import { Failure } from '../contract/failure.ts';
import { didYouMean } from '../contract/nearest.ts';
import type { GlobalOptions } from './command-line/global-options.ts';
import type { ParsedArguments } from './command-line/parse.ts';
import type { Connect } from './connection/connection.ts';
import type { Io } from './io.ts';
import type { Ports } from './ports.ts';
import { printReport } from './print-report.ts';
import type { UtilityCall, UtilityCommand } from './utility.ts';
import { withArticle } from './with-article.ts';

export interface UtilityContext {
  readonly parsed: ParsedArguments;
  readonly globals: GlobalOptions;
  readonly io: Io;
  readonly ports: Ports;
  readonly connect: Connect;
  readonly report: (event: ClientEvent) => void;
}

export async function runUtility(
  utility: UtilityCommand,
  { parsed: line, ...context }: UtilityContext,
): Promise<number> {
  checkArguments(utility, line.args);
  const options = Object.fromEntries(utility.options.map(({ name }) => [name, readOption(utility, name, line)]));
  const report = await utility.run({ ...context, args: line.args, options });
  if (report === undefined) return 0;
  await printReport(report, context.globals, context.io);
  return report.exitCode ?? 0;
}

function readOption({ options }: UtilityCommand, name: string, line: ParsedArguments): UtilityCall['options'][string] {
  const texts = line.options.get(name);
  const option = options.find((known) => known.name === name);
  if (texts === undefined || option === undefined) return undefined;
  if (option.value === undefined) return true;
  const { values } = option;
  const foreign = texts.find((text) => values !== undefined && !values.includes(text));
  if (values !== undefined && foreign !== undefined) {
    const suggestion = didYouMean(foreign, values);
    throw new Failure(
      'usage',
      `--${name} ${JSON.stringify(foreign)} is not known.${suggestion} Use ${values.join(', ')}.`,
    );
  }
  if (option.many === true) return texts;
  if (texts.length > 1) throw new Failure('usage', `--${name} was given ${texts.length} times; give it once.`);
  return texts[0];
}

function checkArguments(utility: UtilityCommand, args: readonly string[]): void {
  const needed = utility.args.filter(({ optional }) => optional !== true);
  const absent = needed[args.length];
  if (absent !== undefined) {
    throw new Failure('usage', `fin ${utility.name} needs ${withArticle(absent.name)}: ${absent.help}.`, {
      hint: `fin ${utility.name} --help`,
    });
  }
  const takesMore = utility.args.at(-1)?.many === true;
  if (!takesMore && args.length > utility.args.length) {
    const extra = JSON.stringify(args[utility.args.length]);
    throw new Failure('usage', `${extra} is one argument too many.`, { hint: `fin ${utility.name} --help` });
  }
}
