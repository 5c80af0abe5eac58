/**
 * Implements the Model Context Protocol: over stdin and stdout for `fin mcp`, over HTTP for `fin serve --mcp`. Loaded
 * on demand.
 */
import { version } from '../../package.json';
import type { AssistantSettings } from '../commands/ports/assistants.ts';
import { createHttpEndpoint, MAX_REQUEST_BYTES } from '../mcp/http.ts';
import { serveOverStdio } from '../mcp/stdio.ts';
import type { MountedEndpoint } from '../service/mounted-endpoint.ts';

export const serveAssistants = (settings: AssistantSettings): Promise<void> => serveOverStdio({ ...settings, version });

/**
 * Returns the endpoint by which `fin serve` offers the Model Context Protocol over HTTP.
 * @param connect called for each request that needs data
 */
export function openAssistantEndpoint(
  connect: (signal: AbortSignal) => ReturnType<AssistantSettings['connect']>,
  onError: (error: unknown) => void,
): MountedEndpoint {
  const endpoint = createHttpEndpoint({ version, connect, onError });
  return {
    path: '/mcp',
    async respond({ method, headers, signal, body }, baseUrl) {
      const {
        status,
        headers: responseHeaders,
        body: text,
      } = await endpoint.respond({
        method,
        url: `${baseUrl}/mcp`,
        headers,
        body: async () => (body === undefined ? null : body(MAX_REQUEST_BYTES)),
        signal: signal ?? new AbortController().signal,
      });
      return { status, headers: { ...responseHeaders, 'cache-control': 'no-store' }, body: [text] };
    },
    close: () => endpoint.close(),
  };
}
