/** The families of a release, in the order in which they are built. Only a build knows them. */
import type { Family } from './family.ts';

export const FAMILIES: readonly Family[] = [];
