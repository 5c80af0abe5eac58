/**
 * Runs a question command for callers that give arguments by name: the library and the MCP server. The command behaves
 * as on the command line.
 */
import { askEach } from '../ask/ask.ts';
import type { Answer } from '../ask/command/answer.ts';
import type { FailedInput, QuestionCommand } from '../ask/command/command.ts';
import { toKebabCase } from '../ask/command/option-spec.ts';
import { listParameters } from '../ask/command/options.ts';
import { affectsAllInputs, describeFailure, makeProblemDocument } from '../ask/failure-report.ts';
import { planQuestion } from '../ask/plan.ts';
import type { Connection } from '../client/connection.ts';
import { Failure, failUsage, isFailure } from '../contract/failure.ts';
import { didYouMean } from '../contract/nearest.ts';
import { getOperation, type OperationId } from '../contract/operations.ts';
import { quote, redactApiKeys } from '../contract/text/quote.ts';
import { type CommandCall, joinTexts, option, say } from '../contract/text/text.ts';
import { makeWarning, type Notice } from '../result/notice.ts';
import type { Result } from '../result/result.ts';
import { loadQuestion, QUESTION_COMMANDS, type QuestionName } from './question-table.ts';

export type NamedArguments = Readonly<Record<string, unknown>>;

export interface AnsweredQuestion {
  readonly command: QuestionCommand;
  readonly result: Result;
  readonly answers: readonly Answer[];
  /** Closes the files from which the result's rows are read; call this after reading the rows. */
  readonly close: () => void;
}

interface AskByNameOptions {
  readonly connection: Connection;
  /**
   * `view`: the columns that a table would show (requested figures and common columns); `document`: all columns of the
   * answer.
   */
  readonly form: 'view' | 'document';
  /** Names of the command options that callers may use; null for all options. */
  readonly offeredOptions: readonly string[] | null;
}

/**
 * Returns the result of one question. Throws the Failure if the question has no answer.
 * @param given arguments and options by name
 */
export async function askByName(name: QuestionName, given: NamedArguments, options: AskByNameOptions) {
  const { connection, form, offeredOptions } = options;
  const command = await loadQuestion(name);
  const parsed = parseNamedArguments(name, command, given, offeredOptions);
  const source = { nameSource: EMPTY_STDIN, inProcess: connection.isInProcess };
  const plan = await planQuestion({ command, parsed, form, fields: null, unchecked: false, ...source });
  if (plan.isArray && plan.command.combineAnswers === undefined)
    failUsage('These arguments ask several questions.', 'Make a separate call for each.');
  const failed: FailedInput[] = [];
  for await (const outcome of askEach(plan, { connection, progress: () => undefined, wantsNotes: true })) {
    if ('error' in outcome) {
      failed.push(outcome);
      continue;
    }
    const { result, answers, close } = outcome;
    const notices = [...plan.notices, ...failed.map(makeFailedInputWarning), ...result.notices];
    const answered: AnsweredQuestion = { command: plan.command, result: { ...result, notices }, answers, close };
    return answered;
  }
  throw failed.at(-1)?.error ?? new Error(`${name} has no input`);
}

/**
 * Returns the warning that a company is missing from the comparison. Throws the error instead if it is a defect, or if
 * all companies would fail like this one.
 */
function makeFailedInputWarning({ input, error }: FailedInput): Notice {
  if (!isFailure(error) || affectsAllInputs(error)) throw error;
  const name = redactApiKeys(input.name);
  const text = joinTexts([`${quote(name)} is missing.`, ...describeFailure(error)], ' ');
  return makeWarning('input_failed', text, { input: name, problem: makeProblemDocument(error) });
}

/** An empty stdin, because questions asked by name must not read company names from the process's stdin. */
const EMPTY_STDIN = { inIsTerminal: false, lines: async function* () {}, log: () => undefined };

type Offered = AskByNameOptions['offeredOptions'];

/** Converts named arguments to parsed command-line arguments. Throws a usage Failure for an invalid argument. */
function parseNamedArguments(name: QuestionName, command: QuestionCommand, given: NamedArguments, offered: Offered) {
  const kinds = mapKinds(command.operation);
  const specs = (command.options ?? []).filter((option) => offered === null || offered.includes(option.name));
  const args = command.args.map(({ parameter }) => parameter);
  const names = listParameters(command).map((parameter) => parameter.name);
  const texts = new Map(Object.entries(given).map(([key, value]) => [key, toArgumentTexts(key, value)]));
  const options = new Map<string, readonly string[]>();
  for (const [key, values] of texts) {
    const spec = specs.find((candidate) => candidate.name === toKebabCase(key));
    const isKnown =
      spec !== undefined || names.includes(key) || args.includes(key) || (offered === null && key === 'all');
    if (!isKnown) {
      const optionNames = specs.map((candidate) => candidate.name.replaceAll('-', '_'));
      throw makeUnknownArgumentFailure(key, [...new Set([...args, ...names, ...optionNames])], name);
    }
    const isFlag = spec === undefined ? kinds.get(key) === 'boolean' : spec.value === undefined;
    if (values.length === 0 || args.includes(key) || (isFlag && spec !== undefined && values[0] === 'false')) continue;
    options.set(toKebabCase(key), values);
  }
  return { args: listPositionalTexts(command, texts), options };
}

function listPositionalTexts({ args, combineAnswers }: QuestionCommand, given: ReadonlyMap<string, readonly string[]>) {
  const texts: string[] = [];
  for (const { parameter, optional } of args) {
    const values = given.get(parameter) ?? [];
    if (values.length > 1 && combineAnswers === undefined) {
      const hint = 'Make a separate call for each value.';
      failUsage(say`The argument ${option(parameter)} takes one value.`, hint);
    }
    if (values.length === 0 && optional !== true) failUsage(say`The argument ${option(parameter)} is missing.`);
    if (values.length === 0) break;
    // On the command line, `-` means stdin.
    if (values.includes('-')) failUsage(say`The argument ${option(parameter)} cannot be "-".`);
    texts.push(...values);
  }
  return texts;
}

/** Returns the kinds of an operation's parameters, by name. */
const mapKinds = (operation: OperationId): ReadonlyMap<string, string> =>
  new Map(getOperation(operation).parameters.map(({ name, kind }) => [name, kind]));

export function makeUnknownArgumentFailure(name: string, validNames: readonly string[], subject: string): Failure {
  const hint = `Arguments: ${validNames.join(', ')}.`;
  return new Failure('usage', `${subject} has no argument ${quote(name)}.${didYouMean(name, validNames)}`, { hint });
}

/**
 * Returns an argument's values as texts: an empty text for `true`, an empty list for null or undefined. Throws a usage
 * Failure for unsuitable values, such as objects.
 */
export function toArgumentTexts(name: string, value: unknown): readonly string[] {
  if (value === undefined || value === null) return [];
  if (value === true) return [''];
  if (value === false) return ['false'];
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values.map((item) => {
    if (typeof item === 'string' || typeof item === 'number') return String(item);
    const kinds = 'a string, a number, a Boolean, or a list of strings and numbers';
    return failUsage(`The argument ${name} must be ${kinds}.`);
  });
}

export const isQuestionName = (command: string): command is QuestionName => Object.hasOwn(QUESTION_COMMANDS, command);

/** Whether a value is a placeholder, such as `<ticker>`. */
export const isPlaceholder = (value: unknown): boolean => typeof value === 'string' && /^<.*>$/.test(value);

/** Converts the arguments to the types of the operation's parameters: lists to arrays, whole numbers to numbers. */
export function toTypedArguments(command: QuestionName, given: CommandCall['given']): NamedArguments {
  const kinds = mapKinds(QUESTION_COMMANDS[command].operation);
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, toTyped(kinds.get(name), value)]));
}

function toTyped(kind: string | undefined, value: CommandCall['given'][string]): unknown {
  if (typeof value !== 'string' || isPlaceholder(value)) return value;
  if (kind === 'list') return value.split(',');
  if (kind === 'clauses') return [value];
  return kind === 'integer' && /^\d+$/.test(value) ? Number(value) : value;
}
