/** Answers as one page of HTML: self-contained, without scripts, and allowed to ask no network for anything. */

import type { Block, ChartBlock } from '../blocks.ts';
import { renderCell } from '../cells.ts';
import { group } from '../format-values.ts';
import { CHART_STYLE, PAGE_STYLE } from './chart-style.ts';
import { type Content, element, Markup } from './markup.ts';
import type { ValueTable } from './plot.ts';
import { chartElement, PLOT_WIDTH, plotOf } from './svg-document.ts';

const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";
/** Longer tables are folded away until they are asked for. */
const LONG = 40;

/** The whole document, of all answers one under the other. */
export function htmlPage(answers: readonly (readonly Block[])[]): string {
  const titles = answers.flatMap((blocks) => blocks.flatMap((block) => (block.kind === 'title' ? block.text : [])));
  const head = element(
    'head',
    {},
    element('meta', { charset: 'utf-8' }),
    element('meta', { 'http-equiv': 'Content-Security-Policy', content: POLICY }),
    element('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
    element('meta', { name: 'color-scheme', content: 'light dark' }),
    element('title', {}, titles.join('; ')),
    element('style', {}, new Markup(PAGE_STYLE + CHART_STYLE)),
  );
  let count = 0;
  const nextId = (): string => {
    count += 1;
    return `chart-${count}`;
  };
  const sections = answers.map((blocks, index) =>
    element(
      'section',
      {},
      blocks.map((block) => written(block, index === 0 ? 'h1' : 'h2', nextId)),
    ),
  );
  const body = element('body', {}, element('main', {}, sections));
  return `<!DOCTYPE html>\n${element('html', { lang: 'en' }, head, body).text}\n`;
}

function written(block: Block, heading: string, nextId: () => string): Content {
  switch (block.kind) {
    case 'title':
      return element(heading, {}, block.text);
    case 'note':
      return element('p', { class: 'quiet' }, linked(block.text));
    case 'fields':
      return element(
        'dl',
        {},
        block.entries.map(([label, cell]) => [
          element('dt', {}, label),
          element('dd', {}, renderCell(cell, false).text),
        ]),
      );
    case 'chart':
      return figure(block, nextId());
    case 'table':
      return [];
  }
}

/** The terms that an attribution ends with can be followed. */
function linked(text: string): Content {
  const address = /(?<=\s)https:\/\/[\x21-\x7e]+$/.exec(text)?.[0];
  if (address === undefined) return text;
  return [text.slice(0, -address.length), element('a', { href: address, rel: 'noreferrer' }, address)];
}

function figure({ chart }: ChartBlock, id: string): Content {
  const plot = plotOf(chart, PLOT_WIDTH);
  if (plot === null) return [];
  return [
    element('h3', {}, chart.title),
    element('figure', { tabindex: 0 }, chartElement(chart, plot, id, {})),
    element(
      'details',
      { open: plot.table.rows.length > LONG ? null : '' },
      element('summary', {}, 'The figures'),
      element('div', { class: 'values', tabindex: 0 }, table(plot.table, chart.title)),
    ),
  ];
}

function table({ head, rows }: ValueTable, caption: string): Markup {
  return element(
    'table',
    {},
    element('caption', { class: 'quiet' }, caption),
    element(
      'thead',
      {},
      element(
        'tr',
        {},
        head.map((name) => element('th', { scope: 'col' }, name)),
      ),
    ),
    element(
      'tbody',
      {},
      rows.map(({ name, values }) =>
        element(
          'tr',
          {},
          element('th', { scope: 'row' }, name),
          values.map((value) => element('td', {}, value === null ? '–' : element('data', { value }, group(value)))),
        ),
      ),
    ),
  );
}
