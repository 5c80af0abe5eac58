/** Counters in Redis: several replicas count one account's requests together. Loaded only where a Redis is named. */
import { randomUUID } from 'node:crypto';
import { type CommandParser, createClient, defineScript } from '@redis/client';
import type { LimitName } from '../../contract/problems.ts';
import { type Claim, type Counters, monthOf, refusedClaim, type Usage, violations, windowOf } from './counters.ts';
import type { Limits } from './limits.ts';

/** A slot that was never freed is free again after this: its replica has died. */
const LEASE_MS = 60_000;
const MINUTE_TTL_S = 120;
const MONTH_TTL_S = 40 * 24 * 3600;
/** Longest time for a connection, and for one answer. */
const TIMEOUT_MS = 2_000;

/** Each script takes the same keys: the minute's count, the month's, the running requests by the time of their expiry. */
const script = (lua: string) =>
  defineScript({
    SCRIPT: lua,
    NUMBER_OF_KEYS: 3,
    parseCommand(parser: CommandParser, keys: readonly string[], values: readonly (string | number)[]) {
      parser.pushKeys([...keys]);
      parser.push(...values.map(String));
    },
    transformReply: countsOf,
  });

/** In one step: checks the three limits and counts the request in each, or in none. */
const CLAIM = script(`
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
`);

/** Takes a request back out of its windows, if they are still there. */
const REFUND = script(`
local left = {}
for index = 1, 2 do
  local count = tonumber(redis.call('GET', KEYS[index]) or '0')
  if count > 0 then count = redis.call('DECR', KEYS[index]) end
  left[index] = count
end
return {1, left[1], left[2], redis.call('ZCARD', KEYS[3])}
`);

/**
 * Connects on the first claim, and anew on the first after a connection was lost.
 * Replicas must agree on the time to within the moment that a limit may be off by.
 * @param url `redis://[user:password@]host[:port][/database]`, or `rediss:` for TLS
 * @param onError called with what freeing a slot ends in, which no request waits for
 */
export function redisCounters(url: URL, clock: () => number, onError: (error: unknown) => void): Counters {
  const redis = reconnecting(url);
  return {
    async claim(account, limits): Promise<Claim> {
      const now = clock();
      const id = randomUUID();
      // The braces keep an account's keys together in a cluster.
      const base = `fin:{${account}}`;
      const running = `${base}:running`;
      const keys = [`${base}:minute:${windowOf(now, limits.seconds)}`, `${base}:month:${monthOf(now)}`, running];
      const quotas = [limits.minute, limits.month, limits.concurrent];
      const [granted, usage] = await redis.run((client) =>
        client.claim(keys, [...quotas, now, LEASE_MS, id, MINUTE_TTL_S, MONTH_TTL_S]),
      );
      if (granted !== 1) return refusedClaim(violatedBy(usage, limits), usage, now);
      return {
        violated: [],
        usage,
        now,
        // Counted where it outlives this process from the start.
        keep: async () => {},
        refund: async () => (await redis.run((client) => client.refund(keys, [])))[1],
        finish: () => {
          redis.run((client) => client.zRem(running, id)).catch(onError);
        },
      };
    },
    close: () => redis.close(),
  };
}

const open = (url: URL) =>
  createClient({
    url: url.href,
    RESP: 2,
    scripts: { claim: CLAIM, refund: REFUND },
    disableClientInfo: true,
    // A claim that cannot be counted now is refused now: the next one connects anew.
    socket: { reconnectStrategy: false, connectTimeout: TIMEOUT_MS },
  });

type Client = ReturnType<typeof open>;

/** A client that is replaced once its connection is lost. */
function reconnecting(url: URL) {
  let current: { readonly client: Client; readonly ready: Promise<unknown> } | null = null;

  function connect() {
    const client = open(url);
    // What waits on the connection is rejected with the same error.
    client.on('error', () => {});
    // Idle, it must not keep the process alive; while a command waits, its timer does.
    client.unref();
    const ready = client.connect().catch((cause) => {
      // The server's own words may repeat the password: they are not passed on.
      throw new Error('Redis cannot be reached, or refused the connection', { cause });
    });
    return { client, ready };
  }

  return {
    async run<Reply>(command: (client: Client) => Promise<Reply>): Promise<Reply> {
      if (current === null || !current.client.isOpen) current = connect();
      const own = current;
      try {
        return await withTimeout(own.ready.then(() => command(own.client)));
      } catch (error) {
        // A connection that answers nothing is of no use to what waits behind it either.
        if (current === own) current = null;
        if (own.client.isOpen) own.client.destroy();
        throw error;
      }
    },
    async close() {
      const last = current;
      current = null;
      // Lets what has been sent be answered first.
      if (last?.client.isReady === true) await withTimeout(last.client.close()).catch(() => last.client.destroy());
    },
  };
}

function withTimeout<T>(work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('Redis did not answer in time')), TIMEOUT_MS);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

function violatedBy(usage: Usage, limits: Limits): LimitName[] {
  const violated = violations(usage, limits);
  if (violated.length === 0) throw new Error('Redis refused a request that violates no limit');
  return violated;
}

/** Whether the request was counted (1), and the counts. */
function countsOf(reply: unknown): readonly [counted: number, usage: Usage] {
  if (!Array.isArray(reply) || reply.length !== 4 || reply.some((item) => typeof item !== 'number')) {
    throw new Error('Redis replied something else than four counts');
  }
  const [counted, minute, month, concurrent] = reply;
  return [counted, { minute, month, concurrent }];
}
