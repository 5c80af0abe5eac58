/** Renders answers as one self-contained SVG document with titles, notes and attributions. */
import type { Block, Chart, FieldsBlock } from '../../result/blocks.ts';
import { renderCell } from '../text/cells.ts';
import { drawBarsSvg } from './bars-svg.ts';
import { CHART_STYLE, FONT_FAMILY } from './chart-style.ts';
import { drawLineSvg } from './line-svg.ts';
import { Markup, type MarkupContent, makeElement, type Plot, wrapIn } from './markup.ts';
import { drawTextAt, type SvgTextStyle, wrapToLines } from './svg-text.ts';

const DOCUMENT_WIDTH = 800;
const MARGIN = 24;

export const makePlot = (chart: Chart, width: number): Plot | null =>
  chart.kind === 'line' ? drawLineSvg(chart, width) : drawBarsSvg(chart, width);

/**
 * Returns a chart as an `svg` element with title and description, for a document that contains the chart styles. `id`
 * must be unique within the document.
 */
export function makeFigure({ title }: Chart, { height, description, content }: Plot, id: string, place: Place): Markup {
  const [titleId, descriptionId] = [`${id}-title`, `${id}-desc`];
  return makeElement(
    'svg',
    {
      ...{ ...place, viewBox: `0 0 ${PLOT_WIDTH} ${height}` },
      ...{ role: 'img', 'aria-labelledby': `${titleId} ${descriptionId}` },
    },
    makeElement('title', { id: titleId }, title),
    makeElement('desc', { id: descriptionId }, description),
    content,
  );
}

/** Position and size of a chart in an SVG document; empty in a page. */
type Place = Readonly<Record<string, number>>;

export const PLOT_WIDTH = DOCUMENT_WIDTH - 2 * MARGIN;

/** Returns the complete SVG document with all answers in order. */
export function formatSvgDocument(answers: readonly (readonly Block[])[]): string {
  const documentContent: MarkupContent[] = [];
  let currentY = MARGIN;
  const writeText = (text: string, style: SvgTextStyle, after: number): void => {
    for (const line of wrapToLines(text, style.size, PLOT_WIDTH)) {
      documentContent.push(drawTextAt(line, MARGIN, currentY + style.size, style));
      currentY += Math.ceil(style.size * 1.4);
    }
    currentY += after;
  };
  let plots = 0;
  const drawChart = (chart: Chart): void => {
    const plot = makePlot(chart, PLOT_WIDTH);
    if (plot === null) return;
    writeText(chart.title, { size: 14, bold: true }, 4);
    plots += 1;
    const place = { x: MARGIN, y: currentY, width: PLOT_WIDTH, height: plot.height };
    documentContent.push(makeFigure(chart, plot, `chart-${plots}`, place));
    currentY += plot.height + 12;
  };
  for (const [index, blocks] of answers.entries()) {
    if (index > 0) currentY += MARGIN;
    for (const block of blocks) {
      if (block.kind === 'title') writeText(block.text, { size: 18, bold: true }, 8);
      else if (block.kind === 'note') writeText(block.text, { size: 11, look: 'fin-quiet' }, 4);
      else if (block.kind === 'fields') writeText(formatFieldsLine(block), { size: 13, look: 'fin-quiet' }, 8);
      else if (block.kind === 'chart') drawChart(block.chart);
    }
  }
  const height = currentY + MARGIN - 8;
  const titles = answers.flatMap((blocks) => blocks.flatMap((block) => (block.kind === 'title' ? block.text : [])));
  const size = { width: DOCUMENT_WIDTH, height, viewBox: `0 0 ${DOCUMENT_WIDTH} ${height}` };
  const svg = makeElement(
    'svg',
    { xmlns: 'http://www.w3.org/2000/svg', ...size, 'font-family': FONT_FAMILY },
    wrapIn('title', titles.join('; ')),
    wrapIn('style', new Markup(CHART_STYLE)),
    makeElement('rect', { width: DOCUMENT_WIDTH, height, class: 'fin-paper' }),
    documentContent,
  );
  return `${svg.text}\n`;
}

const formatFieldsLine = ({ entries }: FieldsBlock): string =>
  entries.map(([label, cell]) => `${label} ${renderCell(cell, false).text}`).join(' · ');
