/**
 * Sentences in which options and commands are data, so that each output formats them differently: a terminal prints
 * `--fiscal-year` and `fin filings AAPL`, an assistant gets an argument and a tool call, a program an object.
 */
import { quoteShellWord } from './quote.ts';

/**
 * A command with the values of its parameters by name. A terminal prints, for example, `fin filings AAPL --forms 10-K`.
 */
export interface CommandCall {
  readonly command: string;
  readonly given: Readonly<Record<string, CallValue>>;
}

/** The value of an argument or option; true for a flag. A text such as `<ticker>` is a placeholder for a value. */
type CallValue = string | number | true | readonly string[];

/** An option or argument of the current command, optionally with a value. */
interface OptionReference {
  readonly option: string;
  readonly value?: string;
}

type TextPart = string | OptionReference | CommandCall;
export type Text = string | readonly TextPart[];

export const call = (command: string, given: CommandCall['given'] = {}): CommandCall => ({ command, given });
export const option = (name: string, value?: string): OptionReference =>
  value === undefined ? { option: name } : { option: name, value };

/** Builds a Text from a template literal whose values may be options, calls and other texts. */
export const say = (
  strings: TemplateStringsArray,
  ...parts: readonly (Text | OptionReference | CommandCall | number | undefined)[]
): Text => joinParts([strings[0] ?? '', ...parts.flatMap((part, index) => [part ?? '', strings[index + 1] ?? ''])]);

export const joinTexts = (texts: readonly (Text | OptionReference | CommandCall)[], separator: string): Text =>
  joinParts(texts.flatMap((text, index) => (index === 0 ? [text] : [separator, text])));

function joinParts(parts: readonly (Text | OptionReference | CommandCall | number)[]): Text {
  const flat = parts.flatMap((part): readonly TextPart[] =>
    typeof part === 'number' ? [String(part)] : isParts(part) ? part : [part],
  );
  return flat.every((part) => typeof part === 'string') ? flat.join('') : flat.filter((part) => part !== '');
}

const isParts = (text: Text | OptionReference | CommandCall): text is readonly TextPart[] => Array.isArray(text);

/** Formats options and calls for one kind of output. */
export interface Wording {
  option(name: OptionReference): string;
  call(call: CommandCall): string;
}

export const formatText = (text: Text, wording: Wording): string =>
  typeof text === 'string'
    ? text
    : text
        .map((part) => (typeof part === 'string' ? part : 'option' in part ? wording.option(part) : wording.call(part)))
        .join('');

export const listCalls = (text: Text): readonly CommandCall[] =>
  typeof text === 'string'
    ? []
    : text.filter((part): part is CommandCall => typeof part !== 'string' && 'command' in part);

/** Names of parameters that are positional arguments of commands; all other parameters are options. */
const POSITIONAL_ARGUMENTS: ReadonlySet<string> = new Set([
  'ticker',
  'metric_key',
  'accession',
  'cik',
  'query',
  'date',
  'concept',
  'peers_of',
  'pattern',
]);

const formatOptionName = (name: string): string =>
  POSITIONAL_ARGUMENTS.has(name) ? name : `--${name.replaceAll('_', '-')}`;

/** The wording for command lines. */
export const TERMINAL_WORDING: Wording = {
  option: ({ option: name, value }) =>
    value === undefined ? formatOptionName(name) : `${formatOptionName(name)} ${quoteWord(value)}`,
  call: ({ command, given }) => ['fin', command, ...Object.entries(given).flatMap(listCommandLineWords)].join(' '),
};

/** The wording that names parameters as the HTTP API does: `fiscal_year=2024`. */
export const API_WORDING: Wording = {
  option: ({ option: name, value }) => (value === undefined ? name : `${name}=${value}`),
  call: TERMINAL_WORDING.call,
};

export const formatForTerminal = (text: Text): string => formatText(text, TERMINAL_WORDING);

function listCommandLineWords([name, value]: readonly [string, CallValue]): readonly string[] {
  if (value === true) return [formatOptionName(name)];
  const texts = typeof value === 'object' ? value : [String(value)];
  if (POSITIONAL_ARGUMENTS.has(name)) return texts.map(quoteWord);
  // Filters are repeated as separate options; the items of other lists are joined by commas.
  return name === 'where'
    ? texts.flatMap((text) => [formatOptionName(name), quoteWord(text)])
    : [formatOptionName(name), quoteWord(texts.join(','))];
}

const quoteWord = (text: string): string => (/^<[\w-]+>$/.test(text) ? text : quoteShellWord(text));
