/** What was found for one input: one answer, or all pages of one question. */
import type { ClientResponse, ResponseSource } from '../../client/response.ts';
import type { Answer } from '../command.ts';

export interface FetchedAnswer {
  /** What is to be said of it: the answer, or of several pages the last. */
  readonly answer: Answer<unknown>;
  /** Every page in order; each may be read again. */
  readonly pages: () => Iterable<Answer<unknown>>;
  /** All rows in one answer, for those who must see them together. */
  readonly whole: () => Answer<unknown>;
  /** The document, in pieces. */
  readonly text: () => Iterable<string>;
  readonly sources: readonly ResponseSource[];
  /** Where prices came without an attribution: whether one was put to them, or none is to be had. */
  readonly attributed?: 'added' | 'missing';
  readonly close: () => void;
}

export const oneAnswer = (answer: Answer<unknown>, response: ClientResponse): FetchedAnswer => ({
  answer,
  pages: () => [answer],
  whole: () => answer,
  text: () => [response.text.trimEnd()],
  sources: [response.source],
  close: () => undefined,
});
