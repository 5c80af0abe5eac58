/** Responses of one release, cached by target. They never become stale, because a release never changes. */

import { bytesOf, type SealedResponse } from './sealed-response.ts';

export interface ResponseCache {
  get(target: string): SealedResponse | undefined;
  /** Caches the response, and returns it as cached. */
  keep(target: string, response: SealedResponse): SealedResponse;
}

/** Bytes of a cached response in addition to its text. */
const OVERHEAD = 512;

/** Removes the least recently used responses when their size exceeds `capacity` bytes. */
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
      // A single huge response must not evict all others.
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
