/** Counters in Redis: several replicas count one account's requests together. */
import { randomUUID } from 'node:crypto';
import type { LimitName } from '../../contract/problems.ts';
import { monthOf, windowOf } from './calendar.ts';
import { type Claim, type Counters, refusedClaim, type Usage, violations } from './counters.ts';
import type { Limits } from './limits.ts';
import type { Redis } from './redis.ts';
import type { Reply } from './resp.ts';

/** A slot that nobody gave back is free again after this: its replica has died. */
const LEASE_MS = 60_000;
const MINUTE_TTL_S = 120;
const MONTH_TTL_S = 40 * 24 * 3600;

/**
 * One step for all: looks at the three limits and counts the request in each, or in none.
 * Keys: the minute's count, the month's, the running requests by the time at which each is given up.
 */
const CLAIM = `
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

/** Takes a request back out of its windows, if they are still there. */
const REFUND = `
local left = {}
for index = 1, 2 do
  local count = tonumber(redis.call('GET', KEYS[index]) or '0')
  if count > 0 then count = redis.call('DECR', KEYS[index]) end
  left[index] = count
end
return {left[1], left[2], redis.call('ZCARD', KEYS[3])}
`;

/** Replicas must agree on the time to within the moment that a limit may be off by. */
export function redisCounters(redis: Redis, clock: () => number, onTrouble: (error: unknown) => void): Counters {
  return {
    async claim(account, limits): Promise<Claim> {
      const now = clock();
      const id = randomUUID();
      // The braces keep an account's keys together in a cluster.
      const base = `fin:{${account}}`;
      const keys = [
        `${base}:minute:${windowOf(now, limits.seconds)}`,
        `${base}:month:${monthOf(now)}`,
        `${base}:running`,
      ];
      const quotas = [limits.minute, limits.month, limits.concurrent];
      const ttls = [MINUTE_TTL_S, MONTH_TTL_S];
      const reply = numbersOf(await redis.command('EVAL', CLAIM, 3, ...keys, ...quotas, now, LEASE_MS, id, ...ttls));
      const [granted, ...counts] = reply;
      const usage = usageOf(counts);
      if (granted !== 1) return refusedClaim(refusedBy(usage, limits), usage, now);
      return {
        violated: [],
        usage,
        now,
        // Counted where it outlives this process from the start.
        keep: async () => {},
        refund: async () => usageOf(numbersOf(await redis.command('EVAL', REFUND, 3, ...keys))),
        finish: () => {
          redis.command('ZREM', `${base}:running`, id).catch(onTrouble);
        },
      };
    },
    close: () => redis.close(),
  };
}

function refusedBy(usage: Usage, limits: Limits): LimitName[] {
  const violated = violations(usage, limits);
  if (violated.length === 0) throw new Error('Redis refused a request that breaks no limit');
  return violated;
}

function usageOf([minute = 0, month = 0, concurrent = 0]: readonly number[]): Usage {
  return { minute, month, concurrent };
}

function numbersOf(reply: Reply): number[] {
  if (!Array.isArray(reply) || reply.some((item) => typeof item !== 'number')) {
    throw new Error('Redis replied something else than counts');
  }
  return reply.map(Number);
}
