/**
 * A service that allows fewer requests per window than its headers state, sometimes answers 429 with an invalid
 * Retry-After, and can be restarted. The answer to each search is a company named after the query.
 */
import { createServer } from 'node:http';

const RELEASE = { date: '2026-05-29', checks: 'passed', published_at: '2026-05-29T10:00:00Z', stamp: '2026-05-29-abc' };

/** Invalid values of Retry-After; null omits the header. */
const ODD = ['0', '-1', 'soon', '', '1.5', 'Thu, 01 Jan 1970 00:00:00 GMT', null];
const ODD_SHARE = 0.03;
const MONTH = 1_000_000;
const AT_ONCE = 4;

/**
 * @param {{ quota: number, allowed: number, seconds: number }} limits stated and allowed requests per window
 */
export async function startStrictService({ quota, allowed, seconds }) {
  const counts = { counted: 0, strict: 0, odd: 0, concurrent: 0, running: 0, mostRunning: 0 };
  let [window, used] = [-1, 0];

  function listener(
    /** @type {import('node:http').IncomingMessage} */ request,
    /** @type {import('node:http').ServerResponse} */ response,
  ) {
    const now = Date.now();
    const index = Math.floor(now / (seconds * 1000));
    if (index !== window) [window, used] = [index, 0];
    const reset = Math.ceil(((index + 1) * seconds * 1000 - now) / 1000);
    const limits = () => ({
      'ratelimit-policy': `"minute";q=${quota};w=${seconds}, "month";q=${MONTH}, "concurrent";q=${AT_ONCE}`,
      ratelimit: `"minute";r=${Math.max(0, quota - used)};t=${reset}, "month";r=${MONTH - counts.counted}, "concurrent";r=${Math.max(0, AT_ONCE - counts.running)}`,
    });
    const refuse = (/** @type {string} */ limit, /** @type {string | null} */ after) => {
      const problem = {
        type: 'about:blank',
        title: 'Limit',
        status: 429,
        detail: 'It is spent.',
        code: 'rate_limited',
      };
      const headers = { 'content-type': 'application/problem+json', ...limits() };
      response.writeHead(429, after === null ? headers : { ...headers, 'retry-after': after });
      response.end(JSON.stringify({ ...problem, request_id: 'r', 'violated-policies': [limit] }));
    };
    if (counts.running >= AT_ONCE) {
      counts.concurrent++;
      return refuse('concurrent', '1');
    }
    if (used >= allowed) {
      counts.strict++;
      return refuse('minute', String(reset));
    }
    if (Math.random() < ODD_SHARE) {
      counts.odd++;
      return refuse('minute', ODD[Math.floor(Math.random() * ODD.length)] ?? null);
    }
    used++;
    counts.counted++;
    counts.running++;
    counts.mostRunning = Math.max(counts.mostRunning, counts.running);
    response.once('close', () => counts.running--);
    const query = new URL(request.url ?? '/', 'http://x').searchParams.get('query') ?? '';
    const head = { 'content-type': 'application/json', etag: `W/"${query}"`, ...limits() };
    setTimeout(() => response.writeHead(200, head).end(body(query)), 20 + Math.random() * 40);
  }

  let server = createServer(listener);
  const listen = (/** @type {number} */ at) =>
    new Promise((done) => server.listen(at, '127.0.0.1', () => done(undefined)));
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
    month: MONTH,
    stop,
    /** Closes every connection, and listens again after `outage` milliseconds. Counts continue. */
    async restart(/** @type {number} */ outage) {
      await stop();
      await new Promise((done) => setTimeout(done, outage));
      server = createServer(listener);
      await listen(port);
    },
  };
}

/** @param {string} query */
function body(query) {
  const company = {
    ...{ ticker: 'AAPL', ticker_normalized: 'AAPL', exchange: 'Nasdaq', cik: 320193, entity_name: query },
    ...{ security_coverage_state: 'covered', company_coverage_state: 'covered' },
  };
  const meta = { schema: 'svc.data.v1', route: '/v1/securities', release: RELEASE, query, limit: 25, request_id: 'r' };
  return JSON.stringify({ data: [company], meta });
}
