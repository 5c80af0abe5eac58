/** The screener's row; its fields are derived from the definitions of figures. */
import Type, { type Static, type TSchema } from 'typebox';
import * as s from './resources/scalars.ts';
import { CURRENCY_COLUMN, DATE_COLUMNS, INDUSTRY_COLUMNS, SCREEN_FIGURES, UNCONFIRMED } from './screen-columns.ts';

const makeOptionalFields = (keys: readonly string[], schema: TSchema): Record<string, TSchema> =>
  Object.fromEntries(keys.map((key) => [key, Type.Optional(schema)]));

const IdentityFields = { cik: s.Integer, ticker: s.Text, exchange: s.Text, entity_name: s.Text };

export const ScreenRow = Type.Object({
  ...IdentityFields,
  ...makeOptionalFields(['coverage_state'], s.Text),
  /** The fields `last_report` and `gone` are additions of fin, present only in a screen of a past day. */
  ...makeOptionalFields(['last_report'], s.NullableDay),
  ...makeOptionalFields(['gone'], s.makeNullable(s.Flag)),
  ...makeOptionalFields(['fiscal_year'], s.NullableInteger),
  ...makeOptionalFields(DATE_COLUMNS, s.NullableDay),
  ...makeOptionalFields(
    SCREEN_FIGURES.map((figure) => figure.key),
    s.NullableDecimal,
  ),
  ...makeOptionalFields([...INDUSTRY_COLUMNS, CURRENCY_COLUMN], s.makeNullable(s.Text)),
  ...makeOptionalFields([UNCONFIRMED], s.Text),
});

const ScreenIdentity = Type.Object(IdentityFields);
export type ScreenRow = Static<typeof ScreenIdentity> & { readonly [column: string]: string | number | boolean | null };
