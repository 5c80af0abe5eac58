/** Several names in one word, as lists are pasted: told apart before they are asked for in vain. */
import { Failure } from '../../contract/failure.ts';
import type { Operation } from '../../contract/operations.ts';
import { quote, shellWord } from '../../contract/quote.ts';
import type { Argument, QuestionCommand } from '../command.ts';
import { kebab } from '../command-line/option-spec.ts';
import type { ParsedArguments } from '../command-line/parse.ts';

/** What no ticker, key, number or CIK has in it. Spaces some have: BRK B. */
const FOREIGN = /[,;"'[\]]/;

/** `tickers`; an acronym is no word. */
export const namesOf = ({ parameter }: Argument): string =>
  parameter === 'cik' ? 'CIKs' : `${kebab(parameter).replaceAll('-', ' ')}s`;

/** A name is often several words, and nothing can follow it: `fin search johnson controls`. */
export function takesAll({ parameter }: Argument, operation: Operation): boolean {
  return operation.parameters.find(({ name }) => name === parameter)?.kind === 'string';
}

/** Throws a usage Failure whose hint is the same command line with the names apart. */
export function refuseJoined(definition: QuestionCommand, operation: Operation, line: ParsedArguments): void {
  for (const [index, text] of line.args.entries()) {
    const argument = definition.args[Math.min(index, definition.args.length - 1)];
    if (argument === undefined || takesAll(argument, operation) || !FOREIGN.test(text)) continue;
    const many = argument.many === true;
    const apart = line.args.flatMap((arg) => (FOREIGN.test(arg) ? partsOf(arg).slice(0, many ? undefined : 1) : [arg]));
    const several = partsOf(text).length > 1;
    const said = many || !several ? 'write names alone, with spaces between' : `fin ${definition.operation} takes one`;
    const what = several ? `several ${namesOf(argument)} in one` : 'more than a name';
    throw new Failure('usage', `${quote(text)} is ${what}: ${said}.`, {
      hint: ['fin', definition.operation, ...apart.map(shellWord), ...optionsOf(line)].join(' '),
    });
  }
}

/** The sentence for a text that a service did not know as a ticker, if it may be several, or nothing. */
export function perhapsSeveral(text: string): string {
  const parts = partsOf(text);
  if (parts.length < 2 || !parts.every((part) => /^[A-Z0-9.\-/]{1,5}$/i.test(part))) return '';
  return `Several tickers are written apart, on standard input one a line: ${parts.join(' ')}.`;
}

const partsOf = (text: string): string[] => text.split(/[\s,;"'[\]]+/).filter((part) => part !== '');

/** A value that begins with a dash would be taken for an option, and a switch has none. */
const optionsOf = ({ options }: ParsedArguments): string[] =>
  [...options].flatMap(([name, texts]) =>
    texts.map((text) => (text === '' ? `--${name}` : `--${name}${text.startsWith('-') ? '=' : ' '}${shellWord(text)}`)),
  );
