/**
 * Answers one question with values that are read from a release: `fin serve` writes the values as JSON; `local:` uses
 * the values directly.
 */
import type { OperationId } from '../../contract/operations.ts';
import type { Question } from '../../contract/question.ts';
import type { Meta } from '../../contract/resources/envelope.ts';
import { API_WORDING, formatText } from '../../contract/text/text.ts';
import type { ReleaseReader } from '../../store/reader.ts';
import { HANDLERS } from '../handlers/index.ts';
import { makeMeta } from '../handlers/meta.ts';
import { waitForTurn } from '../request/event-loop.ts';
import { type HandlerRequest, type HandlerResult, ProblemError } from '../request/handler.ts';

export interface Answer {
  readonly data: unknown;
  readonly meta: Omit<Meta, 'request_id'>;
}

/**
 * Returns `data` and `meta` of the response.
 * @param release the release to read; null if there is none
 * @throws {ProblemError} for an invalid request or missing data; any other error is a defect, a failure
 * to read the release, or the signal's abort reason
 */
export async function answerQuestion(
  release: ReleaseReader | null,
  question: Question,
  signal: AbortSignal,
): Promise<Answer> {
  const { operation, parameters, faults } = question;
  if (faults.length > 0) {
    const names = new Set(operation.parameters.map(({ name }) => name));
    const unknown = faults.map(({ parameter }) => parameter).filter((name) => !names.has(name));
    const detail = faults.map((fault) => formatText(fault.detail, API_WORDING)).join(' ');
    throw new ProblemError('bad_request', detail, {}, unknown);
  }
  if (release === null)
    throw new ProblemError('unavailable', 'The service has no data release at the moment. Try again later.');
  // The cast is safe: a question without faults has the parameters that the handler of its operation expects.
  const handler = HANDLERS[operation.id] as unknown as (
    request: Omit<HandlerRequest<OperationId>, 'parameters'> & Pick<Question, 'parameters'>,
  ) => Promise<HandlerResult<OperationId>>;
  const { data, meta = {} } = await handler({ release: makeInterruptible(release, signal), parameters, signal });
  signal.throwIfAborted();
  return { data, meta: makeMeta(question, release.manifest, meta) };
}

/** Number of screen columns per read; such a read takes a few milliseconds for a full release. */
export const COLUMNS_PER_READ = 16;

/**
 * Returns a reader that yields to other requests before and after each read, and starts no read after the signal
 * aborts. A screen is read in groups of columns, because a running read cannot be interrupted.
 */
export function makeInterruptible(release: ReleaseReader, signal: AbortSignal): ReleaseReader {
  const pause = async () => {
    await waitForTurn();
    signal.throwIfAborted();
  };
  const paced =
    <Arguments extends unknown[], Result>(readTable: (...args: Arguments) => Promise<Result>) =>
    async (...args: Arguments): Promise<Result> => {
      await pause();
      const result = await readTable(...args);
      // Yields again, because deriving figures from the result takes as long as reading it.
      await pause();
      return result;
    };
  const readScreen = paced((names: readonly string[], rows?: readonly number[]) => release.screen(names, rows));
  const overrides: Partial<ReleaseReader> = {
    manifest: release.manifest,
    async screen(columns, rows) {
      const first = await readScreen(columns.slice(0, COLUMNS_PER_READ), rows);
      const cells = { ...first.columns };
      for (let start = COLUMNS_PER_READ; start < columns.length; start += COLUMNS_PER_READ)
        Object.assign(cells, (await readScreen(columns.slice(start, start + COLUMNS_PER_READ), rows)).columns);
      return { length: first.length, columns: cells };
    },
    includes: (table, column) => release.includes(table, column),
    close: () => release.close(),
  };
  // All members of a release that are not listed above are functions that read.
  const get = (_: ReleaseReader, name: string | symbol): unknown =>
    Reflect.get(overrides, name) ?? (name in release ? paced(Reflect.get(release, name).bind(release)) : undefined);
  return new Proxy<ReleaseReader>(release, { get });
}

/**
 * A response with status 200 without its request id, as it is cached and as threads send it. Everything before the id
 * is the same for equal requests, and the id is the last field of the body.
 */
export interface SerializedResponse {
  readonly entityTag: string;
  /** The body up to the request id: text, or UTF-8 bytes if it is cached or comes from a thread. */
  readonly head: string | Buffer;
}

/** Returns the entity tag, and the body up to the request id. */
export function serializeAnswer({ data, meta }: Answer): SerializedResponse & { readonly head: string } {
  const texts = [JSON.stringify(data), JSON.stringify(meta)] as const;
  const head = `{"data":${texts[0]},"meta":${texts[1].slice(0, -1)},"request_id":"`;
  return { entityTag: computeEntityTag(...texts), head };
}

/**
 * Returns a weak entity tag, equal for responses with equal `data` and `meta`, regardless of the request id.
 * @param content `data`, and `meta` without its request id, as JSON
 */
export function computeEntityTag(...content: readonly string[]): string {
  const hash = process.getBuiltinModule('node:crypto').createHash('sha256');
  for (const part of content) hash.update(part).update('\n');
  return `W/"${hash.digest('base64url').slice(0, 27)}"`;
}

/**
 * Returns UTF-8 in a separate buffer: `Buffer.from` would put small texts into a shared pool and retain the whole pool.
 */
export function toBytes(text: string): Buffer<ArrayBuffer> {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}
