/**
 * Reads text files that the user names: lists, certificates, limits. They may be pipes, as in `<(command)`, and may have
 * a byte order mark or be UTF-16, as Windows PowerShell writes them.
 */
import { closeSync, fstatSync } from 'node:fs';
import { Failure } from '../../contract/failure.ts';
import { lowercaseFirst } from '../../contract/text/format-counts.ts';
import { openWithoutBlocking, readIfReady } from './regular-file.ts';
import { makeSystemFailure } from './system-error.ts';

/** Maximum size of a file in bytes; lists and certificates are far shorter. */
const MAX_INPUT_BYTES = 16 * 1024 * 1024;

/** Maximum time in milliseconds to wait for the next bytes of a pipe. */
const MAX_WAIT_MS = 60_000;

const POLL_MS = 20;
const CHUNK_BYTES = 64 * 1024;

/**
 * Returns the text of a file or pipe. Throws the system error, or an error if the file is too large or the pipe sends
 * nothing.
 */
export function readInputText(path: string, maxWaitMs = MAX_WAIT_MS): string {
  // Opening /dev/stdin again would fail for a socket.
  const isStdin = path === '-' || path === '/dev/stdin';
  const fd = isStdin ? 0 : openWithoutBlocking(path);
  try {
    if (fstatSync(fd).isDirectory()) throw Object.assign(new Error('it is a directory'), { code: 'EISDIR' });
    return decodeText(readToEnd(fd, maxWaitMs));
  } finally {
    if (!isStdin) closeSync(fd);
  }
}

function readToEnd(fd: number, maxWaitMs: number): Buffer {
  const chunks: Buffer[] = [];
  let size = 0;
  let waitedMs = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const count = readIfReady(fd, chunk);
    if (count === 0) return Buffer.concat(chunks);
    if (count === null) {
      if (waitedMs >= maxWaitMs) throw new Error(`it sent nothing for ${maxWaitMs / 1000} s`);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MS);
      waitedMs += POLL_MS;
      continue;
    }
    waitedMs = 0;
    size += count;
    if (size > MAX_INPUT_BYTES) throw new RangeError(`it is larger than ${MAX_INPUT_BYTES} bytes`);
    chunks.push(chunk.subarray(0, count));
  }
}

/** Decodes UTF-8, or UTF-16 with a byte order mark; the text does not include the mark. */
export function decodeText(bytes: Buffer): string {
  const encoding = findEncoding(bytes);
  // Buffer decodes UTF-8, because loading TextDecoder takes longer than reading a settings file.
  return encoding === 'utf-8' ? bytes.toString().replace(/^\ufeff/, '') : new TextDecoder(encoding).decode(bytes);
}

/** Returns the encoding that the byte order mark states; UTF-8 without a mark. */
function findEncoding([first, second]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}

/**
 * Maximum number of characters per line, so that an endless line cannot fill the memory. A line with one name and a
 * comment is far shorter.
 */
const MAX_LINE_LENGTH = 4096;

/**
 * Yields lines of UTF-8, or of UTF-16 with a byte order mark, without their line endings (LF, CR LF or CR). Throws a
 * usage Failure for a line that is too long, and if the stream is unreadable.
 * @param name the stream's name for the beginning of a sentence, such as `Standard input`
 */
export async function* readLines(stream: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  let unfinished = '';
  let lineCount = 0;
  const checkLine = (line: string): string => {
    if (line.length <= MAX_LINE_LENGTH) return line;
    const place = `Line ${lineCount + 1} of ${lowercaseFirst(name)}`;
    const hint = 'The input must be text with one identifier, such as a ticker, per line.';
    throw new Failure('usage', `${place} is longer than ${MAX_LINE_LENGTH} characters.`, { hint });
  };
  for await (const chunk of explainReadErrors(stream, name)) {
    decoder ??= new TextDecoder(findEncoding(chunk));
    // A CR at the end of a chunk may be the first half of a CR LF.
    const lines = (unfinished + decoder.decode(chunk, { stream: true })).split(/\r\n|\n|\r(?!$)/);
    unfinished = lines.pop() as string;
    for (const line of lines) {
      yield checkLine(line);
      lineCount += 1;
    }
    checkLine(unfinished);
  }
  const lastLine = (unfinished + (decoder?.decode() ?? '')).replace(/\r$/, '');
  if (lastLine !== '') yield lastLine;
}

async function* explainReadErrors(stream: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  try {
    yield* stream;
  } catch (error) {
    throw makeSystemFailure('usage', `${name} cannot be read`, error);
  }
}
