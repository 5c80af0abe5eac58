/** Yields the lines of streamed text. Their length is limited, so that a line without an end cannot fill the memory. */
import { Failure } from '../contract/failure.ts';
import { systemFailure } from './system-error.ts';

/** Maximum length; a name with a comment is far shorter. */
const MAX_LINE_LENGTH = 4096;

/**
 * Yields lines without their ends (LF, CR LF or CR). Throws a usage Failure for a line that is too long, and if the
 * stream is unreadable.
 * @param name the stream's name, to begin a sentence with: `Standard input`
 */
export async function* readLines(stream: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let unfinishedLine = '';
  let count = 0;
  const checkLine = (line: string): string => {
    if (line.length <= MAX_LINE_LENGTH) return line;
    throw new Failure(
      'usage',
      `Line ${count + 1} of ${lowerFirst(name)} is longer than ${MAX_LINE_LENGTH} characters.`,
      {
        hint: 'The input must be text with one name per line.',
      },
    );
  };
  for await (const chunk of readable(stream, name)) {
    // A CR that ends a chunk may be the first half of a CR LF.
    const lines = (unfinishedLine + decoder.decode(chunk, { stream: true })).split(/\r\n|\n|\r(?!$)/);
    unfinishedLine = lines.pop() as string;
    for (const line of lines) {
      yield checkLine(line);
      count += 1;
    }
    checkLine(unfinishedLine);
  }
  const lastLine = (unfinishedLine + decoder.decode()).replace(/\r$/, '');
  if (lastLine !== '') yield lastLine;
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

async function* readable(stream: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  try {
    yield* stream;
  } catch (error) {
    throw systemFailure('usage', `${name} cannot be read`, error);
  }
}
