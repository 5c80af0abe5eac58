import type { Socket } from 'node:net';
import { beforeEach, expect, test } from 'vitest';
import { RELEASE } from '../http-service.ts';
import { formatHttpResponse, type Home, type SocketServer, startSocketServer } from './http-process.ts';
import { homesWithEveryEighthAsProcess } from './run-here.ts';

const makeHome = homesWithEveryEighthAsProcess();

const ATTRIBUTION_TEXT = 'Prices by the Small Exchange.';
const ATTRIBUTION = { text: ATTRIBUTION_TEXT, url: 'https://exchange.example/terms' };
const ATTRIBUTION_LINE = `${ATTRIBUTION_TEXT} https://exchange.example/terms`;

let home: Home;
let socketServer: SocketServer | undefined;
beforeEach(() => {
  home = makeHome();
});

const makeResponseBody = (data: unknown, meta: object = {}) =>
  JSON.stringify({
    data,
    meta: { schema: 'svc.data.v1', route: '/v1/x', release: RELEASE, request_id: 'r-1', ...meta },
  });

const PRICES = {
  ticker: 'ABC',
  cik: 1,
  entity_name: 'Abc Inc.',
  from: '2026-05-28',
  to: '2026-05-28',
  days: ['2026-05-28'],
  price: ['1.50'],
  adj_price: ['1.50'],
  market_cap: [null],
  source: ['x'],
  marks: [],
  actions: [],
  latest: null,
};
const SCREEN_ROW = { cik: 1, ticker: 'ABC', exchange: 'X', entity_name: 'Abc Inc.', price: '1.50' };

/** Starts a service with prices and screens. `hasAttribution` decides which answers have an attribution. */
async function serve(hasAttribution: (target: string) => boolean): Promise<SocketServer> {
  socketServer = await startSocketServer((socket: Socket, _, head) => {
    const target = head.split(' ')[1] ?? '';
    const meta = hasAttribution(target) ? { attribution: ATTRIBUTION } : {};
    const data = target.includes('/prices') ? PRICES : [SCREEN_ROW];
    socket.write(formatHttpResponse(200, makeResponseBody(data, meta)));
  });
  return socketServer;
}

/** Returns the requested paths, without the description of the service. */
const listTargets = () =>
  (socketServer?.requests ?? []).map((head) => head.split(' ')[1]).filter((target) => target !== '/openapi.json');
const runScreen = (...extraArgs: string[]) =>
  home.run(['screen', '--columns', 'price', '--base-url', socketServer?.baseUrl ?? '', ...extraArgs]);

test('if a service attributes only prices, the attribution is requested once and cached', async () => {
  await serve((target) => target.includes('/prices'));
  const firstRun = await runScreen();
  expect(firstRun).toMatchObject({ code: 0 });
  expect(firstRun.stdout.replace(/\s+/g, ' ')).toContain(ATTRIBUTION_LINE);
  expect(listTargets()).toEqual(['/v1/screen?columns=price', '/v1/securities/ABC/prices']);
  const csvRun = await runScreen('--csv', '--quiet');
  expect(csvRun.stdout).toBe(
    `cik,ticker,exchange,entity_name,price,unconfirmed,attribution\r\n1,ABC,X,Abc Inc.,1.50,,${ATTRIBUTION_LINE}\r\n`.replace(
      /\r\n/g,
      csvRun.stdout.includes('\r\n') ? '\r\n' : '\n',
    ),
  );
  const ndjsonRun = await runScreen('--output', 'ndjson');
  expect(JSON.parse(ndjsonRun.stdout)).toMatchObject({ price: '1.50', attribution: ATTRIBUTION_LINE });
  // The attribution is now cached, so no further request is sent.
  expect(listTargets().filter((target) => target?.includes('/prices'))).toHaveLength(1);
});

test('JSON is printed as the service sent it, and the attribution that it lacks is printed on stderr', async () => {
  await serve((target) => target.includes('/prices'));
  const jsonRun = await runScreen('--json', '--quiet');
  expect(JSON.parse(jsonRun.stdout)).toEqual(JSON.parse(makeResponseBody([SCREEN_ROW])));
  expect(jsonRun.stderr).toContain(ATTRIBUTION_LINE);
});

test('prices of a service without attribution are shown with a warning', async () => {
  await serve(() => false);
  const run = await home.run(['prices', 'ABC', '--csv', '--quiet', '--base-url', socketServer?.baseUrl ?? '']);
  expect(run).toMatchObject({ code: 0 });
  expect(run.stdout).toContain('1.50');
  expect(run.stderr).toContain('without the attribution');
});

test('figures without a price need no attribution', async () => {
  socketServer = await startSocketServer((socket) =>
    socket.write(formatHttpResponse(200, makeResponseBody([{ ...SCREEN_ROW, price: null, revenue: '7' }]))),
  );
  const run = await home.run(['screen', '--columns', 'revenue', '--base-url', socketServer.baseUrl]);
  expect(run).toMatchObject({ code: 0 });
  expect(listTargets()).toEqual(['/v1/screen?columns=revenue']);
});
