/**
 * Converts the positional arguments of a question to inputs: one input for each value of an argument that accepts
 * several values, otherwise one.
 */
import { Failure } from '../../contract/failure.ts';
import { getOperation, type Operation } from '../../contract/operations.ts';
import type { RawParameters } from '../../contract/question.ts';
import { readName, unquoteCell } from '../../contract/text/list-line.ts';
import { quote, quoteShellWord } from '../../contract/text/quote.ts';
import type { Argument, Input, QuestionCommand } from './command.ts';
import type { ParsedArguments } from './option-spec.ts';
import { getCommandName, takesWords } from './options.ts';

export interface Inputs {
  /** Whether the output is an array, because two or more arguments or `-` were given. */
  readonly isArray: boolean;
  /** Whether inputs are read from stdin, so that the next input may arrive late. */
  readonly isStreamed: boolean;
  readonly inputs: Iterable<Input> | AsyncIterable<Input>;
}

/** Source of the names that replace the argument `-`. */
export interface NameSource {
  readonly inIsTerminal: boolean;
  /** Yields lines of stdin without line endings. */
  lines(): AsyncIterable<string>;
  log(line: string): void;
}

/**
 * Returns the inputs; the parser has already checked the number of arguments. Throws a usage Failure for an argument
 * that contains several names.
 */
export function readInputs(command: QuestionCommand, parsed: ParsedArguments, source: NameSource): Inputs {
  const operation = getOperation(command.operation);
  refuseJoinedNames(command, operation, parsed);
  const head: [string, string][] = [];
  let remainingArgs = parsed.args;
  for (const arg of command.args) {
    if (arg.own !== undefined) {
      remainingArgs = remainingArgs.slice(1);
      continue;
    }
    if (arg.many === true) return readManyInputs(arg, head, remainingArgs, source);
    const texts = takesWords(operation, arg) ? remainingArgs : remainingArgs.slice(0, 1);
    remainingArgs = remainingArgs.slice(texts.length);
    const text = texts.join(' ');
    if (texts.length > 0) head.push([arg.parameter, arg.read?.(text) ?? text]);
  }
  const name = head.map(([, text]) => text).join(' ');
  return { isArray: false, isStreamed: false, inputs: [{ name, parameters: head }] };
}

function readManyInputs(arg: Argument, head: RawParameters, texts: readonly string[], source: NameSource): Inputs {
  const read = arg.read ?? ((text: string) => text);
  const toInput = (name: string): Input => ({ name, parameters: [...head, [arg.parameter, read(name)]] });
  if (!texts.includes('-')) return { isArray: texts.length > 1, isStreamed: false, inputs: texts.map(toInput) };
  if (texts.filter((text) => text === '-').length > 1)
    throw new Failure('usage', 'Standard input (-) can be given only once.');
  return { isArray: true, isStreamed: true, inputs: mapAsync(readArgumentTexts(texts, arg, source), toInput) };
}

/** Yields the results of a function for items that may arrive late. */
export async function* mapAsync<In, Out>(items: AsyncIterable<In> | Iterable<In>, map: (item: In) => Out) {
  for await (const item of items) yield map(item);
}

/** Yields the values of a positional argument, such as tickers; `-` is replaced by the lines of stdin. */
export async function* readArgumentTexts(
  texts: readonly string[],
  arg: Argument,
  source: NameSource,
): AsyncGenerator<string> {
  for (const text of texts) {
    if (text !== '-') yield text;
    else {
      const keys = process.platform === 'win32' ? 'Ctrl-Z and Enter' : 'Ctrl-D';
      const notice = `Reading ${makeSingularNoun(arg)}s from the terminal, one per line; to end, press ${keys}.`;
      if (source.inIsTerminal) source.log(notice);
      let isFirst = true;
      for await (const line of source.lines()) {
        if (isFirst) refuseTable(line, arg);
        const name = readName(line);
        if (name !== '' && !(isFirst && isHeader(name, arg))) yield name;
        isFirst = false;
      }
    }
  }
}

/**
 * Throws a usage Failure if the first line is a CSV header with several columns, or starts a JSON document, because
 * neither is a list of names.
 */
function refuseTable(line: string, arg: Argument): void {
  const columns = line.split(/[,\t]/).map((name) => unquoteCell(name.trim()));
  const isTable = columns.length > 1 && columns.every((name) => /^[a-z][a-z0-9_]*$/.test(name));
  const isJson = /^\s*[[{]/.test(line);
  if (!isTable && !isJson) return;
  const column =
    columns.find((name) => isHeader(name, arg)) ?? (arg.parameter === 'accession' ? 'accession_number' : arg.parameter);
  const fault = isJson ? 'JSON' : 'a table with several columns';
  const text = `Standard input is ${fault}, not a list of ${makeSingularNoun(arg)}s.`;
  throw new Failure('usage', text, { hint: `Pass only one column: fin … --fields ${column} --csv | fin … -` });
}

/** Whether the first line is the header of a CSV column, such as `ticker`, `accession_number` or `holder_cik`. */
const isHeader = (line: string, { parameter }: Argument): boolean =>
  line === parameter || line === `${parameter}_number` || (/^[a-z_]+$/.test(line) && line.endsWith(`_${parameter}`));

/** Characters that never occur in tickers, metric keys, accession numbers and CIKs. Spaces do occur: BRK B. */
const SEPARATOR = /[,;"'[\]]/;

/**
 * Throws a usage Failure for an argument with several names, or with commas, semicolons, quotes or brackets around one
 * name. The hint is the corrected command line.
 */
function refuseJoinedNames(command: QuestionCommand, operation: Operation, { args, options }: ParsedArguments): void {
  const name = getCommandName(command);
  for (const [index, text] of args.entries()) {
    const argument = command.args[Math.min(index, command.args.length - 1)];
    if (argument === undefined || argument.freeText === true || !SEPARATOR.test(text)) continue;
    if (takesWords(operation, argument)) continue;
    const many = argument.many === true;
    const noun = makeSingularNoun(argument);
    const rule = many ? `write ${noun}s separated only by spaces` : `fin ${name} takes only one ${noun}`;
    const fault =
      splitNames(text).length > 1
        ? `is several ${noun}s in one argument: ${rule}`
        : `contains commas, semicolons, quotes or brackets: write the ${noun} without them`;
    const names = args.flatMap((arg) => (SEPARATOR.test(arg) ? splitNames(arg).slice(0, many ? undefined : 1) : [arg]));
    const hint = ['fin', name, ...names.map(quoteShellWord), ...formatOptions(options)].join(' ');
    throw new Failure('usage', `${quote(text)} ${fault}.`, { hint });
  }
}

/** Returns advice for an unknown ticker that may be several tickers; empty if the text cannot be several tickers. */
export function makeSeveralNamesHint(text: string): string {
  const parts = splitNames(text);
  if (parts.length < 2 || !parts.every((part) => /^[A-Z0-9.\-/]{1,5}$/i.test(part))) return '';
  return `If these are several tickers (${parts.join(', ')}), give each as a separate argument, or on its own line of standard input.`;
}

const splitNames = (text: string): string[] => text.split(/[\s,;"'[\]]+/).filter((part) => part !== '');

/** Returns an argument's name for a sentence: `ticker`, `metric key`, `CIK`. */
const makeSingularNoun = ({ parameter }: Argument) => (parameter === 'cik' ? 'CIK' : parameter.replaceAll('_', ' '));

/**
 * Formats options for a command line. A value with a leading dash is joined by `=`, because otherwise it would look
 * like an option.
 */
const formatOptions = (options: ParsedArguments['options']): string[] =>
  [...options].flatMap(([name, texts]) =>
    texts.map((text) =>
      text === '' ? `--${name}` : `--${name}${text.startsWith('-') ? '=' : ' '}${quoteShellWord(text)}`,
    ),
  );
