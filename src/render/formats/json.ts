/**
 * JSON: the result's document, or an array of documents if there are several inputs. On a terminal, unsafe characters
 * are escaped.
 */

import { sanitizeJson } from '../text/sanitize.ts';
import type { Renderer, RenderTarget } from './renderer.ts';

export function createJsonRenderer({ write, isTerminal, hasSeveralInputs }: RenderTarget): Renderer {
  const clean = (text: string): string => (isTerminal ? sanitizeJson(text) : text);
  if (!hasSeveralInputs) {
    return {
      answer: ({ document }) => {
        for (const piece of document()) write(clean(piece));
        write('\n');
      },
      addFailure: () => undefined,
      end: () => undefined,
    };
  }
  let items = 0;
  const writeItem = (pieces: Iterable<string>): void => {
    write(items === 0 ? '[\n' : ',\n');
    for (const piece of pieces) write(clean(piece));
    items += 1;
  };
  return {
    answer: ({ document }) => writeItem(document()),
    addFailure: (input, problem) => writeItem([JSON.stringify({ input, problem })]),
    end: () => write(items === 0 ? '[]\n' : '\n]\n'),
  };
}
