/** Formats an error for a tool's answer: cause and advice, without local paths and API keys. */

import { describeFailure } from '../ask/failure-report.ts';
import { isFailure } from '../contract/failure.ts';
import { redactApiKeys } from '../contract/text/quote.ts';
import { isTimeoutError } from '../platform/system-error.ts';
import { shortenPaths } from '../render/assistant/answer-text.ts';
import { escapeDataText } from '../render/assistant/compact-rows.ts';
import { formatForAssistant } from './wording.ts';

const DEFECT_TEXT = 'Error: this is a defect of fin. Repeating the same call will not help; try another call.';

const TIMEOUT_TEXT = 'Error: the call took too long. Request less at a time, or try again later.';

export function formatFailure(error: unknown): string {
  if (isTimeoutError(error)) return TIMEOUT_TEXT;
  const isReportable = isFailure(error) || (error instanceof Error && 'code' in error);
  if (!isReportable) return DEFECT_TEXT;
  const lines = describeFailure(error).map((text, index) => (index === 0 ? 'Error: ' : '') + formatForAssistant(text));
  return lines.map((line) => shortenPaths(escapeDataText(shortenText(redactApiKeys(line))))).join('\n');
}

/** Maximum number of characters per line, because an error may quote an argument of any length. */
const MAX_LINE_LENGTH = 2_000;

const shortenText = (line: string): string =>
  line.length > MAX_LINE_LENGTH ? `${line.slice(0, MAX_LINE_LENGTH)}…` : line;
