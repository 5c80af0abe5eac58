import { execFileSync, spawn } from 'node:child_process';
import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readInputText } from '../../../src/platform/files/input-text.ts';
import { makeTemporaryFolder } from '../../clean-up.ts';
import { testNeeding } from '../../needs.ts';

const folder = makeTemporaryFolder('input');
const TEXT = 'AAPL\r\nMSFT\r\nÄÖ\r\n';

test.each([
  ['UTF-8', Buffer.from(TEXT)],
  ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${TEXT}`)],
  ['UTF-16', Buffer.from(`\ufeff${TEXT}`, 'utf16le')],
  ['big-endian UTF-16', Buffer.from(`\ufeff${TEXT}`, 'utf16le').swap16()],
])('text is read as %s', (name, bytes) => {
  const file = join(folder, name);
  writeFileSync(file, bytes);
  expect(readInputText(file)).toBe(TEXT);
});

test('a file that is too large is refused', () => {
  const file = join(folder, 'large');
  writeFileSync(file, '');
  truncateSync(file, 20_000_000);
  expect(() => readInputText(file)).toThrow('it is larger than 16777216 bytes');
});

testNeeding(
  'mkfifo',
  process.platform !== 'win32',
  test,
)('a pipe is read to its end, and a pipe that sends nothing ends the wait', () => {
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  // Holds the pipe open for writing, and writes nothing.
  const holder = spawn('sh', ['-c', `exec 3<>"${pipe}"; echo ready; sleep 60`], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return new Promise<void>((resolve, reject) => {
    holder.stdout.once('data', () => {
      try {
        expect(() => readInputText(pipe, 100)).toThrow('it sent nothing for 0.1 s');
        writeFileSync(pipe, TEXT);
        expect(() => readInputText(pipe, 100)).toThrow('it sent nothing for 0.1 s');
        resolve();
      } catch (error) {
        reject(error);
      } finally {
        holder.kill();
      }
    });
  });
});
