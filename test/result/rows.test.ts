import { expect, test } from 'vitest';
import { createJsonRenderer } from '../../src/render/formats/json.ts';
import type { Renderer, RenderTarget } from '../../src/render/formats/renderer.ts';
import { createCsvRenderer, createNdjsonRenderer, formatCsvLine } from '../../src/render/formats/row-formats.ts';
import type { Result } from '../../src/result/result.ts';
import { pickFields } from '../../src/result/rows.ts';
import { makeResultOfRows, makeTarget } from '../render/targets.ts';

test('CSV cells are quoted according to RFC 4180', () => {
  expect(formatCsvLine(['plain', 'a,b', 'say "hi"', 'two\nlines', null, 12, true])).toBe(
    'plain,"a,b","say ""hi""","two\nlines",,12,true\r\n',
  );
});

test('text that a spreadsheet would evaluate is escaped, and figures never change', () => {
  const csvLine = formatCsvLine([
    '=HYPERLINK("http://x")',
    '+1-555',
    '@SUM(A1)',
    '-cmd|calc',
    '-1877000000',
    '-0.5',
    '\tx',
  ]);
  // A line break before "=", and the full-width "=", "+", "-" and "@" of East Asian keyboards.
  expect(formatCsvLine(['\n=1', '\uff1d1', '\uff0b1', '\uff0d1', '\uff201'])).toBe(
    `"'\n=1",'\uff1d1,'\uff0b1,'\uff0d1,'\uff201\r\n`,
  );
  expect(csvLine).toBe(`"'=HYPERLINK(""http://x"")",'+1-555,'@SUM(A1),'-cmd|calc,-1877000000,-0.5,'\tx\r\n`);
});

const makeResult = (
  tickers: readonly string[],
  document: string = JSON.stringify({ data: tickers, meta: {} }),
): Result =>
  makeResultOfRows(
    pickFields(
      ['ticker', 'value'],
      tickers.map((ticker) => ({ ticker, value: '1.10' })),
    ),
    { document: () => [document] },
  );

function openRenderer(makeRenderer: (target: RenderTarget) => Renderer, changes: Partial<RenderTarget> = {}) {
  const writtenTexts: string[] = [];
  const renderer = makeRenderer(makeTarget((text) => void writtenTexts.push(text), changes));
  return { emitter: renderer, text: () => writtenTexts.join(''), writes: () => writtenTexts.length };
}

test('several answers share one CSV header, which is printed even without rows', () => {
  const { emitter, text } = openRenderer(createCsvRenderer);
  emitter.answer(makeResult([]));
  emitter.answer(makeResult(['AAPL']));
  emitter.answer(makeResult(['MSFT']));
  emitter.end?.();
  expect(text()).toBe('ticker,value\r\nAAPL,1.10\r\nMSFT,1.10\r\n');
});

test('without a header CSV has only rows, so that they can be appended to a file', () => {
  const { emitter, text } = openRenderer(createCsvRenderer, { header: false });
  emitter.answer(makeResult(['AAPL']));
  emitter.end?.();
  expect(text()).toBe('AAPL,1.10\r\n');
});

test('on a terminal, the header is sanitized like the rows', () => {
  const { emitter, text } = openRenderer(createCsvRenderer, { isTerminal: true });
  emitter.answer(makeResultOfRows({ columns: ['a\u001b[2J'], rows: [['b\u001b[2J']] }));
  expect(text()).toBe('a�[2J\r\nb�[2J\r\n');
});

test('NDJSON keeps decimals as strings', () => {
  const { emitter, text } = openRenderer(createNdjsonRenderer);
  emitter.answer(makeResult(['AAPL', 'MSFT']));
  expect(text()).toBe('{"ticker":"AAPL","value":"1.10"}\n{"ticker":"MSFT","value":"1.10"}\n');
});

test('each NDJSON row equals the output of JSON.stringify, whatever its cells and those of the previous row', () => {
  const textsOfEveryCharacter = Array.from({ length: 0x10000 }, (_, code) => `a${String.fromCharCode(code)}`);
  const cells = [
    ...textsOfEveryCharacter,
    '\u{1f600}',
    '',
    'null',
    null,
    null,
    1,
    '1',
    '1',
    1,
    true,
    'true',
    false,
    0,
    '',
  ];
  const rows = cells.map((cell, index) => ({ cell, next: cells[index + 1] ?? null, 'na"me': 'Apple "Inc."' }));
  const { emitter, text } = openRenderer(createNdjsonRenderer);
  emitter.answer(makeResultOfRows(pickFields(['cell', 'next', 'na"me'], rows)));
  const expectedText = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  expect(text() === expectedText).toBe(true);
});

test('JSON is the text of the response; several answers are an array in which a failed input keeps its place', () => {
  const singleRenderer = openRenderer(createJsonRenderer);
  singleRenderer.emitter.answer(makeResult([], '{"data": 1.10,\n "meta":{}}'));
  singleRenderer.emitter.end?.();
  expect(singleRenderer.text()).toBe('{"data": 1.10,\n "meta":{}}\n');

  const batchRenderer = openRenderer(createJsonRenderer, { hasSeveralInputs: true });
  batchRenderer.emitter.answer(makeResult(['AAPL']));
  batchRenderer.emitter.addFailure?.('NOPE', { code: 'not_found' });
  batchRenderer.emitter.end?.();
  expect(JSON.parse(batchRenderer.text())).toEqual([
    { data: ['AAPL'], meta: {} },
    { input: 'NOPE', problem: { code: 'not_found' } },
  ]);

  const emptyBatchRenderer = openRenderer(createJsonRenderer, { hasSeveralInputs: true });
  emptyBatchRenderer.emitter.end?.();
  expect(emptyBatchRenderer.text()).toBe('[]\n');
});

test('ten thousand rows are made and written in parts', () => {
  const { emitter, text, writes } = openRenderer(createCsvRenderer);
  let lastYieldedIndex = 0;
  const rows = (function* () {
    for (let index = 0; index < 10_000; index += 1) {
      lastYieldedIndex = index;
      yield [`T${index}`, '123456789012345.678901234567890'];
    }
  })();
  emitter.answer(makeResultOfRows({ columns: ['ticker', 'value'], rows }));
  expect(lastYieldedIndex).toBe(9999);
  expect(writes()).toBeGreaterThan(5);
  expect(text().split('\r\n')).toHaveLength(10_002);
});
