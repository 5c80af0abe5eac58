import { expect, test } from 'vitest';
import { findSpanEnd, findSpanStart, type Piece, planCopiesAndRequests } from '../../src/publish/pieces.ts';

/** Eight pieces of ten bytes each. */
const pieces: readonly Piece[] = [...'abcdefgh'].map((hash, index) => ({ offset: 10 * index, length: 10, hash }));
const planPieces = (presentHashes: string, localHashes: string, maxGapBytes = 0) => {
  const { copies, spans } = planCopiesAndRequests(
    pieces,
    ({ hash }) => presentHashes.includes(hash),
    ({ hash }) => (localHashes.includes(hash) ? { file: 'old', offset: 7 } : undefined),
    maxGapBytes,
  );
  return {
    copies: copies.map(({ targetPiece: piece }) => piece.hash).join(''),
    spans: spans.map((span) => [findSpanStart(span), findSpanEnd(span)]),
  };
};

test('pieces in the target file are kept, pieces in local files are copied, and all other pieces are requested', () => {
  expect(planPieces('', '')).toEqual({ copies: '', spans: [[0, 80]] });
  expect(planPieces('abcdefgh', '')).toEqual({ copies: '', spans: [] });
  expect(planPieces('ab', 'dgh')).toEqual({
    copies: 'dgh',
    spans: [
      [20, 30],
      [40, 60],
    ],
  });
});

test('a small gap between requested pieces is included in the request', () => {
  expect(planPieces('', 'bcf', 10).spans).toEqual([
    [0, 10],
    [30, 80],
  ]);
  expect(planPieces('bc', 'f', 20).spans).toEqual([[0, 80]]);
  expect(planPieces('', 'agh', 100).spans).toEqual([[10, 60]]);
});
