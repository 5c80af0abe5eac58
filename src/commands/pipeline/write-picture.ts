/** A picture or page into its file: whole, or the file as it was. */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { Failure } from '../../contract/failure.ts';
import type { OutputTarget } from '../io.ts';

/** Writes the whole of a picture, and says so. */
export const intoFile =
  (file: string, { quiet }: { readonly quiet: boolean }, io: OutputTarget) =>
  (text: string): void => {
    replace(file, text);
    if (!quiet) io.log(`Written: ${file}`);
  };

function replace(file: string, text: string): void {
  const aside = `${file}.${process.pid}.part`;
  try {
    writeFileSync(aside, text, { flag: 'wx' });
    renameSync(aside, file);
  } catch (cause) {
    rmSync(aside, { force: true });
    const code = cause instanceof Error && 'code' in cause ? ` (${cause.code})` : '';
    throw new Failure('usage', `${file} could not be written${code}.`, {
      hint: 'Is its directory there, and may you write to it?',
      cause,
    });
  }
}
