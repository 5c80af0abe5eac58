/** The row of the screener; its fields are derived from the table of figures. */
import Type, { type Static, type TSchema } from 'typebox';
import { INDUSTRY_COLUMNS, SCREEN_DATES, SCREEN_FIGURES } from '../screen-columns.ts';
import * as s from './scalars.ts';

const optional = (keys: readonly string[], schema: TSchema): Record<string, TSchema> =>
  Object.fromEntries(keys.map((key) => [key, Type.Optional(schema)]));

const Identity = {
  cik: s.Integer,
  ticker: s.Text,
  exchange: s.Text,
  entity_name: s.Text,
};

export const ScreenRow = Type.Object({
  ...Identity,
  ...optional(['coverage_state'], s.Text),
  /** Only in screens of past days. */
  ...optional(['last_report'], s.NullableDay),
  ...optional(['gone'], s.nullable(s.Flag)),
  ...optional(['fiscal_year'], s.NullableInteger),
  ...optional(SCREEN_DATES, s.NullableDay),
  ...optional(
    SCREEN_FIGURES.map((figure) => figure.key),
    s.NullableDecimal,
  ),
  ...optional(INDUSTRY_COLUMNS, s.nullable(s.Text)),
});

const ScreenIdentity = Type.Object(Identity);
export type ScreenRow = Static<typeof ScreenIdentity> & { readonly [column: string]: string | number | boolean | null };
