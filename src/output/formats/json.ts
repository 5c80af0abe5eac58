/** JSON: the envelope to the byte, or an array of envelopes where there are several inputs. */
import { sanitizeJson } from '../sanitize.ts';
import type { AnswerWriter, Sink } from './answer-writer.ts';

export function jsonWriter({ write, isTerminal }: Sink, several: boolean): AnswerWriter {
  const safe = (text: string): string => (isTerminal ? sanitizeJson(text) : text);
  if (!several) {
    return {
      answer: ({ text }) => {
        for (const piece of text()) write(safe(piece));
        write('\n');
      },
      failed: () => undefined,
      end: () => undefined,
    };
  }
  let count = 0;
  const item = (text: Iterable<string>): void => {
    write(count === 0 ? '[\n' : ',\n');
    for (const piece of text) write(safe(piece));
    count += 1;
  };
  return {
    answer: ({ text }) => item(text()),
    failed: (input, problem) => item([JSON.stringify({ input, problem })]),
    end: () => write(count === 0 ? '[]\n' : '\n]\n'),
  };
}
