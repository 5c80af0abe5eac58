/** Lines of a chart on a terminal, as pieces of text with a tone. */
import type { Tone } from '../../result/blocks.ts';

export interface TextSpan {
  readonly text: string;
  readonly tone: Tone;
}

export type ChartLine = readonly TextSpan[];

export const makeSpan = (text: string, tone: Tone = 'plain'): TextSpan => ({ text, tone });

/** Merges adjacent spans of the same tone, and removes trailing spaces. */
export function joinSpans(givenSpans: readonly TextSpan[]): ChartLine {
  const spans: TextSpan[] = [];
  for (const { text, tone } of givenSpans) {
    const lastSpan = spans.at(-1);
    if (lastSpan !== undefined && lastSpan.tone === tone)
      spans[spans.length - 1] = { text: lastSpan.text + text, tone };
    else spans.push({ text, tone });
  }
  const finalSpan = spans.pop();
  const text = finalSpan?.text.trimEnd() ?? '';
  return finalSpan === undefined || text === '' ? spans : [...spans, { ...finalSpan, text }];
}
