import { expect, test } from 'vitest';
import { readLines } from '../../../src/platform/files/input-text.ts';

async function* yieldChunks(...texts: (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield typeof text === 'string' ? Buffer.from(text) : text;
}

async function collectLines(lines: AsyncIterable<string>): Promise<string[]> {
  const collectedLines: string[] = [];
  for await (const line of lines) collectedLines.push(line);
  return collectedLines;
}

const collectLinesOfChunks = (...texts: (string | Uint8Array)[]) =>
  collectLines(readLines(yieldChunks(...texts), 'Standard input'));

test.each([
  [[], []],
  [['A\nB\n'], ['A', 'B']],
  [['A\n\nB'], ['A', '', 'B']],
  [
    ['A\r', '\nB\r', 'C\r'],
    ['A', 'B', 'C'],
  ],
  [
    ['A', 'B', '\nC\n'],
    ['AB', 'C'],
  ],
  [
    ['A\nA', '\nA'],
    ['A', 'A', 'A'],
  ],
])('the chunks %j are read as the lines %j', async (texts, expected) => {
  expect(await collectLinesOfChunks(...texts)).toEqual(expected);
});

test('a character divided between two chunks is read correctly', async () => {
  const bytes = Buffer.from('Société\n');
  expect(await collectLinesOfChunks(bytes.subarray(0, 5), bytes.subarray(5))).toEqual(['Société']);
});

test('an endless line is refused after at most one chunk more than the limit', async () => {
  let readCount = 0;
  async function* yieldEndlessLine(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('AAPL\n');
    for (;;) {
      readCount += 1;
      yield new Uint8Array(65_536);
    }
  }
  const lines: string[] = [];
  const readAll = async () => {
    for await (const line of readLines(yieldEndlessLine(), 'Standard input')) lines.push(line);
  };
  await expect(readAll()).rejects.toMatchObject({
    kind: 'usage',
    message: 'Line 2 of standard input is longer than 4096 characters.',
  });
  expect({ lines, read: readCount }).toEqual({ lines: ['AAPL'], read: 1 });
});

test('the error for an unreadable stream names the stream and the reason', async () => {
  async function* yieldBrokenStream(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('A\n');
    throw Object.assign(new Error('read'), { code: 'EISDIR' });
  }
  const linesPromise = collectLines(readLines(yieldBrokenStream(), 'Standard input'));
  await expect(linesPromise).rejects.toMatchObject({
    kind: 'usage',
    message: 'Standard input cannot be read: it is a directory (EISDIR).',
  });
});
