/** Reads replies of Redis (RESP 2, https://redis.io/docs/latest/develop/reference/protocol-spec/). */

export type RedisReply = string | number | null | readonly (string | number | null)[];

/** An error reply of Redis: Redis refused the command, but the connection stays open. */
export class RedisError extends Error {}

const LINE_END = Buffer.from('\r\n');

interface ParsedReply<T> {
  readonly value: T;
  /** Length of the reply in bytes. */
  readonly length: number;
}

/**
 * Returns the first reply in `bytes`; null if the reply is incomplete.
 * @throws {Error} if the bytes are not a reply, or if an array contains an error or another array
 */
export function readReply(bytes: Buffer): ParsedReply<RedisReply | RedisError> | null {
  const line = readLine(bytes, 0);
  if (line === null) return null;
  if (!line.value.startsWith('*')) return readScalar(bytes, line);
  const count = parseNumber(line.value);
  if (count < 0) return { value: null, length: line.length };
  const items: (string | number | null)[] = [];
  let length = line.length;
  while (items.length < count) {
    const line = readLine(bytes, length);
    const item = line === null ? null : readScalar(bytes.subarray(length), line);
    if (item === null) return null;
    if (item.value instanceof RedisError) throw new Error('Redis replied with an error inside an array');
    items.push(item.value);
    length += item.length;
  }
  return { value: items, length };
}

function readLine(bytes: Buffer, start: number): ParsedReply<string> | null {
  const end = bytes.indexOf(LINE_END, start);
  return end < 0 ? null : { value: bytes.toString('utf8', start, end), length: end + LINE_END.length - start };
}

/** Reads a reply of any type except arrays; `line` is the first line of `bytes`. */
function readScalar(bytes: Buffer, line: ParsedReply<string>): ParsedReply<string | number | null | RedisError> | null {
  const payload = line.value.slice(1);
  switch (line.value[0]) {
    case '+':
      return { value: payload, length: line.length };
    case '-':
      return { value: new RedisError(payload), length: line.length };
    case ':':
      return { value: parseNumber(line.value), length: line.length };
    case '$': {
      const size = parseNumber(line.value);
      if (size < 0) return { value: null, length: line.length };
      const length = line.length + size + LINE_END.length;
      if (bytes.length < length) return null;
      return { value: bytes.toString('utf8', line.length, line.length + size), length };
    }
    default:
      throw new Error('Redis sent a reply that does not follow its protocol');
  }
}

/** Returns the integer after the first character of a line. */
function parseNumber(line: string): number {
  const text = line.slice(1);
  const value = Number(text);
  if (!/^-?\d+$/.test(text) || !Number.isSafeInteger(value)) throw new Error('Redis replied with an invalid number');
  return value;
}
