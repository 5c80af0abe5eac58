/** Hints of the command line in the words of tools: `fin filings AAPL --forms 10-K` is a call of `filings`. */
import { OPERATIONS, type Operation } from '../contract/operations.ts';
import { type Arguments, type Tool, toolFor } from './tools.ts';

/** A tool and its arguments, as an assistant would write a call. */
export const callText = (tool: string, given: Arguments): string => `${tool} ${JSON.stringify(given)}`;

/** What an answer has room for, in characters. */
const LONGEST_CALL = 1_500;

/** The call that goes on where one ended; of one with long arguments, such as many clauses, what is other in it. */
export function nextCall(tool: string, given: Arguments, change: Arguments): string {
  const text = callText(tool, { ...given, ...change });
  return text.length <= LONGEST_CALL ? text : `the same call of ${tool} with ${JSON.stringify(change)}`;
}

const COMMAND = /\bfin ([a-z]+(?:-[a-z]+)*)((?: (?:<[\w-]+>|--[a-z-]+|'[^']*'|[\w@%+=:/-]+(?:[.,][\w-]+)*))*)/g;

/** The text with commands that a tool does as calls, and options as arguments; other commands are for the user. */
export function inCalls(text: string): string {
  let [written, end] = ['', 0];
  for (const match of text.matchAll(COMMAND)) {
    const [command, name = '', rest = ''] = match;
    written += withArguments(text.slice(end, match.index)) + (callOf(name, rest.trim()) ?? command);
    end = match.index + command.length;
  }
  return written + withArguments(text.slice(end));
}

const withArguments = (text: string): string =>
  text.replace(/(?<![\w-])--([a-z]+(?:-[a-z]+)*)/g, (_, name: string) => argumentName(name));

const argumentName = (option: string): string => option.replaceAll('-', '_');

/** Null for a command that no tool or resource stands for. */
function callOf(name: string, rest: string): string | null {
  const words = rest === '' ? [] : (rest.match(/'[^']*'|\S+/g) ?? []);
  if (name === 'catalog' || (name === 'help' && words[0] === 'metric-keys')) return 'the resource fin://catalog';
  if (name === 'help') return words[0] === 'figures' ? 'the resource fin://figures' : null;
  if (name === 'release') return 'the resource fin://release';
  const operation = OPERATIONS.find(({ id }) => id === name);
  const found = operation === undefined ? null : toolFor(operation.id);
  if (operation === undefined || found === null) return null;
  const given = argumentsIn(operation, words);
  return given === null ? null : callText(found.tool.name, withShow(found.tool, found.show, given));
}

/** The arguments that need `show` beside them to mean that operation have it. */
function withShow(tool: Tool, show: string, given: Arguments): Arguments {
  const [first] = Object.keys(tool.shows);
  return show === first || tool.name === 'explain' ? given : { ...given, show };
}

/** Null where more words follow than the command takes. */
function argumentsIn({ parameters }: Operation, words: readonly string[]): Arguments | null {
  const positional = parameters.filter(({ in: part, name }) => part === 'path' || name === 'query' || name === 'date');
  const given: Record<string, unknown> = {};
  const rest = [...words];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word.startsWith('--')) {
      const parameter = parameters.find(({ name }) => name === argumentName(word.slice(2)));
      if (parameter === undefined) return null;
      if (parameter.kind === 'boolean') given[parameter.name] = true;
      else if (rest[0] === undefined) return null;
      else given[parameter.name] = jsonValue(parameter.kind, bare(rest.shift() ?? ''));
      continue;
    }
    const next = positional.find(({ name }) => given[name] === undefined);
    if (next === undefined) return null;
    given[next.name] = bare(word);
  }
  return given;
}

/** Without the quotes of a shell; what is to be filled in is three dots. */
const bare = (word: string): string => (/^<.*>$/.test(word) ? '…' : word.replace(/^'(.*)'$/, '$1'));

function jsonValue(kind: string, text: string): unknown {
  if (kind === 'list') return text.split(',');
  if (kind === 'clauses') return [text];
  return kind === 'integer' && /^\d+$/.test(text) ? Number(text) : text;
}
