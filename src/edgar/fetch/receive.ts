/** Takes a body into its part file, within the bound, and says whether the file is whole. */

import type { FileRecord } from './file-records.ts';
import type { PartialFile } from './partial-file.ts';
import type { PartialContent } from './response-class.ts';
import type { RemoteFile } from './types.ts';
import { missingEnd } from './whole.ts';

export type Received =
  | Pick<FileRecord, 'bytes' | 'sha256'>
  /** The predicate of a sentence, and whether asking again may help. */
  | { readonly fault: string; readonly mayPass: boolean };

/** Throws what the body throws; what came until then is in the part. */
export async function receive(
  step: RemoteFile,
  file: PartialFile,
  from: PartialContent | null,
  validators: Omit<PartialContent, 'bytes'>,
  body: AsyncIterable<Uint8Array>,
  total: number | null,
  count: (bytes: number) => void,
): Promise<Received> {
  const tooLong = { fault: `sent more than the ${step.largest} bytes that are taken`, mayPass: false };
  if (total !== null && total > step.largest) return tooLong;
  const part = await file.open(from, validators);
  try {
    for await (const chunk of body) {
      if (part.bytes + chunk.length > step.largest) return tooLong;
      await part.write(chunk);
      count(chunk.length);
    }
    if (total !== null && part.bytes !== total) {
      return { fault: `sent ${part.bytes} bytes of ${total}`, mayPass: true };
    }
    const fault = await missingEnd(file.path, step.kind);
    if (fault !== null) return { fault, mayPass: true };
    const sha256 = await part.finish();
    if (sha256 === null) return { fault: 'sent a file that another program wrote to meanwhile', mayPass: true };
    return { bytes: part.bytes, sha256 };
  } finally {
    await part.close();
  }
}
