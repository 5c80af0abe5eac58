/** SVG and HTML documents. Loaded on demand. */
import { type Block, fields } from '../blocks.ts';
import { htmlPage } from '../chart/html-page.ts';
import { svgDocument } from '../chart/svg-document.ts';
import type { AnswerWriter, Write } from './answer-writer.ts';

/** One document of all answers, written at the end; nothing where there is no answer. */
export function documentWriter(form: 'svg' | 'html', write: Write): AnswerWriter {
  const answers: (readonly Block[])[] = [];
  return {
    answer: ({ view, about, filings }) => {
      // A chart has room for its title and notes; a page also names where its figures are from.
      const labels = form === 'svg' ? [] : (about?.() ?? []).filter(([label]) => label !== 'Prices');
      const origin = form === 'svg' ? [] : [...(labels.length === 0 ? [] : [fields(labels)]), ...(filings?.() ?? [])];
      answers.push([...view(), ...origin]);
    },
    failed: () => undefined,
    end: () => {
      if (answers.length > 0) write(form === 'svg' ? svgDocument(answers) : htmlPage(answers));
    },
  };
}
