import { SaxesParser } from 'saxes';
import { expect, test } from 'vitest';
import { formatHtmlPage } from '../../../src/render/chart/html-page.ts';
import { formatSvgDocument } from '../../../src/render/chart/svg-document.ts';
import type { Block } from '../../../src/result/blocks.ts';
import {
  ALL_CHARTS,
  ATTRIBUTION,
  EMPTY_CHARTS,
  HOSTILE_CHARTS,
  LOSS_CHART,
  makeBarChart,
  PRICE_CHART,
  SEGMENT_CHART,
  SIDE_BY_SIDE_CHART,
  SINGLE_VALUE_CHARTS,
  STACKED_CHART,
} from './sample-charts.ts';

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  text: string;
}

/** Returns all elements of a document with their text. Throws if the document is not well-formed. */
function parseElements(document: string): Element[] {
  const [elements, openElements]: [Element[], Element[]] = [[], []];
  const parser = new SaxesParser({ fragment: false });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const element = { name, attributes: attributes as Record<string, string>, text: '' };
    elements.push(element);
    openElements.push(element);
  });
  parser.on('text', (text) => {
    for (const element of openElements) element.text += text;
  });
  parser.on('closetag', () => {
    openElements.pop();
  });
  parser.write(document).close();
  return elements;
}

const selectElements = (elements: readonly Element[], name: string): Element[] =>
  elements.filter((element) => element.name === name);

/** Returns bars and the swatches of legends, without backgrounds. */
const selectBarsAndSwatches = (elements: readonly Element[]): Element[] =>
  selectElements(elements, 'rect').filter(({ attributes }) => attributes.class !== 'fin-paper');

const parseSvg = (...answers: (readonly Block[])[]): Element[] => parseElements(formatSvgDocument(answers));
const parseHtml = (...answers: (readonly Block[])[]): Element[] => parseElements(formatHtmlPage(answers));

test('every SVG document and HTML page is well-formed, requests nothing and runs nothing', () => {
  for (const blocks of Object.values(ALL_CHARTS)) {
    for (const elements of [parseSvg(blocks), parseHtml(blocks)]) {
      const elementNames = new Set(elements.map(({ name }) => name));
      for (const name of ['script', 'img', 'image', 'link', 'iframe', 'use', 'foreignObject', 'object']) {
        expect(elementNames).not.toContain(name);
      }
      const attributes = elements.flatMap((element) => Object.entries(element.attributes));
      expect(attributes.filter(([key]) => key.startsWith('on') || key === 'src')).toEqual([]);
      expect(attributes.filter(([key, value]) => key === 'href' && !value.startsWith('https://'))).toEqual([]);
      expect(attributes.some(([, value]) => /NaN|Infinity|undefined/.test(value))).toBe(false);
      for (const { text } of selectElements(elements, 'style')) expect(text).not.toMatch(/url\(|@import/);
    }
  }
});

test('untrusted text is escaped, and characters that XML does not allow are replaced', () => {
  const [document] = parseSvg(HOSTILE_CHARTS);
  expect(document?.text).toContain('<script>document.title="owned"</script>');
  expect(formatSvgDocument([HOSTILE_CHARTS])).not.toMatch(/[^\P{Cc}\n]|\p{Cf}|\p{Cs}/u);
  const linkAddresses = selectElements(parseHtml(HOSTILE_CHARTS), 'a').map(({ attributes }) => attributes.href);
  expect(linkAddresses.every((href) => href?.startsWith('https://example.org/'))).toBe(true);
});

test('the attribution is in the SVG document and on the page, where its terms are linked', () => {
  const svgTexts = parseSvg(PRICE_CHART)
    .filter(({ name }) => name === 'text')
    .map(({ text }) => text);
  expect(svgTexts.join(' ')).toContain(ATTRIBUTION);
  const [link] = selectElements(parseHtml(PRICE_CHART), 'a');
  expect(link?.attributes.href).toBe('https://www.sec.gov/about/privacy-information');
});

test('a line joins only the days of one run, and a single day is a dot', () => {
  const elements = parseSvg(PRICE_CHART);
  const pathData = selectElements(elements, 'path')[0]?.attributes.d ?? '';
  expect(pathData.match(/M/g)).toHaveLength(1);
  expect(pathData.match(/L/g)).toHaveLength(3);
  const [dot] = selectElements(elements, 'circle');
  expect(Number(dot?.attributes.cx)).toBeGreaterThan(700);
  expect(elements.some(({ name, text }) => name === 'desc' && text.includes('are gaps'))).toBe(true);
  expect(elements.some(({ name, text }) => name === 'text' && text === 'split 4:1')).toBe(true);
});

test('each chart has a title, a description and a table of its figures', () => {
  const elements = parseHtml(LOSS_CHART, SEGMENT_CHART, PRICE_CHART);
  const svgs = selectElements(elements, 'svg');
  expect(svgs).toHaveLength(3);
  const ids = elements.flatMap(({ attributes }) => attributes.id ?? []);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { attributes } of svgs) {
    expect(attributes.role).toBe('img');
    for (const id of (attributes['aria-labelledby'] ?? '').split(' ')) expect(ids).toContain(id);
  }
  const valuesAndTexts = selectElements(elements, 'data').map(({ attributes, text }) => [attributes.value, text]);
  expect(valuesAndTexts).toContainEqual(['-10192000000', '-10,192,000,000']);
  expect(valuesAndTexts).toContainEqual(['4500000000.25', '4,500,000,000.25']);
  expect(valuesAndTexts).toContainEqual(['124.8075', '124.8075']);
});

test('a loss is drawn below the zero line, proportional to its size, and a missing figure has no bar', () => {
  const [gain, loss, smallGain] = selectBarsAndSwatches(parseSvg(LOSS_CHART));
  const [top, gainHeight] = [Number(gain?.attributes.y), Number(gain?.attributes.height)];
  expect(Number(loss?.attributes.y)).toBeCloseTo(top + gainHeight, 1);
  expect(Number(loss?.attributes.height) / gainHeight).toBeCloseTo(10192 / 10941, 2);
  expect(loss?.attributes.class).toBe('fin-loss');
  expect(Number(smallGain?.attributes.height) / gainHeight).toBeCloseTo(1935 / 10941, 2);
  expect(selectBarsAndSwatches(parseSvg(LOSS_CHART))).toHaveLength(3);
});

test('the figure of the lowest bar stays above the names of periods, and the axis ends near the highest bar', () => {
  const years = ['FY2024', 'FY2025', 'FY2026'];
  const chart = makeBarChart([{ label: '', values: ['-131438000', '-293290000', '-19140000'] }], years);
  const elements = parseElements(formatSvgDocument([[{ kind: 'chart', chart }]]));
  const readY = (text: string) => Number(elements.find((element) => element.text === text)?.attributes.y);
  expect(readY('FY2025') - readY('-293.29M')).toBeGreaterThan(12);
  const high = makeBarChart([{ label: '', values: ['93740000000', '112010000000', '97000000000'] }], years);
  const ticks = parseElements(formatSvgDocument([[{ kind: 'chart', chart: high }]])).map(({ text }) => text);
  expect(ticks).toContain('125B');
  expect(ticks).not.toContain('150B');
});

test('a chart of one figure is drawn, a chart without figures is not, and several answers share a document', () => {
  expect(selectElements(parseSvg(SINGLE_VALUE_CHARTS), 'circle')).toHaveLength(1);
  expect(selectElements(parseSvg(EMPTY_CHARTS), 'svg')).toHaveLength(1);
  expect(parseSvg(EMPTY_CHARTS)[0]?.text).toContain('The answer has no values for a chart.');
  expect(selectElements(parseHtml(PRICE_CHART, LOSS_CHART), 'section')).toHaveLength(2);
  expect(selectElements(parseSvg(PRICE_CHART, LOSS_CHART), 'svg')).toHaveLength(3);
});

test('the figures of several charts are one table, with a row for each period of any chart', () => {
  const makeChartBlock = (title: string, periods: readonly string[]): Block => ({
    kind: 'chart',
    chart: {
      kind: 'bars',
      title,
      periods,
      series: [{ label: '', values: periods.map((_, index) => `${index + 1}`) }],
      measure: 'money',
    },
  });
  const page = formatHtmlPage([
    [makeChartBlock('Revenue', ['FY2023', 'FY2025']), makeChartBlock('Profit', ['FY2024', 'FY2025'])],
  ]);
  expect(page.match(/<table>/g)).toHaveLength(1);
  expect([...page.matchAll(/<th scope="(?:col|row)">([^<]*)<\/th>/g)].map(([, text]) => text)).toEqual([
    'Period',
    'Revenue',
    'Profit',
    'FY2023',
    'FY2024',
    'FY2025',
  ]);
});

const measureBox = ({ attributes: { x, y, width, height } }: Element) => ({
  ...{ left: Number(x), right: Number(x) + Number(width) },
  ...{ top: Number(y), bottom: Number(y) + Number(height) },
});

test('companies share one plot: their bars stand next to each other, and the legend names their colours', () => {
  const elements = parseSvg(SIDE_BY_SIDE_CHART);
  const [firstSwatch, secondSwatch, ...barElements] = selectBarsAndSwatches(elements);
  const legendClasses = [firstSwatch, secondSwatch].map((swatch) => swatch?.attributes.class);
  expect(legendClasses).toEqual(['fin-series-0', 'fin-series-1']);
  expect(barElements.map(({ attributes }) => attributes.class)).toEqual([
    'fin-series-0',
    'fin-series-1',
    'fin-series-0',
  ]);
  const [apple, microsoft, laterBar] = barElements.map(measureBox);
  expect(microsoft?.left).toBeCloseTo(apple?.right ?? 0, 1);
  expect(microsoft?.bottom).toBeCloseTo(apple?.bottom ?? 0, 1);
  expect(laterBar?.left).toBeGreaterThan(microsoft?.right ?? 0);
  const texts = selectElements(elements, 'text').map(({ text }) => text);
  for (const text of ['AAPL', 'MSFT', '2024', '2025', '391.04B', '–']) expect(texts).toContain(text);
});

test('the parts of a whole are stacked without gaps, each as high as its share', () => {
  const boxes = selectBarsAndSwatches(parseSvg(STACKED_CHART)).slice(2).map(measureBox);
  const [lower, upper] = boxes;
  expect(upper?.bottom).toBeCloseTo(lower?.top ?? 0, 1);
  expect([upper?.left, upper?.right]).toEqual([lower?.left, lower?.right]);
  const measureHeight = (place: typeof lower) => (place?.bottom ?? 0) - (place?.top ?? 0);
  expect(measureHeight(lower) / measureHeight(upper)).toBeCloseTo(3, 1);
});

test('negative parts of a stack extend downwards from zero', () => {
  const series = [
    { label: 'Products', values: ['300'] },
    { label: 'Other', values: ['-100'] },
    { label: 'Services', values: ['100'] },
  ];
  const chart = { ...makeBarChart(series, ['2025']), together: 'stacked' } as const;
  const [products, other, services] = selectBarsAndSwatches(parseSvg([{ kind: 'chart', chart }]))
    .slice(3)
    .map(measureBox);
  expect(services?.bottom).toBeCloseTo(products?.top ?? 0, 1);
  expect(other?.top).toBeCloseTo(products?.bottom ?? 0, 1);
  expect((other?.bottom ?? 0) - (other?.top ?? 0)).toBeCloseTo((services?.bottom ?? 0) - (services?.top ?? 0), 1);
});

test('more series than colours, and stacks with a missing value, are drawn as one panel per series', () => {
  const sevenSeries = Array.from({ length: 7 }, (_, index) => ({ label: `part ${index}`, values: ['1'] }));
  const chartsDrawnAsPanels = [
    { ...makeBarChart(sevenSeries, ['2025']), together: 'beside' },
    {
      ...makeBarChart(
        [sevenSeries[0], { label: 'gap', values: [null] }].flatMap((series) => series ?? []),
        ['2025'],
      ),
      together: 'stacked',
    },
  ] as const;
  for (const chart of chartsDrawnAsPanels) {
    const classes = selectBarsAndSwatches(parseSvg([{ kind: 'chart', chart }])).map(
      ({ attributes }) => attributes.class,
    );
    expect(new Set(classes)).not.toContain('fin-series-0');
    expect(classes.length).toBeGreaterThan(0);
  }
});

test('the figure of a bar has a background of its own, so that no grid line crosses it', () => {
  const elements = parseSvg(LOSS_CHART);
  const figure = selectElements(elements, 'text').find(({ text }) => text === '-10.19B');
  const backgroundBox = selectElements(elements, 'rect')
    .filter(({ attributes }) => attributes.class === 'fin-paper')
    .map(measureBox)
    .find(({ left, right }) => left < Number(figure?.attributes.x) && right > Number(figure?.attributes.x));
  expect(Number(figure?.attributes.y)).toBeGreaterThan(backgroundBox?.top ?? Number.POSITIVE_INFINITY);
});
