import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { FIN_PATH } from '../fin-process.ts';
import { testNeeding } from '../needs.ts';
import {
  formatHttpResponse,
  formatProblemResponse,
  type Home,
  makeHome,
  RELEASE_BODY,
  type SocketServer,
  startSocketServer,
} from './http-process.ts';
import { hasTerminals, openTerminal, toFinalScreen } from './terminal.ts';

/** Length of the rate limit's window; shorter than the HTTP API's minute, so that no test waits for a full minute. */
const WINDOW_SECONDS = 10;
const POLICY_HEADERS = { 'ratelimit-policy': `"minute";q=60;w=${WINDOW_SECONDS}, "month";q=20000, "concurrent";q=4` };
const USED_UP_LIMIT_HEADERS = {
  ...POLICY_HEADERS,
  ratelimit: `"minute";r=0;t=${WINDOW_SECONDS}, "month";r=19000;t=1000000, "concurrent";r=4`,
};

/** Runs `fin release` with stderr on a terminal and stdout in a file. */
function runReleaseOnTerminal({ path, env }: Home, baseUrl: string) {
  const line = `exec "${process.execPath}" "${FIN_PATH}" release --json --no-cache --base-url ${baseUrl} > out.json`;
  const terminal = openTerminal(line, env, path);
  return { ...terminal, out: () => readFileSync(join(path, 'out.json'), 'utf8') };
}

/** Returns the seconds of a countdown in the order shown, each once; leaves out elapsed seconds of other lines. */
const parseCountdown = (text: string) =>
  [...text.matchAll(/(?:Trying again|are used up)\. \((\d+) s\)/g)]
    .map(([, digits]) => Number(digits))
    .filter((seconds, index, all) => seconds !== all[index - 1]);

/** Returns entries of the account's queues that were not released. */
function listHeldEntryIds(home: Home): string[] {
  const lines = [...home.files()]
    .filter(([file]) => /\/slots\.\d+$/.test(file))
    .flatMap(([, text]) => text.split('\n').map((line) => line.split(' ')));
  const releasedIds = new Set(lines.filter(([action]) => action === 'R' || action === 'D').map(([, id]) => id));
  return lines.flatMap(([action, id = '']) => (action === 'T' && !releasedIds.has(id) ? [id] : []));
}

/** For each wait: its name, a function that starts the service that causes it, and the printed notice. */
const WAIT_CASES: readonly (readonly [
  name: string,
  prepare: (home: Home, seconds: number) => Promise<SocketServer>,
  notice: string,
])[] = [
  [
    'the retry after a 429',
    async (_, seconds) =>
      startSocketServer((socket, requestNumber) =>
        socket.write(
          requestNumber === 1
            ? formatProblemResponse(429, 'rate_limited', { 'retry-after': String(seconds) })
            : formatHttpResponse(200, RELEASE_BODY, POLICY_HEADERS),
        ),
      ),
    'It is rate_limited. Trying again.',
  ],
  [
    'the next minute',
    async ({ run }) => {
      // Begins at the start of a window, so that most of the window is left.
      await sleep(WINDOW_SECONDS * 1000 - (Date.now() % (WINDOW_SECONDS * 1000)) + 50);
      const usedUpLimitServer = await startSocketServer((socket, requestNumber) =>
        socket.write(
          formatHttpResponse(200, RELEASE_BODY, requestNumber === 1 ? USED_UP_LIMIT_HEADERS : POLICY_HEADERS),
        ),
      );
      expect(await run(['release', '--no-cache', '--base-url', usedUpLimitServer.baseUrl])).toMatchObject({ code: 0 });
      return usedUpLimitServer;
    },
    'Waiting for the next minute',
  ],
];

for (const [reason, prepare, notice] of WAIT_CASES)
  testNeeding(
    'script(1)',
    hasTerminals,
    test.concurrent,
  )(
    `on a terminal, the wait for ${reason} is counted down in seconds, and the line is removed afterwards`,
    async () => {
      const home = makeHome();
      const socketServer = await prepare(home, 7);
      const { terminalText, exitCode, out } = runReleaseOnTerminal(home, socketServer.baseUrl);
      expect(await exitCode).toBe(0);
      expect(terminalText()).toContain(notice);
      const shownSeconds = parseCountdown(terminalText());
      // On a busy machine seconds may be left out.
      expect(shownSeconds.length).toBeGreaterThan(2);
      expect(shownSeconds).toEqual(shownSeconds.toSorted((a, b) => b - a));
      expect(shownSeconds.at(-1)).toBeLessThanOrEqual(4);
      expect(toFinalScreen(terminalText())).toBe('');
      expect(terminalText().lastIndexOf('\u001b[?25h')).toBeGreaterThan(terminalText().lastIndexOf('\u001b[?25l'));
      expect(out()).toBe(`${RELEASE_BODY}\n`);
      expect(socketServer.requests).toHaveLength(2);
    },
  );

for (const [reason, prepare, notice] of WAIT_CASES)
  testNeeding(
    'script(1)',
    hasTerminals,
    test.concurrent,
  )(
    `on a terminal, Ctrl-C ends the wait for ${reason} immediately, and leaves no text, file or queue entry`,
    async () => {
      const home = makeHome();
      const socketServer = await prepare(home, 60);
      const { terminalText, type, exitCode, out } = runReleaseOnTerminal(home, socketServer.baseUrl);
      await vi.waitFor(() => expect(terminalText()).toContain(notice), { timeout: 60_000 });
      await vi.waitFor(() => expect(parseCountdown(terminalText()).length).toBeGreaterThan(1), { timeout: 60_000 });
      type('\u0003');
      expect(await exitCode).toBe(130);
      expect(toFinalScreen(terminalText()).replace('^C', '')).toBe('');
      expect(terminalText().lastIndexOf('\u001b[?25h')).toBeGreaterThan(terminalText().lastIndexOf('\u001b[?25l'));
      expect(out()).toBe('');
      expect(socketServer.requests).toHaveLength(1);
      expect([...home.files().keys()].filter((file) => /\.(tmp|part)$/.test(file))).toEqual([]);
      expect(listHeldEntryIds(home)).toEqual([]);
    },
  );

/** Commands that wait for a key, and the text that is shown meanwhile. */
const KEY_WAITS: readonly (readonly [name: string, command: string, keyCommand: string, text: string])[] = [
  ['a typed key', 'auth login', '', 'not shown as you type'],
  ['the command that prints the key', 'release', 'echo password: >&2; sleep 60', 'password:'],
];

for (const [name, command, keyCommand, text] of KEY_WAITS)
  testNeeding(
    'script(1)',
    hasTerminals,
    test.concurrent,
  )(`Ctrl-C ends the wait for ${name} like any other wait: without an error, with 130`, async () => {
    const { path, env } = makeHome();
    const keyEnv = { ...env, FIN_API_KEY: '', FIN_API_KEY_COMMAND: keyCommand };
    const line = `exec "${process.execPath}" "${FIN_PATH}" ${command} --base-url https://nowhere.invalid`;
    const { terminalText, type, exitCode } = openTerminal(line, keyEnv, path);
    await vi.waitFor(() => expect(terminalText()).toContain(text), { timeout: 60_000 });
    type('\u0003');
    expect(await exitCode).toBe(130);
    expect(terminalText()).not.toContain('fin:');
  });
