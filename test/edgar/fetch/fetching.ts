/** Fetches single files from a test site, over real sockets, into a new directory. */
import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { FetchEvent } from '../../../src/edgar/fetch/download.ts';
import { download, type FetchContext } from '../../../src/edgar/fetch/download.ts';
import type { RemoteFile } from '../../../src/edgar/fetch/remote-files.ts';
import { openHttp } from '../../../src/http/get.ts';
import { openRequestSpacing } from '../../../src/http/sec/request-spacing.ts';
import { makeMirrorSite } from '../../../src/http/sec/site.ts';
import { registerCleanUp } from '../../clean-up.ts';
import { retryAtMost } from '../../http/retry-at-most.ts';
import { makeFolder } from '../../store/public-source.ts';
import { makeZip } from '../make-zip.ts';
import { startSite } from './site-server.ts';

/** Returns a zip file with one member: `bytes` random hexadecimal digits, which deflate to slightly more than half. */
export async function makeRandomZip(bytes: number): Promise<Buffer> {
  const path = join(await makeFolder('zip'), 'a.zip');
  await makeZip(path, { 'a.txt': randomBytes(bytes / 2).toString('hex') });
  return readFileSync(path);
}

export async function setUpDownloads(files: Record<string, Buffer>, overrides: Partial<FetchContext> = {}) {
  const site = await startSite(new Map(Object.entries(files)));
  const directory = await makeFolder('sources');
  const http = openHttp({});
  const events: FetchEvent[] = [];
  registerCleanUp(async () => {
    await http.close();
    rmSync(directory, { recursive: true, force: true });
  });
  const context: FetchContext = {
    directory,
    get: http.get,
    userAgent: 'Jane Doe jane@doe.org',
    spacing: openRequestSpacing({ directory: null, maxPauseMs: 2000, onError: () => {} }),
    retries: retryAtMost(3, 20),
    maxPauseMs: 2000,
    pace: { timeout: null, minBytes: 1, period: 60_000 },
    maxAgeMs: 0,
    lock: async () => () => {},
    signal: new AbortController().signal,
    report: (event) => events.push(event),
    ...overrides,
  };
  const makeRemoteFile = (file: string, overrides: Partial<RemoteFile>): RemoteFile => {
    const kind = file.endsWith('.zip') ? 'zip' : file.endsWith('.json') ? 'json' : 'text';
    return { url: `${site.url}/${file}`, file, kind, maxBytes: 1 << 30, ...overrides };
  };
  const get = (file: string, overrides: Partial<RemoteFile> = {}) =>
    download(makeRemoteFile(file, overrides), makeMirrorSite(site.url), context);
  const read = (file: string) => readFileSync(join(directory, file));
  return { site, directory, context, events, get, read };
}
