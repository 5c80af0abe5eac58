/** A connection that broke, or an answer that did not come whole: asking again may help. */
export type BrokenCause =
  /** Nothing listens, on this very machine. */
  'absent' | 'refused' | 'reset' | 'timeout' | 'truncated';

export class Broken extends Error {
  override readonly name = 'Broken';

  /** `message` is a whole sentence that names the origin. */
  constructor(
    readonly how: BrokenCause,
    message: string,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}

/** By name, not by `instanceof`: the network's bundle brings a class of its own. */
export function isBroken(error: unknown): error is Broken {
  return error instanceof Error && error.name === 'Broken' && 'how' in error;
}
