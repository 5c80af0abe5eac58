/**
 * A process that sends requests to the server of rate-limiter.test.ts, limited by the rate limiter's files in the
 * directory:
 * `limiter-process <directory> <port> <number of requests> <milliseconds per request>`
 */
import { connect } from 'node:net';
import { openRateLimiter } from '../../../src/client/limiter/rate-limiter.ts';
import { openDiskFiles } from '../../../src/platform/processes/shared-files.ts';

const [directory = '', port = '', requests = '1', holdMs = '5'] = process.argv.slice(2);

/** Sends a request, which the server answers after `holdMs`; resolves to the status and headers of the response. */
function sendRequest(): Promise<Record<string, string>> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(`${holdMs}\n`));
    let responseText = '';
    socket.on('data', (chunk) => {
      responseText += chunk;
    });
    socket.on('end', () => resolve(JSON.parse(responseText)));
    socket.on('error', reject);
  });
}

const limiter = openRateLimiter({ files: openDiskFiles(directory), maxWait: 90_000, report: () => {} });
for (let i = 0; i < Number(requests); i++) {
  const permit = await limiter.admit(null);
  const sentMs = Date.now();
  const { status, ...headers } = await sendRequest();
  permit.settle({
    status: Number(status),
    headers,
    violated: [],
    sent: sentMs,
    received: Date.now(),
    isUnderWay: false,
    isUnsent: false,
  });
  process.stdout.write(`${status}\n`);
}
