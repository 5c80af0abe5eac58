/** Lines of a chart on a terminal, as pieces of text with a tone. */
import type { Tone } from '../../result/blocks.ts';

export type TextSpan = ReturnType<typeof makeSpan>;
export type ChartLine = readonly TextSpan[];

export const makeSpan = (text: string, tone: Tone = 'plain') => ({ text, tone });

/** Merges adjacent spans of the same tone, and removes trailing spaces. */
export function joinSpans(given: readonly TextSpan[]): ChartLine {
  const spans: TextSpan[] = [];
  for (const { text, tone } of given) {
    const last = spans.at(-1);
    if (last !== undefined && last.tone === tone) spans[spans.length - 1] = { text: last.text + text, tone };
    else spans.push({ text, tone });
  }
  const final = spans.pop();
  const text = final?.text.trimEnd() ?? '';
  return final === undefined || text === '' ? spans : [...spans, { ...final, text }];
}
