/** Plans which pieces a pull copies from local releases, and which pieces it requests. Pure. */
import type { Piece } from './pieces.ts';

export interface LocalPiece {
  readonly file: string;
  readonly offset: number;
}

export interface PieceToCopy extends LocalPiece {
  readonly targetPiece: Piece;
}

/** Consecutive pieces that are requested together. */
export type PieceSpan = readonly [first: Piece, ...rest: Piece[]];

/**
 * Maximum gap between two pieces of one request. Requesting the bytes of such a gap, too, costs less than a second
 * request.
 */
const MAX_GAP_BYTES = 16 * 1024;

/**
 * Returns the pieces to copy, and the spans of pieces to request.
 * @param pieces all pieces of the file, in order
 * @param isPresent whether the target file already has a piece
 * @param findLocal returns a local piece with the same content, or undefined
 * @param maxGap maximum gap within a span
 */
export function planCopiesAndRequests(
  pieces: readonly Piece[],
  isPresent: (piece: Piece) => boolean,
  findLocal: (piece: Piece) => LocalPiece | undefined,
  maxGap = MAX_GAP_BYTES,
): { readonly copies: readonly PieceToCopy[]; readonly spans: readonly PieceSpan[] } {
  const copies: PieceToCopy[] = [];
  const spans: [Piece, ...Piece[]][] = [];
  /**
   * Pieces after the last span that are present or local. A short gap is requested anyway, so that the next missing
   * piece joins the span.
   */
  let gapPieces: Piece[] = [];
  for (const piece of pieces) {
    if (isPresent(piece)) {
      gapPieces.push(piece);
      continue;
    }
    const local = findLocal(piece);
    if (local !== undefined) {
      copies.push({ ...local, targetPiece: piece });
      gapPieces.push(piece);
      continue;
    }
    const lastSpan = spans.at(-1);
    const gapBytes = gapPieces.reduce((sum, { length }) => sum + length, 0);
    if (lastSpan === undefined || gapBytes > maxGap) spans.push([piece]);
    else lastSpan.push(...gapPieces, piece);
    gapPieces = [];
  }
  return { copies, spans };
}

export const findSpanStart = ([first]: PieceSpan): number => first.offset;

export function findSpanEnd(span: PieceSpan): number {
  const lastPiece = span.at(-1) ?? span[0];
  return lastPiece.offset + lastPiece.length;
}
