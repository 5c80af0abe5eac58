/** All resources of the HTTP API by name: their JSON Schemas and their types. */
import type { Static, TSchema } from 'typebox';
import * as envelope from './resources/envelope.ts';
import * as filings from './resources/filings.ts';
import * as holders from './resources/holders.ts';
import * as insiders from './resources/insiders.ts';
import * as metrics from './resources/metrics.ts';
import * as prices from './resources/prices.ts';
import * as securities from './resources/securities.ts';
import * as segments from './resources/segments.ts';
import * as screen from './screen-row.ts';

const schemaModules = [envelope, securities, metrics, filings, insiders, holders, segments, prices, screen];

/** Excludes exports that are not schemas, such as the constant `SCHEMA_NAME`. */
export const RESOURCES: Readonly<Record<string, TSchema>> = Object.fromEntries(
  schemaModules.flatMap((module) => Object.entries(module).filter(([, value]) => typeof value === 'object')),
);

type Modules = typeof envelope &
  typeof filings &
  typeof holders &
  typeof insiders &
  typeof metrics &
  typeof prices &
  typeof securities &
  typeof segments;

/** Types of resources by name. The row of a screen has the requested columns as additional fields. */
export type Resources = {
  readonly [Name in keyof Modules as Modules[Name] extends TSchema ? Name : never]: Static<
    Extract<Modules[Name], TSchema>
  >;
} & { readonly ScreenRow: screen.ScreenRow };

export type ResourceName = keyof Resources;
