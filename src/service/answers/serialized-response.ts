/** A 200 without its request id, in the form that is cached and that threads send. */
import type { Answer } from './answer-question.ts';

/**
 * A response without its request id. Everything before the id is the same for equal requests, and the id is the last
 * field of the body.
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
