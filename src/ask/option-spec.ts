/** Options and arguments of a command as data: the parser, help and completion are made from them. */

export interface OptionSpec {
  /** Without dashes, kebab-case: `from`, `no-auth`. */
  readonly name: string;
  readonly short?: string;
  /** What the value is called in help (`dir`); a flag has none. */
  readonly value?: string;
  /** The closed set that the value is of, for help and completion. */
  readonly values?: readonly string[];
  /** What completion offers for a list with commas; other names are taken too. */
  readonly offered?: readonly string[];
  /** Whether the value may be left out. */
  readonly optional?: boolean;
  /** Whether it may be given several times. */
  readonly many?: boolean;
  /** Accepted, but not listed. */
  readonly hidden?: boolean;
  readonly help: string;
}

export interface ArgumentSpec {
  readonly name: string;
  readonly help: string;
  readonly optional?: boolean;
  /** Takes all that follow; must be the last. */
  readonly many?: boolean;
  /** The closed set that it is of, for help and completion. */
  readonly values?: readonly string[];
}

/** Every value given, in order, by option name; a flag has one empty text. */
export type GivenOptions = ReadonlyMap<string, readonly string[]>;

export interface ParsedArguments {
  readonly args: readonly string[];
  /** The command's own options, then those of every command. */
  readonly options: GivenOptions;
}

/** The name of a parameter of the interface on the command line: `as_of` is `--as-of`. */
export const kebab = (parameter: string): string => parameter.replaceAll('_', '-');

/** `-o, --output <format>`. */
export function flagsOf({ name, short, value, optional }: OptionSpec): string {
  const long = `--${name}${value === undefined ? '' : optional === true ? ` [${value}]` : ` <${value}>`}`;
  return short === undefined ? long : `-${short}, ${long}`;
}

/** `<ticker...>`, `[date]`. */
export function argumentText({ name, many, optional }: ArgumentSpec): string {
  const text = many === true ? `${name}...` : name;
  return optional === true ? `[${text}]` : `<${text}>`;
}

/** `fin metrics <ticker...> [options]`. */
export const usageOf = (name: string, args: readonly ArgumentSpec[]): string =>
  ['fin', name, ...args.map(argumentText), '[options]'].join(' ');
