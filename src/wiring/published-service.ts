/**
 * Answers questions in this process from releases on a static host: an in-process service that reads ranges of files.
 */

import { readKnownPointer, storePointer } from '../client/published/known-pointer.ts';
import { isRangeGoneError, type RangeReader } from '../client/published/range-reader.ts';
import { isPointerTrusted } from '../client/published/read-pointer.ts';
import type { LoadPlan, PublishedService, PublishedSettings } from '../client/request/ports.ts';
import { isFailure } from '../contract/failure.ts';
import type { LocalAnswer, LocalService } from '../contract/question.ts';
import { FILE_LIST_FILE, parseFileList, type ReleasePointer, WebPageFault } from '../publish/format.ts';
import { openPublishedRelease } from '../publish/published-release.ts';
import { openInProcessService } from '../service/answers/in-process.ts';
import { NotCachedError, openHost, type PublishedHost, parseOrFail, requirePointer } from './published-host.ts';

export async function isPublished(settings: PublishedSettings): Promise<boolean | null> {
  const { options, getPointer, file, close } = openHost(settings);
  try {
    const cached = readKnownPointer(file);
    if (cached !== null && cached.text === null && !options.fresh && Date.now() - cached.at < ABSENT_POINTER_TTL_MS)
      return false;
    if (options.offline) return cached === null ? null : cached.text !== null;
    const pointerOrResponse = await getPointer(false);
    if (typeof pointerOrResponse === 'string') return true;
    // Only services answer with a problem document. For other hosts, the absence of a pointer is not stored, because a
    // static host may get a pointer later.
    if (/\bapplication\/problem\+json\b/.test(pointerOrResponse.headers['content-type'] ?? ''))
      storePointer(file, { text: null, etag: null, at: Date.now() });
    return false;
  } catch (error) {
    if (!isFailure(error)) throw error;
    // A damaged pointer indicates a static host. Treating the host as a service would produce a misleading error.
    if (error.kind === 'data' && !(error.cause instanceof WebPageFault)) throw error;
    return null;
  } finally {
    await close();
  }
}

/**
 * Time in milliseconds for which no pointer is requested again from an address that turned out to be a service.
 */
const ABSENT_POINTER_TTL_MS = 24 * 3_600_000;

export function openPublishedService(settings: PublishedSettings): PublishedService {
  const { baseUrl, report } = settings;
  const host = openHost(settings);
  let opening: ReturnType<typeof loadRelease> | null = null;

  async function loadRelease(mustAsk: boolean) {
    const pointer = requirePointer(await host.getPointer(mustAsk), host);
    const release = await openReleaseOfPointer(host, host.read, pointer);
    return { pointer, service: openInProcessService(async () => release) };
  }

  /**
   * Opens the latest release. If its list of files is missing, reads the pointer again, because another release was
   * probably published in the meantime.
   */
  async function openLatestRelease() {
    try {
      return await loadRelease(host.options.fresh);
    } catch (error) {
      if (!isRangeGoneError(error)) throw error;
      return loadRelease(true);
    }
  }

  /** Returns the same release to all questions; if opening it failed, the next question tries again. */
  function getCurrentRelease() {
    const current = opening ?? openLatestRelease();
    opening = current;
    current.catch(() => {
      if (opening === current) opening = null;
    });
    return current;
  }

  /** Asks a question. If files of the release no longer exist, repeats the question once with the new release. */
  async function askService(send: (service: LocalService) => Promise<LocalAnswer>): Promise<LocalAnswer> {
    const first = getCurrentRelease();
    const { pointer, service } = await first;
    try {
      return await send(service);
    } catch (error) {
      if (!isRangeGoneError(error) || host.options.offline) throw error;
      if (opening === first) opening = loadRelease(true);
      const next = await getCurrentRelease();
      // Compares the lists of files, because a release published again under its stamp may have other files.
      if (next.pointer.files.sha256 === pointer.files.sha256) throw error;
      const { stamp } = next.pointer;
      const text = `${baseUrl} replaced release ${pointer.stamp} during the command; the answer is from release ${stamp}.`;
      report({ type: 'notice', text });
      return send(next.service);
    }
  }

  return {
    service: {
      ask: (question, signal) => askService((service) => service.ask(question, signal)),
      askPath: (path, signal) => askService((service) => service.askPath(path, signal)),
      close: () => host.close(),
    },
    plan: async (question) => {
      const cached = readKnownPointer(host.file);
      if (cached?.text == null || !host.isAccepted(cached.text)) return { requests: 2, bytes: null, mayNeedMore: true };
      const requests = isPointerTrusted(cached, host.options, host.options.fresh) ? 0 : 1;
      try {
        const release = await openReleaseOfPointer(host, host.readCached, requirePointer(cached.text, host));
        await openInProcessService(async () => release).ask(question, host.options.signal);
        return { requests, bytes: 0, mayNeedMore: false };
      } catch (error) {
        if (!(error instanceof NotCachedError)) throw error;
        return { requests: requests + 1, bytes: error.bytes, mayNeedMore: true } satisfies LoadPlan;
      }
    },
  };
}

/**
 * Opens the release that a pointer names; throws the errors of reading its list of files and of opening the release.
 */
async function openReleaseOfPointer({ baseUrl }: PublishedHost, read: RangeReader, pointer: ReleasePointer) {
  const { stamp, files } = pointer;
  const path = `${stamp}/${FILE_LIST_FILE}`;
  const [bytes] = await read([{ path, offset: 0, length: files.bytes, hash: files.sha256, isWholeFile: true }]);
  return parseOrFail(baseUrl, () =>
    openPublishedRelease(pointer, parseFileList(Buffer.from(bytes ?? []).toString('utf8'), stamp), {
      address: `${baseUrl}/${stamp}`,
      read: (ranges) => read(ranges.map((range) => ({ ...range, path: `${stamp}/${range.path}` }))),
    }),
  );
}
