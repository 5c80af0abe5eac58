/** Yields lines of streamed text. The length of lines is limited, so that an endless line cannot fill the memory. */
import { Failure } from '../contract/failure.ts';
import { lowercaseFirst } from '../contract/text/format-counts.ts';
import { findEncoding } from './files/input-text.ts';
import { makeSystemFailure } from './files/system-error.ts';

/** Maximum number of characters per line; a line with one name and a comment is far shorter. */
const MAX_LINE_LENGTH = 4096;

/**
 * Yields lines of UTF-8, or of UTF-16 with a byte order mark, without their line endings (LF, CR LF or CR). Throws a usage Failure for a line that is too long, and if
 * the stream is unreadable.
 * @param name the stream's name for the beginning of a sentence, such as `Standard input`
 */
export async function* readLines(stream: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  let rest = '';
  let lineCount = 0;
  const checkLine = (line: string): string => {
    if (line.length <= MAX_LINE_LENGTH) return line;
    const place = `Line ${lineCount + 1} of ${lowercaseFirst(name)}`;
    throw new Failure('usage', `${place} is longer than ${MAX_LINE_LENGTH} characters.`, {
      hint: 'The input must be text with one identifier, such as a ticker, per line.',
    });
  };
  for await (const chunk of explainReadErrors(stream, name)) {
    decoder ??= new TextDecoder(findEncoding(chunk));
    // A CR at the end of a chunk may be the first half of a CR LF.
    const lines = (rest + decoder.decode(chunk, { stream: true })).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() as string;
    for (const line of lines) {
      yield checkLine(line);
      lineCount += 1;
    }
    checkLine(rest);
  }
  const lastLine = (rest + (decoder?.decode() ?? '')).replace(/\r$/, '');
  if (lastLine !== '') yield lastLine;
}

async function* explainReadErrors(stream: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  try {
    yield* stream;
  } catch (error) {
    throw makeSystemFailure('usage', `${name} cannot be read`, error);
  }
}
