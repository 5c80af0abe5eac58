/** Paths outside /v1 that need no key and have no limits: probes, the description of the HTTP API, problem types. */
import { makeOpenApiDocument } from '../../contract/openapi.ts';
import { PROBLEM_KINDS } from '../../contract/problems.ts';
import { ProblemError } from '../request/handler.ts';
import { NOT_GET_ERROR } from '../request/route.ts';
import { makeProblemResponse, type Service, type ServiceResponse } from '../responses/service.ts';

/** Returns the stamp of the served release; null without a release, and while the service is stopping. */
type ReadStamp = () => Promise<string | null>;

type PathResponder = (baseUrl: string, readStamp: ReadStamp) => Promise<Pick<ServiceResponse, 'headers' | 'body'>>;

const makeJsonResponse = (value: unknown, cacheControl: string) => ({
  headers: { 'content-type': 'application/json', 'cache-control': cacheControl },
  body: [JSON.stringify(value)],
});

const NOT_READY_ERROR = new ProblemError('unavailable', 'The service has no data release, or it is stopping.');

const PAGE_HEADERS = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' };

const RESPONDER_BY_PATH: Readonly<Record<string, PathResponder>> = {
  '/livez': async () => makeJsonResponse({ status: 'live' }, 'no-store'),
  '/readyz': async (_, readStamp) => {
    const stamp = await readStamp();
    if (stamp === null) throw NOT_READY_ERROR;
    return makeJsonResponse({ status: 'ready', release: stamp }, 'no-store');
  },
  '/openapi.json': async (baseUrl) => makeJsonResponse(makeOpenApiDocument(baseUrl), 'no-cache'),
  '/problems': async () => ({ headers: PAGE_HEADERS, body: [PROBLEM_PAGE] }),
};

/** Responds to requests for public paths, and passes all other requests to `service`. */
export const withPublicPaths =
  (service: Service, readStamp: ReadStamp): Service =>
  async (request) => {
    const [path = ''] = request.target.split('?', 1);
    const responder = Object.hasOwn(RESPONDER_BY_PATH, path) ? RESPONDER_BY_PATH[path] : undefined;
    if (responder === undefined) return service(request);
    try {
      if (request.method !== 'GET') throw NOT_GET_ERROR;
      const { headers, body } = await responder(request.baseUrl, readStamp);
      return { status: 200, headers: { ...headers, 'x-request-id': request.id }, body };
    } catch (error) {
      return makeProblemResponse(error instanceof ProblemError ? error : NOT_READY_ERROR, request);
    }
  };

/** The page that addresses of problem types point to, with an entry for each problem code. */
const PROBLEM_PAGE = [
  '<!doctype html><html lang="en"><meta charset="utf-8"><title>Problems</title><h1>Problems</h1><dl>',
  ...Object.entries(PROBLEM_KINDS).map(
    ([code, { status, title, counted, retryable }]) =>
      `<dt id="${code}"><code>${code}</code> (${status}): ${title}</dt><dd>${
        retryable
          ? 'Try again later: after a 429, wait for the time in Retry-After; after other statuses, wait longer each time.'
          : 'Repeating the request does not help.'
      } The request ${counted ? 'counts' : 'does not count'} against the limits.</dd>`,
  ),
  '</dl></html>\n',
].join('\n');
