/** The lines of a text that streams in, each bounded: one without an end must not fill the memory. */
import { Failure } from '../contract/failure.ts';
import { systemFailure } from './system-error.ts';

/** A name with a comment behind it is shorter by far. */
const MAX_LINE_LENGTH = 4096;

/**
 * Yields lines without their ends (LF, CR LF or CR). Throws a usage Failure for a line that is too long, and where the
 * stream cannot be read.
 * @param name of the stream, to begin a sentence with: `Standard input`
 */
export async function* readLines(stream: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  let count = 0;
  const checked = (line: string): string => {
    if (line.length <= MAX_LINE_LENGTH) return line;
    throw new Failure(
      'usage',
      `Line ${count + 1} of ${lowerFirst(name)} is longer than ${MAX_LINE_LENGTH} characters.`,
      {
        hint: 'It must be text, with one name a line.',
      },
    );
  };
  for await (const chunk of readable(stream, name)) {
    // A CR that ends a chunk may be the first half of a CR LF.
    const lines = (rest + decoder.decode(chunk, { stream: true })).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() as string;
    for (const line of lines) {
      yield checked(line);
      count += 1;
    }
    checked(rest);
  }
  const last = (rest + decoder.decode()).replace(/\r$/, '');
  if (last !== '') yield last;
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

async function* readable(stream: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  try {
    yield* stream;
  } catch (error) {
    throw systemFailure('usage', `${name} cannot be read`, error);
  }
}
