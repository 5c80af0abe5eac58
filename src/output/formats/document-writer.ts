/** SVG and HTML documents. Loaded on demand. */
import type { Block } from '../blocks.ts';
import { htmlPage } from '../chart/html-page.ts';
import { svgDocument } from '../chart/svg-document.ts';
import type { AnswerWriter, Write } from './answer-writer.ts';

/** One document of all answers, written at the end; nothing where there is no answer. */
export function documentWriter(form: 'svg' | 'html', write: Write): AnswerWriter {
  const answers: (readonly Block[])[] = [];
  return {
    answer: ({ view }) => {
      answers.push(view());
    },
    failed: () => undefined,
    end: () => {
      if (answers.length > 0) write(form === 'svg' ? svgDocument(answers) : htmlPage(answers));
    },
  };
}
