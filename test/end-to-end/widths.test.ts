/**
 * Output on a real terminal: lines, headers and figures are not cut at any width, and colours are readable on any
 * background.
 */
import { stripVTControlCharacters } from 'node:util';
import { expect } from 'vitest';
import { measureWidth } from '../../src/render/text/text-width.ts';
import { testNeeding } from '../needs.ts';
import { selectSome } from '../select-some.ts';
import { captureScreens, hasTerminals, renderScreens } from './terminal.ts';

const COMMANDS = [
  'search bank',
  'profile AAPL',
  'metrics AAPL',
  'metrics TSM --period annual',
  'metrics MSFT --statement income --years 5 --growth',
  'metrics AAPL MSFT --keys revenue,eps_diluted --period quarterly',
  'catalog income ratios',
  'compare AAPL MSFT GOOGL NVDA',
  'compare AAPL MSFT GOOGL NVDA JPM XOM --keys revenue --period quarterly',
  'lineage AAPL free_cash_flow',
  'revisions AAPL eps_diluted --fiscal-year 2019',
  'raw-concepts AAPL',
  'filings AAPL',
  'day 2026-07-30',
  'filing 0000320193-25-000057',
  'insider-activity',
  'insiders JPM',
  'holders AAPL',
  'managers',
  'manager 7195',
  'segments MSFT --period quarterly',
  'prices TSLA',
  'screen --where revenue_yoy:gt:20%',
  'screen --exact --columns fiscal_year,revenue,revenue_yoy,net_margin,net_income,roe,assets,pe,market_cap',
  'release',
  'insiders JPM --fields owner_name,footnotes,shares,transaction_date,source_url',
  'doctor',
  'data status',
  'help',
];

/** Width of the real terminal; the program must detect it. Output of the other widths is rendered in this process. */
const TERMINAL_COLUMNS = 80;
const WIDTHS = [60, TERMINAL_COLUMNS, 160];

/** Commands that print paths in their home directory, which differs on the terminal. */
const HOME_PATH_COMMANDS = ['doctor', 'data status'];

const DAY_PATTERN = /^\s*\d{4}-\d\d-\d\d\b/;
const splitCells = (line: string): string[] => line.trim().split(/ {2,}/);

/**
 * Returns the possible titles of each column. A title has one, two or three lines above the rule, so each column has
 * three possible titles.
 */
function listTitlesByColumn(rule: string, lines: readonly string[]): string[][] {
  const spans = [...rule.matchAll(/─+/g)].map(({ index, 0: { length } }) => [index, index + length] as const);
  return spans
    .map(([from, to]) => lines.map((line) => line.slice(from, to).trim()))
    .filter((texts) => texts.at(-1) !== '')
    .map((texts) => [-1, -2, -3].map((from) => texts.slice(from).join(' ').trim()));
}

/** Matches a figure in a table: digits with a decimal point or a scale (K, M, B or T), or at least four digits. */
const FIGURE_PATTERN = /^[+-]?(?:[\d,]*\.\d+|[\d,]+(?=[KMBT])|\d{4,})[KMBT]?$/;
const findFigures = (line: string): string[] => line.split(/[\s*!^]+/).filter((word) => FIGURE_PATTERN.test(word));

/**
 * Checks that no line is wider than the screen or ends in spaces, and that no figure is cut: each is also in the piped
 * output.
 */
function checkLines(caseName: string, screen: string, width: number, pipedOutput: string): void {
  const lines = screen.split('\n');
  expect(screen.length, caseName).toBeGreaterThan(100);
  expect(screen, caseName).not.toContain('\u001b');
  // Addresses and example commands are not wrapped, so that they can be copied.
  const tooWideLines = lines.filter((line) => measureWidth(line) > width && !/^(https:\S+| {2}fin .*)$/.test(line));
  expect(tooWideLines, caseName).toEqual([]);
  const linesEndingInSpaces = lines.filter((line) => line !== line.trimEnd());
  expect(linesEndingInSpaces, caseName).toEqual([]);
  const pipedFigures = new Set(pipedOutput.split('\n').flatMap(findFigures));
  const textLines = lines.filter((line) => !/[┤│└┬]/.test(line));
  const cutFigures = textLines.flatMap(findFigures).filter((word) => !pipedFigures.has(word));
  expect(cutFigures, caseName).toEqual([]);
}

/** Checks the header above each rule of a screen. Returns the number of headers. */
function checkHeaders(caseName: string, screen: string, pipedOutput: string): number {
  const lines = screen.split('\n');
  let headerCount = 0;
  for (const [lineIndex, rule] of lines.entries()) {
    if (!/^─+( {2}─+)*$/.test(rule)) continue;
    const linesAbove = lines.slice(0, lineIndex);
    checkTitles(caseName, listTitlesByColumn(rule, linesAbove), lines.join(' '), pipedOutput);
    // The end dates of periods may be on a separate line below the names of the periods.
    if (DAY_PATTERN.test(linesAbove.at(-1) ?? ''))
      checkTitles(caseName, listTitlesByColumn(rule, linesAbove.slice(0, -1)), lines.join(' '), pipedOutput);
    headerCount += 1;
  }
  return headerCount;
}

/** Checks that the titles of a table's columns are not cut, and that the screen names the columns that do not fit. */
function checkTitles(
  caseName: string,
  titlesByColumn: readonly (readonly string[])[],
  screenText: string,
  pipedOutput: string,
): void {
  const pipedLineCells = pipedOutput.split('\n').map(splitCells);
  // In a transposed table, the titles of columns are the first cells of lines.
  const firstCells = new Set(pipedLineCells.map(([first]) => first ?? ''));
  if (titlesByColumn.every((texts) => texts.some((text) => text !== '' && firstCells.has(text)))) return;
  const headerCells = pipedLineCells.find((line) =>
    titlesByColumn.every((texts) => texts.some((text) => line.includes(text))),
  );
  expect(headerCells, `${caseName}: ${titlesByColumn.map((texts) => texts[0]).join(', ')}`).toBeDefined();
  const shownTitles = new Set(titlesByColumn.flat());
  const unexplainedTitles = headerCells?.filter(
    (title) => !shownTitles.has(title) && !screenText.includes(title) && !DAY_PATTERN.test(title),
  );
  if (!/did not fit: .+ to .+/.test(screenText)) expect(unexplainedTitles, caseName).toEqual([]);
}

const testOnTerminal = testNeeding('script(1)', hasTerminals);

testOnTerminal(
  'on a terminal no line is wider than the screen, no header or figure is cut, and what did not fit is named',
  async () => {
    const terminalCommands = [...new Set([...selectSome(COMMANDS, 3), ...HOME_PATH_COMMANDS])];
    const screens = await captureScreens(terminalCommands, TERMINAL_COLUMNS, { NO_COLOR: '1' });
    const terminalScreens = new Map(terminalCommands.map((command, index) => [command, screens[index] ?? '']));
    const pipedOutputs = await renderScreens(COMMANDS, null);
    for (const width of WIDTHS) {
      const renderedScreens = await renderScreens(COMMANDS, width);
      let headerCount = 0;
      for (const [index, command] of COMMANDS.entries()) {
        const caseName = `fin ${command} on ${width} columns`;
        const [renderedScreen = '', pipedOutput = ''] = [renderedScreens[index], pipedOutputs[index]];
        const screen = (width === TERMINAL_COLUMNS ? terminalScreens.get(command) : undefined) ?? renderedScreen;
        if (!HOME_PATH_COMMANDS.includes(command)) expect(renderedScreen, caseName).toBe(screen);
        checkLines(caseName, screen, width, pipedOutput);
        headerCount += checkHeaders(caseName, screen, pipedOutput);
      }
      // Most commands print a table.
      expect(headerCount, `tables on ${width} columns`).toBeGreaterThan(COMMANDS.length / 2);
    }
  },
  240_000,
);

testOnTerminal(
  'on a terminal only those colours of its theme are used that are readable on light and dark backgrounds',
  async () => {
    const commands = [
      'revisions KHC net_income --fiscal-period FY',
      'screen --where revenue_yoy:gt:40%',
      'insiders JPM',
      'prices TSLA --range max',
      'help metrics',
    ];
    const screens = await captureScreens(commands, 80, { TERM: 'xterm-256color' });
    expect(screens.slice(0, -1).map(stripVTControlCharacters)).toEqual(await renderScreens(commands, 80));
    const usedStyleCodes = new Set(
      screens.flatMap((screen) => screen.split('\u001b[').slice(1)).map((sequence) => sequence.split('m')[0]),
    );
    expect(screens.join('')).toContain('\u001b[1mExamples\u001b[22m');
    // Codes of bold, dim, red, green and magenta, and the codes that end each style.
    expect([...usedStyleCodes].toSorted()).toEqual(['1', '2', '22', '31', '32', '35', '39'].toSorted());
  },
  240_000,
);
