import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SaxesParser } from 'saxes';
import { expect, test } from 'vitest';
import { measureWidth } from '../../src/render/text/text-width.ts';
import { serve } from '../http-service.ts';
import { testNeeding } from '../needs.ts';
import { makeHome, sendJson } from './run-fin.ts';
import { everyEighthAsProcess } from './run-here.ts';
import { captureScreens, hasTerminals } from './terminal.ts';

const runFin = everyEighthAsProcess();

const ATTRIBUTION_PATTERN =
  /Prices derived from public data of the U\.S\. Securities and Exchange Commission: .* https:\/\/www\.sec\.gov\/\S+/;
const BRAILLE_PATTERN = /[⠁-⣿]/;

/** Returns the names of a document's elements; throws if it is not well-formed. */
function listElementNames(document: string): string[] {
  const names: string[] = [];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name }) => names.push(name));
  parser.write(document).close();
  return names;
}

test('in a pipe a chart of prices is drawn only on request, in place of the table, and with attribution', async () => {
  const plainRun = await runFin(['prices', 'TSLA', '--range', 'max']);
  expect(plainRun.out).not.toMatch(BRAILLE_PATTERN);
  const { code, out } = await runFin(['prices', 'TSLA', '--range', 'max', '--chart']);
  expect(code).toBe(0);
  expect(out).toMatch(BRAILLE_PATTERN);
  expect(out).toContain('2020-12-01');
  expect(out).not.toContain('Adjusted for splits');
  expect(out).toMatch(new RegExp(`${ATTRIBUTION_PATTERN.source}\n$`));
  expect(out).not.toContain('\u001b');
});

testNeeding('script(1)', hasTerminals)(
  "on a terminal a chart of prices is drawn by default, above their table and within the terminal's width",
  async () => {
    const command = 'prices TSLA --range max';
    for (const terminalWidth of [60, 80, 120, 200]) {
      const [out = ''] = await captureScreens([command], terminalWidth, { NO_COLOR: '1' });
      const lines = out.split('\n');
      const [chartLine, tableLine] = [
        lines.findIndex((text) => BRAILLE_PATTERN.test(text)),
        lines.findIndex((text) => /^Day .*Price/.test(text)),
      ];
      expect(chartLine).toBeGreaterThan(0);
      expect(tableLine).toBeGreaterThan(chartLine);
      const chartLines = lines.slice(0, tableLine).filter((text) => /[┤│└┊]/.test(text));
      expect(Math.max(...chartLines.map(measureWidth))).toBeLessThanOrEqual(terminalWidth);
      expect(out).not.toContain('\u001b[3');
    }
    const [out = '', outputWithoutChart] = await captureScreens([command, `${command} --no-chart`], 80, {
      TERM: 'xterm-256color',
    });
    expect(outputWithoutChart).toMatch(/Day.* .*Price/);
    expect(outputWithoutChart).not.toMatch(BRAILLE_PATTERN);
    // Only the sixteen colours of the terminal's theme are used, which are readable on light and dark backgrounds.
    expect(out).toContain('\u001b[3');
    expect(out.split('\u001b[').filter((sequence) => /^(38|48);/.test(sequence))).toEqual([]);
  },
);

test('metrics and segments are drawn as bars, by default the main metrics by fiscal year', async () => {
  const defaultChartRun = await runFin(['metrics', 'AAPL', '--chart']);
  expect(defaultChartRun.out).toMatch(/^Apple Inc\. \(AAPL\): annual\nRevenue, USD\nFY2007 +[█▉▊▋▌▍▎▏]+ +24\.58B\n/);
  expect(defaultChartRun.out).toMatch(/^FY2024 +[█▉▊▋▌▍▎▏]+ +391\.04B$/m);
  const quarterlyChartRun = await runFin([
    'metrics',
    'AAPL',
    '--chart',
    '--keys',
    'eps_diluted',
    '--period',
    'quarterly',
  ]);
  expect(quarterlyChartRun.out).toMatch(/^Diluted EPS.*\n(Not drawn|Q\d \d{4}|FY)/m);
  expect(quarterlyChartRun.out).not.toContain('Revenue');
  expect(quarterlyChartRun.out).toMatch(/^The chart leaves out \d+ earlier periods\.$/m);
  const segmentsRun = await runFin(['segments', 'AAPL', '--chart']);
  expect(segmentsRun.out).toMatch(/^Americas Segment +FY\d{4} +[█▉▊▋▌▍▎▏]+ +\d/m);
});

test('an SVG chart goes to stdout, complete and with its attribution', async () => {
  const { code, out } = await runFin(['prices', 'AAPL', '--range', 'max', '--svg']);
  expect(code).toBe(0);
  expect(listElementNames(out)).toEqual(expect.arrayContaining(['svg', 'title', 'desc', 'path', 'circle']));
  expect(out.replace(/<\/text>\s*<text[^>]*>/g, ' ')).toMatch(ATTRIBUTION_PATTERN);
});

test('an HTML page replaces an existing file atomically, and leaves no temporary file', async () => {
  const home = makeHome();
  const htmlFile = join(home, 'two.html');
  writeFileSync(htmlFile, 'before');
  const { code, out, err } = await runFin(['prices', 'AAPL', 'TSLA', '--html', htmlFile], { env: { HOME: home } });
  expect([code, out]).toEqual([0, '']);
  expect(err).toContain(`Wrote ${htmlFile}`);
  const html = readFileSync(htmlFile, 'utf8');
  expect(listElementNames(html).filter((name) => name === 'section')).toHaveLength(2);
  expect(html.match(/Prices derived from public data/g)).toHaveLength(2);
  expect(readdirSync(home).filter((name) => name.startsWith('two.html'))).toEqual(['two.html']);
  const quietRun = await runFin(['segments', 'AAPL', '--quiet', '--svg', join(home, 'a.svg')], { env: { HOME: home } });
  expect(quietRun.err).not.toContain('Wrote');
  expect(listElementNames(readFileSync(join(home, 'a.svg'), 'utf8'))).toContain('rect');
});

test('if one of several charts fails, it is named and the page shows the others; if all fail, no page is written', async () => {
  const home = makeHome();
  const [partialFile, missingFile] = [join(home, 'some.html'), join(home, 'none.html')];
  const partialRun = await runFin(['prices', 'AAPL', 'NOPE', '--html', partialFile], { env: { HOME: home } });
  expect(partialRun.code).toBe(8);
  expect(partialRun.err).toContain('NOPE');
  expect(listElementNames(readFileSync(partialFile, 'utf8')).filter((name) => name === 'section')).toHaveLength(1);
  expect((await runFin(['prices', 'NOPE', 'NADA', '--html', missingFile], { env: { HOME: home } })).code).toBe(3);
  expect(existsSync(missingFile)).toBe(false);
});

test('a chart that cannot be written as requested is refused with a hint', async () => {
  const home = makeHome();
  const runAndReadError = async (...args: string[]) => {
    const { code, out, err } = await runFin(args, { env: { HOME: home } });
    expect([code, out]).toEqual([2, '']);
    return err;
  };
  expect(await runAndReadError('prices', '--svg', 'AAPL')).toContain(
    '--svg took "AAPL" as its file. To avoid that, put --svg last.',
  );
  expect(await runAndReadError('prices', '--svg', 'AAPL', 'MSFT')).toContain('must end in .svg');
  expect(await runAndReadError('prices', 'AAPL', '--chart', '--html')).toContain(
    '--chart and --html cannot be combined',
  );
  expect(await runAndReadError('prices', 'AAPL', '--chart', '--no-chart')).toContain(
    '--chart and --no-chart cannot be combined',
  );
  expect(await runAndReadError('prices', 'AAPL', '--chart', '--csv')).toContain('--chart and --csv cannot be combined');
  expect(await runAndReadError('filings', 'AAPL', '--chart')).toContain('Unknown option "--chart"');
  mkdirSync(join(home, 'taken.svg'));
  expect(await runAndReadError('prices', 'AAPL', '--svg', join(home, 'taken.svg'))).toContain('cannot be written');
  expect(await runAndReadError('prices', 'AAPL', '--svg', join(home, 'no', 'a.svg'))).toContain(
    'Its directory must exist',
  );
  expect(readdirSync(home).filter((name) => name.includes('.part'))).toEqual([]);
});

test('--chart overrides a format of the environment; without it, CSV and JSON have no chart', async () => {
  const { out } = await runFin(['prices', 'AAPL', '--range', 'max', '--chart'], { env: { FIN_OUTPUT: 'csv' } });
  expect(out).toMatch(BRAILLE_PATTERN);
  const csvRun = await runFin(['prices', 'AAPL', '--csv']);
  expect(csvRun.out).toMatch(/^ticker,cik,entity_name,day,price,adj_price,market_cap,source,attribution\r?\n/);
  const metricsRun = await runFin(['metrics', 'AAPL', '--json']);
  expect((JSON.parse(metricsRun.out) as { meta: { period: string } }).meta.period).toBe('latest');
});

test('markup, control characters and invalid values of a service are shown as text or omitted', async () => {
  const hostileText = `<script>alert("'")</script>\u001b[2J & Co`;
  const data = {
    ...{
      cik: 1,
      ticker: 'EVIL',
      entity_name: hostileText,
      from: '2026-01-01',
      to: '2026-02-01',
      latest: null,
      marks: [],
    },
    days: ['2026-01-05', '2026-01-06', '2026-02-29', '2026-02-30', '2026-01-08'],
    price: ['1', '2', '3', '4', '-5.5'],
    adj_price: ['1', '2', '3', '4', '-5.5'],
    source: ['venue', 'venue', 'venue', 'venue', 'venue'],
    market_cap: [null, null, null, null, null],
    actions: [{ ex_date: '2026-01-06', kind: hostileText, source: 'venue', ratio: '2' }],
  };
  const meta = { schema: 'svc.data.v1', route: '/v1/securities/{ticker}/prices', release: null, request_id: 'r' };
  const attribution = { text: hostileText, url: 'https://example.org/"onclick="x' };
  const { baseUrl } = await serve((_, response) =>
    sendJson(response, 200, JSON.stringify({ data, meta: { ...meta, attribution } })),
  );
  const env = { FIN_BASE_URL: baseUrl, FIN_API_KEY: `svc_${'a'.repeat(38)}` };
  const htmlRun = await runFin(['prices', 'EVIL', '--html'], { env });
  expect(htmlRun.code).toBe(0);
  const names = listElementNames(htmlRun.out);
  expect(names).not.toContain('script');
  expect(names.filter((name) => name === 'data')).toHaveLength(3);
  expect(htmlRun.out).toContain('&lt;script&gt;alert(&quot;&#39;&quot;)&lt;/script&gt;');
  const chartRun = await runFin(['prices', 'EVIL', '--chart'], { env });
  expect(chartRun.out).toMatch(BRAILLE_PATTERN);
  expect(chartRun.out).not.toContain('\u001b');
});

test("a chart draws figures per share in today's shares, and its title says so", async () => {
  const chart = (await runFin(['metrics', 'AAPL', '--keys', 'eps_diluted', '--chart'])).out;
  expect(chart).toContain("Diluted EPS, USD/shares, in today's shares");
  // 6.31 as last filed, before the split of four for one.
  expect(chart).toMatch(/FY2012 .* 1\.5775\n/);
  expect(chart).not.toContain('^');
  expect((await runFin(['metrics', 'AAPL', '--keys', 'eps_diluted', '--svg'])).out).toContain('in today&#39;s shares');
  const others = (await runFin(['metrics', 'AAPL', '--keys', 'revenue,gross_margin', '--chart'])).out;
  expect(others).not.toContain('shares');
  expect(others).toContain('Gross margin\n');
});

test('tables of figures that are adjusted for splits say so', async () => {
  const run = async (...args: string[]) => (await runFin(args)).out.split('\n')[0];
  const nvidia = ['metrics', 'NVDA', '--keys', 'eps_diluted', '--years', '3'];
  expect(await run(...nvidia, '--split-adjusted')).toBe("NVIDIA CORP (NVDA): annual, in USD, in today's shares");
  expect(await run(...nvidia, '--split-adjusted', '--as-of', '2020-01-01')).toContain('in the shares of 2020-01-01');
  expect(await run(...nvidia)).not.toContain('shares');
  expect(await run('compare', 'AAPL', 'NVDA', '--keys', 'eps_diluted', '--split-adjusted')).toContain("today's shares");
});

test('a chart of companies has a title, and names the currency of amounts that it cannot draw', async () => {
  const { out } = await runFin(['compare', 'TSM', 'ASML', 'NVDA', '--keys', 'revenue', '--svg']);
  expect(out).toContain('>Revenue, fiscal years, in USD</text>');
  expect(out).toContain('>ASML (EUR)</text>');
  const single = await runFin(['compare', 'AAPL', 'MSFT', 'GOOGL', 'NVDA', 'KO', 'JPM', 'HD', 'WMT', '--svg']);
  expect(single.out).toMatch(/>Fiscal years that mostly cover 20\d\d, in USD<\/text>/);
  // Eight metrics of eight companies: one panel of about 230 pixels for each metric.
  expect(Number(/height="(\d+)"/.exec(single.out)?.[1])).toBeLessThan(2200);
});

test('a member of segments has one colour in all charts of its axis', async () => {
  const { out } = await runFin(['segments', 'AAPL', '--svg']);
  const colours = [...out.matchAll(/class="fin-series-(\d)"\/><text[^>]*>United States</g)].map(([, colour]) => colour);
  expect(colours.length).toBeGreaterThan(1);
  expect(new Set(colours).size).toBe(1);
});

test('a chart of prices states their currency', async () => {
  expect((await runFin(['prices', 'AAPL', '--range', 'max', '--svg'])).out).toContain(
    'Price in USD, adjusted for splits',
  );
});
