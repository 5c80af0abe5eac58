/** A canvas of Braille dots; each character is two dots wide and four dots high. */

const [DOTS_ACROSS, DOTS_DOWN] = [2, 4];
/** Bit of each dot in a Braille character, by column and row from the top (Unicode block "Braille Patterns"). */
const DOT_BITS = [
  [0x01, 0x02, 0x04, 0x40],
  [0x08, 0x10, 0x20, 0x80],
] as const;
const BLANK = 0x2800;

export interface Canvas {
  /** Draws a straight line between two points, given as fractions from the lower left corner. */
  readonly line: (from: CanvasPoint, to: CanvasPoint) => void;
  /** Draws a single point as four dots, because one dot is easily overlooked. */
  readonly spot: (at: CanvasPoint) => void;
  /** Characters by row from the top; null for a character without dots. */
  readonly rows: readonly (readonly (string | null)[])[];
}

export interface CanvasPoint {
  readonly x: number;
  readonly y: number;
}

export function makeCanvas(count: number, rowCount: number): Canvas {
  const codes = Array.from({ length: rowCount }, () => new Array<number>(count).fill(BLANK));
  const [lastX, lastY] = [count * DOTS_ACROSS - 1, rowCount * DOTS_DOWN - 1];
  const setDot = (x: number, y: number): void => {
    const row = codes[Math.floor(y / DOTS_DOWN)];
    const column = Math.floor(x / DOTS_ACROSS);
    if (row !== undefined) row[column] = (row[column] ?? BLANK) | (DOT_BITS[x % DOTS_ACROSS]?.[y % DOTS_DOWN] ?? 0);
  };
  return {
    line: (from, to) => {
      const [x0, y0, x1, y1] = [from.x * lastX, (1 - from.y) * lastY, to.x * lastX, (1 - to.y) * lastY].map(Math.round);
      if (x0 === undefined || y0 === undefined || x1 === undefined || y1 === undefined) return;
      const steps = Math.max(Math.abs(x1 - x0), Math.abs(y1 - y0), 1);
      for (let step = 0; step <= steps; step++) {
        setDot(Math.round(x0 + ((x1 - x0) * step) / steps), Math.round(y0 + ((y1 - y0) * step) / steps));
      }
    },
    spot: (at) => {
      const [x, y] = [Math.round(at.x * lastX), Math.round((1 - at.y) * lastY)];
      // A spot is two by two dots. Flipping the last bit of a coordinate gives a neighbor within the same character.
      for (const [column, row] of [
        [x, y],
        [x ^ 1, y],
        [x, y ^ 1],
        [x ^ 1, y ^ 1],
      ] as const)
        setDot(column, row);
    },
    get rows() {
      return codes.map((row) => row.map((code) => (code === BLANK ? null : String.fromCharCode(code))));
    },
  };
}
