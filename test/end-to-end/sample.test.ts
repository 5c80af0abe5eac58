import { expect, test } from 'vitest';
import { makeHome, runShell } from './run-fin.ts';
import { everyEighthAsProcess } from './run-here.ts';

const runFin = everyEighthAsProcess();

const splitLines = (text: string): string[] => text.trimEnd().split(/\r?\n/);

const parseRecords = (csv: string): Record<string, string>[] => {
  const [header = '', ...rows] = splitLines(csv);
  return rows.map((row) =>
    Object.fromEntries(header.split(',').map((name, index) => [name, row.split(',')[index] ?? ''])),
  );
};

test('without settings the sample is used, with a notice once a day', async () => {
  const env = { HOME: makeHome() };
  const { code, out, err } = await runFin(['screen', '--where', 'revenue_yoy:gt:0.2'], { env });
  expect(code).toBe(0);
  expect(splitLines(out)[0]).toMatch(/^Ticker +Company +Fiscal year +Revenue growth/);
  expect(splitLines(out).length).toBeGreaterThan(5);
  expect(splitLines(err)[0]).toBe(
    'Using the built-in sample (675 companies, 60 in the screener, 2026-08-18). All companies: fin data fetch --bulk, then fin data build.',
  );
  expect(await runFin(['release'], { env })).toMatchObject({ code: 0, err: '' });
});

test('--quiet silences the notice about the sample, and questions succeed in a read-only home', async () => {
  expect(await runFin(['release', '--fields', 'stamp', '--quiet'])).toMatchObject({ code: 0, err: '' });
  const unwritableEnv = { HOME: '/proc/nowhere' };
  const runs = [await runFin(['release'], { env: unwritableEnv }), await runFin(['release'], { env: unwritableEnv })];
  for (const { code, err } of runs) expect([code, err]).toEqual([0, expect.stringContaining('built-in sample')]);
});

test("a column of one command's output is the input of another, with or without its header", async () => {
  for (const headerOption of ['', '--no-header']) {
    const { code, out, err } = await runShell(
      `fin screen --fields ticker --csv --limit 2 -q ${headerOption} | fin metrics - --keys revenue --fields ticker --csv -q ${headerOption}`,
    );
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(splitLines(out)).toEqual([...(headerOption === '' ? ['ticker'] : []), 'AAPL', 'ACN']);
  }
});

test('a batch writes each answer before it reads the next name', async () => {
  const { code, out } = await runShell(
    `coproc fin metrics - --keys revenue --fields ticker --csv --no-header -q
     for name in AAPL MSFT; do echo $name >&"\${COPROC[1]}"; read -r row <&"\${COPROC[0]}"; echo "$row"; done`,
  );
  expect([code, splitLines(out)]).toEqual([0, ['AAPL', 'MSFT']]);
});

test('--year-ended-within removes old rows from CSV and JSON, and a notice counts them', async () => {
  const screenArgs = ['screen', '--all', '--columns', 'revenue', '--year-ended-within', '13m'];
  const csvRun = await runFin([...screenArgs, '--csv']);
  const yearEndDays = splitLines(csvRun.out)
    .slice(1)
    .map((line) => line.split(',').at(-2) ?? '');
  expect(yearEndDays.length).toBeGreaterThan(50);
  expect(yearEndDays.filter((day) => !/^202\d-/.test(day) || day < '2025-07-18')).toEqual([]);
  const [, leftOut, total] = /^--year-ended-within \w+ leaves out (\d+) of (\d+) rows/m.exec(csvRun.err) ?? [];
  expect(Number(total) - Number(leftOut)).toBe(yearEndDays.length);
  const jsonRun = await runFin([...screenArgs, '--json', '--quiet']);
  expect(JSON.parse(jsonRun.out).data.map((row: { annual_end_date: string }) => row.annual_end_date)).toEqual(
    yearEndDays,
  );
  expect(await runFin(['screen', '--year-ended-within', '1h'])).toMatchObject({ code: 2 });
  const formerOptionRun = await runFin(['screen', '--max-age', '18m']);
  expect([formerOptionRun.code, formerOptionRun.err]).toEqual([
    2,
    expect.stringContaining('To leave out companies with old fiscal years: --year-ended-within 18m'),
  ]);
});

test('a notice names reports later than the figures, unless --quiet', async () => {
  const noticePattern =
    /^The latest figures are for the period to 2025-12-31\. Figures of later reports are not in this release: 2 reports, the latest a 10-K for 2026-06-30, filed 2026-07-29\./m;
  for (const args of [
    ['metrics', 'MSFT'],
    ['metrics', 'MSFT', '--keys', 'share_repurchases', '--csv'],
    ['profile', 'MSFT', '--json'],
  ]) {
    expect((await runFin(args)).err).toMatch(noticePattern);
  }
  expect((await runFin(['profile', 'MSFT', '--quiet'])).err).not.toMatch(/later reports/);
});

test('empty stdin prints a header and a notice', async () => {
  for (const command of ['metrics', 'insiders', 'filings', 'raw-concepts', 'prices', 'segments', 'holders']) {
    const [emptyRun, appleRun] = [await runFin([command, '-', '--csv']), await runFin([command, 'AAPL', '--csv'])];
    expect({ code: emptyRun.code, out: emptyRun.out }).toEqual({ code: 0, out: `${splitLines(appleRun.out)[0]}\r\n` });
    expect(emptyRun.err).toContain('Standard input contained nothing to request');
  }
  expect((await runFin(['metrics', '-', '--csv', '--fields', 'ticker,value'])).out).toBe('ticker,value\r\n');
  expect((await runFin(['metrics', '-', '--json'], { input: '# none\n' })).out).toBe('[]\n');
  expect((await runFin(['metrics', 'ZZZZ', 'YYYY', '--csv'])).out).toMatch(/^ticker,/);
});

test('a directory as stdin is an error, with an empty stdout', async () => {
  for (const formatOption of ['', '--json', '--csv']) {
    const { code, out, err } = await runShell(`fin profile - ${formatOption} --base-url local: < /`);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain('Standard input is a directory instead of a file.');
  }
});

test('fin keys create prints only the key on stdout, and the explanation on stderr', async () => {
  const { code, out, err } = await runFin(['keys', 'create', '--account', 'team']);
  expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/^[a-z]+_[A-Za-z0-9]{38}\n$/) });
  expect(err).toContain('This is the only time the key is shown.');
  expect(err).not.toContain(out.trim());
});

test('an invalid port is refused before anything is served', async () => {
  const { code, out, err } = await runFin(['serve', '--port', '99999']);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).not.toContain('Serving');
});

test('--json prints one document with the envelope of data and meta', async () => {
  const { code, out } = await runFin(['screen', '--where', 'revenue_yoy:gt:0.2', '--json']);
  const { data, meta } = JSON.parse(out);
  expect(code).toBe(0);
  expect(data.length).toBeGreaterThan(0);
  expect(meta.universe).toBeGreaterThan(50);
  expect(typeof data[0].revenue).toBe('string');
});

test('percent and scaled values are expanded to the same filter', async () => {
  const [percent, fraction] = await Promise.all(
    ['20%', '0.2'].map((value) =>
      runFin(['screen', '--where', `revenue_yoy:gt:${value}`, '--where', 'revenue:gt:1B', '--csv']),
    ),
  );
  expect(percent?.code).toBe(0);
  expect(splitLines(percent?.out ?? '').length).toBeGreaterThan(3);
  expect(percent?.out).toBe(fraction?.out);
});

test('annual figures as CSV have one header, every digit, and the filing of each figure', async () => {
  const { code, out } = await runFin([
    'metrics',
    'AAPL',
    'MSFT',
    '--period',
    'annual',
    '--keys',
    'revenue,net_income',
    '--csv',
  ]);
  expect(code).toBe(0);
  expect(splitLines(out).filter((line) => line.startsWith('ticker,'))).toHaveLength(1);
  // Apple's revenue of fiscal 2024 was reported in November 2024, and unchanged a year later.
  const appleRow = parseRecords(out).find(
    (row) => row.ticker === 'AAPL' && row.metric_key === 'revenue' && row.fiscal_year === '2024',
  );
  expect(appleRow).toMatchObject({ value: '391035000000', unit: 'USD', end_date: '2024-09-28' });
  expect(appleRow?.read_from_accession_number).toMatch(/^0000320193-2\d-\d{6}$/);
});

test('--as-of shows only figures reported by that day', async () => {
  const { out } = await runFin([
    'metrics',
    'AAPL',
    '--keys',
    'revenue',
    '--period',
    'annual',
    '--as-of',
    '2020-01-01',
    '--csv',
  ]);
  const filedDays = parseRecords(out).map((row) => row.read_from_filed_at ?? '');
  expect(filedDays.length).toBeGreaterThan(8);
  for (const day of filedDays) expect(day <= '2020-01-01').toBe(true);
  expect(out).toContain('260174000000');
  expect(out).not.toContain('274515000000');
});

test('revisions show the change of a restatement and the ratio of a split', async () => {
  const restatedRun = await runFin([
    'revisions',
    'KHC',
    'net_income',
    '--fiscal-year',
    '2017',
    '--fiscal-period',
    'fy',
    '--csv',
  ]);
  expect(parseRecords(restatedRun.out).find((row) => row.kind === 'revised')).toMatchObject({
    delta: '-58000000',
    form: '10-K',
  });
  const stockSplitRun = await runFin([
    'revisions',
    'AAPL',
    'eps_diluted',
    '--fiscal-year',
    '2019',
    '--fiscal-period',
    'FY',
    '--csv',
  ]);
  expect(parseRecords(stockSplitRun.out).find((row) => row.kind === 're_expressed')).toMatchObject({
    value: '2.97',
    split_ratio: '4',
  });
});

test('a batch from stdin continues after a failure, names the failed input, and exits with 8', async () => {
  const { code, out, err } = await runFin(['metrics', '-', '--keys', 'revenue', '--output', 'ndjson'], {
    input: 'AAPL\n# a comment\n\nMSFT # another\r\nNOPE\n',
  });
  expect(code).toBe(8);
  expect(splitLines(out).map((line) => JSON.parse(line).ticker)).toEqual(['AAPL', 'MSFT']);
  expect(splitLines(err).filter((line) => line.startsWith('fin: NOPE:'))).toHaveLength(1);
});

test('a failed input keeps its place in the JSON array, and if all fail alike, their code is the exit code', async () => {
  const { code, out } = await runFin(['profile', 'AAPL', 'NOPE', '--json']);
  const [apple, nope] = JSON.parse(out);
  expect(code).toBe(8);
  expect(apple.data.entity_name).toBe('Apple Inc.');
  expect(nope).toMatchObject({ input: 'NOPE', problem: { status: 404, code: 'not_found', retryable: false } });
  expect((await runFin(['profile', 'NOPE', 'NOPE2'])).code).toBe(3);
});

test.each<[string[], number, RegExp]>([
  [['screen', '--where', 'revenu_yoy:gt:0.2'], 2, /"revenu_yoy" in --where\. Did you mean revenue_yoy\?/],
  [['metrics', 'AAPL', '--keys', 'revenu'], 2, /Did you mean revenue/],
  [['lineage', 'AAPL', 'revenu'], 3, /Did you mean revenue/],
  [['scren'], 2, /Did you mean screen\?/],
  [['metrics', 'AAPL', '--perod', 'annual'], 2, /Did you mean --period\?/],
  [['metrics', 'AAPL', '--period', 'weekly'], 2, /Unknown value "weekly" for --period\. Use latest, annual/],
  [['metrics', 'AAPL', '--limit', '10', '--limit', '20'], 2, /limit was given 2 times/],
  [['metrics', 'AAPL', '--fields', 'valu'], 2, /Did you mean value\?/],
  [['metrics', 'AAPL', '--fields', 'value', '--json'], 2, /--fields/],
  [['metrics'], 2, /needs a ticker/],
  [['release', 'now'], 2, /Unexpected argument "now"/],
  [['profile', 'NOPE'], 3, /fin search NOPE/],
])('fin %j exits with %i', async (args, code, expectedText) => {
  const run = await runFin(args);
  expect(run.code).toBe(code);
  expect(run.out).toBe('');
  expect(run.err).toMatch(expectedText);
  expect(run.err).not.toMatch(/\n {4}at /);
});

test('a key without an address is refused before the sample is opened', async () => {
  const { code, err } = await runFin(['release'], { env: { FIN_API_KEY: `svc_${'a'.repeat(38)}` } });
  expect(code).toBe(2);
  expect(err).not.toContain('aaaa');
});

test('output in a pipe has no colours, except with --color always or FORCE_COLOR', async () => {
  const args = ['screen', '--where', 'revenue_yoy:gt:0.2', '--limit', '2'];
  expect((await runFin(args, { env: { TERM: 'xterm-256color' } })).out).not.toContain('\u001b');
  expect((await runFin([...args, '--color', 'always'])).out).toContain('\u001b[');
  expect((await runFin(args, { env: { FORCE_COLOR: '1' } })).out).toContain('\u001b[');
  expect((await runFin([...args, '--color', 'never'], { env: { FORCE_COLOR: '1' } })).out).not.toContain('\u001b');
});

test('a closed pipe ends the command without an error, and a full disk ends it with an error that states the reason', async () => {
  const pipedToHeadRun = await runShell(
    // biome-ignore lint/suspicious/noTemplateCurlyInString: bash reads it.
    'set -o pipefail; fin metrics AAPL --period all --csv | head -1; echo "${PIPESTATUS[@]}"',
  );
  expect(splitLines(pipedToHeadRun.out).at(-1)).toBe('0 0');
  expect(splitLines(pipedToHeadRun.err)).toEqual([expect.stringMatching(/^Using the built-in sample/)]);
  const fullDiskRun = await runShell('fin metrics AAPL --json > /dev/full');
  expect(fullDiskRun.code).toBe(1);
  expect(fullDiskRun.err).toMatch(/could not be written completely \(ENOSPC\)/);
  expect(fullDiskRun.err).not.toMatch(/\n {4}at /);
});

test('fin works with an empty environment and without a home directory, as under cron', async () => {
  const emptyEnvRun = await runShell(`env -i "${process.execPath}" "$FIN" release --quiet --json < /dev/null`);
  expect(emptyEnvRun.code).toBe(0);
  expect(JSON.parse(emptyEnvRun.out).data.checks).toBe('passed');
  const noHomeRun = await runFin(['search', 'apple', '--csv'], { env: { HOME: '/nonexistent/home' } });
  expect(noHomeRun.code).toBe(0);
  expect(noHomeRun.out).toContain('AAPL');
});

test('a table and CSV from local: are complete, and an unknown key gets a suggestion', async () => {
  const { out } = await runFin(['metrics', 'AAPL', '--period', 'all', '--quiet']);
  expect(out).toContain('Balance sheet');
  expect(out).toContain('Cover page');
  expect((await runFin(['metrics', 'AAPL', '--period', 'all', '--collapse'])).out).toBe(out);
  const allPeriodsRun = await runFin(['metrics', 'AAPL', '--period', 'all', '--csv', '--quiet']);
  expect(allPeriodsRun.err).toBe('');
  expect(allPeriodsRun.out.split('\r\n').length).toBeGreaterThan(2000);
  const { err: errorText } = await runFin(['metrics', 'AAPL', '--keys', 'revenu']);
  expect(errorText).toContain('Did you mean revenue?');
});

test('--verbose names the request and the release', async () => {
  const { err } = await runFin(['metrics', 'AAPL', 'NOPE', '--keys', 'revenue', '--verbose']);
  const stamp = /by release (2026-08-18-[0-9a-f]{12}) in/.exec(err)?.[1];
  const makeRequestPattern = (ticker: string, status: number) =>
    new RegExp(
      `^GET /v1/securities/${ticker}/metrics\\?keys=revenue\\S* ${status}, answered by release ${stamp} in \\d+ ms$`,
      'm',
    );
  expect(err).toMatch(makeRequestPattern('AAPL', 200));
  expect(err).toMatch(makeRequestPattern('NOPE', 404));
});
