/** Caches responses of one release by target. Cached responses never become stale, because a release never changes. */

import { type SerializedResponse, toBytes } from '../answers/serialized-response.ts';

export interface ResponseCache {
  get(target: string): SerializedResponse | undefined;
  /** Caches the response unless it is large; returns the response with a body of bytes. */
  set(target: string, response: SerializedResponse): SerializedResponse;
}

/** Estimated memory of a cached response in addition to its text. */
const OVERHEAD_BYTES_PER_RESPONSE = 512;

/**
 * Returns a cache that evicts the least recently used responses if the size of all responses exceeds `capacity` bytes.
 */
export function createResponseCache(capacity: number): ResponseCache {
  const responses = new Map<string, SerializedResponse>();
  let total = 0;
  const estimateSize = (target: string, { head }: SerializedResponse) =>
    target.length + head.length + OVERHEAD_BYTES_PER_RESPONSE;
  return {
    get(target) {
      const response = responses.get(target);
      if (response === undefined) return undefined;
      responses.delete(target);
      responses.set(target, response);
      return response;
    },
    set(target, { entityTag, head }) {
      const response = { entityTag, head: typeof head === 'string' ? toBytes(head) : head };
      const size = estimateSize(target, response);
      // A single response must not evict a large part of the cache.
      if (size > capacity / 8 || responses.has(target)) return response;
      responses.set(target, response);
      total += size;
      for (const [oldest, response] of responses) {
        if (total <= capacity) break;
        responses.delete(oldest);
        total -= estimateSize(oldest, response);
      }
      return response;
    },
  };
}
