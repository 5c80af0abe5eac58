/** A picture or page into its file: whole, or the file as it was. */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { Failure } from '../../contract/failure.ts';
import { pictureEmitter } from '../../output/chart/picture-emitter.ts';
import type { Emitter } from '../../output/emitter.ts';
import type { Io } from '../io.ts';

export { pictureEmitter };

export function filePicture(form: 'svg' | 'html', file: string, quiet: boolean, io: Io): Emitter {
  return pictureEmitter(form, (text) => {
    replace(file, text);
    if (!quiet) io.say(`Written: ${file}`);
  });
}

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
