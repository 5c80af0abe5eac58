/** Options and arguments of one command, read by commander; only this command's options are ever built. */
import { Command, CommanderError, Option } from 'commander';
import { Failure } from '../../contract/failure.ts';
import type { OptionSpec } from './option-spec.ts';

export interface ParsedArguments {
  readonly args: readonly string[];
  /** Every value given, in order, by option name; a switch has one empty text. */
  readonly options: ReadonlyMap<string, readonly string[]>;
}

export function parseOptions(specs: readonly OptionSpec[], argv: readonly string[], name: string): ParsedArguments {
  const options = new Map<string, string[]>();
  const parser = new Command()
    .exitOverride()
    .configureOutput({ writeOut: () => undefined, writeErr: () => undefined })
    .helpOption(false)
    .argument('[args...]')
    .action(() => undefined);
  for (const { name, short, value, optional } of onTheLine(specs, argv)) {
    const flags = `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : optional === true ? ` [${value}]` : ` <${value}>`}`;
    const option = new Option(flags);
    // Every occurrence counts: a parameter given twice is a mistake to be named, not a value to be lost.
    parser.addOption(option);
    parser.on(`option:${option.name()}`, (text: string | null) => {
      options.set(name, [...(options.get(name) ?? []), text ?? '']);
    });
  }
  try {
    parser.parse([...argv], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    throw new Failure('usage', sentence(error.message), { hint: `Try: fin ${name} --help`.replace('  ', ' ') });
  }
  return { args: parser.args, options };
}

/**
 * The options that the line names; all of them where it has anything else that looks like one, which commander then
 * explains. Making thirty options takes longer than reading the three that are given.
 */
function onTheLine(specs: readonly OptionSpec[], argv: readonly string[]): readonly OptionSpec[] {
  const words = argv.filter((word) => /^-./.test(word)).map((word) => word.split('=', 1)[0] ?? word);
  const flagsOf = ({ name, short }: OptionSpec) => [`--${name}`, ...(short === undefined ? [] : [`-${short}`])];
  const named = specs.filter((spec) => flagsOf(spec).some((flag) => words.includes(flag)));
  const known = named.flatMap(flagsOf);
  return words.every((word) => known.includes(word)) ? named : specs;
}

/** commander writes "error: unknown option '--wher'\n(Did you mean --where?)". */
function sentence(message: string): string {
  const [first = '', ...rest] = message.replace(/^error: /, '').split('\n');
  const said = `${first.charAt(0).toUpperCase()}${first.slice(1)}.`;
  return [said, ...rest.map((line) => line.replace(/^\(|\)$/g, ''))].join(' ');
}
