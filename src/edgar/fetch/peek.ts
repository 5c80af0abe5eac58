/** The beginning of a body, looked at before anything is done with it. */

export interface PeekedBody {
  readonly start: Buffer;
  /** All of it, the beginning included. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Lets go of what was not read. */
  release(): Promise<void>;
}

/** @param length so many bytes are looked at, where there are as many */
export async function peekBody(body: AsyncIterable<Uint8Array>, length: number): Promise<PeekedBody> {
  const rest = body[Symbol.asyncIterator]();
  const first: Uint8Array[] = [];
  let [size, ended] = [0, false];
  while (size < length && !ended) {
    const { value, done } = await rest.next();
    if (done === true) ended = true;
    else {
      first.push(value);
      size += value.length;
    }
  }
  async function* whole(): AsyncGenerator<Uint8Array> {
    yield* first.splice(0);
    if (!ended) yield* { [Symbol.asyncIterator]: () => rest };
  }
  return {
    start: Buffer.concat(first).subarray(0, length),
    body: whole(),
    release: async () => void (ended || (await rest.return?.())),
  };
}
