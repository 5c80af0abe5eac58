/**
 * A connection to Redis, for the few commands that counting takes.
 *
 * Written here and not taken from a package: one connection, pipelined in order, is all that is needed, and the
 * usual client weighs more than the whole service.
 */
import { connect as connectClear, type Socket } from 'node:net';
import { connect as connectSecure } from 'node:tls';
import { encodeCommand, type Reply, ReplyReader, RespError } from './resp.ts';

export interface Redis {
  /** Rejects when the server cannot be reached in time, or replies with an error. */
  command(...words: readonly (string | number)[]): Promise<Reply>;
  /** Lets what has been sent be answered first. */
  close(): Promise<void>;
}

interface Waiting {
  resolve(reply: Reply): void;
  reject(error: Error): void;
  readonly timer: NodeJS.Timeout;
}

interface Line {
  readonly socket: Socket;
  readonly waiting: Waiting[];
}

const TIMEOUT_MS = 2_000;

/** @param url `redis://[user:password@]host[:port][/database]`, or `rediss:` for TLS. Connects on the first command. */
export function openRedis(url: URL): Redis {
  let line: Line | null = null;

  function open(): Line {
    const options = { host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port || 6379) };
    const secure = url.protocol === 'rediss:';
    const socket = secure ? connectSecure({ ...options, servername: options.host }) : connectClear(options);
    const made: Line = { socket, waiting: [] };
    const reader = new ReplyReader();
    const fail = (error: Error) => {
      if (line === made) line = null;
      socket.destroy();
      for (const { reject, timer } of made.waiting.splice(0)) {
        clearTimeout(timer);
        reject(error);
      }
    };
    socket.setNoDelay(true);
    // Idle, it must not keep the process alive; while a command waits, its timer does.
    socket.unref();
    socket.on('error', (cause) => fail(new Error('Redis cannot be reached', { cause })));
    socket.on('close', () => fail(new Error('Redis closed the connection')));
    socket.on('data', (bytes) => {
      try {
        for (const reply of reader.push(bytes)) settle(made.waiting.shift(), reply);
      } catch (error) {
        fail(error instanceof Error ? error : new Error(String(error)));
      }
    });
    greet(made, url, fail);
    return made;
  }

  return {
    command(...words) {
      line ??= open();
      return send(line, words);
    },
    async close() {
      const last = line;
      line = null;
      if (last === null) return;
      // Replies come in order: with this one all others have come.
      await send(last, ['PING']).catch(() => {});
      last.socket.destroy();
    },
  };
}

/** Says who we are and which database is meant, before anything else on the line. */
function greet(line: Line, url: URL, fail: (error: Error) => void): void {
  const [user, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
  const database = url.pathname.slice(1);
  const greetings = [
    ...(password === '' ? [] : [['AUTH', ...(user === '' ? [] : [user]), password]]),
    ...(database === '' ? [] : [['SELECT', database]]),
  ];
  // The server's own words may repeat what it was sent: they are not passed on.
  for (const words of greetings) {
    send(line, words).catch((cause) => fail(new Error(`Redis refused ${words[0]}`, { cause })));
  }
}

function send(line: Line, words: readonly (string | number)[]): Promise<Reply> {
  return new Promise((resolve, reject) => {
    // A line that answers nothing is of no use to those who wait behind either.
    const timer = setTimeout(() => line.socket.destroy(new Error('Redis did not answer in time')), TIMEOUT_MS);
    line.waiting.push({ resolve, reject, timer });
    line.socket.write(encodeCommand(words));
  });
}

function settle(waiting: Waiting | undefined, reply: Reply): void {
  if (waiting === undefined) throw new Error('Redis replied to nothing');
  clearTimeout(waiting.timer);
  if (reply instanceof RespError) waiting.reject(new Error(`Redis: ${reply.message}`));
  else waiting.resolve(reply);
}
