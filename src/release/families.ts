/** The families of a release, in the order in which they are built. Only a build knows them. */
import type { Family } from './family.ts';
import { SEGMENTS_FAMILY } from './segments/family.ts';

export const FAMILIES: readonly Family[] = [SEGMENTS_FAMILY];
