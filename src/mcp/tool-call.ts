/** The type of a tool call, and the notices of its answer. */
import type { Connection } from '../client/connection.ts';
import type { NamedArguments } from '../questions/ask-by-name.ts';
import type { Result } from '../result/result.ts';
import type { Tool } from './tools.ts';
import { formatForAssistant } from './wording.ts';

export interface ToolCall {
  readonly tool: Tool;
  readonly given: NamedArguments;
  readonly connection: Connection;
  /** Aborts when the answer is no longer needed. */
  readonly signal: AbortSignal;
  readonly progress: (done: number, total: number) => void;
}

/**
 * Returns the notices of a result. Omits notices about omitted rows, because the answer's last line describes the
 * omitted rows.
 */
export const listNoticeTexts = ({ notices }: Pick<Result, 'notices'>): string[] =>
  notices.filter(({ code }) => code !== 'page_cut').map(({ text }) => formatForAssistant(text));
