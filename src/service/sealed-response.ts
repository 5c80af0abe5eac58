/** A 200 without its request id: what is cached, and what a thread gives back. */
import type { Answer } from './answer-question.ts';

/** The request id comes last in the body, and is the one thing that is new each time. */
export interface SealedResponse {
  readonly tag: string;
  /** The body up to the request id: text, or its UTF-8 where it is cached or comes from a thread. */
  readonly head: string | Buffer;
}

/** The entity tag, and the body up to its request id: the one thing that differs between two equal answers. */
export function seal({ data, meta }: Answer): SealedResponse & { readonly head: string } {
  const texts = [JSON.stringify(data), JSON.stringify(meta)] as const;
  const head = `{"data":${texts[0]},"meta":${texts[1].slice(0, -1)},"request_id":"`;
  return { tag: entityTag(...texts), head };
}

/**
 * A weak entity tag: equal for answers with the same `data`, and the same `meta` but for the request id.
 * @param content `data`, and `meta` without its request id, as JSON
 */
export function entityTag(...content: readonly string[]): string {
  const hash = process.getBuiltinModule('node:crypto').createHash('sha256');
  for (const part of content) hash.update(part).update('\n');
  return `W/"${hash.digest('base64url').slice(0, 27)}"`;
}

/** UTF-8 in memory of its own: `Buffer.from` would put a small text into a pool block and keep the whole block alive. */
export function bytesOf(text: string): Buffer<ArrayBuffer> {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}
