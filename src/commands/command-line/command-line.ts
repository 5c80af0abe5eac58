/**
 * Parses the command line with commander. Reads the global options first: they decide how errors in the other arguments
 * are reported. Declares a command's own options only if that command is named.
 */
import { Command, CommanderError, Option } from 'commander';
import {
  type ArgumentSpec,
  formatArgument,
  formatFlags,
  formatUsage,
  type GivenOptions,
  type OptionSpec,
  type ParsedArguments,
} from '../../ask/option-spec.ts';
import { Failure } from '../../contract/failure.ts';
import { findNearest } from '../../contract/text/nearest.ts';
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
  const reorderedArgv = hasMisplacedOption ? await moveCommandFirst(table, argv) : null;
  return reorderedArgv === null ? line : (await parseArgv(table, reorderedArgv)).line;
}

interface ParseOutcome {
  readonly line: CommandLine;
  /** Whether an option comes before the command to which it may belong. */
  readonly hasMisplacedOption: boolean;
}

async function parseArgv(table: CommandTable, argv: readonly string[]): Promise<ParseOutcome> {
  const program = makeCommand('fin');
  const globalOptions = addOptions(program, argv, GLOBAL_OPTIONS);
  const commandPath: Command[] = [];
  let command: LoadedCommand | null = null;
  let options: GivenOptions = new Map();
  const declareCommand = async (_: Command, namedCommand: Command) => {
    commandPath.push(namedCommand);
    if (namedCommand.name() === 'help') namedCommand.argument('[topic...]');
    if (namedCommand.commands.length > 0 || namedCommand.name() === 'help') return;
    command = await loadCommand(table, joinCommandNames(commandPath));
    for (const argument of command.arguments) namedCommand.argument(formatArgument(argument));
    options = addOptions(namedCommand, argv, command.options);
  };
  addCommands(program, Object.keys(table), argv, declareCommand);
  let [failure, hasMisplacedOption]: [Failure | null, boolean] = [null, false];
  let unknownWord: string | undefined;
  try {
    await program.parseAsync([...argv], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    const { args } = commandPath.at(-1) ?? program;
    if (error.code === 'commander.unknownCommand') unknownWord = args[0];
    else failure = toFailure(table, error, joinCommandNames(commandPath), command, { args, options });
    hasMisplacedOption = command === null && error.code === 'commander.unknownOption';
  }
  const name = [joinCommandNames(commandPath), unknownWord].join(' ').trim();
  if (unknownWord !== undefined) failure = makeUnknownCommandFailure(table, name);
  const args = commandPath.at(-1)?.args ?? [];
  const emptyPathIndex = args.findIndex(
    (word, index) => word === '' && isPathPlaceholder(command?.arguments[index]?.name),
  );
  if (command !== null && emptyPathIndex >= 0)
    failure ??= makeMissingArgumentFailure(name, command, { args: args.slice(0, emptyPathIndex), options });
  return {
    line: { name, command, args, options: new Map([...options, ...globalOptions]), failure },
    hasMisplacedOption,
  };
}

const joinCommandNames = (nestedCommands: readonly Command[]): string =>
  nestedCommands.map((namedCommand) => namedCommand.name()).join(' ');

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

function makeCommand(name: string): Command {
  return (
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
      .helpCommand(false)
  );
}

/**
 * Declares `help` and the commands that the command line may name. Declaring all commands takes longer than parsing.
 */
function addCommands(
  program: Command,
  names: readonly string[],
  argv: readonly string[],
  declareCommand: (parent: Command, namedCommand: Command) => Promise<void>,
): void {
  program.hook('preSubcommand', declareCommand);
  for (const name of [...names, 'help']) {
    const [groupName = '', memberName] = name.split(' ');
    if (!argv.includes(groupName) && groupName !== 'help') continue;
    if (memberName === undefined) program.command(groupName).action(() => undefined);
    else {
      const existingGroup = program.commands.find((knownCommand) => knownCommand.name() === groupName);
      const groupCommand = existingGroup ?? program.command(groupName).hook('preSubcommand', declareCommand);
      groupCommand.command(memberName).action(() => undefined);
    }
  }
}

/**
 * Declares only the options that the command line may name, because declaring all of them takes longer than parsing.
 * Collects every value of a repeated option, because a parameter given twice must be reported as an error.
 */
function addOptions(command: Command, argv: readonly string[], specs: readonly OptionSpec[]): GivenOptions {
  const textsByOption = new Map<string, readonly string[]>();
  for (const spec of specs.filter((candidate) => mayNameOption(argv, candidate))) {
    const option = new Option(formatFlags(spec));
    command.addOption(option).on(`option:${option.name()}`, (text: string | null | undefined) => {
      if (text === '' && isPathPlaceholder(spec.value))
        throw new OptionError('commander.optionMissingArgument', option.flags);
      textsByOption.set(spec.name, [...(textsByOption.get(spec.name) ?? []), text ?? '']);
    });
  }
  const parseOptions = command.parseOptions.bind(command);
  command.parseOptions = (argv) => parseOptions(addEmptyValues(argv, specs));
  return textsByOption;
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
  const valuesByFlag = new Map(
    specs.flatMap((spec) => (spec.optional === true ? [[`--${spec.name}`, spec.values]] : [])),
  );
  const separatorIndex = argv.indexOf('--');
  return argv.map((word, index) => {
    const allowedValues = separatorIndex === -1 || index < separatorIndex ? valuesByFlag.get(word) : undefined;
    return allowedValues === undefined || allowedValues.includes(argv[index + 1] ?? '') ? word : `${word}=`;
  });
}

/**
 * Moves the command's words to the front if an option of the command precedes them (`fin --where roe:gt:20% screen`),
 * because commander must know whether the option takes a value. Returns null if no command is named, or if the options
 * cannot be parsed.
 */
async function moveCommandFirst(table: CommandTable, argv: readonly string[]): Promise<readonly string[] | null> {
  const names = Object.keys(table);
  const commands = await Promise.all(names.map((name) => loadCommand(table, name)));
  const specs = [...GLOBAL_OPTIONS, ...commands.flatMap(({ options }) => options)];
  const optionParser = makeCommand('fin');
  const textsByOptionName = addOptions(optionParser, argv, [
    ...new Map(specs.map((spec) => [spec.name, spec])).values(),
  ]);
  try {
    const { operands, unknown } = optionParser.parseOptions([...argv]);
    const [firstOperand = '', secondOperand] = operands;
    const commandWordCount = names.includes(firstOperand)
      ? 1
      : names.includes(`${firstOperand} ${secondOperand}`)
        ? 2
        : 0;
    if (commandWordCount === 0) return null;
    const optionWords = [...textsByOptionName].flatMap(([optionName, texts]) =>
      texts.map((text) => (text === '' ? `--${optionName}` : `--${optionName}=${text}`)),
    );
    return [
      ...operands.slice(0, commandWordCount),
      ...optionWords,
      ...unknown,
      '--',
      ...operands.slice(commandWordCount),
    ];
  } catch (error) {
    if (error instanceof CommanderError) return null;
    throw error;
  }
}

/** Returns the Failure for a commander error; null if the only fault is a missing command name. */
function toFailure(
  table: CommandTable,
  error: CommanderError,
  name: string,
  command: LoadedCommand | null,
  parsedArguments: ParsedArguments,
) {
  const makeUsageFailure = (text: string, hint: string) => new Failure('usage', text, { hint });
  if (error.code === 'commander.help') {
    if (name === '') return null;
    const subcommandNames = Object.keys(table).filter((commandName) => commandName.startsWith(`${name} `));
    return makeUsageFailure(`fin ${name} needs a subcommand: ${subcommandNames.join(', ')}.`, `Try: fin help ${name}`);
  }
  if (command !== null && error.code === 'commander.missingArgument') {
    return makeMissingArgumentFailure(name, command, parsedArguments);
  }
  if (command !== null && error.code === 'commander.excessArguments') {
    const text = `Unexpected argument ${quote(`${parsedArguments.args[command.arguments.length]}`)}.`;
    return makeUsageFailure(text, `Usage: ${formatUsage(name, command.arguments)}`);
  }
  const helpHint = `Try: ${['fin', name, '--help'].filter((word) => word !== '').join(' ')}`;
  if (!(error instanceof OptionError)) return makeUsageFailure(error.message, helpHint);
  if (error.code === 'commander.optionMissingArgument') {
    // Commander reports flags as declared, for example "-o, --output <format>".
    const optionUsage = error.option.split(', ').at(-1) ?? '';
    return makeUsageFailure(`${optionUsage.split(' ')[0]} needs a value: ${optionUsage}.`, helpHint);
  }
  const [flag = ''] = error.option.split('=');
  const visibleOptionSpecs = [...(command?.options ?? []), ...GLOBAL_OPTIONS].filter(({ hidden }) => hidden !== true);
  const [nearestFlag] = findNearest(
    flag.replace(/^--?/, ''),
    visibleOptionSpecs.map((option) => option.name),
  );
  const suggestionText = nearestFlag === undefined ? '' : ` Did you mean --${nearestFlag}?`;
  return makeUsageFailure(
    `Unknown option ${quote(flag)}.${HINT_BY_FOREIGN_OPTION[flag] === undefined ? suggestionText : ''}`,
    HINT_BY_FOREIGN_OPTION[flag] ?? helpHint,
  );
}

function makeMissingArgumentFailure(name: string, command: LoadedCommand, parsedArguments: ParsedArguments): Failure {
  const text = `fin ${name} needs ${describeMissingArgument(command.arguments[parsedArguments.args.length])}.`;
  const usageText = `Usage: ${formatUsage(name, command.arguments)}`;
  return new Failure('usage', text, { hint: explainTakenValue(command, parsedArguments) ?? usageText });
}

/** Options that users know from other programs, with the equivalent in fin. */
const HINT_BY_FOREIGN_OPTION: Readonly<Record<string, string>> = {
  '--format': 'To choose a format: --output csv (or json, ndjson, tsv, md).',
  '--jq': 'To use jq: fin … --json | jq',
  '--paginate': 'To get all rows: --all',
  '--watch': 'To repeat a command, run it from cron with --if-changed.',
  '--text': 'fin does not have the text of filings. To read a filing at the SEC: fin open <accession>',
};

function describeMissingArgument(argument: ArgumentSpec | undefined): string {
  if (argument === undefined) throw new Error('the missing argument is unknown');
  const argumentNoun = argument.name.replaceAll('-', ' ');
  const valuesText = argument.values === undefined ? '' : `: ${formatAlternatives(argument.values)}`;
  return `${/^[aeio]/i.test(argumentNoun) ? 'an' : 'a'} ${argumentNoun}${valuesText}`;
}

/** Returns a hint if an option with an optional value consumed the missing argument, as in `--svg AAPL`; else null. */
function explainTakenValue({ options }: LoadedCommand, { options: givenOptions }: ParsedArguments): string | null {
  const consumingOption = options.find(
    ({ name, optional }) => optional === true && (givenOptions.get(name)?.[0] ?? '') !== '',
  );
  if (consumingOption === undefined) return null;
  return `--${consumingOption.name} took ${quote(`${givenOptions.get(consumingOption.name)?.[0]}`)} as its ${consumingOption.value}. To avoid that, put --${consumingOption.name} last.`;
}
