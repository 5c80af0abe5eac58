/** The files of a pull: linked or copied from local releases, continued after an interruption, or requested. */
import { hash } from 'node:crypto';
import { linkSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { type AssemblyEvent, assembleFiles, type LocalFiles } from '../../src/publish/assemble.ts';
import { MAX_PIECE_BYTES, type PublishedFile } from '../../src/publish/format.ts';
import { hashPiece, type Piece, type PieceSpan, writeAt } from '../../src/publish/pieces.ts';
import type { PulledRelease } from '../../src/publish/pulled-release.ts';
import { makeFolder } from '../store/public-source.ts';

/** Larger than the gap between two pieces that one request may include. */
const PIECE_BYTES = 20_000;
const CONTENT = Buffer.concat(['a', 'b', 'c', 'd'].map((letter) => Buffer.alloc(PIECE_BYTES, letter)));
const LENGTHS = [PIECE_BYTES, PIECE_BYTES, PIECE_BYTES, PIECE_BYTES];
const FILE: PublishedFile = { path: 'facts.parquet', bytes: CONTENT.length, sha256: hash('sha256', CONTENT, 'hex') };

const cut = (content: Buffer, index: number) => content.subarray(index * PIECE_BYTES, (index + 1) * PIECE_BYTES);
const divide = (content: Buffer) => ({
  path: FILE.path,
  lengths: LENGTHS,
  hashes: LENGTHS.map((_, index) => hashPiece(cut(content, index))).join(''),
});
const replacePiece = (index: number, letter: string) => {
  const content = Buffer.from(CONTENT);
  content.fill(letter, index * PIECE_BYTES, (index + 1) * PIECE_BYTES);
  return content;
};

function writeInto(directory: string, content: Buffer): string {
  const path = join(directory, FILE.path);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}

interface Options {
  readonly directory: string;
  readonly sources?: readonly LocalFiles[];
  readonly files?: readonly PublishedFile[];
  readonly isDivided?: boolean;
  /** The packed pieces, and the size of the packed file. */
  readonly packed?: { readonly content: Buffer; readonly bytes: number };
  /** The bytes that the host sends. */
  readonly sent?: Buffer;
}

/** Assembles FILE; returns the requested pieces, the events, and how often the pieces and packed pieces were fetched. */
async function assemble({
  directory,
  sources = [],
  files = [FILE],
  isDivided = true,
  packed,
  sent = CONTENT,
}: Options) {
  const requested: number[] = [];
  const events: AssemblyEvent[] = [];
  const fetched = { pieces: 0, packed: 0 };
  const fetchSpan = async (_: string, __: PublishedFile, ___: readonly Piece[], span: PieceSpan, file: FileHandle) => {
    for (const { offset, length } of span) {
      requested.push(offset / PIECE_BYTES);
      await writeAt(file, offset, sent.subarray(offset, offset + length));
    }
    return false;
  };
  const remote = {
    transfer: { fetchSpan },
    pointer: { stamp: '2026-08-18-000000000000' },
    contradictionFailure: (fault: string) => new Error(fault),
  } as unknown as PulledRelease;
  await assembleFiles({
    ...{ remote, files, directory, sources, packedBytes: packed?.bytes ?? Number.POSITIVE_INFINITY },
    pieces: async () => {
      fetched.pieces += 1;
      const { lengths, hashes } = divide(packed?.content ?? CONTENT);
      return {
        files: new Map(isDivided ? [[FILE.path, divide(CONTENT)]] : []),
        packed: packed === undefined ? null : { lengths, hashes },
      };
    },
    unpack: async () => {
      fetched.packed += 1;
      return writeInto(await makeFolder('unpacked'), packed?.content ?? CONTENT);
    },
    signal: new AbortController().signal,
    report: (event) => events.push(event),
  });
  return { requested, events, fetched };
}

const read = (directory: string) => readFileSync(join(directory, FILE.path));

test('an equal file of a local release is linked, and nothing is requested', async () => {
  const [directory, release] = [await makeFolder('target'), await makeFolder('release')];
  writeInto(release, CONTENT);
  const { requested, events, fetched } = await assemble({
    directory,
    sources: [{ directory: release, lengths: null }],
  });
  expect({ requested, events, fetched }).toEqual({ requested: [], events: [], fetched: { pieces: 0, packed: 0 } });
  expect(statSync(join(directory, FILE.path)).ino).toBe(statSync(join(release, FILE.path)).ino);
});

test('equal pieces of local files are copied, and only the other pieces are requested', async () => {
  const [directory, unfinished] = [await makeFolder('target'), await makeFolder('unfinished')];
  writeInto(unfinished, replacePiece(2, 'x'));
  const sources = [{ directory: unfinished, lengths: new Map([[FILE.path, LENGTHS]]) }];
  const { requested, events } = await assemble({ directory, sources });
  expect(requested).toEqual([2]);
  expect(read(directory)).toEqual(CONTENT);
  expect(events).toEqual([
    { type: 'planned', files: 1 },
    { type: 'started', file: FILE.path, from: 3 * PIECE_BYTES, total: CONTENT.length },
    { type: 'finished', file: FILE.path },
  ]);
});

test('an interrupted pull continues with the pieces it has, and removes files that it does not need', async () => {
  const directory = await makeFolder('target');
  writeInto(directory, Buffer.concat([cut(CONTENT, 0), cut(CONTENT, 1)]));
  writeFileSync(join(directory, 'old.parquet'), 'old');
  expect((await assemble({ directory })).requested).toEqual([2, 3]);
  expect(readdirSync(directory)).toEqual([FILE.path]);
});

test('a file that is also a file of another release is replaced, not changed', async () => {
  const [directory, release] = [await makeFolder('target'), await makeFolder('release')];
  const old = replacePiece(1, 'x');
  linkSync(writeInto(release, old), join(directory, FILE.path));
  await assemble({ directory });
  expect(read(directory)).toEqual(CONTENT);
  expect(read(release)).toEqual(old);
});

test('packed pieces are fetched only if they save bytes', async () => {
  const smaller = await assemble({ directory: await makeFolder('target'), packed: { content: CONTENT, bytes: 10 } });
  expect(smaller).toMatchObject({ requested: [], fetched: { packed: 1 } });
  const larger = { content: CONTENT, bytes: CONTENT.length };
  const separate = await assemble({ directory: await makeFolder('target'), packed: larger });
  expect(separate).toMatchObject({ requested: [0, 1, 2, 3], fetched: { packed: 0 } });
});

test('a large file without a list of its pieces is refused', async () => {
  const files = [{ ...FILE, bytes: MAX_PIECE_BYTES + 1 }];
  await expect(assemble({ directory: await makeFolder('target'), files, isDivided: false })).rejects.toThrow(
    `the list of pieces of ${FILE.path} is missing`,
  );
});

test('a file whose bytes do not match its hash is removed', async () => {
  const directory = await makeFolder('target');
  await expect(assemble({ directory, sent: replacePiece(3, 'x') })).rejects.toThrow(
    `the pieces of ${FILE.path} do not match the hash of the file`,
  );
  expect(readdirSync(directory)).toEqual([]);
});
