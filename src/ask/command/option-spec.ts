/** Options and arguments of a command, from which the parser, help and completion are derived. */

export interface OptionSpec {
  /** Name in kebab-case without dashes: `from`, `no-auth`. */
  readonly name: string;
  readonly short?: string;
  /** Placeholder of the value in help, such as `dir`; absent for a flag. */
  readonly value?: string;
  /** All valid values, for help and completion. */
  readonly values?: readonly string[];
  /** Values that completion suggests for a comma-separated list; other values are valid too. */
  readonly offered?: readonly string[];
  /** Whether the value is optional. */
  readonly optional?: boolean;
  /** Whether the option may be repeated. */
  readonly many?: boolean;
  /** Whether the option is accepted but not listed in help and completion. */
  readonly hidden?: boolean;
  readonly help: string;
}

export interface ArgumentSpec {
  readonly name: string;
  readonly help: string;
  readonly optional?: boolean;
  /** Whether the argument takes all remaining words; only valid for the last argument. */
  readonly many?: boolean;
  /** All valid values, for help and completion. */
  readonly values?: readonly string[];
}

/** Values by option name, in the order given; a flag has one empty text as its value. */
export type GivenOptions = ReadonlyMap<string, readonly string[]>;

export interface ParsedArguments {
  readonly args: readonly string[];
  /** The command's own options, followed by the global options. */
  readonly options: GivenOptions;
}

/** Converts a parameter's name to an option name: `as_of` becomes `as-of`. */
export const toKebabCase = (parameter: string): string => parameter.replaceAll('_', '-');

/** Returns an option's declaration, such as `-o, --output <format>`. */
export function formatFlags({ name, short, value, optional }: OptionSpec): string {
  const long = `--${name}${value === undefined ? '' : optional === true ? ` [${value}]` : ` <${value}>`}`;
  return short === undefined ? long : `-${short}, ${long}`;
}

/** Returns an argument's placeholder, such as `<ticker...>` or `[date]`. */
export function formatArgument({ name, many, optional }: ArgumentSpec): string {
  const text = many === true ? `${name}...` : name;
  return optional === true ? `[${text}]` : `<${text}>`;
}

/** Returns a command's syntax, such as `fin metrics <ticker...> [options]`. */
export const formatUsage = (name: string, args: readonly ArgumentSpec[]) =>
  ['fin', name, ...args.map(formatArgument), '[options]'].join(' ');
