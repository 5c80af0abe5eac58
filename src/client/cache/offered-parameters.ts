/**
 * Finds out which of the parameters that fin adds to the HTTP API a service offers, from its OpenAPI document at
 * `/openapi.json`, and stores the result in one small file per base URL. Loaded on demand.
 */
import { join } from 'node:path';
import { ADDED_PARAMETERS } from '../../contract/additions.ts';
import { getOperation, type OperationId } from '../../contract/operations.ts';
import { sha256 } from '../../platform/builtins/loaded-on-use.ts';
import { writeIfPossible } from '../../platform/files/atomic-write.ts';
import { readIfReadable } from '../../platform/files/regular-file.ts';
import { isObject, parseObject } from '../../platform/json-object.ts';
import type { ClientContext, ClientOptions } from '../request/client-options.ts';
import type { Transport } from '../request/response.ts';

/** Maximum age of a stored result in milliseconds. Later, another version of the service may run. */
const MAX_RECORD_AGE_MS = 86_400_000;

/** Maximum time in milliseconds to wait for the document, which only improves a notice. */
const MAX_WAIT_MS = 3_000;

interface Settings extends Pick<ClientContext, 'baseUrl' | 'report'> {
  /** The directory of the response cache; null if nothing may be stored. */
  readonly directory: string | null;
  readonly options: Pick<ClientOptions, 'offline' | 'signal' | 'deadline'>;
  readonly open: () => Promise<Transport>;
}

export function openOfferedParameters({ baseUrl, directory, options, open, report }: Settings) {
  const file = directory === null ? null : join(directory, `${sha256(baseUrl).slice(0, 32)}.offers`);
  let namesPromise: Promise<readonly string[]> | undefined;

  async function request(): Promise<readonly string[]> {
    const { signal, deadline } = options;
    const start = Date.now();
    let answerStatus: number | null = null;
    try {
      const transport = await open();
      const timeout = AbortSignal.timeout(Math.max(0, Math.min(MAX_WAIT_MS, (deadline ?? Infinity) - start)));
      const combinedSignal = signal === null ? timeout : AbortSignal.any([signal, timeout]);
      // Sent without the key: the document is public, and requests without a key count against no limit.
      const request = { target: '/openapi.json', headers: { accept: 'application/json' } };
      const { status, body } = await transport.send({ ...request, signal: combinedSignal });
      answerStatus = status;
      // A failed request proves nothing, so its result is not stored. A service without a document offers no parameter
      // that fin adds.
      if (status >= 500 || status === 429) return [];
      const names = status === 200 ? listAddedParameters(parseObject(body)) : [];
      if (file !== null) writeIfPossible(file, JSON.stringify({ offered: names, at: Date.now() }));
      return names;
    } catch {
      // Ignored: the request for the data, which follows, reports a fault of the connection.
      return [];
    } finally {
      const url = `${baseUrl}/openapi.json`;
      report({ type: 'request', method: 'GET', url, status: answerStatus, ms: Date.now() - start, requestId: null });
    }
  }

  return {
    /** Whether the service is known to offer the parameter. Sends at most one request; never rejects. */
    async isOffered(id: OperationId, name: string): Promise<boolean> {
      const record = file === null ? null : readRecord(file);
      if (record !== null || options.offline) return record?.includes(`${id} ${name}`) === true;
      namesPromise ??= request();
      return (await namesPromise).includes(`${id} ${name}`);
    },
  };
}

/** Returns the parameters of an OpenAPI document that fin adds, each as the operation's id and the parameter's name. */
function listAddedParameters(document: unknown): readonly string[] {
  const paths = isObject(document) ? document.paths : null;
  return (Object.keys(ADDED_PARAMETERS) as OperationId[]).flatMap((id) => {
    const names = listParameterNames(paths, getOperation(id).path);
    return Object.keys(ADDED_PARAMETERS[id] ?? {}).flatMap((name) => (names.includes(name) ? [`${id} ${name}`] : []));
  });
}

function listParameterNames(paths: unknown, path: string): readonly unknown[] {
  const entry = isObject(paths) ? paths[path] : null;
  const operation = isObject(entry) ? entry.get : null;
  const parameters = isObject(operation) ? operation.parameters : null;
  return Array.isArray(parameters) ? parameters.map((row) => (isObject(row) ? row.name : null)) : [];
}

function readRecord(file: string): readonly unknown[] | null {
  const { offered, at } = parseObject(readIfReadable(file) ?? '') ?? {};
  const isRecent = typeof at === 'number' && Math.abs(Date.now() - at) < MAX_RECORD_AGE_MS;
  return isRecent && Array.isArray(offered) ? offered : null;
}
