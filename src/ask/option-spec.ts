/** Options and arguments of a command as data, from which parser, help and completion are made. */

export interface OptionSpec {
  /** In kebab-case without dashes: `from`, `no-auth`. */
  readonly name: string;
  readonly short?: string;
  /** The name of the value in help (`dir`); absent for a flag. */
  readonly value?: string;
  /** The closed set of values, for help and completion. */
  readonly values?: readonly string[];
  /** Values that completion suggests for a comma-separated list; others are accepted too. */
  readonly offered?: readonly string[];
  /** Whether the value is optional. */
  readonly optional?: boolean;
  /** Whether the option may be repeated. */
  readonly many?: boolean;
  /** Accepted, but not listed. */
  readonly hidden?: boolean;
  readonly help: string;
}

export interface ArgumentSpec {
  readonly name: string;
  readonly help: string;
  readonly optional?: boolean;
  /** Takes all remaining arguments; must be the last. */
  readonly many?: boolean;
  /** The closed set of values, for help and completion. */
  readonly values?: readonly string[];
}

/** All given values by option name, in order; a flag has one empty text. */
export type GivenOptions = ReadonlyMap<string, readonly string[]>;

export interface ParsedArguments {
  readonly args: readonly string[];
  /** The command's own options, then those of every command. */
  readonly options: GivenOptions;
}

/** Returns a parameter's name on the command line: `as_of` becomes `--as-of`. */
export const kebab = (parameter: string): string => parameter.replaceAll('_', '-');

/** `-o, --output <format>`. */
export function flagsOf({ name, short, value, optional }: OptionSpec): string {
  const longOption = `--${name}${value === undefined ? '' : optional === true ? ` [${value}]` : ` <${value}>`}`;
  return short === undefined ? longOption : `-${short}, ${longOption}`;
}

/** `<ticker...>`, `[date]`. */
export function argumentText({ name, many, optional }: ArgumentSpec): string {
  const text = many === true ? `${name}...` : name;
  return optional === true ? `[${text}]` : `<${text}>`;
}

/** `fin metrics <ticker...> [options]`. */
export const usageOf = (name: string, args: readonly ArgumentSpec[]): string =>
  ['fin', name, ...args.map(argumentText), '[options]'].join(' ');
