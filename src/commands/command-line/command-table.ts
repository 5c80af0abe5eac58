/** The type of the table of commands, and look-ups by a command's name. `cli.ts` joins the tables of two rooms. */
import type { QuestionCommand } from '../../ask/command/command.ts';
import type { ArgumentSpec, OptionSpec } from '../../ask/command/option-spec.ts';
import { listQuestionArguments, listQuestionOptions } from '../../ask/command/options.ts';
import { Failure } from '../../contract/failure.ts';
import { didYouMean } from '../../contract/nearest.ts';
import type { Operation } from '../../contract/operations.ts';
import { quote } from '../../contract/text/quote.ts';
import { FLAG_FORMAT_NAMES, FORMATS } from '../../render/formats.ts';
import { GLOBAL_OPTIONS, type GlobalOption } from './global-options.ts';
import type { UtilityCommand } from './utility.ts';

export type CommandEntry =
  | {
      readonly kind: 'question';
      readonly summary: string;
      /** The group of the question in help. */
      readonly tag: Operation['tag'];
      readonly load: () => Promise<QuestionCommand>;
    }
  | { readonly kind: 'utility'; readonly summary: string; readonly load: () => Promise<UtilityCommand> };

/** Returns the entry of a utility, by its name in the module that is loaded on first use. */
export const utility = <Name extends string = 'default'>(
  summary: string,
  open: () => Promise<Readonly<Record<NoInfer<Name>, UtilityCommand>>>,
  name = 'default' as Name,
): CommandEntry => ({ kind: 'utility', summary, load: async () => (await open())[name] });

/** Commands by the words after `fin`, in the order of help. */
export type CommandTable = Readonly<Record<string, CommandEntry>>;

export type LoadedCommand = { readonly arguments: readonly ArgumentSpec[]; readonly options: readonly OptionSpec[] } & (
  | { readonly kind: 'question'; readonly definition: QuestionCommand }
  | { readonly kind: 'utility'; readonly utility: UtilityCommand }
);

/** Loads a command. Throws a usage Failure with suggestions if the name is unknown. */
export async function loadCommand(table: CommandTable, name: string): Promise<LoadedCommand> {
  const entry = requireEntry(table, name);
  if (entry.kind === 'question') {
    const definition = await entry.load();
    const options = [...listQuestionOptions(definition), ...listFormatOptions(definition.hasCharts === true)];
    return { kind: 'question', definition, arguments: listQuestionArguments(definition), options };
  }
  const utility = await entry.load();
  return { kind: 'utility', utility, arguments: utility.args ?? [], options: utility.options ?? [] };
}

/** Returns the global options that apply to a command, except those that the command itself declares. */
export function listGlobals(command: LoadedCommand): readonly GlobalOption[] {
  const isLocal = command.kind === 'utility' && command.utility.local === true;
  const ownNames = new Set(command.options.map(({ name }) => name));
  return GLOBAL_OPTIONS.filter(({ name, group }) => !(isLocal && group === 'service') && !ownNames.has(name));
}

/** Returns a command's summary without loading the command. */
export const findSummary = (table: CommandTable, name: string): string => requireEntry(table, name).summary;

function requireEntry(table: CommandTable, name: string): CommandEntry {
  const entry = Object.hasOwn(table, name) ? table[name] : undefined;
  if (entry === undefined) throw makeUnknownCommandFailure(table, name);
  return entry;
}

export const makeUnknownCommandFailure = (table: CommandTable, name: string): Failure =>
  new Failure('usage', `Unknown command ${quote(name)}.${formatCommandSuggestion(table, name)}`, {
    hint: 'fin --help lists the commands.',
  });

/** Command names that users know from other programs, with the equivalent in fin. */
const COMMAND_EQUIVALENTS: Readonly<Record<string, string>> = {
  version: 'fin --version',
  quote: 'fin prices <ticker>, or fin quota',
  text: 'fin read <ticker>',
};

function formatCommandSuggestion(table: CommandTable, name: string): string {
  if (Object.hasOwn(COMMAND_EQUIVALENTS, name)) return ` Did you mean ${COMMAND_EQUIVALENTS[name]}?`;
  const names = Object.keys(table);
  const isFirstWord = names.some((other) => other.split(' ')[0] === name.toLowerCase());
  // Command names are lowercase, and users mostly type tickers in capitals.
  if (!isFirstWord && /^[A-Z][A-Z0-9.-]{0,5}$/.test(name)) return ` Did you mean fin metrics ${name}?`;
  return didYouMean(name, names);
}

/**
 * Returns the options for formats that write files or draw charts.
 * @param canDraw whether the command has charts
 */
export function listFormatOptions(canDraw: boolean): readonly OptionSpec[] {
  const formatNames = FLAG_FORMAT_NAMES.filter((name) => canDraw || FORMATS[name].flag?.showsCharts === false);
  return [
    ...formatNames.map((name): OptionSpec => {
      const { help, flag } = FORMATS[name];
      const value = flag?.extensionPattern == null ? {} : { value: 'file' };
      return { name, help, ...value, ...(flag?.optional === true ? { optional: true } : {}) };
    }),
    ...(canDraw ? [NO_CHART_OPTION] : []),
  ];
}

const NO_CHART_OPTION: OptionSpec = {
  name: 'no-chart',
  help: 'Print only the table; on a terminal, "fin prices" otherwise shows a chart above it',
};
