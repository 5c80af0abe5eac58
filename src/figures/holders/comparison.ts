/** A report's positions beside those of the manager's report before it. */

import type { Position } from './positions.ts';
import { positionKey } from './positions.ts';

export interface Comparison {
  /** Parallel to the positions: the same holding in the report before, or null where it is new. */
  readonly prior: readonly (Position | null)[];
  /** Positions held now and not before, and the other way round. */
  readonly opened: number;
  readonly closed: number;
}

export function comparePositions(positions: readonly Position[], before: readonly Position[]): Comparison {
  const held = new Map(before.map((position) => [positionKey(position), position]));
  const prior = positions.map((position) => held.get(positionKey(position)) ?? null);
  const kept = prior.filter((position) => position !== null).length;
  return { prior, opened: positions.length - kept, closed: before.length - kept };
}
