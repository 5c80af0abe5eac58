/**
 * Parses the command line with commander. Reads the global options first: they decide how errors in the other arguments
 * are reported. Declares a command's own options only if that command is named.
 */
import { Command, CommanderError, Option } from 'commander';
import type { ArgumentSpec, GivenOptions, OptionSpec, ParsedArguments } from '../../ask/command/option-spec.ts';
import { formatArgument, formatFlags, formatUsage } from '../../ask/command/option-spec.ts';
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

/** Also returns whether an option comes before the command to which it may belong. */
async function parseArgv(table: CommandTable, argv: readonly string[]) {
  const program = makeCommand('fin');
  const globals = addOptions(program, argv, GLOBAL_OPTIONS);
  const path: Command[] = [];
  let command: LoadedCommand | null = null;
  let options: GivenOptions = new Map();
  const declare = async (_: Command, named: Command) => {
    path.push(named);
    if (named.name() === 'help') named.argument('[topic...]');
    if (named.commands.length > 0 || named.name() === 'help') return;
    command = await loadCommand(table, joinCommandNames(path));
    for (const argument of command.arguments) named.argument(formatArgument(argument));
    options = addOptions(named, argv, command.options);
  };
  addCommands(program, Object.keys(table), argv, declare);
  let [failure, isMisplaced]: [Failure | null, boolean] = [null, false];
  let unknown: string | undefined;
  try {
    await program.parseAsync([...argv], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    const { args } = path.at(-1) ?? program;
    if (error.code === 'commander.unknownCommand') unknown = args[0];
    else failure = toFailure(error, table, { name: joinCommandNames(path), command, args, options });
    isMisplaced = command === null && error.code === 'commander.unknownOption';
  }
  const name = [joinCommandNames(path), unknown].join(' ').trim();
  if (unknown !== undefined) failure = makeUnknownCommandFailure(table, name);
  const args = path.at(-1)?.args ?? [];
  const emptyIndex = args.findIndex((word, index) => word === '' && isPathPlaceholder(command?.arguments[index]?.name));
  if (command !== null && emptyIndex >= 0)
    failure ??= makeMissingArgumentFailure(name, command, { args: args.slice(0, emptyIndex), options });
  const line: CommandLine = { name, command, args, options: new Map([...options, ...globals]), failure };
  return { line, hasMisplacedOption: isMisplaced };
}

const joinCommandNames = (commands: readonly Command[]): string => commands.map((named) => named.name()).join(' ');

/** A commander error that names the option in a field: commander's own errors name the option only in their message. */
class OptionError extends CommanderError {
  constructor(
    code: 'commander.unknownOption' | 'commander.optionMissingArgument',
    /** The unknown option as typed, or the declared flags of the option whose value is missing. */
    readonly option: string,
  ) {
    super(2, code, option);
  }
}

class ThrowingCommand extends Command {
  override createCommand(name?: string): ThrowingCommand {
    return new ThrowingCommand(name);
  }

  unknownOption(flag: string): never {
    throw new OptionError('commander.unknownOption', flag);
  }

  optionMissingArgument({ flags }: Option): never {
    throw new OptionError('commander.optionMissingArgument', flags);
  }
}

const makeCommand = (name: string): Command =>
  new ThrowingCommand(name)
    .exitOverride()
    // Prints nothing; commander's defaults would load node:tty to read the terminal's width and colors.
    .configureOutput({
      ...{ writeOut: () => undefined, getOutHelpWidth: () => 80, getOutHasColors: () => false },
      ...{ writeErr: () => undefined, getErrHelpWidth: () => 80, getErrHasColors: () => false },
    })
    // Our own help pages are made from the commands' data, so commander's formatter is disabled.
    .configureHelp({ formatHelp: () => '' })
    .helpOption(false)
    .helpCommand(false);

type Declare = (parent: Command, namedCommand: Command) => Promise<void>;

/**
 * Declares `help` and the commands that the command line may name. Declaring all commands takes longer than parsing.
 */
function addCommands(program: Command, names: readonly string[], argv: readonly string[], declare: Declare): void {
  program.hook('preSubcommand', declare);
  for (const name of [...names, 'help']) {
    const [groupName = '', member] = name.split(' ');
    if (!argv.includes(groupName) && groupName !== 'help') continue;
    if (member === undefined) program.command(groupName).action(() => undefined);
    else {
      const existing = program.commands.find((known) => known.name() === groupName);
      const group = existing ?? program.command(groupName).hook('preSubcommand', declare);
      group.command(member).action(() => undefined);
    }
  }
}

/**
 * Declares only the options that the command line may name, because declaring all of them takes longer than parsing.
 * Collects every value of a repeated option, because a parameter given twice must be reported as an error.
 */
function addOptions(command: Command, argv: readonly string[], specs: readonly OptionSpec[]): GivenOptions {
  const texts = new Map<string, readonly string[]>();
  for (const spec of specs.filter((candidate) => mayNameOption(argv, candidate))) {
    const option = new Option(formatFlags(spec));
    command.addOption(option).on(`option:${option.name()}`, (text: string | null | undefined) => {
      if (text === '' && isPathPlaceholder(spec.value))
        throw new OptionError('commander.optionMissingArgument', option.flags);
      texts.set(spec.name, [...(texts.get(spec.name) ?? []), text ?? '']);
    });
  }
  const parse = command.parseOptions.bind(command);
  command.parseOptions = (argv) => parse(addEmptyValues(argv, specs));
  return texts;
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
  const equals = argv.indexOf('--');
  return argv.map((word, index) => {
    const allowed = equals === -1 || index < equals ? values.get(word) : undefined;
    return allowed === undefined || allowed.includes(argv[index + 1] ?? '') ? word : `${word}=`;
  });
}

/**
 * Moves the command's words to the front if an option of the command precedes them (`fin --where roe:gt:20% screen`),
 * because commander must know whether the option takes a value. Returns null if no command is named, or if the options
 * cannot be parsed.
 */
async function moveCommandFirst(table: CommandTable, argv: readonly string[]): Promise<readonly string[] | null> {
  // The last of several options with one name counts: that of the command which the command line names.
  const isNamed = (name: string) => name.split(' ').every((word) => argv.includes(word));
  const names = Object.keys(table).toSorted((a, b) => Number(isNamed(a)) - Number(isNamed(b)));
  const commands = await Promise.all(names.map((name) => loadCommand(table, name)));
  const specs = [...GLOBAL_OPTIONS, ...commands.flatMap(({ options }) => options)];
  const parser = makeCommand('fin');
  const textsByOptionName = addOptions(parser, argv, [...new Map(specs.map((spec) => [spec.name, spec])).values()]);
  try {
    const { operands, unknown } = parser.parseOptions([...argv]);
    const [first = '', second] = operands;
    const wordCount = names.includes(first) ? 1 : names.includes(`${first} ${second}`) ? 2 : 0;
    if (wordCount === 0) return null;
    const words = [...textsByOptionName].flatMap(([option, texts]) =>
      texts.map((text) => (text === '' ? `--${option}` : `--${option}=${text}`)),
    );
    return [...operands.slice(0, wordCount), ...words, ...unknown, '--', ...operands.slice(wordCount)];
  } catch (error) {
    if (error instanceof CommanderError) return null;
    throw error;
  }
}

/** Returns the Failure for a commander error; null if the only fault is a missing command name. */
function toFailure(error: CommanderError, table: CommandTable, line: Omit<CommandLine, 'failure'>): Failure | null {
  const { name, command } = line;
  const makeFailure = (text: string, hint: string) => new Failure('usage', text, { hint });
  if (error.code === 'commander.help') {
    if (name === '') return null;
    const members = Object.keys(table).filter((other) => other.startsWith(`${name} `));
    return makeFailure(`fin ${name} needs a subcommand: ${members.join(', ')}.`, `Try: fin help ${name}`);
  }
  if (command !== null && error.code === 'commander.missingArgument')
    return makeMissingArgumentFailure(name, command, line);
  if (command !== null && error.code === 'commander.excessArguments') {
    const text = `Unexpected argument ${quote(`${line.args[command.arguments.length]}`)}.`;
    return makeFailure(text, `Usage: ${formatUsage(name, command.arguments)}`);
  }
  const helpHint = `Try: ${['fin', name, '--help'].filter((word) => word !== '').join(' ')}`;
  if (!(error instanceof OptionError)) return makeFailure(error.message, helpHint);
  if (error.code === 'commander.optionMissingArgument') {
    // Commander reports flags as declared, for example "-o, --output <format>".
    const usage = error.option.split(', ').at(-1) ?? '';
    return makeFailure(`${usage.split(' ')[0]} needs a value: ${usage}.`, helpHint);
  }
  const [flag = ''] = error.option.split('=');
  const hint = HINT_BY_FOREIGN_OPTION[flag];
  if (hint !== undefined) return makeFailure(`Unknown option ${quote(flag)}.`, hint);
  const visible = [...(command?.options ?? []), ...GLOBAL_OPTIONS].filter(({ hidden }) => hidden !== true);
  const word = flag.replace(/^--?/, '');
  const names = visible.map((option) => option.name);
  const [nearest] = findNearest(word, names);
  const advice = explainAbsence(word, []) ?? (nearest === undefined ? '' : `Did you mean --${nearest}?`);
  return makeFailure(`Unknown option ${quote(flag)}. ${advice}`.trimEnd(), helpHint);
}

function makeMissingArgumentFailure(name: string, command: LoadedCommand, parsed: ParsedArguments): Failure {
  const text = `fin ${name} needs ${describeMissingArgument(command.arguments[parsed.args.length])}.`;
  const usageText = `Usage: ${formatUsage(name, command.arguments)}`;
  return new Failure('usage', text, { hint: explainTakenValue(command, parsed) ?? usageText });
}

/** Options that users know from other programs, with the equivalent in fin. */
const HINT_BY_FOREIGN_OPTION: Readonly<Record<string, string>> = {
  '--format': 'To choose a format: --output csv (or json, ndjson, tsv, md).',
  '--jq': 'To use jq: fin … --json | jq',
  '--paginate': 'To get all rows: --all',
  '--watch': 'To repeat a command, run it from cron with --if-changed, or --new for filings.',
  '--text': 'fin does not have the text of filings. To read a filing at the SEC: fin open <accession>',
};

function describeMissingArgument(argument: ArgumentSpec | undefined): string {
  if (argument === undefined) throw new Error('the missing argument is unknown');
  const noun = argument.name.replaceAll('-', ' ');
  const list = argument.values === undefined ? '' : `: ${formatAlternatives(argument.values)}`;
  return `${/^[aeio]/i.test(noun) ? 'an' : 'a'} ${noun}${list}`;
}

/** Returns a hint if an option with an optional value consumed the missing argument, as in `--svg AAPL`; else null. */
function explainTakenValue({ options }: LoadedCommand, { options: given }: ParsedArguments): string | null {
  const taker = options.find(({ name, optional }) => optional === true && (given.get(name)?.[0] ?? '') !== '');
  if (taker === undefined) return null;
  return `--${taker.name} took ${quote(`${given.get(taker.name)?.[0]}`)} as its ${taker.value}. To avoid that, put --${taker.name} last.`;
}
