/** A copy of the SEC's site on loopback, with real sockets, ETags and ranges; tests can replace any response. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type Archive, openArchive } from '../../../src/edgar/files/archive.ts';
import { listenUntilDone } from '../../listen.ts';

export interface ReceivedRequest {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly receivedAt: number;
  status: number;
}

/**
 * Answers a request in place of the site and returns true, or returns false. `requestNumber` is 1 for the first request
 * to this path.
 */
export type AnswerReplacer = (request: IncomingMessage, response: ServerResponse, requestNumber: number) => boolean;

export interface SiteServer {
  readonly url: string;
  readonly requests: ReceivedRequest[];
  /** Files by path; tests may change this map. */
  readonly files: Map<string, Buffer>;
  replaceAnswer: AnswerReplacer;
}

export const RATE_LIMIT_PAGE =
  '<!DOCTYPE html><html><head><title>SEC.gov | Request Rate Threshold Exceeded</title></head><body>Please wait 10 minutes.</body></html>';
export const UNDECLARED_TOOL_PAGE =
  '<html><head><title>SEC.gov | Your Request Originates from an Undeclared Automated Tool</title></head></html>';

export async function startSite(files: Map<string, Buffer>): Promise<SiteServer> {
  const requests: ReceivedRequest[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    const receivedRequest: ReceivedRequest = {
      path,
      headers: request.headers,
      receivedAt: performance.now(),
      status: 0,
    };
    requests.push(receivedRequest);
    response.on('finish', () => {
      receivedRequest.status = response.statusCode;
    });
    const requestNumber = requests.filter((candidate) => candidate.path === path).length;
    if (!site.replaceAnswer(request, response, requestNumber)) sendFile(files.get(path), request, response);
  });
  const url = `http://127.0.0.1:${await listenUntilDone(server)}`;
  const site: SiteServer = { url, requests, files, replaceAnswer: () => false };
  return site;
}

export const computeEtag = (bytes: Buffer): string => `"${createHash('md5').update(bytes).digest('hex')}"`;

function sendFile(bytes: Buffer | undefined, { headers, url = '' }: IncomingMessage, response: ServerResponse): void {
  if (bytes === undefined) {
    response.writeHead(404, { 'content-type': 'text/html' }).end('<html><title>Not Found</title></html>');
    return;
  }
  const etag = computeEtag(bytes);
  if (headers['if-none-match'] === etag) {
    response.writeHead(304, { etag }).end();
    return;
  }
  if (url.endsWith('.json')) {
    const body = gzipSync(bytes);
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip', etag }).end(body);
    return;
  }
  const startOffset = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? Number.NaN);
  if (Number.isNaN(startOffset) || headers['if-range'] !== etag) {
    response.writeHead(200, { 'content-type': 'application/zip', 'content-length': bytes.length, etag }).end(bytes);
    return;
  }
  if (startOffset >= bytes.length) {
    response.writeHead(416, { 'content-range': `bytes */${bytes.length}` }).end();
    return;
  }
  const contentRange = `bytes ${startOffset}-${bytes.length - 1}/${bytes.length}`;
  response.writeHead(206, { 'content-range': contentRange, 'content-length': bytes.length - startOffset, etag });
  response.end(bytes.subarray(startOffset));
}

/** Returns the files of a directory of public files, by the paths under which the SEC's site serves them. */
export async function readSiteFiles(folder: string): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  for (const name of ['files/company_tickers.json', 'files/company_tickers_exchange.json']) {
    files.set(`/${name}`, readFileSync(join(folder, name)));
  }
  const bulkFolder = '/Archives/edgar/daily-index';
  for (const [zip, apiFolder, path] of [
    ['companyfacts.zip', '/api/xbrl/companyfacts', `${bulkFolder}/xbrl/companyfacts.zip`],
    ['submissions.zip', '/submissions', `${bulkFolder}/bulkdata/submissions.zip`],
  ] as const) {
    files.set(path, readFileSync(join(folder, zip)));
    const archive: Archive = await openArchive(join(folder, zip));
    for (const name of archive.names) files.set(`${apiFolder}/${name}`, await archive.read(name));
    archive.close();
  }
  return files;
}

export function countMaxRequestsPerSecond(requests: readonly ReceivedRequest[]): number {
  const receiptTimes = requests.map(({ receivedAt }) => receivedAt).sort((a, b) => a - b);
  return Math.max(
    0,
    ...receiptTimes.map((start) => receiptTimes.filter((time) => time >= start && time < start + 1000).length),
  );
}
