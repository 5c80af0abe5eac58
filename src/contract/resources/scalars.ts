/** Schemas of scalar types, of closed sets of strings, and of values that may be null. */
import Type, { type Static, type TSchema } from 'typebox';

export const Text = Type.String();
export const Integer = Type.Integer();
export const Count = Type.Integer({ minimum: 0 });
export const Flag = Type.Boolean();
export const Decimal = Type.String({ pattern: '^-?\\d+(\\.\\d+)?$' });
export const Uuid = Type.String({ format: 'uuid' });
export const Day = Type.String({ format: 'date' });
export const Instant = Type.String({ format: 'date-time' });
export const Uri = Type.String({ format: 'uri' });

/** Returns the schema of a string with a closed set of values. */
export const makeEnum = <const Values extends readonly string[]>(...values: Values) =>
  Type.Unsafe<Values[number]>({ type: 'string', enum: values });

/**
 * Returns the schema of a value that may be null. For scalars and lists, null is added to the `type` of the schema, as
 * OpenAPI 3.1 recommends.
 */
export function makeNullable<T extends TSchema>(schema: T) {
  const plain = schema as { type?: unknown; enum?: readonly unknown[]; properties?: unknown };
  if (typeof plain.type !== 'string' || plain.properties !== undefined)
    return Type.Unsafe<Static<T> | null>({ anyOf: [schema, { type: 'null' }] });
  const nullable = plain.enum === undefined ? {} : { enum: [...plain.enum, null] };
  return Type.Unsafe<Static<T> | null>({ ...schema, type: [plain.type, 'null'], ...nullable });
}

export const NullableText = makeNullable(Text);
export const NullableInteger = makeNullable(Integer);
export const NullableFlag = makeNullable(Flag);
export const NullableDecimal = makeNullable(Decimal);
export const NullableDay = makeNullable(Day);
export const NullableInstant = makeNullable(Instant);
export const NullableUri = makeNullable(Uri);
export const NullableUuid = makeNullable(Uuid);
