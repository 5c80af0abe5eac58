/** The families of a release, in the order in which they are built. Only a build knows them. */
import type { Family } from './family.ts';
import { FILINGS_FAMILY } from './filings/filings-family.ts';
import { HOLDERS_FAMILY } from './market/holders-family.ts';
import { PRICES_FAMILY } from './market/prices-family.ts';
import { SEGMENTS_FAMILY } from './segments/segments-family.ts';

export const FAMILIES: readonly Family[] = [FILINGS_FAMILY, SEGMENTS_FAMILY, PRICES_FAMILY, HOLDERS_FAMILY];
