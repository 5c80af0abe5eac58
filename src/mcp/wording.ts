/**
 * Converts commands in messages for assistants: `fin filings AAPL --forms 10-K` becomes a call of the tool `filings`.
 * Formats errors: cause and advice, without local paths and API keys.
 */
import { describeFailure } from '../ask/failure-report.ts';
import { isFailure } from '../contract/failure.ts';
import { redactApiKeys } from '../contract/text/quote.ts';
import { type CommandCall, formatText, TERMINAL_WORDING, type Text, type Wording } from '../contract/text/text.ts';
import { isTimeoutError } from '../platform/files/system-error.ts';
import { isPlaceholder, isQuestionName, type NamedArguments, toTypedArguments } from '../questions/ask-by-name.ts';
import { shortenPaths } from '../render/assistant/answer-text.ts';
import { escapeDataText } from '../render/assistant/compact-rows.ts';
import type { Result } from '../result/result.ts';
import { findToolOfQuestion } from './tools.ts';

export const formatCall = (tool: string, given: NamedArguments): string => `${tool} ${JSON.stringify(given)}`;

/** Maximum number of characters of a call within an answer. */
const MAX_CALL_LENGTH = 1_500;

/**
 * Returns the call that continues another call. If its arguments are long, such as many filters, only the changed
 * arguments are stated.
 */
export function formatNextCall(tool: string, given: NamedArguments, changed: NamedArguments): string {
  const text = formatCall(tool, { ...given, ...changed });
  return text.length <= MAX_CALL_LENGTH ? text : `the same call of the tool "${tool}" with ${JSON.stringify(changed)}`;
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
  if (!isQuestionName(command)) return null;
  const match = findToolOfQuestion(command);
  if (match === null) return null;
  const { tool, show } = match;
  // A value `…` is a placeholder, which the assistant replaces.
  const args = Object.entries(toTypedArguments(command, given));
  const entries = args.map(([name, value]) => [name, isPlaceholder(value) ? '…' : value]);
  const isDefault = show === Object.keys(tool.questionByShow)[0] || tool.name === 'explain';
  return formatCall(tool.name, { ...Object.fromEntries(entries), ...(isDefault ? {} : { show }) });
}

const DEFECT_TEXT = 'Error: this is a defect of fin. Repeating the same call will not help; try another call.';

const TIMEOUT_TEXT = 'Error: the call took too long. Request less at a time, or try again later.';

export function formatFailure(error: unknown): string {
  if (isTimeoutError(error)) return TIMEOUT_TEXT;
  const reportable = isFailure(error) || (error instanceof Error && 'code' in error);
  if (!reportable) return DEFECT_TEXT;
  const lines = describeFailure(error).map((text, index) => (index === 0 ? 'Error: ' : '') + formatForAssistant(text));
  return lines.map((line) => shortenPaths(escapeDataText(shorten(redactApiKeys(line))))).join('\n');
}

/** Maximum number of characters per line, because an error may quote an argument of any length. */
const MAX_LINE_LENGTH = 2_000;

const shorten = (line: string): string => (line.length > MAX_LINE_LENGTH ? `${line.slice(0, MAX_LINE_LENGTH)}…` : line);

/**
 * Returns the notices of a result. Omits notices about omitted rows, because the answer's last line describes the
 * omitted rows.
 */
export const listNoticeTexts = ({ notices }: Pick<Result, 'notices'>): string[] =>
  notices.filter(({ code }) => code !== 'page_cut').map(({ text }) => formatForAssistant(text));
