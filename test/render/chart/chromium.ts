/**
 * A headless Chromium, controlled over a pipe by its DevTools protocol: the appearance of a document, and its requests.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';

const PROGRAM_NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

/** Returns the path of a working browser on this machine; null if no browser works. */
export function findChromium(): string | null {
  const programPaths = (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => PROGRAM_NAMES.map((name) => join(folder, name)));
  return (
    programPaths.find(
      (file) => isExecutable(file) && spawnSync(file, ['--version'], { timeout: 20_000 }).status === 0,
    ) ?? null
  );
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export interface OpenedPage {
  /** All requested addresses; the first is the address of the document. */
  readonly requested: readonly string[];
  /** Errors and warnings on the console, including violations of the page's content security policy. */
  readonly consoleMessages: readonly string[];
  /** Returns the value of an expression in the document. */
  readonly evaluate: <Value>(expression: string) => Promise<Value>;
  /** Takes a screenshot of the document as PNG. */
  readonly takeScreenshot: () => Promise<Buffer>;
}

interface Message {
  readonly id?: number;
  readonly sessionId?: string;
  readonly method?: string;
  readonly params?: { readonly request?: { readonly url: string }; readonly entry?: { readonly text: string } };
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly message: string };
}

export class Browser {
  private readonly profile = mkdtempSync(join(tmpdir(), 'fin-chromium-'));
  private readonly child: ChildProcess;
  private readonly pendingCalls = new Map<number, (message: Message) => void>();
  private readonly listeners = new Set<(message: Message) => void>();
  private lastId = 0;
  private unparsedText = '';

  constructor(program: string) {
    const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--remote-debugging-pipe'];
    this.child = spawn(program, [...flags, `--user-data-dir=${this.profile}`, 'about:blank'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    });
    (this.child.stdio[4] as Readable).setEncoding('utf8').on('data', (text: string) => this.read(text));
    // Ignores errors of messages that are still being sent when the browser process is killed.
    (this.child.stdio[3] as Writable).on('error', () => undefined);
  }

  /** Opens a document with this width and colour scheme, and waits until it is loaded. */
  async open(url: string, scheme: 'light' | 'dark', width = 900): Promise<OpenedPage> {
    const { targetId } = await this.send('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await this.send('Target.attachToTarget', { targetId, flatten: true });
    const sendToPage = (method: string, params: object = {}) => this.send(method, params, String(sessionId));
    const [requested, consoleMessages]: [string[], string[]] = [[], []];
    const whenLoaded = new Promise<void>((done) => {
      this.listeners.add(({ sessionId: from, method, params }) => {
        if (from !== sessionId) return;
        if (method === 'Network.requestWillBeSent') requested.push(params?.request?.url ?? '');
        if (method === 'Log.entryAdded') consoleMessages.push(params?.entry?.text ?? '');
        if (method === 'Runtime.exceptionThrown') consoleMessages.push('an exception');
        if (method === 'Page.loadEventFired') done();
      });
    });
    for (const domain of ['Network', 'Log', 'Runtime', 'Page']) await sendToPage(`${domain}.enable`);
    await sendToPage('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }] });
    const size = { width, height: 900, deviceScaleFactor: 1, mobile: false };
    await sendToPage('Emulation.setDeviceMetricsOverride', size);
    await sendToPage('Page.navigate', { url });
    await whenLoaded;
    return {
      requested,
      consoleMessages,
      evaluate: async <Value>(expression: string) => {
        const { result } = await sendToPage('Runtime.evaluate', { expression, returnByValue: true });
        return (result as { value: Value }).value;
      },
      takeScreenshot: async () => {
        await sendToPage('Page.bringToFront');
        const { data } = await sendToPage('Page.captureScreenshot', { format: 'png', captureBeyondViewport: true });
        return Buffer.from(String(data), 'base64');
      },
    };
  }

  async close(): Promise<void> {
    const whenExited = new Promise((done) => this.child.once('exit', done));
    this.send('Browser.close').catch(() => undefined);
    const killTimer = setTimeout(() => this.child.kill('SIGKILL'), 5000);
    await whenExited;
    clearTimeout(killTimer);
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 5 });
  }

  private send(method: string, params: object = {}, sessionId?: string): Promise<Readonly<Record<string, unknown>>> {
    this.lastId += 1;
    const id = this.lastId;
    return new Promise((done, fail) => {
      this.pendingCalls.set(id, ({ result, error }) => (error ? fail(new Error(error.message)) : done(result ?? {})));
      (this.child.stdio[3] as Writable).write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    });
  }

  private read(text: string): void {
    const messages = (this.unparsedText + text).split('\0');
    this.unparsedText = messages.pop() ?? '';
    for (const messageText of messages) {
      const message = JSON.parse(messageText) as Message;
      if (message.id === undefined) for (const listener of this.listeners) listener(message);
      else this.pendingCalls.get(message.id)?.(message);
    }
  }
}
