/** What a pull copies from releases that are there, and what it requests. Pure. */
import type { Piece } from './pieces.ts';

/** Where a piece is on this machine. */
export interface LocalPiece {
  readonly file: string;
  readonly offset: number;
}

export interface CopiedPiece extends LocalPiece {
  readonly to: Piece;
}

/** Consecutive pieces that one request brings. */
export type Span = readonly [first: Piece, ...rest: Piece[]];

/** Bytes. A shorter gap between two requested pieces is requested along with them, which is cheaper than a second request. */
const MAX_GAP_BYTES = 16 * 1024;

/**
 * @param pieces of the whole file, in order
 * @param isThere whether a piece is in its place already
 * @param find a piece of the same content on this machine, or undefined
 * @param largestGap in bytes
 */
export function planFile(
  pieces: readonly Piece[],
  isThere: (piece: Piece) => boolean,
  find: (piece: Piece) => LocalPiece | undefined,
  largestGap = MAX_GAP_BYTES,
): { readonly copies: readonly CopiedPiece[]; readonly spans: readonly Span[] } {
  const copies: CopiedPiece[] = [];
  const spans: [Piece, ...Piece[]][] = [];
  /** Pieces since the last one requested, which the next request may bring along. */
  let between: Piece[] = [];
  for (const piece of pieces) {
    if (isThere(piece)) {
      between.push(piece);
      continue;
    }
    const local = find(piece);
    if (local !== undefined) {
      copies.push({ ...local, to: piece });
      between.push(piece);
      continue;
    }
    const last = spans.at(-1);
    const gap = between.reduce((sum, { length }) => sum + length, 0);
    if (last === undefined || gap > largestGap) spans.push([piece]);
    else last.push(...between, piece);
    between = [];
  }
  return { copies, spans };
}

export const startOf = ([first]: Span): number => first.offset;

export function endOf(span: Span): number {
  const last = span.at(-1) ?? span[0];
  return last.offset + last.length;
}
