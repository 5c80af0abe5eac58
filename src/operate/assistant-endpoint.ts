/** The endpoint by which `fin serve --mcp` offers the Model Context Protocol over HTTP. */
import { version } from '../../package.json';
import type { Connection } from '../client/connection.ts';
import { createHttpEndpoint, MAX_REQUEST_BYTES } from '../mcp/http.ts';
import type { MountedEndpoint } from '../service/responses/mounted-endpoint.ts';

/**
 * @param connect called for each request that needs data
 * @param readsDocuments whether assistants may read documents of filings now
 */
export function openAssistantEndpoint(
  connect: (signal: AbortSignal) => Promise<Connection>,
  onError: (error: unknown) => void,
  readsDocuments: () => boolean,
): MountedEndpoint {
  const endpoint = createHttpEndpoint({ version, connect, onError, readsDocuments });
  return {
    path: '/mcp',
    async respond({ method, headers, signal, body }, baseUrl) {
      const {
        status,
        headers: sent,
        body: text,
      } = await endpoint.respond({
        method,
        url: `${baseUrl}/mcp`,
        headers,
        body: async () => (body === undefined ? { fault: 'incomplete' } : body(MAX_REQUEST_BYTES)),
        signal: signal ?? new AbortController().signal,
      });
      return { status, headers: { ...sent, 'cache-control': 'no-store' }, body: [text] };
    },
    close: () => endpoint.close(),
  };
}
