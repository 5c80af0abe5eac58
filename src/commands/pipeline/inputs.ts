/** From the positional arguments of a question to what is asked: one set of parameters for each request. */

import { Failure } from '../../contract/failure.ts';
import type { Operation } from '../../contract/operations.ts';
import type { Argument, QuestionCommand, RawParameters } from '../command.ts';
import { kebab } from '../command-line/option-spec.ts';
import type { ParsedArguments } from '../command-line/parse.ts';
import type { Io } from '../io.ts';
import { withArticle } from '../with-article.ts';
import { namesOf, refuseJoined, takesAll } from './joined.ts';

export interface Input {
  /** What tells this request from the others, as typed; for messages. */
  readonly name: string;
  readonly parameters: RawParameters;
}

export interface Inputs {
  /** Whether the answer is an array: two arguments or more, or `-`. */
  readonly several: boolean;
  readonly inputs: Iterable<Input> | AsyncIterable<Input>;
}

/** Throws a usage Failure when an argument is missing or one too many is there. */
export function readInputs(definition: QuestionCommand, operation: Operation, line: ParsedArguments, io: Io): Inputs {
  const { args } = line;
  refuseJoined(definition, operation, line);
  const filled: [string, string][] = [];
  let rest = args;
  for (const argument of definition.args) {
    if (argument.many === true) return readMany(argument, definition, filled, rest, io);
    const texts = takesAll(argument, operation) ? rest : rest.slice(0, 1);
    rest = rest.slice(texts.length);
    if (texts.length > 0) filled.push([argument.parameter, texts.join(' ')]);
    else if (argument.optional !== true) throw missing(definition, argument);
  }
  if (rest.length > 0) {
    throw new Failure('usage', `${JSON.stringify(rest[0])} is one argument too many.`, { hint: tryUsage(definition) });
  }
  return { several: false, inputs: [{ name: filled.map(([, text]) => text).join(' '), parameters: filled }] };
}

function readMany(
  argument: Argument,
  definition: QuestionCommand,
  filled: RawParameters,
  texts: readonly string[],
  io: Io,
): Inputs {
  if (texts.length === 0) throw missing(definition, argument);
  const input = (text: string): Input => ({
    name: text,
    parameters: [...filled, [argument.parameter, argument.read?.(text) ?? text]],
  });
  if (!texts.includes('-')) return { several: texts.length > 1, inputs: texts.map(input) };
  if (texts.filter((text) => text === '-').length > 1) throw new Failure('usage', 'stdin (-) can be read only once.');
  return { several: true, inputs: readAll(texts, namesOf(argument), io, input) };
}

async function* readAll(
  texts: readonly string[],
  what: string,
  io: Io,
  input: (text: string) => Input,
): AsyncGenerator<Input> {
  for (const text of texts) {
    if (text !== '-') yield input(text);
    else {
      if (io.inIsTerminal) io.log(`Reading ${what} from the terminal, one a line; Ctrl-D ends.`);
      for await (const line of io.lines()) {
        const name = line.replace(/(^|\s)#.*$/, '').trim();
        if (name !== '') yield input(name);
      }
    }
  }
}

function missing(definition: QuestionCommand, { parameter }: Argument): Failure {
  return new Failure(
    'usage',
    `fin ${definition.operation} needs ${withArticle(kebab(parameter).replaceAll('-', ' '))}.`,
    {
      hint: tryUsage(definition),
    },
  );
}

const tryUsage = (definition: QuestionCommand): string => `Usage: ${usageOf(definition)}`;

/** `fin metrics <ticker...>`. */
export function usageOf(definition: QuestionCommand): string {
  const args = definition.args.map(({ parameter, many, optional }) => {
    const name = kebab(parameter) + (many === true ? '...' : '');
    return optional === true ? ` [${name}]` : ` <${name}>`;
  });
  return `fin ${definition.operation}${args.join('')} [options]`;
}
