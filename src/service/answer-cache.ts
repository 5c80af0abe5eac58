/** Answers of one release, kept so that a question asked again is not read again. A release never changes. */

export interface CachedAnswer {
  /** The entity tag, where answers have one. */
  readonly tag: string | null;
  /** The body up to the place of its request id, which comes last. */
  readonly head: string;
}

export interface AnswerCache {
  get(target: string): CachedAnswer | undefined;
  set(target: string, answer: CachedAnswer): void;
}

/** Drops what was used longest ago once the kept text passes `capacity` characters. */
export function createAnswerCache(capacity: number): AnswerCache {
  const kept = new Map<string, CachedAnswer>();
  let size = 0;
  const sizeOf = (target: string, answer: CachedAnswer) =>
    target.length + answer.head.length + (answer.tag?.length ?? 0);
  return {
    get(target) {
      const answer = kept.get(target);
      if (answer === undefined) return undefined;
      kept.delete(target);
      kept.set(target, answer);
      return answer;
    },
    set(target, answer) {
      const added = sizeOf(target, answer);
      // One huge answer must not push out everything else.
      if (added > capacity / 8 || kept.has(target)) return;
      kept.set(target, answer);
      size += added;
      for (const [oldest, dropped] of kept) {
        if (size <= capacity) break;
        kept.delete(oldest);
        size -= sizeOf(oldest, dropped);
      }
    },
  };
}
