/** The way to the service without a socket: what `local:` asks. */
import type { ReleaseReader } from '../release/store/reader.ts';
import { createService } from './service.ts';
import type { ServiceResponse } from './types.ts';

/** What the asking half calls a transport, said here without knowing that half. */
export interface InProcess {
  send(request: {
    readonly target: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly signal?: AbortSignal;
  }): Promise<Omit<ServiceResponse, 'body'> & { readonly body: string }>;
  close(): Promise<void>;
}

/** Problem types have no address of their own here; these are never fetched. */
const BASE_URL = 'local:';

/** Questions asked of the process itself are patient: whoever waits can interrupt. */
const DEADLINE_MS = 600_000;

/** @param release opened on the first request, closed with the transport */
export function inProcess(release: () => Promise<ReleaseReader | null>): InProcess {
  let opened: Promise<ReleaseReader | null> | undefined;
  const open = async () => {
    opened ??= release();
    return opened;
  };
  const service = createService({
    release: open,
    baseUrl: BASE_URL,
    deadlineMs: DEADLINE_MS,
    // Nothing is held of what this very process answers.
    entityTags: false,
    // On one's own machine what went wrong belongs in front of one's own eyes.
    onDefect: (error) => {
      throw error;
    },
  });
  return {
    async send({ target, headers, signal }) {
      const answer = await service.respond({ method: 'GET', target, headers, ...(signal && { signal }) });
      signal?.throwIfAborted();
      return { ...answer, body: answer.body.join('') };
    },
    close: async () => (await opened)?.close(),
  };
}
