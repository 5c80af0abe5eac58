import { expect, test } from 'vitest';
import { planColumns } from '../../../src/render/terminal/column-widths.ts';
import { createPaint } from '../../../src/render/terminal/paint.ts';
import { renderBlocks } from '../../../src/render/terminal/print-blocks.ts';
import { cutMiddle, measureWidth, truncate } from '../../../src/render/text/text-width.ts';
import {
  makeFieldsBlock,
  makeFigureCell,
  makeNoteBlock,
  makeSignedCell,
  makeTableBlock,
  makeTitleBlock,
} from '../../../src/result/blocks.ts';

const plainOptions = { width: null, exact: false, header: true };

const companyTable = makeTableBlock(
  [
    { key: 'ticker', title: 'Ticker' },
    { key: 'name', title: 'Company', shrinkTo: 8 },
    { key: 'revenue', title: 'Revenue', align: 'right' },
    { key: 'growth', title: 'Growth', align: 'right', drop: 2 },
    { key: 'form', title: 'Form', drop: 1 },
  ],
  [
    ['AAPL', 'Apple Inc.', makeFigureCell('391035000000', 'money'), makeSignedCell('0.0202', 'fraction'), '10-K'],
    ['7203', 'トヨタ自動車株式会社', makeFigureCell(null, 'money'), makeSignedCell('-0.5', 'fraction'), '20-F'],
  ],
);

test('a table printed to a pipe is aligned, not cut, and has its header', () => {
  expect(renderBlocks([makeTitleBlock('Companies'), companyTable, makeNoteBlock('the end')], plainOptions)).toBe(
    [
      'Companies',
      'Ticker  Company               Revenue   Growth  Form',
      'AAPL    Apple Inc.            391.04B   +2.0 %  10-K',
      '7203    トヨタ自動車株式会社        –  -50.0 %  20-F',
      'the end',
      '',
    ].join('\n'),
  );
});

test('exact figures keep every digit', () => {
  expect(renderBlocks([companyTable], { ...plainOptions, exact: true })).toContain('391035000000  +0.0202');
});

test('without a header a table has rows only', () => {
  expect(renderBlocks([companyTable], { ...plainOptions, header: false }).split('\n')[0]).toMatch(/^AAPL/);
});

test.each([20, 30, 40, 50, 60])('no line of a table exceeds %i columns, and a note names what was cut', (width) => {
  for (const options of [{}, { ruled: true }]) {
    const text = renderBlocks([companyTable], { ...plainOptions, width, ...options });
    const lines = text.trimEnd().split('\n');
    const tableLines = lines.filter((line) => /AAPL|7203|Ticker/.test(line));
    expect(tableLines).toHaveLength(3);
    for (const line of tableLines) expect(measureWidth(line)).toBeLessThanOrEqual(width);
    const droppedTitles = ['Growth', 'Form', 'Revenue', 'Company'].filter((name) => !tableLines[0]?.includes(name));
    for (const name of droppedTitles) expect(text.replaceAll('\n', ' ')).toContain(name);
  }
});

test('a table for a terminal has the same cells as a table without rules', () => {
  const ruledLines = renderBlocks([companyTable], { ...plainOptions, width: 80, ruled: true }).split('\n');
  const linesWithoutRules = renderBlocks([companyTable], { ...plainOptions, width: 80 }).split('\n');
  expect(ruledLines.filter((line) => !line.startsWith('─'))).toEqual(linesWithoutRules);
});

test('columns are dropped by their drop numbers, and the first column is never dropped', () => {
  const columns = [
    { key: 'a', title: 'a' },
    { key: 'b', title: 'b', drop: 1 },
    { key: 'c', title: 'c', drop: 9 },
    { key: 'd', title: 'd' },
  ];
  const rows = [['a', 'b', 'c', 'd'].map((letter) => letter.repeat(10))];
  const findShownColumnIndexes = (width: number) =>
    planColumns(columns, rows, width).shownColumns.map(({ index }) => index);
  expect(findShownColumnIndexes(46)).toEqual([0, 1, 2, 3]);
  expect(findShownColumnIndexes(45)).toEqual([0, 1, 3]);
  expect(findShownColumnIndexes(30)).toEqual([0, 3]);
  expect(findShownColumnIndexes(12)).toEqual([0]);
});

test('without room for all columns, empty ones are dropped first and named separately', () => {
  const rows = [['AAPL', 'Apple Incorporated', null, '', '10-K']];
  const text = renderBlocks([{ ...companyTable, rows }], { ...plainOptions, width: 34 });
  expect(text).toBe(
    [
      'Ticker  Company             Form',
      'AAPL    Apple Incorporated  10-K',
      'Empty columns not shown: Revenue,',
      'Growth',
      '',
    ].join('\n'),
  );
  expect(renderBlocks([{ ...companyTable, rows }], plainOptions)).toContain('Revenue  Growth');
});

test('a note says that a pipe shows the dropped columns', () => {
  const text = renderBlocks([companyTable], { ...plainOptions, width: 36 });
  expect(text.replaceAll('\n', ' ')).toMatch(/ 1 more column did not fit: Growth\. To see all, add: \| less -S $/);
});

test('a header is never cut, however narrow its column', () => {
  const columns = [
    { key: 'a', title: 'Name' },
    { key: 'b', title: 'Officer title', shrinkTo: 4 },
  ];
  const text = renderBlocks([makeTableBlock(columns, [['x', 'Chief executive officer']])], {
    ...plainOptions,
    width: 20,
  });
  expect(text).toContain('Officer title');
  expect(text).toContain('Chief executi…');
});

test('a header may have two lines, and without a header both are omitted', () => {
  const columns = [
    { key: 'a', title: '' },
    { key: 'b', title: 'FY2025', subtitle: '2025-09-27', align: 'right' },
  ] as const;
  const block = makeTableBlock(columns, [['Revenue', '1']]);
  expect(renderBlocks([block], plainOptions)).toBe('             FY2025\n         2025-09-27\nRevenue           1\n');
  expect(renderBlocks([block], { ...plainOptions, header: false })).toBe('Revenue           1\n');
  expect(renderBlocks([block], { ...plainOptions, ruled: true })).toBe(
    '             FY2025\n         2025-09-27\n───────  ──────────\nRevenue           1\n',
  );
});

test('on a terminal a title wraps to the width of its longest word; in a pipe the header stays one line', () => {
  const columns = [
    { key: 'a', title: 'Ticker' },
    { key: 'b', title: 'Free cash flow', align: 'right', wrapsTitle: true },
  ] as const;
  const block = makeTableBlock(columns, [['AAPL', '98.77B']]);
  expect(renderBlocks([block], { ...plainOptions, width: 80 })).toBe(
    '          Free\n          cash\nTicker    flow\nAAPL    98.77B\n',
  );
  expect(renderBlocks([block], plainOptions)).toBe('Ticker  Free cash flow\nAAPL            98.77B\n');
});

test('a section title spans the columns and wraps at the width of the line', () => {
  const block = makeTableBlock(
    [{ key: 'a', title: 'Filed' }],
    [{ section: 'FY2017, 2017-01-01 to 2017-12-30' }, ['2018-02-16']],
  );
  expect(renderBlocks([block], { ...plainOptions, width: 20 })).toBe(
    'Filed\nFY2017, 2017-01-01\nto 2017-12-30\n2018-02-16\n',
  );
  expect(renderBlocks([block], plainOptions)).toBe('Filed\nFY2017, 2017-01-01 to 2017-12-30\n2018-02-16\n');
});

test('prices of a column are aligned at the decimal point', () => {
  const rows = ['190', '246.245', '309.6198', null].map((price) => [makeFigureCell(price, 'per_share'), 'x']);
  const block = makeTableBlock(
    [
      { key: 'p', title: 'Price', align: 'right' },
      { key: 'x', title: 'X' },
    ],
    rows,
  );
  const expectedLines = ['   Price  X', '190.00    x', '246.245   x', '309.6198  x', '   –      x', ''];
  expect(renderBlocks([block], plainOptions).split('\n')).toEqual(expectedLines);
});

test('a long cell wraps in a wrapping column, and a long word is cut in its middle', () => {
  const columns = [
    { key: 'a', title: 'Check' },
    { key: 'b', title: 'Detail', shrinkTo: 12, wrapped: true, cut: 'middle' },
  ] as const;
  const block = makeTableBlock(columns, [
    ['one', 'is open to others: /home/someone/.config/fin'],
    ['two', 'good'],
  ]);
  for (const drawOptions of [{}, { ruled: true }]) {
    expect(renderBlocks([block], { ...plainOptions, header: false, width: 24, ...drawOptions })).toBe(
      ['one    is open to', '       others:', '       /home/so…nfig/fin', 'two    good', ''].join('\n'),
    );
  }
});

test('a blank line separates blocks, but not a title or note from its block', () => {
  const fieldsBlock = makeFieldsBlock([['Price', '1']]);
  const blocks = [makeTitleBlock('A'), fieldsBlock, companyTable, makeNoteBlock('n'), makeTitleBlock('B'), fieldsBlock];
  const [textWithTitles, textWithoutTable] = [
    renderBlocks(blocks, plainOptions),
    renderBlocks([fieldsBlock, { ...companyTable, rows: [] }, fieldsBlock], plainOptions),
  ];
  expect(textWithTitles).toMatch(/^A\nPrice {2}1\n\nTicker.*\n(?:.+\n){2}n\n\nB\nPrice {2}1\n$/);
  expect(textWithoutTable).toBe('Price  1\n\nPrice  1\n');
});

test.each([
  ['e\u0301te\u0301 combined', 4, 'e\u0301te\u0301…'],
  ['🇩🇪🇫🇷🇮🇹', 4, '🇩🇪…'],
  ['한국어 회사', 8, '한국어…'],
])('no character is cut in two: %s', (text, width, cutText) => {
  expect(truncate(text, width)).toBe(cutText);
});

test.each([
  ['OtherComprehensiveIncomeLossNetOfTax', 15, 'OtherCo…etOfTax'],
  ['OtherComprehensiveIncomeLossNetOfTax', 36, 'OtherComprehensiveIncomeLossNetOfTax'],
  ['トヨタ自動車', 8, 'トヨ…車'],
])('a cut in the middle keeps both ends: %s in %i', (text, width, cutText) => {
  expect(cutMiddle(text, width)).toBe(cutText);
  expect(measureWidth(cutText)).toBeLessThanOrEqual(width);
});

test('untrusted text in a cell stays on its line and cannot control the terminal', () => {
  const text = renderBlocks([makeTableBlock([{ key: 'a', title: 'A' }], [['one\ntwo\u001b[2J']])], plainOptions);
  expect(text).toBe('A\none two�[2J\n');
  const column = { key: 'a', title: 'A\u001b[2J', subtitle: '\u202eB' };
  expect(renderBlocks([makeTableBlock([column], [['one']])], plainOptions)).toBe('A�[2J\n�B\none\n');
});

test('a table with figures of hundreds of thousands of digits is drawn in linear time', () => {
  // In quadratic time, figures of this length would take longer than the timeout of the test.
  const longFigure = makeFigureCell('9'.repeat(400_000), 'per_share');
  const columns = ['a', 'b'].map((key) => ({ key, title: key }));
  const shortRows = Array.from({ length: 5 }, () => ['1', '2']);
  const text = renderBlocks([makeTableBlock(columns, [[longFigure, '2'], ...shortRows])], {
    ...plainOptions,
    exact: true,
  });
  expect(text.length).toBeGreaterThan(400_000);
});

test('a thousand rows are drawn as one table', () => {
  const rows = Array.from({ length: 1000 }, (_, index) => [
    `T${index}`,
    'Company',
    makeFigureCell(String(index * 1_000_003), 'money'),
    null,
    'x',
  ]);
  const text = renderBlocks([{ ...companyTable, rows }], { ...plainOptions, width: 80, ruled: true });
  const lines = text.split('\n');
  expect(lines).toHaveLength(1003);
  expect(lines[1]).toMatch(/^─+ +─+/);
});

test('colours and links take no width: without their escape sequences the table equals an unpainted table', () => {
  const linkedTable = makeTableBlock(companyTable.columns, [
    ...companyTable.rows,
    [
      { text: 'MSFT', tone: 'strong', link: 'https://example.org/?a=1&b=2' },
      'x',
      null,
      null,
      { text: '10-K', link: 'javascript:alert(1)' },
    ],
    [{ text: 'NVDA', link: 'https://example.org/\u0007evil' }, 'y', null, null, '10-K'],
  ]);
  const paintedText = renderBlocks([linkedTable], { ...plainOptions, width: 70, ruled: true, paint: createPaint() });
  expect(paintedText.split('\u001b]8;;https:')).toHaveLength(2);
  expect(paintedText).not.toContain('javascript:');
  const unpaintedLines = paintedText
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the sequences of colours and links.
    .replace(/\u001b\[[0-9;]*m|\u001b\]8;;[^\u0007]*\u0007/g, '')
    .split('\n')
    .filter((line) => !line.startsWith('─'))
    .map((line) => line.trimEnd());
  expect(unpaintedLines).toEqual(
    renderBlocks([linkedTable], { ...plainOptions, width: 70 })
      .split('\n')
      .map((line) => line.trimEnd()),
  );
});

test('a long title or field continues on the next line, indented', () => {
  const blocks = [
    makeTitleBlock('A company with quite a long name indeed'),
    makeFieldsBlock([
      ['About', 'words that go on and on until the line is full'],
      ['Next', '1'],
    ]),
  ];
  expect(renderBlocks(blocks, { width: 26, exact: false, header: true })).toBe(
    [
      'A company with quite a',
      'long name indeed',
      'About  words that go on',
      '       and on until the',
      '       line is full',
      'Next   1',
      '',
    ].join('\n'),
  );
});

test('a legend explains the marks that are shown, and no others', () => {
  const markedTable = {
    ...makeTableBlock(
      [
        { key: 'a', title: 'Name' },
        { key: 'b', title: 'Now', align: 'right' },
        { key: 'c', title: 'Before*', mark: '*', align: 'right', drop: 1 },
      ],
      [
        ['one', { ...makeFigureCell('10', 'multiple'), mark: '!' }, { ...makeFigureCell('20', 'multiple'), mark: '?' }],
        [{ text: 'two p', mark: 'p' }, '', ''],
      ],
    ),
    legend: [
      ['*', 'by difference'],
      ['!', 'changed'],
      ['?', 'doubtful'],
      ['p', 'planned'],
      ['x', 'never there'],
    ] as const,
  };
  const renderLastLine = (width: number | null) =>
    renderBlocks([markedTable], { ...plainOptions, width })
      .trimEnd()
      .split('\n')
      .at(-1);
  expect(renderLastLine(null)).toBe('* by difference   ! changed   ? doubtful   p planned');
  expect(renderLastLine(16)).toBe('p planned');
  expect(renderBlocks([markedTable], { ...plainOptions, width: 16 })).not.toContain('doubtful');
  expect(renderBlocks([markedTable], { ...plainOptions, width: 16 })).not.toContain('difference');
  expect(renderBlocks([makeTableBlock([{ key: 'a', title: 'A' }], [['!']])], plainOptions)).not.toContain('changed');
});

test('an unbreakable value that does not fit next to its label is on a separate line', () => {
  const address = 'https://www.example.org/a/long/address/of/a/folder/';
  const renderLines = (width: number) =>
    renderBlocks([makeFieldsBlock([['Folder', address]])], { ...plainOptions, width }).split('\n');
  expect(renderLines(80)).toEqual([`Folder  ${address}`, '']);
  expect(renderLines(55)).toEqual(['Folder', address, '']);
  const facts = makeFieldsBlock([
    ['Official close 2026-03-31', '253.79'],
    ['Day', '2026-03-31 (13F holdings)'],
  ]);
  expect(renderBlocks([facts], { ...plainOptions, width: 40 }).split('\n')).toEqual([
    'Official close 2026-03-31  253.79',
    'Day',
    '2026-03-31 (13F holdings)',
    '',
  ]);
});

const YEARS = ['FY2021', 'FY2022', 'FY2023', 'FY2024', 'FY2025'];
const makeStatementTable = (lines: readonly string[]) => ({
  ...makeTableBlock(
    [
      { key: 'metric', title: '', shrinkTo: 12 },
      ...YEARS.map(
        (key, index) => ({ key, title: key, subtitle: `${key.slice(2)}-09-27`, align: 'right', drop: index }) as const,
      ),
    ],
    lines.map((name, line) => [
      name,
      ...YEARS.map((_, index) => makeFigureCell(`${(line + 1) * 10 + index}000000`, 'money')),
    ]),
  ),
  columnNoun: 'periods',
  keepsColumns: true as const,
});

test('if columns do not fit but rows would, a table that keeps its columns is transposed', () => {
  const text = renderBlocks([makeStatementTable(['Revenue', 'Net income'])], { ...plainOptions, width: 40 });
  const lines = text.trimEnd().split('\n');
  expect(lines).toHaveLength(7);
  expect(lines[2]).toBe('FY2021  2021-09-27   10.00M  20.00M');
  expect(lines.at(-1)).toBe('FY2025  2025-09-27   14.00M  24.00M');
  expect(text).not.toContain('did not fit');
});

test('if neither columns nor rows fit, the other columns follow in further tables with the same first column', () => {
  const names = Array.from({ length: 9 }, (_, index) => `Metric ${index}`);
  const text = renderBlocks([makeStatementTable(names)], { ...plainOptions, width: 40 });
  for (const line of text.split('\n')) expect(measureWidth(line)).toBeLessThanOrEqual(40);
  for (const year of YEARS) expect(text.split(year)).toHaveLength(2);
  expect(text.match(/^Metric 8/gm)).toHaveLength(3);
  expect(text).toMatch(/ 10\.00M/);
  expect(text).toMatch(/ 94\.00M/);
  expect(text).not.toContain('did not fit');
  // In a pipe the width of a table is not limited.
  expect(
    renderBlocks([makeStatementTable(names)], plainOptions)
      .trimEnd()
      .split('\n'),
  ).toHaveLength(11);
});

test('printing ends even if the screen is too narrow for a second column', () => {
  const text = renderBlocks([makeStatementTable(['One', 'Two', 'Three', 'Four'])], { ...plainOptions, width: 9 });
  expect(text.split('\n').length).toBeLessThan(40);
});
