/** JSON: the envelope byte for byte, or an array of envelopes for several inputs. */

import type { Renderer, RenderTarget } from '../renderer.ts';
import { sanitizeJson } from '../sanitize.ts';

export function jsonRenderer({ write, isTerminal, several }: RenderTarget): Renderer {
  const safe = (text: string): string => (isTerminal ? sanitizeJson(text) : text);
  if (!several) {
    return {
      answer: ({ document }) => {
        for (const piece of document()) write(safe(piece));
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
    answer: ({ document }) => item(document()),
    failed: (input, problem) => item([JSON.stringify({ input, problem })]),
    end: () => write(count === 0 ? '[]\n' : '\n]\n'),
  };
}
