/** Converts the parameters of a suggested command to the types that programs and assistants use. */
import { getOperation } from '../contract/operations.ts';
import type { CommandCall } from '../contract/text/text.ts';
import type { NamedArguments } from './ask-by-name.ts';
import { QUESTION_COMMANDS, type QuestionName } from './question-table.ts';

export const isQuestionName = (command: string): command is QuestionName => Object.hasOwn(QUESTION_COMMANDS, command);

/** A text such as `<ticker>`, which stands for a value. */
export const isPlaceholder = (value: unknown): boolean => typeof value === 'string' && /^<.*>$/.test(value);

/** Returns lists as arrays and whole numbers as numbers, as the operation's parameters have them. */
export function toTypedArguments(command: QuestionName, given: CommandCall['given']): NamedArguments {
  const { parameters } = getOperation(QUESTION_COMMANDS[command].operation);
  const kinds = new Map<string, string>(parameters.map(({ name, kind }) => [name, kind]));
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, toTyped(kinds.get(name), value)]));
}

function toTyped(kind: string | undefined, value: CommandCall['given'][string]): unknown {
  if (typeof value !== 'string' || isPlaceholder(value)) return value;
  if (kind === 'list') return value.split(',');
  if (kind === 'clauses') return [value];
  return kind === 'integer' && /^\d+$/.test(value) ? Number(value) : value;
}
