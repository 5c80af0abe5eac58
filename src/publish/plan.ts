/** Plans what a pull copies from local releases, and what it requests. Pure. */
import type { Piece } from './pieces.ts';

/** The place of a piece in a local file. */
export interface LocalPiece {
  readonly file: string;
  readonly offset: number;
}

export interface CopiedPiece extends LocalPiece {
  readonly to: Piece;
}

/** Consecutive pieces that are requested together. */
export type Span = readonly [first: Piece, ...rest: Piece[]];

/**
 * Maximum gap in bytes between two requested pieces that is requested too, because that is cheaper than a second
 * request.
 */
const MAX_GAP_BYTES = 16 * 1024;

/**
 * @param pieces all pieces of the file, in order
 * @param isThere whether a piece is already in place
 * @param find returns a local piece with the same content, or undefined
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
  /** Pieces since the last requested one, which the next request may include. */
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
    const lastSpan = spans.at(-1);
    const gap = between.reduce((sum, { length }) => sum + length, 0);
    if (lastSpan === undefined || gap > largestGap) spans.push([piece]);
    else lastSpan.push(...between, piece);
    between = [];
  }
  return { copies, spans };
}

export const startOf = ([firstPiece]: Span): number => firstPiece.offset;

export function endOf(span: Span): number {
  const lastPiece = span.at(-1) ?? span[0];
  return lastPiece.offset + lastPiece.length;
}
