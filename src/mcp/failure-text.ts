/** An error as a tool reports it: what is wrong, and what to do. No path of this machine and no key is in it. */
import { failureLines } from '../commands/failure-report.ts';
import { isFailure } from '../contract/failure.ts';
import { redactKeys } from '../contract/quote.ts';
import { inCalls } from './call-in-words.ts';
import { dataText } from './compact-rows.ts';

const DEFECT = 'Error: this is a defect of fin. Asking the same again will not help; ask for something else.';

const TOO_LONG = 'Error: it took too long. Ask for less at a time, or again later.';

export function failureText(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return TOO_LONG;
  const isKnown = isFailure(error) || (error instanceof Error && 'code' in error);
  if (!isKnown) return DEFECT;
  const lines = failureLines(error).map((line, index) => (index === 0 ? line.replace(/^fin: /, 'Error: ') : line));
  return lines.map((line) => withoutPaths(dataText(inCalls(shortened(redactKeys(line)))))).join('\n');
}

/** An argument that is named in an error may be of any length. */
const LINE_MAX = 2_000;

const shortened = (line: string): string => (line.length > LINE_MAX ? `${line.slice(0, LINE_MAX)}…` : line);

/** Absolute paths with their last part only. */
export const withoutPaths = (text: string): string =>
  text.replace(/(?<![\w:/.])(?:[A-Za-z]:)?(?:[\\/][\w.@ -]*[\w.@-]){2,}/g, (path) => `…/${path.split(/[\\/]/).at(-1)}`);
