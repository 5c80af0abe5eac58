import { chmodSync, chownSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { testNeeding } from '../needs.ts';
import {
  CANARY_API_KEY,
  formatHttpResponse,
  formatProblemResponse,
  RELEASE_BODY,
  startSocketServer,
} from './http-process.ts';
import { homesWithEveryEighthAsProcess } from './run-here.ts';

const makeHome = homesWithEveryEighthAsProcess();

type SocketAnswerer = (socket: Socket, requestNumber: number, head: string) => void;

/** Runs `fin release` against a server that sends this answer. */
async function ask(
  answer: SocketAnswerer,
  args: readonly string[] = [],
  env: Record<string, string> = {},
  home = makeHome(),
) {
  const socketServer = await startSocketServer(answer);
  const run = await home.run(['release', '--json', '--base-url', socketServer.baseUrl, ...args], env);
  return { ...run, home, socketServer, requests: socketServer.requests.length };
}

const truncatedGzip = gzipSync(RELEASE_BODY).subarray(0, 60);
const makeResponseHead = (headers: string) => `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n${headers}\r\n\r\n`;

/**
 * Milliseconds to wait before a reset. A reset discards bytes that the client has not read yet, and no event shows when
 * it has read them.
 */
const READ_BEFORE_RESET_MS = 30;

/** Services that truncate their responses. */
const TRUNCATING_ANSWERERS: Readonly<Record<string, SocketAnswerer>> = {
  'a reset before the headers': (socket) => socket.resetAndDestroy(),
  'an end before the headers': (socket) => socket.end(),
  'a reset in the middle of the headers': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-ty');
    setTimeout(() => socket.resetAndDestroy(), READ_BEFORE_RESET_MS);
  },
  'a reset in the middle of the body': (socket) => {
    socket.write(formatHttpResponse(200, RELEASE_BODY).slice(0, -50));
    setTimeout(() => socket.resetAndDestroy(), READ_BEFORE_RESET_MS);
  },
  'a content-length too long': (socket) =>
    socket.end(formatHttpResponse(200, RELEASE_BODY, { 'content-length': String(RELEASE_BODY.length + 10) })),
  'a chunked body that is cut': (socket) =>
    socket.end(
      `${makeResponseHead('transfer-encoding: chunked')}${RELEASE_BODY.length.toString(16)}\r\n${RELEASE_BODY.slice(0, 40)}`,
    ),
  'a gzip body that is cut': (socket) => {
    socket.write(makeResponseHead(`content-encoding: gzip\r\ncontent-length: ${truncatedGzip.length}`));
    socket.end(truncatedGzip);
  },
};

/** Faults that occur once; the second response is complete. */
const TEMPORARY_FAULTS: Readonly<Record<string, SocketAnswerer>> = {
  ...TRUNCATING_ANSWERERS,
  'a 500': (socket) => socket.write(formatProblemResponse(500, 'internal_error')),
  'a 503': (socket) => socket.write(formatProblemResponse(503, 'unavailable', { 'retry-after': '1' })),
  'a 504': (socket) => socket.write(formatProblemResponse(504, 'timeout')),
  'a 502 of a proxy': (socket) => socket.write(formatHttpResponse(502, '<html>', { 'content-type': 'text/html' })),
  'a 429 without Retry-After': (socket) => socket.write(formatProblemResponse(429, 'rate_limited')),
  'a 429 with an HTTP date': (socket) =>
    socket.write(
      formatProblemResponse(429, 'rate_limited', {
        'retry-after': new Date(Date.now() + 1000).toUTCString(),
        date: new Date().toUTCString(),
      }),
    ),
  ...Object.fromEntries(
    [-1, 1].map((hours) => [
      `a 429 with an HTTP date of a clock ${hours} h off`,
      (socket: Socket) => {
        const serverTimeMs = Date.now() + hours * 3_600_000;
        const dateHeaders = {
          'retry-after': new Date(serverTimeMs + 1000).toUTCString(),
          date: new Date(serverTimeMs).toUTCString(),
        };
        socket.write(formatProblemResponse(429, 'rate_limited', dateHeaders));
      },
    ]),
  ),
};

test.concurrent.each(Object.entries(TEMPORARY_FAULTS))(
  'the command succeeds after a retry of %s',
  async (_, connectionFault) => {
    const run = await ask((socket, requestNumber, requestText) =>
      requestNumber === 1
        ? connectionFault(socket, requestNumber, requestText)
        : socket.write(formatHttpResponse(200, RELEASE_BODY)),
    );
    expect(run).toMatchObject({ code: 0, requests: 2 });
    expect(JSON.parse(run.stdout)).toEqual(JSON.parse(RELEASE_BODY));
  },
);

/** The exit code and the message if every response has this fault. */
const PERMANENT_FAULTS: Readonly<Record<string, readonly [SocketAnswerer, number, RegExp]>> = {
  'a 503': [(socket) => socket.write(formatProblemResponse(503, 'unavailable')), 6, /unavailable.*--retries/s],
  'a status that the interface does not name': [(socket) => socket.write(formatHttpResponse(418, '')), 6, /418/],
  'a reset': [(socket) => socket.resetAndDestroy(), 7, /closed the connection/],
  'a page of HTML': [
    (socket) => socket.write(formatHttpResponse(200, '<html>', { 'content-type': 'text/html' })),
    7,
    /text\/html/,
  ],
  'another schema': [
    (socket) => socket.write(formatHttpResponse(200, RELEASE_BODY.replace('svc.data.v1', 'svc.data.v2'))),
    7,
    /svc\.data\.v2/,
  ],
  'a content-length too short': [
    (socket) => socket.end(formatHttpResponse(200, RELEASE_BODY, { 'content-length': '50' })),
    7,
    /does not follow the HTTP API|not HTTP/,
  ],
  'a response that is not HTTP': [(socket) => socket.end('220 mail.example ESMTP\r\n'), 7, /not HTTP/],
  'a 404 without a problem document': [
    (socket) => socket.write(formatHttpResponse(404, '<html>', { 'content-type': 'text/html' })),
    7,
    /404/,
  ],
  'a 429 with a wait of one day': [
    (socket) => socket.write(formatProblemResponse(429, 'rate_limited', { 'retry-after': '86400' })),
    5,
    /--max-wait/,
  ],
  'a 429 with a retry date in the far future': [
    (socket) =>
      socket.write(formatProblemResponse(429, 'rate_limited', { 'retry-after': 'Fri, 01 Jan 2100 00:00:00 GMT' })),
    5,
    /Try again after 2100-01-01 00:00 UTC; waiting until then would exceed --max-wait/,
  ],
  'a redirect to another origin': [
    (socket) => socket.write(formatHttpResponse(302, '', { location: 'http://127.0.0.1:9/v1/release' })),
    7,
    /http:\/\/127\.0\.0\.1:9/,
  ],
  'an endless body': [
    (socket) => {
      socket.write(makeResponseHead('transfer-encoding: chunked'));
      const block = `10000\r\n${' '.repeat(0x10000)}\r\n`;
      const writeMore = () => {
        while (!socket.destroyed && socket.write(block));
      };
      socket.on('drain', writeMore);
      writeMore();
    },
    7,
    /longer than \d+ bytes/,
  ],
  'a small body that unpacks to more than the maximum size': [
    (socket) => {
      const bomb = gzipSync(Buffer.alloc(80 * 1024 * 1024));
      socket.write(makeResponseHead(`content-encoding: gzip\r\ncontent-length: ${bomb.length}`));
      socket.write(bomb);
    },
    7,
    /longer than \d+ bytes/,
  ],
};

test.concurrent.each(Object.entries(PERMANENT_FAULTS))(
  'after %s in every attempt, the command ends with its exit code and a message',
  async (_, [answer, code, message]) => {
    const run = await ask(answer, ['--retries', '1']);
    expect(run.stderr).toMatch(message);
    expect(run).toMatchObject({ code, stdout: '' });
  },
);

/** Each truncation with one format, because a response is read before its format matters. */
const FORMATS = ['table', 'json', 'ndjson', 'csv'];

test.concurrent.each(
  Object.entries(TRUNCATING_ANSWERERS).map(([name, answer], index) => ({
    ...{ name, answer, format: FORMATS[index % FORMATS.length] ?? '' },
  })),
)('after $name in every attempt, the command ends with 7 and prints nothing as $format', async ({ answer, format }) => {
  const home = makeHome();
  const socketServer = await startSocketServer(answer);
  const run = await home.run(['release', '--output', format, '--base-url', socketServer.baseUrl, '--retries', '0']);
  expect(run).toMatchObject({ code: 7, stdout: '' });
  expect(run.stderr).toMatch(/^(fin: |\{)/);
  expect(run.stderr).toMatch(/or allow more retries: --retries/);
});

test.concurrent('a batch prints complete responses, and names the inputs of truncated responses', async () => {
  const home = makeHome();
  const truncateAnswer = TRUNCATING_ANSWERERS['a reset in the middle of the body'];
  const emptyListBody = RELEASE_BODY.replace(/"data":\{.*?\}/, '"data":[]');
  const socketServer = await startSocketServer((socket, requestNumber, requestText) =>
    requestText.includes('/MSFT/')
      ? truncateAnswer?.(socket, requestNumber, requestText)
      : socket.write(formatHttpResponse(200, emptyListBody)),
  );
  const askFilings = (format: string) =>
    home.run([
      'filings',
      'AAPL',
      'MSFT',
      'NVDA',
      '--output',
      format,
      '--base-url',
      socketServer.baseUrl,
      '--retries',
      '0',
    ]);
  const jsonRun = await askFilings('json');
  expect(jsonRun.code).toBe(8);
  expect(JSON.parse(jsonRun.stdout)).toEqual([
    JSON.parse(emptyListBody),
    { input: 'MSFT', problem: expect.objectContaining({ code: 'network', retryable: true }) },
    JSON.parse(emptyListBody),
  ]);
  const csvRun = await askFilings('csv');
  expect(csvRun.code).toBe(8);
  expect(csvRun.stdout.trim().split('\r\n')).toHaveLength(1);
  expect(csvRun.stderr).toMatch(/fin: MSFT: .*closed the connection/);
});

test.concurrent('a batch warns once about a release that failed its checks', async () => {
  const bodyOfFailedRelease = RELEASE_BODY.replace(/"data":\{.*?\}/, '"data":[]').replace(
    '"checks":"passed"',
    '"checks":"failed"',
  );
  const socketServer = await startSocketServer((socket) => socket.write(formatHttpResponse(200, bodyOfFailedRelease)));
  const run = await makeHome().run(['filings', 'AAPL', 'MSFT', 'NVDA', '--base-url', socketServer.baseUrl, '--quiet']);
  expect(run.code).toBe(0);
  expect(run.stderr).toMatch(/^Warning: Release \S+ failed its checks; its figures may be wrong\.\n$/);
});

const SLOW_ANSWERER: SocketAnswerer = (socket) => {
  socket.write(makeResponseHead(`content-length: ${RELEASE_BODY.length}`));
  let sentLength = 0;
  const timer = setInterval(() => socket.write(RELEASE_BODY[sentLength++] ?? ''), 1000);
  socket.on('close', () => clearInterval(timer));
};

test.concurrent.each([
  [['--deadline', '2s'], /deadline passed.*--deadline/s],
  [['--timeout', '2s', '--retries', '0'], /did not answer within 2 s.*--retries/s],
])('%j ends a response of one byte a second', async (args, message) => {
  const { baseUrl } = await startSocketServer(SLOW_ANSWERER);
  const run = await makeHome().start(['release', '--json', '--base-url', baseUrl, ...args]).done;
  expect(run).toMatchObject({ code: 7, stdout: '' });
  expect(run.stderr).toMatch(message);
});

test.concurrent('an unknown host name is an error with advice', async () => {
  const home = makeHome();
  const run = await home.run(['release', '--base-url', 'https://nowhere.invalid']);
  expect(run.code).toBe(7);
  expect(run.stderr).toMatch(/nowhere\.invalid.*(Check the address|Try again later)/s);
});

/** Returns a port of this machine without a listener. */
async function findFreePort(): Promise<number> {
  const { port, close } = await startSocketServer(() => {});
  await close();
  return port;
}

test.concurrent('a local service that does not run is retried once after a short wait, and the error says how to start it', async () => {
  const home = makeHome();
  const port = await findFreePort();
  const run = await home.run(['release', '--base-url', `http://127.0.0.1:${port}`, '--verbose']);
  expect(run).toMatchObject({ code: 7, stdout: '' });
  expect(run.stderr.match(/Trying again in/g)).toHaveLength(1);
  expect(run.stderr).toContain('Trying again in 0.2 s');
  expect(run.stderr).toContain(`fin serve --port ${port}`);
});

test.concurrent('the hint to start a service names the requested address', async () => {
  const home = makeHome();
  const port = await findFreePort();
  const readReleaseStderr = async (address: string) => (await home.run(['release', '--base-url', address])).stderr;
  expect(await readReleaseStderr(`http://127.0.0.2:${port}`)).toContain(
    `To start one: fin serve --host 127.0.0.2 --port ${port}`,
  );
  const httpsAdvice = await readReleaseStderr(`https://127.0.0.1:${port}`);
  expect(httpsAdvice).toContain('Is the service running?');
  expect(httpsAdvice).not.toContain('fin serve');
});

test.concurrent('--retries also applies to a local service, and a service that starts late is reached', async () => {
  const home = makeHome();
  const port = await findFreePort();
  const args = ['release', '--json', '--base-url', `http://127.0.0.1:${port}`, '--retries', '20', '--verbose'];
  const { stderrText, done: retryingRun } = home.start(args);
  await expect.poll(stderrText, { timeout: 60_000 }).toContain('Trying again');
  await startSocketServer((socket) => socket.write(formatHttpResponse(200, RELEASE_BODY)), port);
  const run = await retryingRun;
  expect(run).toMatchObject({ code: 0 });
  expect(JSON.parse(run.stdout)).toEqual(JSON.parse(RELEASE_BODY));
});

test.concurrent.each(['the service', 'a proxy'])(
  '--timeout and Ctrl-C end a connection attempt to %s',
  async (peer) => {
    const home = makeHome();
    // The server accepts the connection but never answers the TLS handshake.
    const { port, accepted, close } = await startSocketServer(() => {});
    const address = `https://127.0.0.1:${port}`;
    const [baseUrl, env] = peer === 'a proxy' ? ['https://a.example', { HTTPS_PROXY: address }] : [address, {}];
    const args = ['release', '--base-url', baseUrl];
    const run = await home.run([...args, '--timeout', '300ms', '--retries', '0'], env);
    expect(run).toMatchObject({ code: 7, stdout: '' });
    const proxyText = peer === 'a proxy' ? ` through the proxy 127.0.0.1:${port}` : '';
    expect(run.stderr).toContain(`did not answer${proxyText} within 0.3 s`);
    const acceptedCountBefore = accepted();
    const { child, done } = home.start(args, env);
    await expect.poll(accepted).toBeGreaterThan(acceptedCountBefore);
    child.kill('SIGINT');
    expect(await done).toMatchObject({ code: 130, stdout: '' });
    await close();
  },
);

test.concurrent.each([-3600, 3600])(
  'a clock that is %i s off does not change answers or limits',
  async (skewSeconds) => {
    const home = makeHome();
    const makeHeaders = () => ({
      date: new Date(Date.now() + skewSeconds * 1000).toUTCString(),
      etag: 'W/"1"',
      'ratelimit-policy': '"minute";q=60;w=60, "month";q=20000, "concurrent";q=4',
      ratelimit: '"minute";r=50;t=30, "month";r=19000;t=1000, "concurrent";r=3',
    });
    const socketServer = await startSocketServer((socket) =>
      socket.write(formatHttpResponse(200, RELEASE_BODY, makeHeaders())),
    );
    for (let i = 0; i < 3; i++) {
      const run = await home.run(['release', '--json', '--base-url', socketServer.baseUrl]);
      expect(run).toMatchObject({ code: 0 });
    }
  },
);

test.concurrent.each(['.cache', '.local/state'])(
  'the answer is the same if %s cannot be written',
  async (directory) => {
    const home = makeHome();
    // Replaces the directory by a file instead of removing permissions, because root, who may run the tests, ignores
    // permissions.
    rmSync(join(home.path, directory), { recursive: true, force: true });
    mkdirSync(join(home.path, directory, '..'), { recursive: true });
    writeFileSync(join(home.path, directory), 'in the way');
    const run = await ask(
      (socket) => socket.write(formatHttpResponse(200, RELEASE_BODY, { etag: 'W/"1"' })),
      [],
      {},
      home,
    );
    expect(run).toMatchObject({ code: 0 });
    expect(JSON.parse(run.stdout)).toEqual(JSON.parse(RELEASE_BODY));
    expect(run.stderr).toMatch(/cannot be/);
  },
);

test.concurrent('the answer is the same if the disk of cache and state is full', async () => {
  const run = await ask((socket) => socket.write(formatHttpResponse(200, RELEASE_BODY, { etag: 'W/"1"' })), [], {
    FIN_CACHE_DIR: '/dev/full',
    FIN_STATE_DIR: '/dev/full',
  });
  expect(run).toMatchObject({ code: 0 });
  expect(JSON.parse(run.stdout)).toEqual(JSON.parse(RELEASE_BODY));
});

test.concurrent('the answer is the same if the cache is deleted during a request', async () => {
  const home = makeHome();
  const run = await ask(
    (socket) => {
      rmSync(join(home.path, '.cache'), { recursive: true, force: true });
      rmSync(join(home.path, '.local'), { recursive: true, force: true });
      socket.write(formatHttpResponse(200, RELEASE_BODY, { etag: 'W/"1"' }));
    },
    [],
    {},
    home,
  );
  expect(run).toMatchObject({ code: 0, stdout: `${RELEASE_BODY}\n`, stderr: '' });
});

test.concurrent('a cached response with changed text is a cache miss', async () => {
  const { socketServer, home, ...firstRun } = await ask((socket) =>
    socket.write(formatHttpResponse(200, RELEASE_BODY, { etag: 'W/"1"' })),
  );
  for (const [file, text] of home.files()) {
    if (file.includes('/http/')) writeFileSync(file, text.replace('passed', 'tossed'), 'latin1');
  }
  const secondRun = await home.run(['release', '--json', '--base-url', socketServer.baseUrl]);
  expect(secondRun.stdout).toBe(firstRun.stdout);
  expect(socketServer.requests.at(-1)).not.toContain('if-none-match');
});

/** Damages to the file of a cached response. */
const DAMAGE_BY_NAME: Readonly<Record<string, (file: string, text: string) => void>> = {
  'cut off': (file, text) => writeFileSync(file, text.slice(0, 40), 'latin1'),
  emptied: (file) => writeFileSync(file, ''),
  'missing its last byte': (file, text) => writeFileSync(file, text.slice(0, -1), 'latin1'),
  'changed in one bit': (file, text) =>
    writeFileSync(
      file,
      Buffer.from(text, 'latin1').map((byte, index) => (index === 60 ? byte ^ 1 : byte)),
    ),
  'replaced by a directory': (file) => {
    rmSync(file);
    mkdirSync(join(file, 'x'), { recursive: true });
  },
  'owned by another user': (file) => chownSync(file, 54_321, 54_321),
};
const isRoot = process.getuid?.() === 0;

for (const [name, damage] of Object.entries(DAMAGE_BY_NAME))
  testNeeding(
    'root, to change owners',
    isRoot || name !== 'owned by another user',
    test.concurrent,
  )(`a cached response that is ${name} is a cache miss`, async () => {
    const { socketServer, home, ...firstRun } = await ask((socket) =>
      socket.write(formatHttpResponse(200, RELEASE_BODY, { etag: 'W/"1"' })),
    );
    const cachedFiles = [...home.files()].filter(([file]) => /\/http\/[0-9a-f]{2}\//.test(file));
    expect(cachedFiles).toHaveLength(1);
    for (const [file, text] of cachedFiles) damage(file, text);
    const secondRun = await home.run(['release', '--json', '--base-url', socketServer.baseUrl]);
    expect(secondRun).toMatchObject({ code: 0, stdout: firstRun.stdout });
    expect(socketServer.requests.at(-1)).not.toContain('if-none-match');
  });

test.concurrent('Ctrl-C ends a command immediately with 130, frees its concurrency slot, and leaves no temporary file', async () => {
  const home = makeHome();
  const socketServer = await startSocketServer(() => {});
  const { child, done } = home.start(['release', '--base-url', socketServer.baseUrl]);
  await expect.poll(() => socketServer.requests.length, { timeout: 60_000 }).toBe(1);
  child.kill('SIGINT');
  const run = await done;
  expect(run.code).toBe(130);
  expect(run.stdout).toBe('');
  const files = [...home.files()];
  expect(files.filter(([file]) => file.endsWith('.tmp'))).toEqual([]);
  const slotLogTexts = files.filter(([file]) => /slots\.\d+$/.test(file)).map(([, text]) => text);
  expect(slotLogTexts.join('')).toMatch(/^[DR] /m);
});

test.concurrent('several retries of one request are reported on stderr only once', async () => {
  const run = await ask((socket, requestNumber) =>
    socket.write(
      requestNumber < 3
        ? formatProblemResponse(429, 'rate_limited', { 'retry-after': '1' }, { 'violated-policies': ['concurrent'] })
        : formatHttpResponse(200, RELEASE_BODY),
    ),
  );
  expect(run).toMatchObject({ code: 0, requests: 3 });
  expect(run.stderr.match(/Trying again in/g)).toHaveLength(1);
});

test.concurrent('no output and no file contains the key, whatever fails', async () => {
  const home = makeHome();
  const secret = CANARY_API_KEY.slice(4);
  const answerers: SocketAnswerer[] = [
    (socket) => socket.write(formatHttpResponse(200, RELEASE_BODY, { etag: 'W/"1"' })),
    (socket) => socket.write(formatProblemResponse(401, 'invalid_key')),
    (socket) => socket.write(formatProblemResponse(400, 'bad_request')),
    (socket) => socket.resetAndDestroy(),
    (socket) => socket.write(formatHttpResponse(200, '<html>')),
  ];
  const commands = [
    ['release', '--verbose', '--stats'],
    ['api', '/v1/release', '--verbose'],
    ['search', 'apple', '--verbose'],
    ['metrics', 'AAPL', 'MSFT', '--json'],
    ['screen', '--csv'],
    ['quota', '--refresh'],
    ['auth', 'status'],
    ['config', 'list'],
    ['auth', 'logout'],
  ];
  for (const answerer of answerers) {
    const socketServer = await startSocketServer(answerer);
    const runs = await Promise.all(
      commands.map((command) =>
        home.run([...command, '--base-url', socketServer.baseUrl, '--retries', '0', '--max-wait', '0s'], {
          FIN_DEBUG: '1',
        }),
      ),
    );
    for (const { stdout, stderr } of runs) expect(stdout + stderr).not.toContain(secret);
    expect(socketServer.requests.join('')).toContain(secret);
    await socketServer.close();
  }
  for (const [file, text] of home.files()) expect(text.includes(secret), file).toBe(false);
});

test.concurrent('an invalid key is neither sent nor shown', async () => {
  const invalidKey = `${CANARY_API_KEY}x`;
  const run = await ask((socket) => socket.write(formatHttpResponse(200, RELEASE_BODY)), [], {
    FIN_API_KEY: invalidKey,
  });
  expect(run).toMatchObject({ code: 4, requests: 0, stdout: '' });
  expect(run.stderr).not.toContain(invalidKey.slice(4, 30));
});

test.concurrent('a key file is read, and a missing key file is an error', async () => {
  const home = makeHome();
  const file = join(home.path, 'key');
  writeFileSync(file, `${CANARY_API_KEY}\n`);
  chmodSync(file, 0o600);
  const keyFileRun = await ask(
    (socket) => socket.write(formatHttpResponse(200, RELEASE_BODY)),
    ['--api-key-file', file],
    {
      FIN_API_KEY: '',
    },
  );
  expect(keyFileRun).toMatchObject({ code: 0, requests: 1 });
  const missingKeyFileRun = await ask(
    (socket) => socket.write(formatHttpResponse(200, RELEASE_BODY)),
    ['--api-key-file', join(home.path, 'none')],
  );
  expect(missingKeyFileRun).toMatchObject({ code: 4, requests: 0 });
});
