import { expect, test, vi } from 'vitest';
import { makeFilingFolderUrl } from '../../src/contract/identifiers.ts';
import { type SiteServer, startSite } from '../edgar/fetch/site-server.ts';
import { makeReport } from './make-report.ts';
import { makeHome } from './run-fin.ts';
import { everyEighthAsProcess } from './run-here.ts';

const runFin = everyEighthAsProcess();

// These tests run several processes one after the other, possibly on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

/** Filings of the sample: Apple's annual reports, and a quarterly one; Microsoft's annual report. */
const LATEST = '/Archives/edgar/data/320193/000032019325000079/aapl-20250927.htm';
const BEFORE = '/Archives/edgar/data/320193/000032019324000123/aapl-20240928.htm';

const RISKS = [
  '<p>Tariffs may &lt;b&gt;raise&lt;/b&gt; our | costs and `prices`.</p>',
  '<p>Our suppliers are few, and each of them can fail us at any time.</p>',
].join('');

async function start(files: Readonly<Record<string, Buffer>>) {
  const site = await startSite(new Map(Object.entries(files)));
  const env = { HOME: makeHome(), FIN_EDGAR_URL: site.url, FIN_CONTACT: 'Jane Doe jane@doe.org' };
  return { site, env, run: (...args: readonly string[]) => runFin(args, { env }) };
}

const listPaths = ({ requests }: SiteServer): string[] => requests.map(({ path }) => path);

test.concurrent('a proven section is printed with its evidence, requested once, and planned before', async () => {
  const { site, run } = await start({ [LATEST]: makeReport({ '1A': RISKS }) });
  const plan = async () => JSON.parse((await run('read', 'AAPL', '--item', '1A', '--plan', '--json')).out);
  expect(await plan()).toMatchObject({ requests: 0, sec_requests: 1 });
  const { out, code } = await run('read', 'AAPL', '--item', '1A');
  expect(code).toBe(0);
  expect(out).toContain('https://www.sec.gov/Archives/edgar/data/320193/000032019325000079/aapl-20250927.htm');
  expect(out).toMatch(/^Start +character \d+: .*link/m);
  expect(out).toContain('Our suppliers are few');
  expect(out).not.toContain('Text of item');
  expect(await plan()).toMatchObject({ sec_requests: 0 });
  const json = JSON.parse((await run('read', 'aapl', '--item', 'risk factors', '--json', '--offline')).out);
  expect(json.data).toMatchObject({ item: '1A', status: 'proven', accession_number: '0000320193-25-000079' });
  expect(json.data.start_evidence.length).toBeGreaterThan(1);
  const rows = (await run('read', 'AAPL', '--item', '1A', '-o', 'ndjson')).out.trim().split('\n');
  expect(rows.map((row) => JSON.parse(row).paragraph)).toEqual(rows.map((_, index) => index + 1));
  const items = (await run('read', '0000320193-25-000079', '--items', '--csv')).out;
  expect(items).toMatch(/,1A,Risk Factors,proven,/);
  expect(listPaths(site)).toEqual([LATEST]);
  expect((await run('cache', 'info', '--json')).out).toMatch(/"documents": \{[^}]*"entries": 1,/);
});

test.concurrent('Markdown and HTML have the text only: no markup of the filing', async () => {
  const { run } = await start({
    [LATEST]: makeReport({ '1A': `${RISKS}<script>x</script><img src="y"><a href="javascript:z">link</a>` }),
  });
  const markdown = (await run('read', 'AAPL', '--item', '1A', '-o', 'md')).out;
  expect(markdown).toMatch(/Tariffs may (?:\\<|&lt;)b/);
  expect(markdown).toMatch(/our \\\| costs and \\`prices\\`/);
  const html = (await run('read', 'AAPL', '--item', '1A', '--html')).out;
  expect(html).toContain('Tariffs may &lt;b&gt;raise');
  expect(html).not.toMatch(/<script|<img|javascript:/);
  for (const format of ['--svg', '--chart'])
    expect(await run('read', 'AAPL', '--item', '1A', format)).toMatchObject({
      code: 2,
      err: expect.stringContaining('a document is text'),
    });
});

test.concurrent('a section that is not proven ends with exit code 10, without text', async () => {
  const twin = `<p>Before.</p><div><b>Item 1A. Risk Factors</b></div><p>Tariffs.</p><div><b>Item 7. Management's Discussion and Analysis of Financial Condition and Results of Operations</b></div><p>Other.</p>`;
  const { run } = await start({
    [LATEST]: makeReport({ '1A': RISKS }),
    [BEFORE]: Buffer.from(`<html><body><p>Annual report</p>${twin}${twin}</body></html>`),
  });
  const refused = await run('read', '0000320193-24-000123', '--item', '1A');
  expect(refused).toMatchObject({ code: 10, out: '' });
  expect(refused.err).toMatch(
    /Item 1A of the 10-K of Apple Inc.* is not proven: .*\n.*fin read 0000320193-24-000123 --items/,
  );
  const batch = await run('read', '0000320193-24-000123', '0000320193-25-000079', '--item', '1A', '--json');
  expect(batch.code).toBe(8);
  expect(JSON.parse(batch.out)).toMatchObject([
    { problem: { code: 'unproven', exit_code: 10 } },
    { data: { status: 'proven' } },
  ]);
  expect((await run('read', '0000320193-24-000123', '0000320193-24-000123', '--item', '1A')).code).toBe(10);
  // Without a proof of both sections there is no comparison.
  expect(await run('changes', 'AAPL', '--item', '1A')).toMatchObject({ code: 10, out: '' });
});

test.concurrent('an item that points to another place prints the pointer', async () => {
  const pointer = 'The information required by this Item is incorporated by reference to the 2026 Proxy Statement.';
  const { run } = await start({ [LATEST]: makeReport({ '11': `<p>${pointer}</p>` }) });
  const { out, code } = await run('read', 'AAPL', '--item', '11');
  expect(code).toBe(0);
  expect(out).toMatch(/^Status +by reference/m);
  expect(out).toContain(pointer);
  expect(await run('changes', 'AAPL', '--item', '11')).toMatchObject({ code: 3, out: '' });
  expect(await run('read', 'AAPL', '--item', 'executive officers')).toMatchObject({
    code: 3,
    err: expect.stringContaining('has no proven part about executive officers at the end of Item 4'),
  });
});

test.concurrent('matches are shown with their words, item and filing; a filing that was not read is named', async () => {
  const { run } = await start({ [LATEST]: makeReport({ '1A': RISKS }), [BEFORE]: makeReport({}, '2024-09-28') });
  const found = await run('grep', 'tariffs?', 'AAPL', '--forms', '10-K', '--limit', '3', '-o', 'ndjson');
  expect(found.code).toBe(0);
  expect(
    found.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toMatchObject([
    {
      item: '1A',
      match: 'Tariffs',
      accession_number: '0000320193-25-000079',
      url: expect.stringContaining('https://www.sec.gov/'),
    },
  ]);
  expect(found.err).toContain('Filing 0000320193-23-000106 was not searched');
  const counts = await run(
    'grep',
    '-F',
    'costs and `',
    'AAPL',
    '--forms',
    '10-K',
    '--limit',
    '2',
    '--count',
    '--csv',
    '--fields',
    'accession_number,matches',
  );
  expect(counts.out).toBe('accession_number,matches\r\n0000320193-25-000079,1\r\n0000320193-24-000123,0\r\n');
  expect((await run('grep', '(', 'AAPL')).code).toBe(2);
  expect(await run('grep', 'zebra', '0000320193-25-000079')).toMatchObject({
    code: 0,
    err: expect.stringContaining('No match in 1 filing.'),
  });
});

test.concurrent('changes shows added, removed and changed paragraphs, with the words', async () => {
  const before = RISKS.replace('few', 'many').replace(
    '<p>Tariffs',
    '<p>A virus may close our shops again, as it did before.</p><p>Tariffs',
  );
  const { run } = await start({
    [LATEST]: makeReport({ '1A': RISKS }),
    [BEFORE]: makeReport({ '1A': before }, '2024-09-28'),
  });
  const { out, code } = await run('changes', 'AAPL', '--item', '1A', '--json');
  expect(code).toBe(0);
  const { data } = JSON.parse(out);
  expect(data).toMatchObject({
    from_accession_number: '0000320193-24-000123',
    accession_number: '0000320193-25-000079',
  });
  expect(data.changes.map(({ kind }: { kind: string }) => kind).sort()).toEqual(['changed', 'removed']);
  const shown = (await run('changes', 'AAPL', '--item', '1A', '--from', '2024', '--to', '2025')).out;
  expect(shown).toContain('[-many,-] {+few,+}');
  expect(shown).toContain('Removed: A virus may close our shops');
});

test.concurrent('changes refuses a wrong order, one filing twice, and a day of two filings', async () => {
  const { run } = await start({});
  const compare = (...args: readonly string[]) => run('changes', 'AAPL', '--item', '1A', ...args);
  expect(await compare('--from', '2025', '--to', '2024')).toMatchObject({
    code: 2,
    err: expect.stringContaining('--from must be earlier than --to'),
  });
  expect(await compare('--from', '2024-09-28', '--to', '2024-09-28')).toMatchObject({
    code: 2,
    err: expect.stringContaining('--from and --to name the same filing: 10-K of 2024-09-28 (0000320193-24-000123)'),
  });
  const several = await run('changes', 'GE', '--item', '7', '--form', '10-K,10-K/A', '--from', '2004-12-31');
  expect(several.code).toBe(2);
  expect(several.err).toMatch(/10-K\/A of 2004-12-31 \(0[\d-]+\), .*\n.*Name one by its accession number: --from 0/);
});

test.concurrent('wrong usage is refused before anything is sent', async () => {
  const { site, run } = await start({});
  const wrong = [
    ['read', 'AAPL', '0000320193-25-000079'],
    ['read', '0000320193-25-000079', '--form', '10-K'],
    ['read', 'AAPL', '--item', '1A', '--items'],
    ['read', 'AAPL', '--exhibit', '99', '--document', 'a.htm'],
    ['read', 'AAPL', '--document', '../a.htm'],
    ['read', 'AAPL', '--pages', 'x'],
    ['changes', 'AAPL'],
    ['changes', '0000320193-25-000079', '--item', '1A'],
    ['grep', 'x', 'AAPL', '--context', 'many'],
    ['data', 'fetch', '--documents'],
  ];
  for (const args of wrong) expect([args, (await run(...args)).code]).toEqual([args, 2]);
  expect((await run('read', 'AAPL', '--form', '10-XYZ')).code).toBe(3);
  expect(listPaths(site)).toEqual([]);
  expect(makeFilingFolderUrl(320193, '0000320193-25-000079') + LATEST.split('/').at(-1)).toBe(
    `https://www.sec.gov${LATEST}`,
  );
});
