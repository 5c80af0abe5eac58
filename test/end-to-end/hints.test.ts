/** Hints for common mistakes of new users: what to type instead. */
import { expect, test } from 'vitest';
import { serve } from '../http-service.ts';
import { makeProblem, sendJson } from './run-fin.ts';
import { everyEighthAsProcess } from './run-here.ts';

const runFin = everyEighthAsProcess();

test.each([
  [['metrics', 'AAPL,MSFT'], 'separated only by spaces.\nfin metrics AAPL MSFT\n'],
  [['compare', 'AAPL,MSFT'], 'separated only by spaces.\nfin compare AAPL MSFT\n'],
  [['revisions', 'AAPL,MSFT', 'revenue'], 'fin revisions takes only one ticker.\nfin revisions AAPL revenue\n'],
  [['filing', '0000320193-25-000057,0000320193-25-000079'], '\nfin filing 0000320193-25-000057 0000320193-25-000079\n'],
  [
    ['screen', '--where', 'revenue_yoy:gt:20x'],
    'Invalid number "20x" in --where "revenue_yoy:gt:20x".\nWrite a number as 0.2,',
  ],
  [
    ['screen', '--where', 'revenue:gt:1e9'],
    'in --where "revenue:gt:1e9". Did you mean revenue:gt:1000000000?\nWrite a number',
  ],
  [
    ['screen', '--where', 'roe:over:20%'],
    '\nWrite --where column:op:value, such as revenue_yoy:gt:20%; op is gte, lte, gt or lt. See: fin help figures\n',
  ],
  [
    ['screen', '--sort', 'foo'],
    'fin: Unknown value "foo" for --sort.\nWrite --sort revenue, or --sort revenue:desc for the largest first. See: fin help figures\n',
  ],
  [['prices', 'AAPL', '--all'], 'fin prices does not need --all: its answer always has all rows.\n'],
  [['screen', '--limit', '1000'], 'fin: --limit "1000" is not a whole number from 1 to 500.\nTo get all rows: --all\n'],
  [['screen', '--columns', 'revenue,foo'], 'fin: Unknown value "foo" in --columns.\nSee: fin help figures\n'],
  [['metrics', 'AAPL', '--keys', 'zebra'], '\nList of metrics: fin catalog\n'],
  [
    ['metrics', 'AAPL', '--keys', 'sales'],
    'Unknown value "sales" in --keys. Did you mean revenue, investment_sales, property_sales?\n',
  ],
  [
    ['metrics', 'AAPL', '--keys', 'eps'],
    'Unknown value "eps" in --keys. Did you mean eps_diluted, eps_basic, eps_diluted_yoy?\n',
  ],
  [['manager', 'zebra'], '\nFind the CIK of a manager: fin managers <name>\n'],
  [['version'], 'Unknown command "version". Did you mean fin --version?\n'],
  [['AAPL'], 'Unknown command "AAPL". Did you mean fin metrics AAPL?\n'],
  [['BRK.B'], 'Did you mean fin metrics BRK.B?\n'],
  [['QUOTA'], 'Did you mean quota?\n'],
  [['quote'], 'Did you mean fin prices <ticker>, or fin quota?\n'],
  [['auth'], 'fin auth needs a subcommand: auth login, auth status, auth logout.\nTry: fin help auth\n'],
  [['filing'], 'fin filing needs an accession.\n'],
  [['completion'], 'fin completion needs a shell: bash, zsh or fish.\nUsage: fin completion <shell> [options]\n'],
  [['day', 'foo'], 'fin: date "foo" is not a date of the form YYYY-MM-DD.\n'],
  [
    ['day', '5x'],
    '\nWrite a date as 2026-08-17, 20260817, today or yesterday, or as a number of days, weeks, months or years ago: 5d, 2w, 3m, 1y.\n',
  ],
  [['day', '2024-02-30'], 'fin: date "2024-02-30" is not a valid date.\n'],
  [
    ['prices', 'AAPL', '--range', '1y', '--from', '2024-01-02', '--to', '2024-02-01'],
    'fin: --range cannot be given together with --from and --to.\n',
  ],
  [
    ['screen', '--sort', 'revenue:desc', '--dir', 'asc'],
    'fin: --sort revenue:desc and --dir both give a direction; give one.\n',
  ],
  [['screen', '--dir', 'up'], 'fin: Unknown value "up" for --dir. Use asc or desc.\n'],
  [
    ['release', '--fresh', '--offline'],
    'fin: --fresh sends a request, which --offline forbids; choose one of these options.\n',
  ],
  [['profile', ''], 'fin: ticker must not be empty.\nFind a ticker by name: fin search <name>\n'],
  [['filing', 'AAPL'], '\nFind accession numbers: fin filings <ticker>\n'],
])('fin %j prints a hint', async (args, hint) => {
  const { code, out, err } = await runFin(args);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toContain(hint);
});

test('a name given as a ticker is answered with a search command, quoted for the shell', async () => {
  const { code, err } = await runFin(['profile', 'Common Stock']);
  expect(code).toBe(3);
  expect(err).toContain("To search by name: fin search 'Common Stock'\n");
  expect((await runFin(['profile', 'A & B'])).err).toContain("To search by name: fin search 'A & B'\n");
  const searchRun = await runFin(['search', 'Common Stock']);
  expect(searchRun.code).toBe(0);
});

test('several tickers in one argument or line get a hint that lists them separately', async () => {
  const separateArgumentsHint =
    'If these are several tickers (AAPL, MSFT), give each as a separate argument, or on its own line of standard input.';
  const argumentRun = await runFin(['metrics', 'AAPL MSFT']);
  expect([argumentRun.code, argumentRun.err]).toEqual([3, expect.stringContaining(separateArgumentsHint)]);
  const { code, err } = await runFin(['metrics', '-'], { input: 'AAPL,MSFT\n"AAPL MSFT"\nAAPL MSFT\n' });
  expect([code, err.split(separateArgumentsHint).length]).toEqual([3, 4]);
});

test('a filing is found by any of its SEC addresses', async () => {
  const filingRun = await runFin(['filing', '0000320193-25-000057']);
  const folderUrl = 'https://www.sec.gov/Archives/edgar/data/320193/000032019325000057/';
  expect(filingRun.out).toContain(folderUrl);
  for (const address of [
    folderUrl,
    `${folderUrl}aapl-20250329.htm`,
    `${folderUrl}0000320193-25-000057-index.htm`,
    'www.sec.gov/Archives/edgar/data/320193/0000320193-25-000057.txt',
    'https://www.sec.gov/ix?doc=/Archives/edgar/data/0000320193/000032019325000057/aapl-20250329.htm',
  ]) {
    expect((await runFin(['filing', address])).out).toBe(filingRun.out);
  }
  const stdinRun = await runFin(['filing', '-', '--csv'], { input: `${folderUrl}\n` });
  expect(stdinRun.out).toBe((await runFin(['filing', '0000320193-25-000057', '--csv'])).out);
  expect((await runFin(['open', '--print', folderUrl])).out).toBe(`${folderUrl}\n`);
  const otherSiteRun = await runFin(['filing', 'https://example.org/Archives/edgar/data/320193/000032019325000057/']);
  expect(otherSiteRun.code).toBe(2);
});

test('an error of the service is printed unchanged, followed by the command that helps', async () => {
  const { code, err } = await runFin(['manager', '99']);
  expect([code, err]).toEqual([3, expect.stringContaining('\nFind managers by name: fin managers <name>\n')]);
  const problemDocument = JSON.parse((await runFin(['manager', '99', '--json'])).err.split('\n').at(-2) ?? '');
  expect(problemDocument.detail).toContain('To find a manager by name: "/v1/holders?query=<name>".');
});

test('values that only the service can refuse are sent, and its refusal gets the same hint', async () => {
  const { baseUrl, requests } = await serve((_, response) =>
    sendJson(response, 400, makeProblem(400, 'bad_request', 'keys: "sales" is unknown.')),
  );
  const { code, err } = await runFin(['metrics', 'AAPL', '--keys', 'sales', '--base-url', baseUrl]);
  expect(code).toBe(2);
  expect(err).toContain('fin: keys: "sales" is unknown.');
  expect(err).toContain('List of metrics: fin catalog');
  expect(requests).toHaveLength(1);
});

test('a hint does not repeat the error of the service', async () => {
  const detail = 'Unknown value "1w" for range. Use 1m, 3m, 6m, 1y, 2y, 5y or max.';
  const { baseUrl } = await serve((_, response) => sendJson(response, 400, makeProblem(400, 'bad_request', detail)));
  const { err } = await runFin(['prices', 'AAPL', '--range', '1w', '--base-url', baseUrl]);
  expect(err).toBe(`fin: ${detail}\nRequest id: req-42\n`);
});

test('fin catalog shows the details of one metric, given by its key or one of its concepts', async () => {
  const { code, out } = await runFin(['catalog', 'revenue']);
  expect([code, out]).toEqual([0, expect.stringMatching(/^Revenue \(revenue\)\nMeaning .*us-gaap:SalesRevenueNet/s)]);
  expect((await runFin(['catalog', 'SalesRevenueNet'])).out).toBe(out);
  const catalogRun = await runFin(['catalog', 'revenue', 'net_income', '--fields', 'key', '--csv', '--no-header']);
  expect(catalogRun.out).toBe('revenue\r\nnet_income\r\n');
  const unknownMetricRun = await runFin(['catalog', 'revenu']);
  expect([unknownMetricRun.code, unknownMetricRun.err]).toEqual([
    3,
    expect.stringContaining('has no metric "revenu". Did you mean revenue'),
  ]);
});

test.each([
  ['', 'ticker must not be empty'],
  ['..', 'ticker must not be ".."'],
])('a ticker %j, which would change the path of the request, is not sent', async (ticker, message) => {
  const { baseUrl, requests } = await serve((_, response) =>
    sendJson(response, 404, makeProblem(404, 'not_found', 'No.')),
  );
  const { code, err } = await runFin(['profile', ticker, '--base-url', baseUrl]);
  expect({ code, requests }).toEqual({ code: 2, requests: [] });
  expect(err).toContain(message);
  expect((await runFin(['profile', ticker, '--unchecked', '--base-url', baseUrl])).code).toBe(2);
  expect(requests).toEqual([]);
});

test('an endless line on stdin is refused after the names before it are answered', async () => {
  const overlongInput = `AAPL\n${'\0'.repeat(100_000)}`;
  const { code, out, err } = await runFin(['profile', '-', '--json'], { input: overlongInput });
  expect(code).toBe(2);
  expect(JSON.parse(out)).toHaveLength(1);
  expect(JSON.parse(err.trim().split('\n').at(-1) ?? '')).toMatchObject({
    detail: 'Line 2 of standard input is longer than 4096 characters.',
  });
});

test('an invalid FIN_CACHE_MAX_MB is an error of fin cache info', async () => {
  const env = { FIN_CACHE_MAX_MB: 'abc' };
  expect(await runFin(['cache', 'info'], { env })).toMatchObject({ code: 2, out: '' });
  expect((await runFin(['cache', 'info'])).out).toMatch(/^Size +0 B of at most 256 MB$/m);
});

test.each([
  'filings',
  'segments --period quarterly',
  'metrics --as-of 2012-01-01 --keys revenue',
  'insiders --since 2025-01-01',
])('notices of single runs of fin %s name the company, as those of one run for several companies do', async (line) => {
  const [command = '', ...options] = line.split(' ');
  const tickers = ['AAPL', 'BKTI', 'META'];
  const listNotices = async (...names: string[]) =>
    (await runFin([command, ...names, ...options, '--csv'])).err
      .split('\n')
      .filter((text) => text !== '' && !text.startsWith('Using the built-in sample'));
  const single = (await Promise.all(tickers.map((ticker) => listNotices(ticker)))).flat();
  expect(single.length).toBeGreaterThan(1);
  for (const text of single) expect(text).toMatch(/\b(AAPL|BKTI|META)\b/);
  expect(single.map((text) => text.replace(/^(Warning: )?\w+: /, '$1'))).toEqual(
    (await listNotices(...tickers)).map((text) => text.replace(/^(Warning: )?\w+: /, '$1')),
  );
});

const ABSENCES = [
  ['guidance', '8-K, item 2.02'],
  ['news', 'exhibit 99.1'],
  ['transcripts', 'on the website of the company'],
  ['employees', 'item 1 of the 10-K'],
  ['tier1_ratio', 'ffiec.gov. Closest: cet1_ratio, stockholders_equity, loans_to_deposits.'],
  ['FFO', '(8-K, item 2.02). Closest: net_income, depreciation_and_amortization, operating_cash_flow.'],
] as const;

test.each(ABSENCES)('the word %s is answered with what fin lacks and where it can be read', async (word, place) => {
  const lines = [
    `metrics JPM --keys ${word}`,
    `compare JPM AAPL --keys ${word}`,
    `lineage JPM ${word}`,
    `screen --columns ${word}`,
    `screen --where ${word}:gt:1`,
    `screen --sort ${word}`,
    `catalog ${word}`,
    `help ${word}`,
    ...(word === 'news' ? [] : [`search ${word}`]),
    `raw-concepts JPM --search ${word}`,
    `metrics JPM --${word}`,
  ];
  const [first = ''] = place.split(' Closest');
  const known = ['search', 'raw-concepts'];
  for (const line of word === 'FFO' ? lines : [...lines, `${word} JPM`]) {
    const { code, err } = await runFin(line.split(' '));
    expect({ line, isFailure: code !== 0, err }).toEqual({
      line,
      isFailure: !known.includes(line.split(' ')[0] ?? ''),
      err: expect.stringContaining(first),
    });
    if (!/^metrics .* --keys|^lineage/.test(line)) continue;
    expect({ line, err }).toEqual({ line, err: expect.stringContaining(place) });
  }
});

test('a service that has the figure of such a word is asked for it', async () => {
  const { baseUrl, requests } = await serve((_, response) => sendJson(response, 200, EMPTY_SCREEN));
  await runFin(['screen', '--columns', 'tier1_ratio', '--base-url', baseUrl]);
  expect(requests.some(({ url }) => url.includes('columns=tier1_ratio'))).toBe(true);
});

const EMPTY_SCREEN = JSON.stringify({
  data: [],
  meta: { schema: 'svc.data.v1', route: '/v1/screen', request_id: 'r', release: null, total: 0, universe: 0 },
});
