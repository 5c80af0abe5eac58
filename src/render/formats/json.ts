/**
 * JSON: the result's document, or an array of documents if there are several inputs. On a terminal, unsafe characters
 * are escaped.
 */

import { sanitizeJson } from '../text/sanitize.ts';
import type { Renderer, RenderTarget } from './renderer.ts';

export function createJsonRenderer({ write, isTerminal, hasSeveralInputs }: RenderTarget): Renderer {
  const writePieces = (pieces: Iterable<string>): void => {
    for (const piece of pieces) write(isTerminal ? sanitizeJson(piece) : piece);
  };
  if (!hasSeveralInputs) {
    return {
      answer: ({ document }) => {
        writePieces(document());
        write('\n');
      },
    };
  }
  let items = 0;
  const writeItem = (pieces: Iterable<string>): void => {
    write(items === 0 ? '[\n' : ',\n');
    writePieces(pieces);
    items += 1;
  };
  return {
    answer: ({ document }) => writeItem(document()),
    addFailure: (input, problem) => writeItem([JSON.stringify({ input, problem })]),
    end: () => write(items === 0 ? '[]\n' : '\n]\n'),
  };
}
