/**
 * A service that allows fewer requests per window than its headers state, sometimes answers 429 with an invalid
 * Retry-After, and can be restarted. The answer to each search is a company named after the query.
 */
import { createServer } from 'node:http';

const RELEASE = { date: '2026-05-29', checks: 'passed', published_at: '2026-05-29T10:00:00Z', stamp: '2026-05-29-abc' };

/** Invalid values of Retry-After; null omits the header. */
const INVALID_RETRY_AFTER_VALUES = ['0', '-1', 'soon', '', '1.5', 'Thu, 01 Jan 1970 00:00:00 GMT', null];
const INVALID_RETRY_AFTER_SHARE = 0.03;
const MONTHLY_LIMIT = 1_000_000;
const MAX_CONCURRENCY = 4;

/**
 * @param {{ quota: number, allowed: number, seconds: number }} limits stated and allowed requests per window
 */
export async function startStrictService({ quota, allowed, seconds }) {
  const counts = { counted: 0, overLimit: 0, invalidRetryAfter: 0, concurrent: 0, running: 0, mostRunning: 0 };
  let [currentWindow, usedInWindow] = [-1, 0];

  function respond(
    /** @type {import('node:http').IncomingMessage} */ request,
    /** @type {import('node:http').ServerResponse} */ response,
  ) {
    const now = Date.now();
    const windowIndex = Math.floor(now / (seconds * 1000));
    if (windowIndex !== currentWindow) [currentWindow, usedInWindow] = [windowIndex, 0];
    const secondsUntilReset = Math.ceil(((windowIndex + 1) * seconds * 1000 - now) / 1000);
    const makeLimitHeaders = () => ({
      'ratelimit-policy': `"minute";q=${quota};w=${seconds}, "month";q=${MONTHLY_LIMIT}, "concurrent";q=${MAX_CONCURRENCY}`,
      ratelimit: `"minute";r=${Math.max(0, quota - usedInWindow)};t=${secondsUntilReset}, "month";r=${MONTHLY_LIMIT - counts.counted}, "concurrent";r=${Math.max(0, MAX_CONCURRENCY - counts.running)}`,
    });
    const refuse = (/** @type {string} */ limit, /** @type {string | null} */ retryAfter) => {
      const problem = {
        type: 'about:blank',
        title: 'Limit',
        status: 429,
        detail: 'The limit is reached.',
        code: 'rate_limited',
      };
      const headers = { 'content-type': 'application/problem+json', ...makeLimitHeaders() };
      response.writeHead(429, retryAfter === null ? headers : { ...headers, 'retry-after': retryAfter });
      response.end(JSON.stringify({ ...problem, request_id: 'r', 'violated-policies': [limit] }));
    };
    if (counts.running >= MAX_CONCURRENCY) {
      counts.concurrent++;
      return refuse('concurrent', '1');
    }
    if (usedInWindow >= allowed) {
      counts.overLimit++;
      return refuse('minute', String(secondsUntilReset));
    }
    if (Math.random() < INVALID_RETRY_AFTER_SHARE) {
      counts.invalidRetryAfter++;
      return refuse(
        'minute',
        INVALID_RETRY_AFTER_VALUES[Math.floor(Math.random() * INVALID_RETRY_AFTER_VALUES.length)] ?? null,
      );
    }
    usedInWindow++;
    counts.counted++;
    counts.running++;
    counts.mostRunning = Math.max(counts.mostRunning, counts.running);
    response.once('close', () => counts.running--);
    const query = new URL(request.url ?? '/', 'http://x').searchParams.get('query') ?? '';
    const headers = { 'content-type': 'application/json', etag: `W/"${query}"`, ...makeLimitHeaders() };
    setTimeout(() => response.writeHead(200, headers).end(makeResponseBody(query)), 20 + Math.random() * 40);
  }

  let server = createServer(respond);
  const listen = (/** @type {number} */ listenPort) =>
    new Promise((done) => server.listen(listenPort, '127.0.0.1', () => done(undefined)));
  const stop = () =>
    new Promise((done) => {
      server.close(() => done(undefined));
      server.closeAllConnections();
    });
  await listen(0);
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    counts,
    month: MONTHLY_LIMIT,
    stop,
    /** Closes every connection, and listens again after `outage` milliseconds. Counts continue. */
    async restart(/** @type {number} */ outage) {
      await stop();
      await new Promise((done) => setTimeout(done, outage));
      server = createServer(respond);
      await listen(port);
    },
  };
}

/** @param {string} query */
function makeResponseBody(query) {
  const company = {
    ...{ ticker: 'AAPL', ticker_normalized: 'AAPL', exchange: 'Nasdaq', cik: 320193, entity_name: query },
    ...{ security_coverage_state: 'covered', company_coverage_state: 'covered' },
  };
  const meta = { schema: 'svc.data.v1', route: '/v1/securities', release: RELEASE, query, limit: 25, request_id: 'r' };
  return JSON.stringify({ data: [company], meta });
}
