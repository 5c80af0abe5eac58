/**
 * Converts commands in messages for assistants: `fin filings AAPL --forms 10-K` becomes a call of the tool `filings`.
 */

import { getOperation, type OperationId } from '../contract/operations.ts';
import { type CommandCall, formatText, TERMINAL_WORDING, type Text, type Wording } from '../contract/text/text.ts';
import type { NamedArguments } from '../questions/ask-by-name.ts';
import { QUESTION_COMMANDS, type QuestionName } from '../questions/question-table.ts';
import { findToolOfQuestion, type Tool } from './tools.ts';

export const formatCall = (tool: string, givenArguments: NamedArguments): string =>
  `${tool} ${JSON.stringify(givenArguments)}`;

/** Maximum number of characters of a call within an answer. */
const MAX_CALL_LENGTH = 1_500;

/**
 * Returns the call that continues another call. If its arguments are long, such as many filters, only the changed
 * arguments are stated.
 */
export function formatNextCall(tool: string, givenArguments: NamedArguments, changedArguments: NamedArguments): string {
  const text = formatCall(tool, { ...givenArguments, ...changedArguments });
  return text.length <= MAX_CALL_LENGTH
    ? text
    : `the same call of the tool "${tool}" with ${JSON.stringify(changedArguments)}`;
}

const ASSISTANT_WORDING: Wording = {
  option: ({ option, value }) => {
    const name = option.replaceAll('-', '_');
    return value === undefined ? name : `${name}: ${JSON.stringify(value)}`;
  },
  call: (call) => describeResource(call) ?? formatToolCall(call) ?? TERMINAL_WORDING.call(call),
};

export const formatForAssistant = (text: Text): string => formatText(text, ASSISTANT_WORDING);

/** Returns the resource with the same data as a command; null if the command has no such resource. */
function describeResource({ command }: CommandCall): string | null {
  if (command === 'catalog' || command === 'help metric-keys') return 'the resource fin://catalog';
  if (command === 'help figures') return 'the resource fin://figures';
  return command === 'release' ? 'the resource fin://release' : null;
}

/** Returns the tool call for a command; null for a command that only the user can run. */
function formatToolCall({ command, given }: CommandCall): string | null {
  if (!isQuestion(command)) return null;
  const toolAndShow = findToolOfQuestion(command);
  if (toolAndShow === null) return null;
  const { tool, show } = toolAndShow;
  const id = QUESTION_COMMANDS[command].operation;
  const argumentEntries = Object.entries(given).map(
    ([name, value]) => [name, convertArgument(id, name, value)] as const,
  );
  return formatCall(tool.name, addShowIfNeeded(tool, show, Object.fromEntries(argumentEntries)));
}

const isQuestion = (command: string): command is QuestionName => Object.hasOwn(QUESTION_COMMANDS, command);

/** Adds the argument `show` if it is needed to select the operation. */
function addShowIfNeeded(tool: Tool, show: string, givenArguments: NamedArguments): NamedArguments {
  const [firstShow] = Object.keys(tool.questionByShow);
  return show === firstShow || tool.name === 'explain' ? givenArguments : { ...givenArguments, show };
}

function convertArgument(id: OperationId, name: string, value: CommandCall['given'][string]): unknown {
  const kind = getOperation(id).parameters.find((parameter) => parameter.name === name)?.kind;
  if (typeof value !== 'string') return value;
  // A placeholder for the assistant to fill in.
  if (/^<.*>$/.test(value)) return '…';
  if (kind === 'list') return value.split(',');
  if (kind === 'clauses') return [value];
  return kind === 'integer' && /^\d+$/.test(value) ? Number(value) : value;
}
