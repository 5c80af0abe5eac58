/** The part of Redis's protocol (RESP2) that counting needs: commands out, replies in. */

export type Reply = string | number | null | RespError | readonly Reply[];

/** An error that the server replied; a value, because it may stand inside an array. */
export class RespError {
  constructor(readonly message: string) {}
}

export function encodeCommand(words: readonly (string | number)[]): string {
  const parts = words.map((word) => {
    const text = String(word);
    return `$${Buffer.byteLength(text)}\r\n${text}\r\n`;
  });
  return `*${words.length}\r\n${parts.join('')}`;
}

/** Nothing that is asked here is answered with more. */
const BUFFER_MAX = 1_000_000;
const DEPTH_MAX = 4;

/** Takes bytes as they come and hands out whole replies. Throws when the bytes are not of the protocol. */
export class ReplyReader {
  #buffer = Buffer.alloc(0);
  #at = 0;

  push(bytes: Uint8Array): Reply[] {
    this.#buffer = Buffer.concat([this.#buffer, bytes]);
    if (this.#buffer.length > BUFFER_MAX) throw new Error('a reply of Redis is too long');
    const replies: Reply[] = [];
    for (;;) {
      this.#at = 0;
      const reply = this.#read(0);
      if (reply === undefined) return replies;
      replies.push(reply);
      this.#buffer = this.#buffer.subarray(this.#at);
    }
  }

  /** Undefined where the reply has not come whole. */
  #read(depth: number): Reply | undefined {
    const line = this.#line();
    if (line === undefined) return undefined;
    const rest = line.slice(1);
    switch (line[0]) {
      case '+':
        return rest;
      case '-':
        return new RespError(rest);
      case ':':
        return Number(rest);
      case '$':
        return this.#bulk(Number(rest));
      case '*':
        if (depth === DEPTH_MAX) throw new Error('a reply of Redis is nested too deep');
        return this.#array(Number(rest), depth + 1);
      default:
        throw new Error('what answered is not Redis');
    }
  }

  #line(): string | undefined {
    const end = this.#buffer.indexOf('\r\n', this.#at);
    if (end < 0) return undefined;
    const line = this.#buffer.toString('utf8', this.#at, end);
    this.#at = end + 2;
    return line;
  }

  #bulk(length: number): string | null | undefined {
    if (length < 0) return null;
    const end = this.#at + length;
    if (this.#buffer.length < end + 2) return undefined;
    const text = this.#buffer.toString('utf8', this.#at, end);
    this.#at = end + 2;
    return text;
  }

  #array(length: number, depth: number): readonly Reply[] | null | undefined {
    if (length < 0) return null;
    const items: Reply[] = [];
    for (let index = 0; index < length; index += 1) {
      const item = this.#read(depth);
      if (item === undefined) return undefined;
      items.push(item);
    }
    return items;
  }
}
