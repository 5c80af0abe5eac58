/** Answers as something to share. Loaded only where it is asked for: it brings the code of pictures. */
import type { Block } from '../blocks.ts';
import type { Emitter, Write } from '../emitter.ts';
import { page } from './page.ts';
import { picture } from './picture.ts';

/** One document of all answers, written whole at the end; nothing where there is no answer. */
export function pictureEmitter(form: 'svg' | 'html', write: Write): Emitter {
  const answers: (readonly Block[])[] = [];
  return {
    answer: ({ view }) => {
      answers.push(view());
    },
    failed: () => undefined,
    end: () => {
      if (answers.length > 0) write(form === 'svg' ? picture(answers) : page(answers));
    },
  };
}
