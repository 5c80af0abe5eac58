/** Undoes a body's content encoding, within a bound. */

import type { InputType, ZlibOptions } from 'node:zlib';
import { codeOf } from '../../platform/system-error.ts';
import { ConnectionError } from './transport.ts';

type Decoder = (input: InputType, options: ZlibOptions, done: (error: Error | null, result: Buffer) => void) => void;

/** The body as text. A body that ends too early is Broken; an encoding that was not asked for is an Error. */
export async function decode(body: Buffer, encoding: string | undefined, max: number): Promise<string> {
  const name = encoding?.trim().toLowerCase() ?? '';
  if (name === '' || name === 'identity' || body.length === 0) return body.toString('utf8');
  const zlib = await import('node:zlib');
  const decoders: Readonly<Record<string, Decoder>> = {
    gzip: zlib.gunzip,
    'x-gzip': zlib.gunzip,
    br: zlib.brotliDecompress,
  };
  const decoder = Object.hasOwn(decoders, name) ? decoders[name] : undefined;
  if (decoder === undefined) throw new RangeError(`the body came in the encoding ${JSON.stringify(name)}`);
  return new Promise((resolve, reject) => {
    decoder(body, { maxOutputLength: max }, (error, result) => {
      if (error === null) resolve(result.toString('utf8'));
      else if (codeOf(error) === 'ERR_BUFFER_TOO_LARGE') {
        reject(new RangeError(`the body is longer than ${max} bytes`));
      } else reject(new ConnectionError('truncated', 'The answer ended before it was whole.', error));
    });
  });
}
