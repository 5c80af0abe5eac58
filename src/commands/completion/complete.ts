/**
 * What could stand where the cursor is. Works on what is in the program and on the disk: never asks a
 * service, never costs quota, and says nothing when it does not know.
 */
import { METRICS } from '../../contract/figures.ts';
import { type Operation, operationOf } from '../../contract/operations.ts';
import type { Parameter } from '../../contract/question/parameters.ts';
import { OPERATORS } from '../../contract/question/where-clause.ts';
import { findCommand } from '../command-line/command-words.ts';
import { GLOBAL_OPTIONS } from '../command-line/global-options.ts';
import { kebab, type OptionSpec, questionOptions, utilityOptions } from '../command-line/option-spec.ts';
import { UTILITIES } from '../command-table.ts';
import { TOPICS } from '../help/help-topics.ts';
import { COMMAND_NAMES, type Command, loadCommand } from '../load-command.ts';

export interface Candidate {
  readonly value: string;
  readonly text: string;
}

/** Where a path goes, the shell completes it itself: no value, and the kind of path as the text. */
const PATHS: Readonly<Record<string, Candidate>> = {
  file: { value: '', text: 'file' },
  dir: { value: '', text: 'directory' },
};

/** Securities held on this machine, for arguments that are tickers. */
export type LoadTickers = () => Promise<readonly Candidate[]>;

/** @param words all after `fin`, the last being what is written so far, perhaps nothing */
export async function complete(words: readonly string[], tickers: LoadTickers): Promise<Candidate[]> {
  const word = words.at(-1) ?? '';
  // An option and its value in one word are completed as two.
  const [flag] = /^--[\w-]+(?==)/.exec(word) ?? [];
  const before = [...words.slice(0, -1), ...(flag === undefined ? [] : [flag])];
  const head = flag === undefined ? '' : `${flag}=`;
  const current = word.slice(head.length);
  return (await candidates(before, current, tickers))
    .filter(({ value }) => value === '' || value.startsWith(current))
    .map(({ value, text }) => ({ value: value === '' ? '' : head + value, text }));
}

async function candidates(
  before: readonly string[],
  current: string,
  tickers: LoadTickers,
): Promise<readonly Candidate[]> {
  const { name, rest } = findCommand(before, COMMAND_NAMES);
  const known = name !== null && COMMAND_NAMES.includes(name);
  const command = known ? await loadCommand(name) : null;
  const options: readonly OptionSpec[] = [...(command === null ? [] : ownOptions(command)), ...GLOBAL_OPTIONS];
  const previous = options.find((option) => option.value !== undefined && isFlag(option, before.at(-1)));
  // What may stand without its value may be followed by another option.
  const mayEnd = previous?.optional === true && current.startsWith('-');
  if (previous !== undefined && !mayEnd) return valuesOf(previous, parameterOf(command, previous), current);
  if (current.startsWith('-')) return options.map(({ name: flag, help }) => ({ value: `--${flag}`, text: help }));
  if (name === 'help')
    return [...commandWords(null), ...Object.entries(TOPICS).map(([value, { title: text }]) => ({ value, text }))];
  if (command === null) return commandWords(name);
  return argumentsOf(command, rest.filter((word) => !word.startsWith('-')).length, tickers);
}

const isFlag = ({ name, short }: OptionSpec, word: string | undefined): boolean =>
  word === `--${name}` || (short !== undefined && word === `-${short}`);

const ownOptions = (command: Command): readonly OptionSpec[] =>
  command.kind === 'question'
    ? questionOptions(command.definition, operationOf(command.definition.operation))
    : utilityOptions(command.utility);

/** Commands, or the second words of a group. */
function commandWords(group: string | null): Candidate[] {
  const names = group === null ? COMMAND_NAMES : COMMAND_NAMES.filter((name) => name.startsWith(`${group} `));
  const words = names.map((name) => name.split(' ')[group === null ? 0 : 1] ?? '');
  const help = group === null ? [{ value: 'help', text: 'Show help on a command or a topic' }] : [];
  return [...help, ...[...new Set(words)].map((value) => ({ value, text: summaryOf(group, value) }))];
}

function summaryOf(group: string | null, word: string): string {
  const name = group === null ? word : `${group} ${word}`;
  const several = COMMAND_NAMES.filter((known) => known.startsWith(`${name} `));
  if (several.length > 0) return several.join(', ');
  return UTILITIES[name]?.summary ?? operations().find(({ id }) => id === name)?.summary ?? '';
}

const operations = (): readonly Operation[] =>
  COMMAND_NAMES.filter((name) => UTILITIES[name] === undefined).map((name) => operationOf(name as Operation['id']));

function parameterOf(command: Command | null, option: OptionSpec): Parameter | undefined {
  if (command?.kind !== 'question') return undefined;
  return operationOf(command.definition.operation).parameters.find(({ name }) => kebab(name) === option.name);
}

function valuesOf(option: OptionSpec, parameter: Parameter | undefined, current: string): Candidate[] {
  const path = PATHS[option.value ?? ''];
  if (path !== undefined) return [path];
  const values = parameter?.values ?? option.values ?? [];
  if (parameter?.kind === 'clauses') return clauses(values, current);
  // A list goes on after its comma; what is in it already is not offered again.
  const head = parameter?.kind === 'list' ? current.slice(0, current.lastIndexOf(',') + 1) : '';
  const taken = head.split(',');
  return [...new Set(values)]
    .filter((value) => !taken.includes(value))
    .map((value) => ({ value: head + value, text: '' }));
}

/** A column, then the operators after it. The value is the person's. */
function clauses(columns: readonly string[], current: string): Candidate[] {
  const [column = '', ...rest] = current.split(':');
  if (rest.length === 0) return columns.map((name) => ({ value: `${name}:`, text: '' }));
  return rest.length > 1 ? [] : OPERATORS.map((op) => ({ value: `${column}:${op}:`, text: '' }));
}

async function argumentsOf(command: Command, position: number, tickers: LoadTickers): Promise<readonly Candidate[]> {
  if (command.kind === 'utility') {
    const argument = command.utility.args[position];
    return (argument?.values ?? []).map((value) => ({ value, text: '' }));
  }
  const { args, operation } = command.definition;
  const argument = args[Math.min(position, args.length - 1)];
  if (argument === undefined || (position >= args.length && argument.many !== true)) return [];
  const parameter = operationOf(operation).parameters.find(({ name }) => name === argument.parameter);
  if (parameter?.kind === 'ticker') return tickers();
  if (parameter?.kind !== 'metric_key') return [];
  return METRICS.map(({ key, label }) => ({ value: key, text: label }));
}
