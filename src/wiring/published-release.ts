/** Answers questions in this process from releases on a static host: the service with a reader of ranges. */

import type { LocalAnswer } from '../client/local-client.ts';
import { keepPointer, readKnownPointer } from '../client/published/known-pointer.ts';
import type { LoadPlan, PublishedService, PublishedSettings } from '../client/published/port.ts';
import { isGone, type RangeReader } from '../client/published/range-reader.ts';
import { isFailure } from '../contract/failure.ts';
import { FILE_LIST, type Pointer, parseFileList, WebPageFault } from '../publish/format.ts';
import { openPublishedRelease } from '../publish/published-release.ts';
import { type InProcessService, inProcess } from '../service/in-process.ts';
import type { ReleaseReader } from '../store/reader.ts';
import { type Host, NotCached, openHost, parsed, pointerOf } from './published-host.ts';

export async function isPublished(settings: PublishedSettings): Promise<boolean | null> {
  const { options, pointer, file, close } = openHost(settings);
  try {
    const known = readKnownPointer(file);
    if (known !== null && known.text === null && !options.fresh && Date.now() - known.at < SERVICE_TTL_MS) return false;
    if (options.offline) return known === null ? null : known.text !== null;
    const found = await pointer(false);
    if (typeof found === 'string') return true;
    // A service answers every path with a problem of the interface; a static host may get a pointer later.
    if (/\bapplication\/problem\+json\b/.test(found.headers['content-type'] ?? '')) {
      keepPointer(file, { text: null, etag: null, at: Date.now() });
    }
    return false;
  } catch (error) {
    if (!isFailure(error)) throw error;
    // A damaged pointer means a static host: asked as a service, the host could only fail with a misleading error.
    if (error.kind === 'data' && !(error.cause instanceof WebPageFault)) throw error;
    return null;
  } finally {
    await close();
  }
}

/** Milliseconds for which an address that is a service is not asked for a pointer again. */
const SERVICE_TTL_MS = 24 * 3_600_000;

interface OpenRelease {
  readonly pointer: Pointer;
  readonly service: InProcessService;
}

export function openPublished(settings: PublishedSettings): PublishedService {
  const { baseUrl, report } = settings;
  const host = openHost(settings);
  let opened: Promise<OpenRelease> | null = null;

  async function load(fresh: boolean): Promise<OpenRelease> {
    const pointer = pointerOf(await host.pointer(fresh), host);
    const release = await openLatest(host, host.read, pointer);
    return { pointer, service: inProcess(async () => release) };
  }

  /** Opens the latest release; if its list is missing, another one was published after the pointer was read. */
  async function open(): Promise<OpenRelease> {
    try {
      return await load(host.options.fresh);
    } catch (error) {
      if (!isGone(error)) throw error;
      return load(true);
    }
  }

  /** Returns one release for all questions; after a failure, the next question opens it again. */
  function current(): Promise<OpenRelease> {
    const opening = opened ?? open();
    opened = opening;
    opening.catch(() => {
      if (opened === opening) opened = null;
    });
    return opening;
  }

  /** Repeats the question with the new release, once, if files of the old one are gone. */
  async function asking(run: (service: InProcessService) => Promise<LocalAnswer>): Promise<LocalAnswer> {
    const began = current();
    const { pointer, service } = await began;
    try {
      return await run(service);
    } catch (error) {
      if (!isGone(error) || host.options.offline) throw error;
      if (opened === began) opened = load(true);
      const nextRelease = await current();
      // A release published again under the same stamp has the same rows, but may have other files.
      if (nextRelease.pointer.files.sha256 === pointer.files.sha256) throw error;
      const { stamp } = nextRelease.pointer;
      report({
        type: 'notice',
        text: `${baseUrl} replaced release ${pointer.stamp} during the command; the answer is from release ${stamp}.`,
      });
      return run(nextRelease.service);
    }
  }

  return {
    service: {
      ask: (question, signal) => asking((service) => service.ask(question, signal)),
      askPath: (path, signal) => asking((service) => service.askPath(path, signal)),
      close: () => host.close(),
    },
    plan: async (question) => {
      const known = readKnownPointer(host.file);
      if (known?.text == null || !host.isAccepted(known.text)) return { requests: 2, bytes: null, more: true };
      const confirm = Date.now() - known.at < POINTER_TTL_MS || host.options.offline ? 0 : 1;
      try {
        const release = await openLatest(host, host.cachedOnly, pointerOf(known.text, host));
        await inProcess(async () => release).ask(question, host.options.signal);
        return { requests: confirm, bytes: 0, more: false };
      } catch (error) {
        if (!(error instanceof NotCached)) throw error;
        return { requests: confirm + 1, bytes: error.bytes, more: true } satisfies LoadPlan;
      }
    },
  };
}

const POINTER_TTL_MS = 60_000;

/** Opens the release that a pointer names; throws the errors of its list and its reader. */
async function openLatest(
  { baseUrl }: Pick<Host, 'baseUrl'>,
  read: RangeReader,
  pointer: Pointer,
): Promise<ReleaseReader> {
  const { stamp, files } = pointer;
  const path = `${stamp}/${FILE_LIST}`;
  const [bytes] = await read([{ path, offset: 0, length: files.bytes, hash: files.sha256, whole: true }]);
  return parsed(baseUrl, () =>
    openPublishedRelease(pointer, parseFileList(Buffer.from(bytes ?? []).toString('utf8'), stamp), {
      address: `${baseUrl}/${stamp}`,
      read: (ranges) => read(ranges.map((range) => ({ ...range, path: `${stamp}/${range.path}` }))),
    }),
  );
}
