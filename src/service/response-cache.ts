/** Answers of one release, kept so that a question asked again is not read again. A release never changes. */

/** An answer, all but the request id, which comes last in the body and is the one thing that is new each time. */
export interface SealedResponse {
  /** The entity tag, where answers have one. */
  readonly tag: string | null;
  /** The body up to the request id: text, or its UTF-8 where it is kept. */
  readonly head: string | Buffer;
}

export interface ResponseCache {
  get(target: string): SealedResponse | undefined;
  /** Keeps the answer, and gives it as it is kept. */
  keep(target: string, answer: SealedResponse & { readonly head: string }): SealedResponse;
}

/** What an answer takes beside its text: the objects around it. */
const OVERHEAD = 512;

/** Drops what was used longest ago once the kept answers pass `capacity` bytes. */
export function createResponseCache(capacity: number): ResponseCache {
  const kept = new Map<string, SealedResponse>();
  let size = 0;
  const sizeOf = (target: string, { head }: SealedResponse) => target.length + head.length + OVERHEAD;
  return {
    get(target) {
      const answer = kept.get(target);
      if (answer === undefined) return undefined;
      kept.delete(target);
      kept.set(target, answer);
      return answer;
    },
    keep(target, { tag, head }) {
      const answer = { tag, head: bytesOf(head) };
      const added = sizeOf(target, answer);
      // One huge answer must not push out everything else.
      if (added > capacity / 8 || kept.has(target)) return answer;
      kept.set(target, answer);
      size += added;
      for (const [oldest, dropped] of kept) {
        if (size <= capacity) break;
        kept.delete(oldest);
        size -= sizeOf(oldest, dropped);
      }
      return answer;
    },
  };
}

/** In memory of its own: `Buffer.from` would hold a small one in a piece that it shares with what is long gone. */
function bytesOf(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}
