/** Calls the built program as assistants do: over stdin and stdout, with the sample. */
import { cpSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OlderStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TOOLS } from '../../src/mcp/tools.ts';
import { MAX_ANSWER_BYTES } from '../../src/render/assistant/answer-text.ts';
import { readManifest } from '../../src/store/releases/manifest.ts';
import { makeHome } from '../end-to-end/run-fin.ts';
import { FIN_PATH, startFin } from '../fin-process.ts';

/** Directory of a small release with two companies. */
const OLDER_RELEASE_DIRECTORY = resolve(import.meta.dirname, '../store/layouts/older-2.0');

const CLIENT_INFO = { name: 'test', version: '1' };

function makeServerCommand() {
  const env = { PATH: process.env.PATH ?? '', HOME: makeHome() };
  return { command: process.execPath, args: [FIN_PATH, 'mcp'], env };
}

const currentClient = new Client(CLIENT_INFO, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
const olderClient = new OlderClient(CLIENT_INFO);

beforeAll(async () => {
  await Promise.all([
    currentClient.connect(new StdioClientTransport(makeServerCommand())),
    olderClient.connect(new OlderStdio(makeServerCommand())),
  ]);
});

afterAll(async () => {
  await Promise.all([currentClient.close(), olderClient.close()]);
});

interface ToolAnswer {
  readonly text: string;
  readonly isError: boolean;
}

async function callTool(
  name: string,
  toolArguments: object,
  client: Pick<Client, 'callTool'> = currentClient,
): Promise<ToolAnswer> {
  const { content, isError } = await client.callTool({ name, arguments: { ...toolArguments } });
  const [part] = content;
  if (part?.type !== 'text') throw new Error(`${name} did not answer with text`);
  expect(content).toHaveLength(1);
  expect(Buffer.byteLength(part.text)).toBeLessThanOrEqual(MAX_ANSWER_BYTES);
  return { text: part.text, isError: isError === true };
}

/** For each question: the tool that answers it, the arguments of the call, and texts that the answer contains. */
const QUESTIONS: readonly (readonly [question: string, tool: string, given: object, lines: readonly string[]])[] = [
  ['What is the ticker of Apple?', 'find', { query: 'apple' }, ['ticker: AAPL', 'entity_name: Apple Inc.']],
  [
    'What were its revenue and net income in fiscal 2024?',
    'metrics',
    { ticker: 'AAPL', keys: ['revenue', 'net_income'], period: 'annual' },
    [
      'revenue,391035000000,2024,2023-10-01,2024-09-28,false,0,same,#1',
      'net_income,93736000000,2024,2023-10-01,2024-09-28,false,0,same,#1',
      '#1 0000320193-25-000079 10-K 2025-10-31',
    ],
  ],
  [
    'Where does its revenue of 2024 come from, and was it changed?',
    'explain',
    { ticker: 'AAPL', metric_key: 'revenue', fiscal_year: 2024, fiscal_period: 'FY' },
    [
      'raw_value: 391035000000',
      'concept: RevenueFromContractWithCustomerExcludingAssessedTax',
      '1,first,,false,0000320193-24-000123,2024-11-01',
      '2,same,391035000000,true,0000320193-25-000079,2025-10-31',
    ],
  ],
  [
    'What is its free cash flow derived from?',
    'explain',
    { ticker: 'AAPL', metric_key: 'free_cash_flow', fiscal_year: 2024, fiscal_period: 'FY' },
    ['formula: operating_cash_flow - capital_expenditures', '118254000000', '9447000000', '0000320193-25-000079'],
  ],
  [
    'Which large companies grew fastest?',
    'screen',
    { where: ['revenue:gt:1B', 'revenue_yoy:gt:20%'], sort: 'revenue_yoy', dir: 'desc', limit: 3 },
    [
      'NVIDIA CORP,2026,215938000000,0.6547353579',
      'left out (set_aside)',
      'Next: screen {"where":["revenue:gt:1B","revenue_yoy:gt:20%"],"sort":"revenue_yoy","dir":"desc","limit":3,"offset":3}',
    ],
  ],
  [
    'Which companies were the largest in June 2019?',
    'screen',
    { as_of: '2019-06-28', sort: 'revenue', dir: 'desc', columns: ['revenue', 'fiscal_year'], limit: 2 },
    ['Walmart Inc.,514405000000,2019', 'Apple Inc.,265595000000,2018'],
  ],
  [
    'When did it announce results?',
    'filings',
    { ticker: 'AAPL', forms: ['8-K'], items: ['2.02'], limit: 2 },
    ['0000320193-26-000018', 'after_close', '2.02 9.01', '"offset":2}'],
  ],
  [
    'Do its insiders sell?',
    'ownership',
    { ticker: 'AAPL', kind: 'sale', limit: 2 },
    ['Sales: 21', 'worth: 174541679.54', '149527,284.57,42550898.39', '0001140361-26-020298'],
  ],
  [
    'What is it worth?',
    'prices',
    { ticker: 'AAPL', range: '1y' },
    [
      '2026-03-31,253.79,253.79,3725926520600,thirteen_f',
      'Show this attribution with the prices: Prices derived from public data',
    ],
  ],
];

describe.each(QUESTIONS)('%s', (_, tool, callArguments, lines) => {
  test(`the tool ${tool} answers with exact figures, their sources and the release`, async () => {
    const { text, isError } = await callTool(tool, callArguments);
    expect(isError).toBe(false);
    expect(text).toMatch(/^release \d{4}-\d\d-\d\d-[0-9a-f]{12} \(checks passed\)/);
    for (const line of lines) expect(text).toContain(line);
  });

  test('a client of the previous protocol revision gets the same answers', async () => {
    const [currentAnswer, olderAnswer] = await Promise.all([
      callTool(tool, callArguments),
      callTool(tool, callArguments, olderClient as unknown as Pick<Client, 'callTool'>),
    ]);
    expect(olderAnswer).toEqual(currentAnswer);
  });
});

test('each client gets the protocol revision that it requests', () => {
  expect(currentClient.getNegotiatedProtocolVersion()).toBe('2026-07-28');
  expect(olderClient.getServerVersion()?.name).toBe('fin');
});

test('tools are read-only, describe their arguments, and together stay within a size limit', async () => {
  const { tools } = await currentClient.listTools();
  expect(tools.map(({ name }) => name)).toEqual(TOOLS.map(({ name }) => name));
  for (const { annotations, inputSchema, description } of tools) {
    expect(annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false, openWorldHint: false });
    for (const property of Object.values(inputSchema.properties ?? {})) {
      expect(property).toMatchObject({ description: expect.stringMatching(/\.$/) });
      expect(JSON.stringify(property)).not.toMatch(/--|fin [a-z]/);
    }
    expect(description).toContain('Examples: ');
  }
  expect(Buffer.byteLength(JSON.stringify(tools))).toBeLessThan(24_000);
});

test('every example of every tool is answered', async () => {
  for (const { name, examples } of TOOLS) {
    for (const example of examples) {
      const { text, isError } = await callTool(name, example.arguments);
      expect({ name, ...example, isError, text: isError ? text : '' }).toMatchObject({ isError: false });
    }
  }
});

test('the calls named in shortened answers return the remaining rows, each once', async () => {
  const rows: string[] = [];
  let nextArguments: Record<string, unknown> | null = {
    ticker: 'AAPL',
    period: 'quarterly',
    keys: ['revenue', 'net_income', 'assets', 'eps_diluted'],
  };
  for (let callCount = 0; nextArguments !== null && callCount < 20; callCount++) {
    const { text } = await callTool('metrics', nextArguments);
    const rowsText = text.slice(text.indexOf('metric_key,'), text.indexOf('\nfilings: '));
    rows.push(
      ...rowsText
        .split('\n')
        .slice(1)
        .map((line) => line.replace(/,#\d+$/, '')),
    );
    const [, nextCallText] = /Next: metrics (\{.*\})$/.exec(text) ?? [];
    nextArguments = nextCallText === undefined ? null : JSON.parse(nextCallText);
  }
  expect(nextArguments).toBeNull();
  expect(rows.length).toBeGreaterThan(200);
  expect(new Set(rows).size).toBe(rows.length);
});

describe('an error of a tool has a hint', () => {
  test.each([
    ['metrics', { ticker: 'APPL' }, 'AAPL'],
    ['metrics', { ticker: 'AAPL', keys: ['revenu'] }, 'Did you mean revenue?'],
    ['metrics', { tiker: 'AAPL' }, 'Did you mean ticker?'],
    ['metrics', {}, 'The argument ticker is missing.'],
    ['metrics', { ticker: '-' }, 'cannot be "-"'],
    ['metrics', { ticker: ['AAPL', 'MSFT'] }, 'ticker takes one value'],
    ['metrics', { ticker: { name: 'AAPL' } }, 'must be a string, a number'],
    ['screen', { where: ['roee:gt:1'] }, 'in where'],
    ['screen', { where: ['foo:gt:1'] }, 'fin://figures'],
    ['ownership', { show: 'all' }, 'insiders, holders, manager or all_insiders'],
    ['filings', { show: 'day', forms: ['8-K'] }, 'Arguments: date, rows.'],
    ['explain', { ticker: 'AAPL', metric_key: 'revenue', fiscal_year: 1950 }, 'Periods with values: H1 2026'],
  ])('%s %j', async (tool, callArguments, advice) => {
    const { text, isError } = await callTool(tool, callArguments);
    expect(isError).toBe(true);
    expect(text).toMatch(/^Error: /);
    expect(text).toContain(advice);
    expect(text).not.toMatch(/--[a-z]|fin (?:search|metrics|screen|catalog|help)/);
  });

  test.each([
    ['find', { query: 'apple', show: { toString: 1 } }],
    ['explain', { ticker: 'AAPL', metric_key: 'revenue', fiscal_year: { toString: 1 } }],
  ])('%s refuses an object as an argument', async (tool, callArguments) => {
    const { text, isError } = await callTool(tool, callArguments);
    expect(isError).toBe(true);
    expect(text).toMatch(/^Error: The argument \w+ must be a string, a number, /);
  });

  test('an unknown tool is a protocol error', async () => {
    await expect(currentClient.callTool({ name: 'metric', arguments: {} })).rejects.toThrow('Did you mean metrics?');
  });
});

test('compare names a company that it cannot compare', async () => {
  const { text, isError } = await callTool('compare', { ticker: ['AAPL', 'APPL'], keys: ['revenue'] });
  expect(isError).toBe(false);
  expect(text).toMatch(/\nNotice: "APPL" is missing\. No company in this release has the ticker "APPL"\./);
  expect(text).not.toContain('fin search');
});

test('a null argument counts as missing', async () => {
  const explainArguments = { ticker: 'AAPL', metric_key: 'revenue' };
  const answer = await callTool('explain', explainArguments);
  expect(answer.isError).toBe(false);
  expect(await callTool('explain', { ...explainArguments, fiscal_year: null, fiscal_period: null })).toEqual(answer);
});

test('facts of a concept come in pages, and a list of concepts names the call for the facts', async () => {
  const { text } = await callTool('company', { ticker: 'AAPL', concept: 'us-gaap:InventoryNet' });
  const [, total] =
    /\nShown: rows 1 to 100 of (\d+)\. Left out: \d+ rows\. Next: company .*"offset":100\}$/.exec(text) ?? [];
  const nextPage = await callTool('company', { ticker: 'AAPL', concept: 'us-gaap:InventoryNet', offset: 100 });
  const countRows = (answer: string) => answer.match(/^\d{4}-\d\d-\d\d,/gm)?.length ?? 0;
  expect([countRows(text), countRows(nextPage.text)]).toEqual([100, Number(total) - 100]);
  const conceptList = await callTool('company', { ticker: 'AAPL', show: 'facts', search: 'lease', limit: 3 });
  expect(conceptList.text).toMatch(
    /\nNotice: To see the facts of one concept: company \{"ticker":"AAPL","concept":"\w+","show":"facts"\}/,
  );
  expect(conceptList.text).toMatch(/\nShown: rows 1 to 3 of \d+\./);
});

test("peers_of selects the companies of a company's industry, and rows standing shows that company's rank", async () => {
  const standingAnswer = await callTool('screen', { peers_of: 'MSFT', rows: 'standing' });
  expect(standingAnswer.text).toContain('column,label,value,rank,percentile');
  expect((await callTool('screen', { show: 'peers' })).text).toContain('The argument peers_of is missing.');
  const peersRefusal = await callTool('screen', { peers_of: 'SUNE' });
  expect(peersRefusal).toMatchObject({ isError: true });
  expect(peersRefusal.text).toContain('screen {"peers_of":"SUNE","sic":"…","show":"peers"}');
});

test('limit is the number of shown rows, even if years selects the periods', async () => {
  const { text, isError } = await callTool('metrics', { ticker: 'AAPL', statement: 'income', years: 2, limit: 3 });
  expect(isError).toBe(false);
  expect(text).toMatch(/\nShown: rows 1 to 3 of \d+\. Left out: \d+ rows\. Next: metrics .*"offset":3\}$/);
});

test.each([
  ['metrics', { ticker: 'AAPL', keys: ['revenue'], period: 'annual' }],
  ['find', { query: 'apple' }],
  ['screen', { peers_of: 'MSFT' }],
  ['screen', { summary: true }],
  ['filings', { ticker: 'AAPL' }],
])('the tool %s of %j names an offset past the end', async (tool, given) => {
  const { text } = await callTool(tool, { ...given, offset: 90_000 });
  expect(text.match(/offset: "90000" is past the end\. Total( rows)?: \d+\./g)).toHaveLength(1);
});

test('explain refuses limit and offset, because it selects values by period', async () => {
  for (const name of ['limit', 'offset']) {
    const { text, isError } = await callTool('explain', { ticker: 'AAPL', metric_key: 'revenue', [name]: 2 });
    expect(isError).toBe(true);
    expect(text).toContain(`explain has no argument "${name}"`);
  }
});

test('no call is named for rows beyond the maximum of a list without offset', async () => {
  for (const offset of [480, 505]) {
    const { text } = await callTool('company', { ticker: 'AAPL', show: 'concepts', offset });
    expect(text).toMatch(/Left out: \d rows\. The service returns at most 500 rows\.$/);
    expect(text).not.toContain('Next:');
  }
});

test('totals, which cover all pages, name no next page', async () => {
  const { text: totalsText } = await callTool('ownership', { ticker: 'AAPL', rows: 'summary' });
  expect(totalsText).toContain('total_transactions: 21');
  const { text: quartersText } = await callTool('ownership', { cik: 1067983, rows: 'quarters' });
  expect(quartersText).toContain('positions: 49');
  for (const text of [totalsText, quartersText]) expect(text).not.toMatch(/Shown:|Showing|Next:/);
});

test('resources are within the size limit, and are read by their URIs', async () => {
  const { resources } = await currentClient.listResources();
  expect(resources.map(({ uri }) => uri)).toEqual(['fin://release', 'fin://catalog', 'fin://figures']);
  for (const { uri } of resources) {
    const { contents } = await currentClient.readResource({ uri });
    const [content] = contents;
    if (content === undefined || !('text' in content)) throw new Error(`${uri} has no text`);
    expect(Buffer.byteLength(content.text)).toBeLessThanOrEqual(2 * MAX_ANSWER_BYTES);
    expect(content.text).not.toContain('Left out');
  }
  await expect(currentClient.readResource({ uri: 'file:///etc/passwd' })).rejects.toThrow('not found');
});

test('a prompt contains its arguments, and a missing argument is refused', async () => {
  const { prompts } = await currentClient.listPrompts();
  expect(prompts.map(({ name }) => name)).toEqual(['explain_figure', 'what_changed', 'screen_then_verify']);
  const { messages } = await currentClient.getPrompt({
    name: 'explain_figure',
    arguments: { company: 'Apple', figure: 'revenue', year: '2024' },
  });
  expect(messages[0]?.content).toMatchObject({
    text: expect.stringContaining('"revenue" of Apple for fiscal year 2024'),
  });
  await expect(currentClient.getPrompt({ name: 'explain_figure', arguments: {} })).rejects.toThrow('company');
});

test('a hundred concurrent requests are all answered', async () => {
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, index) => callTool('find', { query: ['apple', 'micro', 'a'][index % 3] })),
  );
  expect(answers.every(({ isError }) => !isError)).toBe(true);
});

test('progress is reported on request', async () => {
  const progressValues: number[] = [];
  // Not `onprogress`: the client drops progress that it reads in one chunk with the answer.
  currentClient.setNotificationHandler('notifications/progress', ({ params }) => {
    progressValues.push(params.progress);
  });
  const explainArguments = { ticker: 'AAPL', metric_key: 'revenue', fiscal_year: 2024, fiscal_period: 'FY' };
  await currentClient.callTool({ name: 'explain', arguments: explainArguments, _meta: { progressToken: 'p' } });
  await expect.poll(() => progressValues).toEqual([0, 1, 2]);
});

test('an oversized message ends the connection with an error', async () => {
  const env = { PATH: process.env.PATH ?? '', HOME: makeHome() };
  const { code, out, err } = await startFin(['mcp'], { env, input: 'a'.repeat(1_000_001) }).done;
  expect([code, out]).toEqual([2, '']);
  expect(err).toBe(
    'fin: A message on stdin is longer than 1000000 bytes.\n' +
      'Each line must be one message of the Model Context Protocol; no valid message is that long.\n',
  );
});

test('stdout has only messages, and after the end of stdin all requests are answered before the process ends', async () => {
  const messages = [
    {
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: CLIENT_INFO },
    },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/call', params: { name: 'find', arguments: { query: 'apple' } } },
  ].map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const env = { PATH: process.env.PATH ?? '', HOME: makeHome() };
  const { code, out } = await startFin(['mcp'], { env, input: `not json\n${messages.join('')}` }).done;
  expect(code).toBe(0);
  const answers = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(answers.find(({ id }) => id === 1).result.protocolVersion).toBe('2025-06-18');
  expect(answers.find(({ id }) => id === 2).result.content[0].text).toContain('ticker: AAPL');
});

test('a line that is not a message is skipped, and stderr says so, also after a message of almost the maximum size', async () => {
  const env = { PATH: process.env.PATH ?? '', HOME: makeHome() };
  const longCall = `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"a":"${'a'.repeat(999_900)}"}}}\n`;
  const shortCalls = Array.from({ length: 2000 }, () => '{"jsonrpc":"2.0","id":2,"method":"ping"}\n').join('');
  const { code, err } = await startFin(['mcp'], { env, input: `[]\n${longCall}${shortCalls}` }).done;
  expect(code).toBe(0);
  expect(err).toBe(
    'fin: A line on stdin is not a message of the Model Context Protocol, and was skipped.\n' +
      'Each line must be one JSON-RPC 2.0 request, notification or response; batches are not supported.\n',
  );
});

test('SIGTERM ends fin mcp', async () => {
  const env = { PATH: process.env.PATH ?? '', HOME: makeHome() };
  const client = new OlderClient(CLIENT_INFO);
  const transport = new OlderStdio({ command: process.execPath, args: [FIN_PATH, 'mcp'], env });
  await client.connect(transport);
  const whenClosed = new Promise<void>((resolve) => {
    client.onclose = resolve;
  });
  const { pid } = transport;
  if (pid === null) throw new Error('fin mcp has not started');
  process.kill(pid, 'SIGTERM');
  await whenClosed;
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});

test('the next answer comes from a release that has become current, or from the sample after the release is removed', async () => {
  const serverCommand = makeServerCommand();
  const client = new Client(CLIENT_INFO);
  await client.connect(new StdioClientTransport(serverCommand));
  try {
    const releasesFolder = join(serverCommand.env.HOME, '.local/share/fin/releases');
    const { stamp } = readManifest(OLDER_RELEASE_DIRECTORY);
    const findApple = () => callTool('find', { query: 'apple' }, client);
    expect((await findApple()).text).not.toContain(stamp);
    cpSync(OLDER_RELEASE_DIRECTORY, join(releasesFolder, stamp), { recursive: true });
    expect((await findApple()).text).toContain(`release ${stamp}`);
    rmSync(releasesFolder, { recursive: true });
    expect((await findApple()).text).not.toContain(stamp);
  } finally {
    await client.close();
  }
});
