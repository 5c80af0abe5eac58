/**
 * Reads the small file of a static host that names its latest release, at most once a minute, with a conditional
 * request.
 */
import { Failure } from '../../contract/failure.ts';
import { RELEASE_TTL_MS } from '../cache/reuse.ts';
import type { ClientEvent } from '../events.ts';
import type { ClientOptions } from '../options.ts';
import { badHost, type FileRequests, type FileResponse } from './file-requests.ts';
import { type KnownPointer, keepPointer, readKnownPointer } from './known-pointer.ts';
import { singleFlight } from './single-flight.ts';

export interface PointerSetup {
  readonly baseUrl: string;
  /** Its name below the base URL. */
  readonly name: string;
  /** Maximum size, in bytes. */
  readonly most: number;
  readonly requests: FileRequests;
  /** Path of the cached pointer; null without a cache. */
  readonly file: string | null;
  readonly options: ClientOptions;
  readonly report: (event: ClientEvent) => void;
  /** Throws for an invalid pointer, which is then not cached. `before` is the cached text, or null. */
  readonly check: (text: string, before: string | null) => void;
  /** Whether a cached text may be used. */
  readonly isAccepted: (text: string) => boolean;
}

/** Maximum time for another process to load it, in milliseconds. */
const MAX_WAIT_MS = 30_000;

/**
 * Returns its text, or the response of a host that has none. Throws a Failure if the host cannot be reached, and with
 * `--offline` if it is not cached.
 * @param fresh requests it even if it was confirmed just now
 */
export async function readPointer(setup: PointerSetup, fresh = setup.options.fresh): Promise<string | FileResponse> {
  const { file, options, report, baseUrl, name } = setup;
  const begun = Date.now();
  const read = () => {
    const known = readKnownPointer(file);
    return known?.text == null || !setup.isAccepted(known.text) ? null : { ...known, text: known.text };
  };
  const usable = () => {
    const known = read();
    return known !== null && isTrusted(known, options, fresh, begun) ? known : null;
  };
  const known = usable();
  if (known !== null) {
    const why = options.offline ? 'offline' : 'release';
    report({ type: 'cached', url: `${baseUrl}/${name}`, age: Math.max(0, Date.now() - known.at), why });
    return known.text;
  }
  if (options.offline) {
    throw new Failure('network', `${baseUrl}/${name} is not cached, and --offline sends no request.`, {
      hint: 'Run the command once without --offline; the parts that it reads are then cached.',
    });
  }
  const found = await singleFlight<KnownPointer | FileResponse>(file, usable, () => request(setup, read()), {
    longestWait: MAX_WAIT_MS,
    signal: options.signal,
  });
  return 'status' in found ? found : (found.text ?? '');
}

async function request(setup: PointerSetup, known: KnownPointer | null): Promise<KnownPointer | FileResponse> {
  const { requests, name, most, file, baseUrl, check } = setup;
  const position = Date.now();
  const response = await requests.get({ path: name, etag: known?.etag ?? null, most });
  if (response.status === 304) {
    if (known === null) throw badHost(baseUrl, `answered 304 to an unconditional request for ${name}`);
    const confirmed = { ...known, at: position };
    keepPointer(file, confirmed);
    return confirmed;
  }
  if (response.status !== 200) return response;
  const text = response.body.toString('utf8');
  check(text, known?.text ?? null);
  const fetched = { text, etag: response.headers.etag ?? null, at: position };
  keepPointer(file, fetched);
  return fetched;
}

/** @param begun text that another process has confirmed since this time is fresh */
function isTrusted({ at }: KnownPointer, { offline, maxAge }: ClientOptions, fresh: boolean, begun: number): boolean {
  const age = Date.now() - at;
  if (offline || (age >= 0 && at >= begun)) return true;
  return !fresh && age >= 0 && age < Math.max(RELEASE_TTL_MS, maxAge ?? 0);
}
