/**
 * A connection to a Redis server that rejects replies over 64 KB. The usual client libraries do not limit replies and
 * give no access to their socket, so an endless reply would fill the memory of this process.
 */
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

/** Maximum size of a reply; replies to the counter scripts have about 40 bytes. */
const MAX_REPLY_BYTES = 64 * 1024;
const DEFAULT_PORT = 6379;

export type RedisConnection = ReturnType<typeof openRedis>;

interface PendingReply {
  readonly resolve: (reply: RedisReply) => void;
  readonly reject: (error: Error) => void;
}

/** Opens a `redis:` address, or a `rediss:` address with TLS. The connection does not keep the process alive. */
export function openRedis(url: URL) {
  const socket = connectSocket(url);
  const pending: PendingReply[] = [];
  let received: Buffer = Buffer.alloc(0);
  let cause: Error | null = null;

  function endConnection(error: Error): void {
    cause ??= error;
    received = Buffer.alloc(0);
    socket.destroy();
    for (const { reject } of pending.splice(0)) reject(cause);
  }

  function receive(chunk: Buffer): void {
    if (cause !== null) return;
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    let reply = readReply(received);
    while (reply !== null) {
      const oldest = pending.shift();
      if (oldest === undefined) throw new Error('Redis sent a reply without a command to answer');
      received = received.subarray(reply.length);
      if (reply.value instanceof RedisError) oldest.reject(reply.value);
      else oldest.resolve(reply.value);
      reply = readReply(received);
    }
    if (received.length > MAX_REPLY_BYTES) throw new Error(`A reply of Redis is longer than ${MAX_REPLY_BYTES} bytes`);
  }

  socket.unref();
  socket.setNoDelay(true);
  socket.setKeepAlive(true);
  socket.on('data', (chunk) => {
    try {
      receive(chunk);
    } catch (error) {
      endConnection(error instanceof Error ? error : new Error(String(error)));
    }
  });
  socket.on('error', endConnection);
  socket.on('close', () => endConnection(new Error('Redis closed the connection')));

  return {
    get isOpen() {
      return cause === null;
    },
    /**
     * Sends one command and returns the reply; replies arrive in the order of the commands.
     * @throws {RedisError} if Redis refuses the command; any other error ends the connection for all commands
     */
    send(words: readonly (string | number)[]): Promise<RedisReply> {
      if (cause !== null) return Promise.reject(cause);
      return new Promise((resolve, reject) => {
        pending.push({ resolve, reject });
        socket.write(encodeCommand(words));
      });
    },
    /** Ends the connection after the pending replies. */
    async close(): Promise<void> {
      const newest = pending.at(-1);
      if (newest !== undefined) await this.send(['PING']).catch(() => {});
      endConnection(new Error('The connection to Redis was closed'));
    },
    destroy: endConnection,
  };
}

function connectSocket(url: URL): Socket {
  // An IPv6 address has brackets in a URL, but not for a socket.
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const port = url.port === '' ? DEFAULT_PORT : Number(url.port);
  if (url.protocol !== 'rediss:') return connectTcp({ host, port });
  return connectTls({ host, port, ...(isIP(host) === 0 ? { servername: host } : {}) });
}

/** Encodes a command for Redis: an array of strings, each preceded by its length. */
function encodeCommand(words: readonly (string | number)[]): string {
  const encoded = words.map((word) => `$${Buffer.byteLength(String(word))}\r\n${word}\r\n`);
  return `*${words.length}\r\n${encoded.join('')}`;
}

/** A reply (RESP 2, https://redis.io/docs/latest/develop/reference/protocol-spec/). */
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
function readReply(bytes: Buffer): ParsedReply<RedisReply | RedisError> | null {
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
