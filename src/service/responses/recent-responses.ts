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
  const responseByTarget = new Map<string, SerializedResponse>();
  let totalSize = 0;
  const estimateSize = (target: string, { head }: SerializedResponse) =>
    target.length + head.length + OVERHEAD_BYTES_PER_RESPONSE;
  return {
    get(target) {
      const response = responseByTarget.get(target);
      if (response === undefined) return undefined;
      responseByTarget.delete(target);
      responseByTarget.set(target, response);
      return response;
    },
    set(target, { entityTag, head }) {
      const response = { entityTag, head: typeof head === 'string' ? toBytes(head) : head };
      const addedSize = estimateSize(target, response);
      // A single response must not evict a large part of the cache.
      if (addedSize > capacity / 8 || responseByTarget.has(target)) return response;
      responseByTarget.set(target, response);
      totalSize += addedSize;
      for (const [oldestTarget, oldestResponse] of responseByTarget) {
        if (totalSize <= capacity) break;
        responseByTarget.delete(oldestTarget);
        totalSize -= estimateSize(oldestTarget, oldestResponse);
      }
      return response;
    },
  };
}
