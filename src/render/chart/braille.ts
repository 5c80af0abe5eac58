/** A canvas of Braille dots, two by four in each character. */

const [ACROSS, DOWN] = [2, 4];
/** Bits of the dots in a character, by column and row from the top (Unicode, "Braille Patterns"). */
const DOTS = [
  [0x01, 0x02, 0x04, 0x40],
  [0x08, 0x10, 0x20, 0x80],
] as const;
const BLANK = 0x2800;

export interface Canvas {
  /** Draws a straight line between two places, which are fractions from the lower left corner. */
  readonly line: (from: Place, to: Place) => void;
  /** Draws a place without a line to it, as four dots: a single one is easily overlooked. */
  readonly spot: (at: Place) => void;
  /** Characters by row, from the top; null without dots. */
  readonly rows: readonly (readonly (string | null)[])[];
}

export interface Place {
  readonly x: number;
  readonly y: number;
}

export function makeCanvas(columns: number, rows: number): Canvas {
  const bits = Array.from({ length: rows }, () => new Array<number>(columns).fill(BLANK));
  const [lastX, lastY] = [columns * ACROSS - 1, rows * DOWN - 1];
  const set = (x: number, y: number): void => {
    const row = bits[Math.floor(y / DOWN)];
    const column = Math.floor(x / ACROSS);
    if (row !== undefined) row[column] = (row[column] ?? BLANK) | (DOTS[x % ACROSS]?.[y % DOWN] ?? 0);
  };
  return {
    line: (from, to) => {
      const [x0, y0, x1, y1] = [from.x * lastX, (1 - from.y) * lastY, to.x * lastX, (1 - to.y) * lastY].map(Math.round);
      if (x0 === undefined || y0 === undefined || x1 === undefined || y1 === undefined) return;
      const steps = Math.max(Math.abs(x1 - x0), Math.abs(y1 - y0), 1);
      for (let step = 0; step <= steps; step++) {
        set(Math.round(x0 + ((x1 - x0) * step) / steps), Math.round(y0 + ((y1 - y0) * step) / steps));
      }
    },
    spot: (at) => {
      const [x, y] = [Math.round(at.x * lastX), Math.round((1 - at.y) * lastY)];
      // Toggling the last bit of the position stays within the character.
      for (const [column, row] of [
        [x, y],
        [x ^ 1, y],
        [x, y ^ 1],
        [x ^ 1, y ^ 1],
      ] as const)
        set(column, row);
    },
    get rows() {
      return bits.map((row) => row.map((cell) => (cell === BLANK ? null : String.fromCharCode(cell))));
    },
  };
}
