/** A picture or page into its file: whole, or the file as it was. */
import { writeAtomically } from '../../platform/atomic-write.ts';
import { systemFailure } from '../../platform/system-error.ts';
import type { OutputTarget } from '../io.ts';

/** Writes the whole of a picture, and says so. */
export const intoFile =
  (file: string, { quiet }: { readonly quiet: boolean }, io: OutputTarget) =>
  (text: string): void => {
    try {
      writeAtomically(file, text, { mode: 0o666, makeDirectory: false });
    } catch (cause) {
      throw systemFailure(
        'usage',
        `${file} cannot be written`,
        cause,
        'Its directory must exist, and you must be allowed to write to it.',
      );
    }
    if (!quiet) io.log(`Written: ${file}`);
  };
