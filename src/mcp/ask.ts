/** Asks what a command asks, from the arguments of a tool: the same checks, names, pages, notices and hints. */
import type { Answer, QuestionCommand, ViewContext } from '../commands/command.ts';
import { kebab, type ParsedArguments } from '../commands/command-line/option-spec.ts';
import { readGlobalOptions } from '../commands/command-line/read-global-options.ts';
import type { Connection } from '../commands/connection.ts';
import type { Io } from '../commands/io.ts';
import { answerInput } from '../commands/pipeline/answer-input.ts';
import { attributionOf } from '../commands/pipeline/answer-output.ts';
import { noticesWithoutPage, warningsOf } from '../commands/pipeline/notices.ts';
import { readCall } from '../commands/pipeline/read-call.ts';
import { Failure } from '../contract/failure.ts';
import { didYouMean } from '../contract/nearest.ts';
import { type OperationId, operationOf } from '../contract/operations.ts';
import { quote } from '../contract/quote.ts';
import { loadQuestion, nameOf, optionsOf } from './input-schema.ts';
import type { Arguments, Tool } from './tools.ts';

export interface ToolCall {
  readonly tool: Tool;
  readonly given: Arguments;
  readonly connection: Connection;
  /** Aborted when the answer is no longer wanted. */
  readonly signal: AbortSignal;
  readonly progress: (done: number, total: number) => void;
}

export interface Answered {
  readonly command: QuestionCommand;
  readonly answer: Answer<unknown>;
  readonly context: ViewContext;
  readonly notices: readonly string[];
  /** The sentence that must stand beside prices, with its terms. */
  readonly attribution: string | null;
}

/**
 * The answer to one operation. Throws the Failure of a question that has none.
 * @param given arguments of the operation by name; `limit` and `offset` are those of the request
 */
export async function ask(
  { tool, connection, signal }: ToolCall,
  id: OperationId,
  given: Arguments,
): Promise<Answered> {
  signal.throwIfAborted();
  const command = await loadQuestion(id);
  const parsed = commandLine(command, given, tool);
  const call = await readCall({ command, parsed, globals: GLOBALS, io: SILENT }, connection.local);
  const [input] = [...(call.inputs as Iterable<Parameters<typeof answerInput>[2]>)];
  if (input === undefined) throw new Error('a question of an assistant has no input');
  const { byKeys } = call.command;
  const name = byKeys && (await import('../commands/pipeline/by-keys.ts')).keyNamer(byKeys, connection);
  const result = await answerInput(call, connection, input, name);
  signal.throwIfAborted();
  if ('error' in result) throw result.error;
  const { fetched, asked, emptyReason } = result;
  try {
    const answer = fetched.whole();
    const { local, sample } = connection;
    const { parameters } = asked;
    const context = { parameters, width: null, local, sample, options: parsed.options, emptyReason };
    const notices = noticesWithoutPage(call.command, operationOf(id), answer, context, fetched.pages);
    const missing = fetched.attributed === 'missing' ? ['The service sent no attribution with these prices.'] : [];
    return {
      command: call.command,
      answer,
      context,
      notices: [...warningsOf(answer), ...call.warnings, ...notices, ...(fetched.notices ?? []), ...missing],
      attribution: attributionOf(answer),
    };
  } finally {
    fetched.close();
  }
}

/** The arguments as the command line would have them. Throws a usage Failure for one that cannot be. */
function commandLine(command: QuestionCommand, given: Arguments, tool: Tool): ParsedArguments {
  const operation = operationOf(command.operation);
  const own = optionsOf(command, tool);
  const positional = command.args.map(({ parameter }) => parameter);
  const named = operation.parameters.map(({ name }) => name).filter((name) => !positional.includes(name));
  const texts = new Map(Object.entries(given).map(([name, value]) => [name, textsOf(name, value)]));
  const options = new Map<string, readonly string[]>();
  for (const [name, values] of texts) {
    const option = own.find((one) => nameOf(one) === name);
    const known = option !== undefined || named.includes(name) || positional.includes(name);
    if (!known) throw unknownArgument(name, [...positional, ...named, ...own.map(nameOf)], tool);
    const isFlag = option === undefined ? kindOf(operation, name) === 'boolean' : option.value === undefined;
    if (values.length === 0 || positional.includes(name) || (isFlag && values[0] === 'false')) continue;
    options.set(option?.name ?? kebab(name), values);
  }
  const args: string[] = [];
  for (const { parameter, optional } of command.args) {
    const [text, another] = texts.get(parameter) ?? [];
    if (another !== undefined) {
      throw new Failure('usage', `The argument ${parameter} takes one value.`, { hint: 'Call once for each.' });
    }
    if (text === undefined && optional !== true && needs(operation, parameter)) {
      throw new Failure('usage', `The argument ${parameter} is missing.`);
    }
    if (text === undefined) break;
    // On the command line it stands for stdin.
    if (text === '-') throw new Failure('usage', `The argument ${parameter} cannot be "-".`);
    args.push(text);
  }
  return { args, options };
}

const kindOf = ({ parameters }: ReturnType<typeof operationOf>, name: string) =>
  parameters.find((parameter) => parameter.name === name)?.kind;

const needs = ({ parameters }: ReturnType<typeof operationOf>, name: string): boolean =>
  parameters.some((parameter) => parameter.name === name && parameter.required);

export function unknownArgument(name: string, known: readonly string[], { name: tool }: Tool): Failure {
  return new Failure('usage', `${tool} has no argument ${quote(name)} here.${didYouMean(name, known)}`, {
    hint: `It takes ${known.join(', ')}.`,
  });
}

/** A flag that is set has one empty text, one that is not has none. Throws a usage Failure for an object. */
function textsOf(name: string, value: unknown): readonly string[] {
  if (value === undefined || value === null || value === false) return [];
  if (value === true) return [''];
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values.map((one) => {
    if (typeof one === 'string' || typeof one === 'number') return String(one);
    throw new Failure('usage', `The argument ${name} is neither a text nor a number, nor a list of them.`);
  });
}

const NEVER_ABORTED = new AbortController().signal;

/** Nothing is read from stdin and nothing is printed: what a command would log is in the answer. */
const SILENT: Io = {
  print: () => undefined,
  pages: false,
  page: async () => undefined,
  log: () => undefined,
  progress: () => undefined,
  outIsTerminal: false,
  errIsTerminal: false,
  inIsTerminal: false,
  width: null,
  colors: false,
  env: {},
  input: () => {
    throw new Error('an assistant has no terminal');
  },
  lines: async function* () {},
  signal: NEVER_ABORTED,
  takeGrace: () => undefined,
};

/** Rows are chosen as for a table: the figures that were asked for and the common ones, not all there are. */
const GLOBALS = { ...readGlobalOptions(new Map([['output', ['table']]]), {}), exact: true };
