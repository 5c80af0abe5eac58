/**
 * Parses the command line, with commander's syntax of options. Reads the global options first: they decide how errors in
 * the other arguments are reported. Loads only the command that is named.
 */
import { Command, Option } from 'commander';
import type { ArgumentSpec, OptionSpec, ParsedArguments } from '../../ask/command/option-spec.ts';
import { formatFlags, formatUsage } from '../../ask/command/option-spec.ts';
import { explainAbsence } from '../../contract/absent-words.ts';
import { Failure } from '../../contract/failure.ts';
import { findNearest } from '../../contract/nearest.ts';
import { formatAlternatives, quote } from '../../contract/text/quote.ts';
import { type CommandTable, type LoadedCommand, loadCommand, makeUnknownCommandFailure } from './command-table.ts';
import { GLOBAL_OPTIONS } from './global-options.ts';

export interface CommandLine extends ParsedArguments {
  /** The words of the command: `data build`, `data` if only the group is named, `help`, an unknown word, or empty. */
  readonly name: string;
  /** The loaded command; null for a group of commands, for `help`, and if the command line names no command. */
  readonly command: LoadedCommand | null;
  /** The reason why the command line cannot be run, or null. */
  readonly failure: Failure | null;
}

/** Returns user errors in `failure` instead of throwing them. */
export async function readCommandLine(table: CommandTable, argv: readonly string[]): Promise<CommandLine> {
  const { line, hasMisplacedOption } = await parseArgv(table, argv);
  const reordered = hasMisplacedOption ? await moveCommandFirst(table, argv) : null;
  return reordered === null ? line : (await parseArgv(table, reordered)).line;
}

/** Parses the command line. Also returns whether an option comes before the command to which it may belong. */
async function parseArgv(table: CommandTable, argv: readonly string[]) {
  const globals: OptionTexts = new Map();
  const options: OptionTexts = new Map();
  let name = '';
  let command: LoadedCommand | null = null;
  let args: readonly string[] = [];
  let failure: Failure | null = null;
  let hasMisplacedOption = false;
  try {
    const { operands, unknown } = readOptions(argv, GLOBAL_OPTIONS, globals, false);
    const words = findCommandWords(table, operands);
    name = words.join(' ');
    // A word that contains a space, as in `fin "data build"`, names no command.
    const isCommand = Object.hasOwn(table, name) && words.every((word) => !word.includes(' '));
    command = isCommand ? await loadCommand(table, name) : null;
    const remainder = readOptions(unknown, command?.options ?? [], options, isCommand || name === 'help');
    args = [...operands.slice(words.length), ...remainder.operands, ...remainder.unknown];
    const [flag] = remainder.unknown;
    const members = Object.keys(table).filter((other) => other.startsWith(`${name} `));
    if (operands.length > 0 && command === null && members.length === 0 && name !== 'help')
      failure = makeUnknownCommandFailure(table, name.trim());
    else if (flag !== undefined) {
      failure = makeUnknownOptionFailure(flag, name, command?.options ?? []);
      hasMisplacedOption = command === null;
    } else if (command !== null) failure = findArgumentsFailure(name, command, { args, options });
    else if (members.length > 0)
      failure = makeFailure(`fin ${name} needs a subcommand: ${members.join(', ')}.`, `Try: fin help ${name}`);
  } catch (error) {
    if (!(error instanceof MissingValueError)) throw error;
    const usage = error.flags.split(', ').at(-1) ?? '';
    failure = makeFailure(`${usage.split(' ')[0]} needs a value: ${usage}.`, makeHelpHint(name));
  }
  const line: CommandLine = { name, command, args, options: new Map([...options, ...globals]), failure };
  return { line, hasMisplacedOption };
}

type OptionTexts = Map<string, readonly string[]>;

const makeFailure = (text: string, hint: string) => new Failure('usage', text, { hint });

const makeHelpHint = (name: string) => `Try: ${['fin', name, '--help'].filter((word) => word !== '').join(' ')}`;

/**
 * Returns the words that name a command, a group or `help`, or an unknown command; empty without words. `fin data help`
 * names only the group.
 */
function findCommandWords(table: CommandTable, operands: readonly string[]): readonly string[] {
  const [first, second] = operands;
  const isGroup = Object.keys(table).some((name) => name.startsWith(`${first} `));
  return operands.slice(0, isGroup && second !== 'help' ? 2 : 1);
}

/** Thrown if an option lacks its value; `flags` is its declaration, such as `-o, --output <format>`. */
class MissingValueError extends Error {
  constructor(readonly flags: string) {
    super(flags);
  }
}

/** Parses options with commander, which is used for nothing else: it prints nothing, and knows no commands. */
class OptionParser extends Command {
  optionMissingArgument({ flags }: Option): never {
    throw new MissingValueError(flags);
  }
}

/**
 * Parses options, and adds their values to `texts`: every value of a repeated option, because a parameter given twice
 * must be reported as an error. Declares only the options that may be named, because declaring all of them takes longer
 * than parsing. Returns the words before the first unknown option, and the words from there on. A negative number is a
 * word if `takesNumbers`, otherwise an unknown option.
 */
function readOptions(argv: readonly string[], specs: readonly OptionSpec[], texts: OptionTexts, takesNumbers: boolean) {
  const parser = new OptionParser();
  // Adds a subcommand, because commander accepts a negative number as a word only for a command without subcommands.
  if (!takesNumbers) parser.command('any');
  for (const spec of specs.filter((candidate) => mayNameOption(argv, candidate))) {
    const option = new Option(formatFlags(spec));
    parser.addOption(option).on(`option:${option.name()}`, (text: string | null | undefined) => {
      if (text === '' && isPathPlaceholder(spec.value)) throw new MissingValueError(option.flags);
      texts.set(spec.name, [...(texts.get(spec.name) ?? []), text ?? '']);
    });
  }
  return parser.parseOptions(addEmptyValues(argv, specs));
}

/** Whether a value is a path. An empty path comes from an unset variable of a shell, so it counts as missing. */
const isPathPlaceholder = (placeholder: string | undefined): boolean =>
  placeholder === 'file' || placeholder === 'dir' || placeholder === 'directory';

/** Whether an argument may name the option, alone or in a group of short options such as `-qv`. */
const mayNameOption = (argv: readonly string[], { name, short }: OptionSpec): boolean =>
  argv.some(
    (word) =>
      word.startsWith(`--${name}`) ||
      (short !== undefined && word.startsWith('-') && !word.startsWith('--') && word.includes(short)),
  );

/**
 * Changes `--collapse AAPL` to `--collapse= AAPL`, because AAPL is not a value of `--collapse`, but a company. Applies
 * to options with an optional value from a list.
 */
function addEmptyValues(argv: readonly string[], specs: readonly OptionSpec[]): string[] {
  const values = new Map(specs.flatMap((spec) => (spec.optional === true ? [[`--${spec.name}`, spec.values]] : [])));
  const endOfOptions = argv.indexOf('--');
  return argv.map((word, index) => {
    const allowedValues = endOfOptions === -1 || index < endOfOptions ? values.get(word) : undefined;
    return allowedValues === undefined || allowedValues.includes(argv[index + 1] ?? '') ? word : `${word}=`;
  });
}

/**
 * Moves the command's words to the front if an option of the command precedes them (`fin --where roe:gt:20% screen`),
 * because commander must know whether the option takes a value. Returns null if no command is named, or if the options
 * cannot be parsed.
 */
async function moveCommandFirst(table: CommandTable, argv: readonly string[]): Promise<readonly string[] | null> {
  // If several options have one name, the last one counts, so the named command's options come last.
  const isNamed = (name: string) => name.split(' ').every((word) => argv.includes(word));
  const names = Object.keys(table).toSorted((a, b) => Number(isNamed(a)) - Number(isNamed(b)));
  const commands = await Promise.all(names.map((name) => loadCommand(table, name)));
  const specs = [...GLOBAL_OPTIONS, ...commands.flatMap(({ options }) => options)];
  const texts: OptionTexts = new Map();
  try {
    const allSpecs = [...new Map(specs.map((spec) => [spec.name, spec])).values()];
    const { operands, unknown } = readOptions(argv, allSpecs, texts, true);
    const commandWords = findCommandWords(table, operands);
    if (!names.includes(commandWords.join(' '))) return null;
    const words = [...texts].flatMap(([option, values]) =>
      values.map((text) => (text === '' ? `--${option}` : `--${option}=${text}`)),
    );
    return [...commandWords, ...words, ...unknown, '--', ...operands.slice(commandWords.length)];
  } catch (error) {
    if (error instanceof MissingValueError) return null;
    throw error;
  }
}

function makeUnknownOptionFailure(word: string, name: string, options: readonly OptionSpec[]): Failure {
  const [flag = ''] = word.split('=');
  const hint = HINT_BY_FOREIGN_OPTION[flag];
  if (hint !== undefined) return makeFailure(`Unknown option ${quote(flag)}.`, hint);
  const visibleOptions = [...options, ...GLOBAL_OPTIONS].filter(({ hidden }) => hidden !== true);
  const bareFlag = flag.replace(/^--?/, '');
  const names = visibleOptions.map((option) => option.name);
  const [nearest] = findNearest(bareFlag, names);
  const advice = explainAbsence(bareFlag, []) ?? (nearest === undefined ? '' : `Did you mean --${nearest}?`);
  return makeFailure(`Unknown option ${quote(flag)}. ${advice}`.trimEnd(), makeHelpHint(name));
}

/** Returns the Failure for a missing argument or an argument too many; null if the arguments fit. */
function findArgumentsFailure(name: string, command: LoadedCommand, { args, options }: ParsedArguments) {
  const { arguments: specs } = command;
  if (specs.some(({ optional }, index) => optional !== true && args[index] === undefined))
    return makeMissingArgumentFailure(name, command, { args, options });
  if (args.length > specs.length && specs.at(-1)?.many !== true) {
    const text = `Unexpected argument ${quote(`${args[specs.length]}`)}.`;
    return makeFailure(text, `Usage: ${formatUsage(name, specs)}`);
  }
  const index = args.findIndex((word, index) => word === '' && isPathPlaceholder(specs[index]?.name));
  return index < 0 ? null : makeMissingArgumentFailure(name, command, { args: args.slice(0, index), options });
}

function makeMissingArgumentFailure(name: string, command: LoadedCommand, parsed: ParsedArguments): Failure {
  const text = `fin ${name} needs ${describeMissingArgument(command.arguments[parsed.args.length])}.`;
  return makeFailure(text, explainTakenValue(command, parsed) ?? `Usage: ${formatUsage(name, command.arguments)}`);
}

/** Options that users know from other programs, with the equivalent in fin. */
const HINT_BY_FOREIGN_OPTION: Readonly<Record<string, string>> = {
  '--format': 'To choose a format: --output csv (or json, ndjson, tsv, md).',
  '--jq': 'To use jq: fin … --json | jq',
  '--paginate': 'To get all rows: --all',
  '--watch': 'To repeat a command, run it from cron with --if-changed, or --new for filings.',
  '--text': 'To read a filing: fin read <ticker>. To open a filing at the SEC: fin open <accession>',
};

function describeMissingArgument(argument: ArgumentSpec | undefined): string {
  if (argument === undefined) throw new Error('the missing argument is unknown');
  const noun = argument.name.replaceAll('-', ' ');
  const list = argument.values === undefined ? '' : `: ${formatAlternatives(argument.values)}`;
  return `${/^[aeio]/i.test(noun) ? 'an' : 'a'} ${noun}${list}`;
}

/** Returns a hint if an option with an optional value consumed the missing argument, as in `--svg AAPL`; else null. */
function explainTakenValue({ options }: LoadedCommand, { options: givenOptions }: ParsedArguments): string | null {
  const taker = options.find(({ name, optional }) => optional === true && (givenOptions.get(name)?.[0] ?? '') !== '');
  if (taker === undefined) return null;
  return `--${taker.name} took ${quote(`${givenOptions.get(taker.name)?.[0]}`)} as its ${taker.value}. To avoid that, put --${taker.name} last.`;
}
