/** Renderers of SVG and HTML documents with charts. Loaded on demand. */
import { type Block, makeFieldsBlock, makeTitleBlock } from '../../result/blocks.ts';
import { describeSources, makeFilingsTable } from '../../result/filing-sources.ts';
import { makeChartView, makeFlatRows, makeView, type Result } from '../../result/result.ts';
import { formatHtmlPage } from '../chart/html-page.ts';
import { formatSvgDocument } from '../chart/svg-document.ts';
import type { Renderer, RenderTarget } from './renderer.ts';

export const createSvgRenderer = ({ write }: RenderTarget): Renderer =>
  // An SVG document shows only the charts, with their titles and notes.
  createDocumentRenderer(makeChartView, (answers) => write(formatSvgDocument(answers)));

export const createHtmlRenderer = ({ write }: RenderTarget): Renderer =>
  createDocumentRenderer(makePageBlocks, (answers) => write(formatHtmlPage(answers)));

/**
 * Returns the blocks of the page: the text that was read from a filing, or, for other answers, the charts, the sources
 * of their figures, and the filings.
 */
function makePageBlocks(result: Result): readonly Block[] {
  if (result.charts === undefined && result.layout !== undefined) return makeView(result);
  const sources = describeSources(result).filter(([label]) => label !== 'Prices');
  const filings = makeFilingsTable(makeFlatRows(result));
  return [
    ...makeChartView(result),
    ...(sources.length === 0 ? [] : [makeFieldsBlock(sources)]),
    ...(filings === null ? [] : [makeTitleBlock('The filings'), filings]),
  ];
}

type Blocks = readonly Block[];

/** Writes a single document with all answers at the end; writes nothing if no input was answered. */
function createDocumentRenderer(makeBlocks: (result: Result) => Blocks, write: (answers: readonly Blocks[]) => void) {
  const answers: Blocks[] = [];
  return {
    answer: (result: Result) => void answers.push(makeBlocks(result)),
    end: () => {
      if (answers.length > 0) write(answers);
    },
  };
}
