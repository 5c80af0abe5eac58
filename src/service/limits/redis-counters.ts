/**
 * Counters in Redis, so that several replicas share the limits of an account. Loaded only if a Redis address is set.
 */
import { randomUUID } from 'node:crypto';
import type { LimitName } from '../../contract/problems.ts';
import { type Claim, type Counters, findExceeded, formatMonth, refuseClaim, type Usage, windowAt } from './counters.ts';
import type { Limits } from './limits.ts';
import { openRedis, type RedisConnection, RedisError, type RedisReply } from './redis-connection.ts';

/** Time after which a slot that was never released becomes free, because its replica has probably died. */
const LEASE_MS = 60_000;
const MINUTE_TTL_S = 120;
const MONTH_TTL_S = 40 * 24 * 3600;
/** Maximum time for a command, including the time to connect. */
const COMMAND_TIMEOUT_MS = 2_000;

// Both scripts take the same keys: the count of the window, the count of the month, and the set of running requests,
// whose scores are expiry times.

/** Atomically checks the three limits and, if all permit the request, counts the request in each limit. */
const CLAIM_SCRIPT = `
redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', ARGV[4])
local minute = tonumber(redis.call('GET', KEYS[1]) or '0')
local month = tonumber(redis.call('GET', KEYS[2]) or '0')
local running = redis.call('ZCARD', KEYS[3])
if minute >= tonumber(ARGV[1]) or month >= tonumber(ARGV[2]) or running >= tonumber(ARGV[3]) then
  return {0, minute, month, running}
end
redis.call('INCR', KEYS[1])
redis.call('EXPIRE', KEYS[1], ARGV[7])
redis.call('INCR', KEYS[2])
redis.call('EXPIRE', KEYS[2], ARGV[8])
redis.call('ZADD', KEYS[3], ARGV[4] + ARGV[5], ARGV[6])
redis.call('PEXPIRE', KEYS[3], ARGV[5])
return {1, minute + 1, month + 1, running + 1}
`;

/**
 * Subtracts a request from the counts of its window and its month. A count that has expired in the meantime stays 0.
 */
const REFUND_SCRIPT = `
local left = {}
for index = 1, 2 do
  local count = tonumber(redis.call('GET', KEYS[index]) or '0')
  if count > 0 then count = redis.call('DECR', KEYS[index]) end
  left[index] = count
end
return {1, left[1], left[2], redis.call('ZCARD', KEYS[3])}
`;

/**
 * Connects at the first claim, and reconnects at the next command after the connection is lost. Limits are exact only
 * if the clocks of the replicas agree.
 * @param url `redis://[user:password@]host[:port][/database]`, or `rediss:` for TLS
 * @param onError receives errors of freeing a slot, which no request waits for
 */
export function createRedisCounters(url: URL, clock: () => number, onError: (error: unknown) => void): Counters {
  const redis = openReconnectingRedis(url);
  return {
    async claim(account, limits): Promise<Claim> {
      const now = clock();
      const lease = randomUUID();
      // The braces assign all keys of an account to one node of a Redis cluster.
      const base = `fin:{${account}}`;
      const running = `${base}:running`;
      const keys = [`${base}:minute:${windowAt(now, limits.seconds)}`, `${base}:month:${formatMonth(now)}`, running];
      const quotas = [limits.minute, limits.month, limits.concurrent];
      const args = [...quotas, now, LEASE_MS, lease, MINUTE_TTL_S, MONTH_TTL_S];
      const [counted, usage] = parseCounts(await redis.send(['EVAL', CLAIM_SCRIPT, keys.length, ...keys, ...args]));
      if (counted !== 1) return refuseClaim(requireViolations(usage, limits), usage, now);
      return {
        violated: [],
        usage,
        now,
        // Does nothing, because Redis already has the count and outlives this process.
        keep: async () => {},
        refund: async () => parseCounts(await redis.send(['EVAL', REFUND_SCRIPT, keys.length, ...keys]))[1],
        finish: () => {
          redis.send(['ZREM', running, lease]).catch(onError);
        },
      };
    },
    close: () => redis.close(),
  };
}

interface OpenedRedis {
  readonly connection: RedisConnection;
  /** Resolves when Redis has accepted the password and the database. */
  readonly ready: Promise<void>;
}

/** Sends commands through one connection, and opens a new connection when the connection is lost. */
function openReconnectingRedis(url: URL) {
  let current: OpenedRedis | null = null;

  return {
    async send(words: readonly (string | number)[]): Promise<RedisReply> {
      if (current === null || !current.connection.isOpen) current = openConnection(url);
      const redis = current;
      try {
        return await withTimeout(redis.ready.then(() => redis.connection.send(words)));
      } catch (error) {
        // Closes the connection after any error, because later commands may get no reply either, for example after a
        // timeout.
        if (current === redis) current = null;
        redis.connection.destroy(error instanceof Error ? error : new Error(String(error)));
        throw error;
      }
    },
    async close() {
      const closingRedis = current;
      current = null;
      if (closingRedis === null) return;
      // Waits for replies to the commands already sent.
      await withTimeout(closingRedis.connection.close()).catch((error) => closingRedis.connection.destroy(error));
    },
  };
}

function openConnection(url: URL): OpenedRedis {
  const connection = openRedis(url);
  const readyPromise = initializeConnection(connection, url).catch((cause) => {
    // Omits a reply of Redis as the cause of the error, because its text may contain the password.
    throw new Error('Redis cannot be reached, or refused the connection', cause instanceof RedisError ? {} : { cause });
  });
  // Commands that await `ready` handle its rejection; this handler only prevents an unhandled rejection.
  readyPromise.catch(() => {});
  return { connection, ready: readyPromise };
}

/**
 * Sends the password (with the user, if any) and the database number that the URL contains. Sends a PING if it contains
 * neither.
 */
async function initializeConnection(connection: RedisConnection, url: URL): Promise<void> {
  const [user, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
  const database = url.pathname.slice(1);
  const commands: string[][] = [
    ...(password === '' ? [] : [['AUTH', ...(user === '' ? [] : [user]), password]]),
    ...(database === '' ? [] : [['SELECT', database]]),
  ];
  await Promise.all((commands.length === 0 ? [['PING']] : commands).map((words) => connection.send(words)));
}

const withTimeout = <T>(work: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('Redis did not answer in time')), COMMAND_TIMEOUT_MS);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });

function requireViolations(usage: Usage, limits: Limits): LimitName[] {
  const violated = findExceeded(usage, limits);
  if (violated.length === 0) throw new Error('Redis refused a request that exceeds no limit');
  return violated;
}

/** Returns the counts, and 1 if the request was counted, otherwise 0. */
function parseCounts(reply: RedisReply): readonly [counted: number, usage: Usage] {
  const counts = Array.isArray(reply) ? reply : [];
  const [counted, minute, month, concurrent] = counts.map(Number);
  if (counts.length !== 4 || !counts.every(Number.isSafeInteger))
    throw new Error('Redis replied with something other than four counts');
  return [counted ?? 0, { minute: minute ?? 0, month: month ?? 0, concurrent: concurrent ?? 0 }];
}
