/** Responses of one release, cached by target. A release never changes, so none of them goes stale. */

import { bytesOf, type SealedResponse } from './sealed-response.ts';

export interface ResponseCache {
  get(target: string): SealedResponse | undefined;
  /** Caches the response, and returns it as it is cached. */
  keep(target: string, response: SealedResponse): SealedResponse;
}

/** What a response takes beside its text: the objects around it. */
const OVERHEAD = 512;

/** Drops the least recently used once the cached responses pass `capacity` bytes. */
export function createResponseCache(capacity: number): ResponseCache {
  const cached = new Map<string, SealedResponse>();
  let size = 0;
  const sizeOf = (target: string, { head }: SealedResponse) => target.length + head.length + OVERHEAD;
  return {
    get(target) {
      const response = cached.get(target);
      if (response === undefined) return undefined;
      cached.delete(target);
      cached.set(target, response);
      return response;
    },
    keep(target, { tag, head }) {
      const response = { tag, head: typeof head === 'string' ? bytesOf(head) : head };
      const added = sizeOf(target, response);
      // One huge response must not push out everything else.
      if (added > capacity / 8 || cached.has(target)) return response;
      cached.set(target, response);
      size += added;
      for (const [oldest, dropped] of cached) {
        if (size <= capacity) break;
        cached.delete(oldest);
        size -= sizeOf(oldest, dropped);
      }
      return response;
    },
  };
}
