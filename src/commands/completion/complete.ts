/**
 * `fin __complete`: suggestions for the word at the cursor. Reads only the program's own data and local files, and
 * never sends requests.
 */

import { type OptionSpec, toKebabCase } from '../../ask/command/option-spec.ts';
import { METRICS } from '../../contract/figures.ts';
import type { NamedTicker } from '../../contract/identifiers.ts';
import { getOperation } from '../../contract/operations.ts';
import type { Parameter } from '../../contract/parameters.ts';
import { OPERATORS } from '../../contract/where-clause.ts';
import { sanitize } from '../../render/text/sanitize.ts';
import type { CommandLine, readCommandLine } from '../command-line/command-line.ts';
import { type CommandTable, findSummary, type LoadedCommand, listGlobals } from '../command-line/command-table.ts';
import { GLOBAL_OPTIONS } from '../command-line/global-options.ts';
import type { Io } from '../command-line/io.ts';

type Candidate = { readonly value: string; readonly text: string };

/** Maximum number of suggestions passed to the shell. */
const MAX_CANDIDATES = 1000;

/** Prints suggestions for a shell's completion script, one per line: value, tab, description. */
export async function printCompletions(words: readonly string[], io: Io, sources: CompletionSources): Promise<void> {
  const candidates = await suggestCandidates(words, sources);
  const lines = candidates.slice(0, MAX_CANDIDATES).map(({ value, text }) => `${sanitize(value)}\t${sanitize(text)}\n`);
  io.print(lines.join(''));
}

/** Kinds of paths by placeholder. The shell completes a path if the value is empty; the description is its kind. */
const PATH_KINDS: Readonly<Record<string, string>> = { file: 'file', dir: 'directory' };

type LoadTickers = () => Promise<readonly NamedTicker[]>;

interface CompletionSources {
  readonly commands: CommandTable;
  /** Returns the tickers of the current local release; empty if no local release is readable. */
  readonly loadTickers: LoadTickers;
  /** The command-line parser, passed in by the caller so that commander is not bundled and loaded twice. */
  readonly readLine: typeof readCommandLine;
}

/** @param words all words after `fin`; the last word is incomplete, possibly empty */
export async function suggestCandidates(words: readonly string[], sources: CompletionSources): Promise<Candidate[]> {
  const last = words.at(-1) ?? '';
  // Splits `--option=value` into two words.
  const [flag] = /^--[\w-]+(?==)/.exec(last) ?? [];
  const previousWords = [...words.slice(0, -1), ...(flag === undefined ? [] : [flag])];
  const prefix = flag === undefined ? '' : `${flag}=`;
  const word = last.slice(prefix.length);
  const line = await sources.readLine(sources.commands, previousWords);
  return (await findCandidates(line, previousWords.at(-1), word, sources))
    .filter(({ value }) => value === '' || value.startsWith(word))
    .map(({ value, text }) => ({ value: value === '' ? '' : prefix + value, text }));
}

async function findCandidates(line: CommandLine, last: string | undefined, word: string, sources: CompletionSources) {
  const { name, command, args } = line;
  const { commands, loadTickers } = sources;
  const common = command === null ? GLOBAL_OPTIONS : listGlobals(command);
  const specs: readonly OptionSpec[] = [...(command?.options ?? []), ...common].filter(({ hidden }) => hidden !== true);
  const previousOption = specs.find((option) => option.value !== undefined && matchesFlag(option, last));
  // An option with an optional value may be followed by another option.
  const startsOption = previousOption?.optional === true && word.startsWith('-');
  if (previousOption?.name === 'tickers') return suggestTickers(word, loadTickers, getListPrefix(word));
  if (previousOption !== undefined && !startsOption)
    return suggestValues(previousOption, findParameter(command, previousOption), word);
  if (word.startsWith('-')) return specs.map(({ name: flag, help }) => ({ value: `--${flag}`, text: help }));
  if (name === 'help') {
    const { TOPICS } = await import('../help/help-topics.ts');
    const topics = Object.entries(TOPICS).map(([value, { title: text }]) => ({ value, text }));
    return [...suggestCommandWords(commands, ''), ...topics];
  }
  if (command === null) return suggestCommandWords(commands, name);
  const index = args.filter((arg) => !arg.startsWith('-')).length;
  return suggestArguments(command, index, word, loadTickers);
}

const matchesFlag = ({ name, short }: OptionSpec, flagText: string | undefined): boolean =>
  flagText === `--${name}` || (short !== undefined && flagText === `-${short}`);

/** Returns the second words of the commands in a group; without a group, the first words of all commands. */
function suggestCommandWords(table: CommandTable, group: string): Candidate[] {
  const names = group === '' ? Object.keys(table) : Object.keys(table).filter((name) => name.startsWith(`${group} `));
  const nextWords = new Set(names.map((name) => name.split(' ')[group === '' ? 0 : 1] ?? ''));
  const help = group === '' ? [{ value: 'help', text: 'Show help for a command or a topic' }] : [];
  const describe = (value: string) => describeCommand(table, `${group} ${value}`.trim());
  return [...help, ...[...nextWords].map((value) => ({ value, text: describe(value) }))];
}

/** Returns a command's summary; for a group, the names of its commands. */
const describeCommand = (table: CommandTable, name: string): string =>
  Object.hasOwn(table, name)
    ? findSummary(table, name)
    : Object.keys(table)
        .filter((other) => other.startsWith(`${name} `))
        .join(', ');

function findParameter(command: LoadedCommand | null, option: OptionSpec): Parameter | undefined {
  if (command?.kind !== 'question') return undefined;
  return getOperation(command.definition.operation).parameters.find(({ name }) => toKebabCase(name) === option.name);
}

function suggestValues(option: OptionSpec, parameter: Parameter | undefined, word: string): Candidate[] {
  const path = PATH_KINDS[option.value ?? ''];
  if (path !== undefined) return [{ value: '', text: path }];
  const values = parameter?.values ?? option.values ?? option.offered ?? [];
  if (parameter?.kind === 'clauses') return suggestFilterParts(values, word);
  // For a comma-separated list, suggests the next value, without values already in the list.
  const isList = parameter?.kind === 'list' || option.value === 'names' || option.offered !== undefined;
  const prefix = isList ? getListPrefix(word) : '';
  const listedValues = prefix.split(',');
  return [...new Set(values)]
    .filter((value) => !listedValues.includes(value))
    .map((value) => ({ value: prefix + value, text: '' }));
}

const getListPrefix = (word: string): string => word.slice(0, word.lastIndexOf(',') + 1);

/** Suggests tickers, in lower case if `word` is: commands accept both cases, and shells match the case exactly. */
async function suggestTickers(word: string, load: LoadTickers, prefix = ''): Promise<Candidate[]> {
  const isLower = word !== word.toUpperCase();
  const format = (ticker: string) => prefix + (isLower ? ticker.toLowerCase() : ticker);
  return (await load()).map(({ ticker, name }) => ({ value: format(ticker), text: name }));
}

/** Suggests column names, then operators for the chosen column, but no values. */
function suggestFilterParts(columns: readonly string[], word: string): Candidate[] {
  const [column = '', ...otherParts] = word.split(':');
  if (otherParts.length === 0) return columns.map((name) => ({ value: `${name}:`, text: '' }));
  return otherParts.length > 1 ? [] : OPERATORS.map((op) => ({ value: `${column}:${op}:`, text: '' }));
}

async function suggestArguments(command: LoadedCommand, index: number, word: string, loadTickers: LoadTickers) {
  if (command.kind === 'utility') {
    const argument = command.arguments[Math.min(index, command.arguments.length - 1)];
    if (index >= command.arguments.length && argument?.many !== true) return [];
    if (argument?.name.split('|').includes('ticker') === true) return suggestTickers(word, loadTickers);
    return (argument?.values ?? []).map((value) => ({ value, text: '' }));
  }
  const { args, operation } = command.definition;
  const argument = args[Math.min(index, args.length - 1)];
  if (argument === undefined || (index >= args.length && argument.many !== true)) return [];
  const parameter = getOperation(operation).parameters.find(({ name }) => name === argument.parameter);
  if (parameter?.kind === 'ticker') return suggestTickers(word, loadTickers);
  if (argument.parameter !== 'metric_key') return [];
  return METRICS.map(({ key, label }) => ({ value: key, text: label }));
}
