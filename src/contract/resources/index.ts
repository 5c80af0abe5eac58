/** Every resource of the interface by its name (interface, "Resources and their fields"). */
import type { TSchema } from 'typebox';
import * as envelope from './envelope.ts';
import * as filings from './filings.ts';
import * as holders from './holders.ts';
import * as insiders from './insiders.ts';
import * as metrics from './metrics.ts';
import * as prices from './prices.ts';
import * as screen from './screen.ts';
import * as securities from './securities.ts';
import * as segments from './segments.ts';

const rooms = [envelope, securities, metrics, filings, insiders, holders, segments, prices, screen];

/** Schemas only: each room also exports constants and types. */
export const RESOURCES: Readonly<Record<string, TSchema>> = Object.fromEntries(
  rooms.flatMap((room) => Object.entries(room).filter(([, value]) => typeof value === 'object')),
);
