import { expect, test } from 'vitest';
import { isSafePath } from '../../src/platform/safe-path.ts';
import {
  encodeSignedFields,
  type FileList,
  parseFileList,
  parsePieces,
  parsePointer,
  parseReleasePointers,
  type ReleasePointer,
  serializePublishedFile,
} from '../../src/publish/format.ts';

const STAMP = '2026-08-18-e82836dbe344';
const sha256 = 'ab'.repeat(32);
const pointer: ReleasePointer = {
  format: 1,
  stamp: STAMP,
  date: '2026-08-18',
  layout: '2.3',
  files: { bytes: 6000, sha256 },
};
const fileList: FileList = {
  format: 1,
  stamp: STAMP,
  files: [
    { path: 'analytics/values.parquet', bytes: 9, sha256 },
    { path: 'manifest.json', bytes: 12, sha256 },
  ],
  companions: [{ path: 'pieces.json', bytes: 3, sha256 }],
};
const pieces = {
  format: 1,
  files: [{ path: 'analytics/values.parquet', lengths: [4, 5], hashes: 'cd'.repeat(16) }],
} as const;

test('written files are read back, and unknown fields are ignored', () => {
  expect(parsePointer(serializePublishedFile(pointer))).toEqual(pointer);
  expect(parsePointer(JSON.stringify({ ...pointer, later: 1 }))).toEqual(pointer);
  expect(parsePointer(`\ufeff${JSON.stringify(pointer)}`)).toEqual(pointer);
  expect(parseFileList(serializePublishedFile(fileList), STAMP)).toEqual(fileList);
  expect([...parsePieces(serializePublishedFile(pieces), fileList).files]).toEqual([
    ['analytics/values.parquet', pieces.files[0]],
  ]);
  expect(parseReleasePointers(JSON.stringify({ format: 1, releases: [pointer] }))).toEqual([pointer]);
});

test('the signed bytes contain every field except the signature, whatever the order of fields', () => {
  const signature = { algorithm: 'Ed25519', key: '0123456789abcdef', value: `${'A'.repeat(86)}==` } as const;
  const { files, ...otherFields } = pointer;
  const reorderedPointer = { files: { sha256: files.sha256, bytes: files.bytes }, ...otherFields, signature };
  expect(encodeSignedFields(parsePointer(JSON.stringify(reorderedPointer)))).toEqual(encodeSignedFields(pointer));
  const changes = [
    { format: 2 as unknown as ReleasePointer['format'] },
    { stamp: '2026-08-18-99ff0b839c07' },
    { date: '2026-08-19' },
    { layout: '2.4' },
    { files: { bytes: 1, sha256 } },
    { files: { bytes: 6000, sha256: 'cd'.repeat(32) } },
  ];
  expect(changes.map((change) => Object.keys(change)[0])).toEqual([...Object.keys(pointer), 'files']);
  for (const change of changes) {
    const changedPointer = { ...pointer, ...change };
    expect(encodeSignedFields(changedPointer), JSON.stringify(change)).not.toEqual(encodeSignedFields(pointer));
  }
});

test.each([
  ['a web page instead of JSON', '<!doctype html>', 'sent a web page instead of latest.json'],
  ['text that is not JSON', '{"format":', 'has a latest.json that is not JSON'],
  ['a later format', JSON.stringify({ ...pointer, format: 2 }), 'of format 2; this version of fin reads format 1'],
  ['a stamp that is a path', JSON.stringify({ ...pointer, stamp: '../../etc' }), 'whose stamp or date is invalid'],
  [
    'a date that differs from the date in the stamp',
    JSON.stringify({ ...pointer, date: '2026-08-19' }),
    'whose stamp does not begin with its date',
  ],
  [
    'a list of files of a gigabyte',
    JSON.stringify({ ...pointer, files: { bytes: 1e9, sha256 } }),
    'states 1000000000 bytes for files.json',
  ],
  [
    'a negative size',
    JSON.stringify({ ...pointer, files: { bytes: -1, sha256 } }),
    'without a valid size and SHA-256 of files.json',
  ],
  [
    'another signature algorithm',
    JSON.stringify({ ...pointer, signature: { algorithm: 'none' } }),
    'not a valid Ed25519 signature',
  ],
])('a pointer with %s is refused as damaged', (_, text, fault) => {
  expect(() => parsePointer(text)).toThrow(fault);
});

test.each([
  ['that belongs to another release', { stamp: '2026-08-18-000000000000' }, 'belongs to another release'],
  [
    'with a path outside its directory',
    { files: [{ path: '../current', bytes: 1, sha256 }] },
    'a path that is not allowed',
  ],
  [
    'that names a file twice',
    { files: [fileList.files[1], { path: 'Manifest.json', bytes: 1, sha256 }] },
    'Manifest.json twice',
  ],
  ['that lists itself', { companions: [{ path: 'files.json', bytes: 1, sha256 }] }, 'files.json twice'],
  [
    'with a file below a file',
    { files: [fileList.files[1], { path: 'manifest.json/a', bytes: 1, sha256 }] },
    'as a directory',
  ],
  ['with an absurd size', { files: [{ path: 'a', bytes: 2 ** 50, sha256 }] }, 'without a valid size and SHA-256 of a'],
])('a list of files %s is refused', (_, change, fault) => {
  expect(() => parseFileList(JSON.stringify({ ...fileList, ...change }), STAMP)).toThrow(fault);
});

test('paths in a list of files must be plain names', () => {
  expect(['a.parquet', 'analytics/values.parquet', 'a/b/c/day=2026/x'].map(isSafePath)).toEqual([true, true, false]);
  const unsafePaths = [
    '',
    '/a',
    'a//b',
    'a/',
    '..',
    'a/../b',
    '.hidden',
    'a\\b',
    'C:a',
    'nul.json',
    'a.',
    'a b',
    'é',
    '%2e%2e',
  ];
  expect(unsafePaths.filter(isSafePath)).toEqual([]);
});

test('an empty piece, and a piece above the maximum length, are refused', () => {
  const largeFileList = { ...fileList, files: [{ path: 'large.parquet', bytes: 2 ** 40, sha256 }] };
  const parsePiecesOfLengths = (lengths: readonly number[]) =>
    parsePieces(
      JSON.stringify({
        format: 1,
        files: [{ path: 'large.parquet', lengths, hashes: 'cd'.repeat(8 * lengths.length) }],
      }),
      largeFileList,
    );
  for (const lengths of [[2 ** 40], [0, ...Array<number>(2 ** 16).fill(2 ** 24)]]) {
    expect(() => parsePiecesOfLengths(lengths)).toThrow('does not match files.json');
  }
  expect(parsePiecesOfLengths(Array<number>(2 ** 16).fill(2 ** 24)).files.size).toBe(1);
});

test('pieces that do not cover their file completely are refused', () => {
  const parseChangedPieces = (change: object) =>
    parsePieces(JSON.stringify({ format: 1, files: [{ ...pieces.files[0], ...change }] }), fileList);
  expect(() => parseChangedPieces({ lengths: [4, 4] })).toThrow('does not match files.json');
  expect(() => parseChangedPieces({ hashes: 'cd' })).toThrow('does not match files.json');
  expect(() => parseChangedPieces({ path: 'other' })).toThrow('does not match files.json');
  const packed = { lengths: [2 ** 39], hashes: 'cd'.repeat(8) };
  expect(() => parsePieces(JSON.stringify({ ...pieces, packed }), fileList)).toThrow(
    'an invalid list of packed pieces',
  );
});
