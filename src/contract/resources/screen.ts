/** The screener's row; its fields are derived from the definitions of figures. */
import Type, { type Static, type TSchema } from 'typebox';
import { INDUSTRY_COLUMNS, SCREEN_DATES, SCREEN_FIGURES } from '../screen-columns.ts';
import * as s from './scalars.ts';

const optionalFields = (keys: readonly string[], schema: TSchema): Record<string, TSchema> =>
  Object.fromEntries(keys.map((key) => [key, Type.Optional(schema)]));

const IdentityFields = {
  cik: s.Integer,
  ticker: s.Text,
  exchange: s.Text,
  entity_name: s.Text,
};

export const ScreenRow = Type.Object({
  ...IdentityFields,
  ...optionalFields(['coverage_state'], s.Text),
  /** The date of the last report, present only in screens as of past dates. */
  ...optionalFields(['last_report'], s.NullableDay),
  ...optionalFields(['gone'], s.nullable(s.Flag)),
  ...optionalFields(['fiscal_year'], s.NullableInteger),
  ...optionalFields(SCREEN_DATES, s.NullableDay),
  ...optionalFields(
    SCREEN_FIGURES.map((figure) => figure.key),
    s.NullableDecimal,
  ),
  ...optionalFields(INDUSTRY_COLUMNS, s.nullable(s.Text)),
});

const ScreenIdentity = Type.Object(IdentityFields);
export type ScreenRow = Static<typeof ScreenIdentity> & { readonly [column: string]: string | number | boolean | null };
