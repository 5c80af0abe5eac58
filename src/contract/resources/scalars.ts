/** Schemas of scalar types, and two functions that combine schemas. */
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
export function oneOf<const Values extends readonly string[]>(...values: Values) {
  return Type.Unsafe<Values[number]>({ type: 'string', enum: values });
}

/**
 * Returns the schema of a value that may be null. If the schema has a `type`, null is added there, as OpenAPI 3.1
 * recommends.
 */
export function nullable<T extends TSchema>(schema: T) {
  const plainSchema = schema as { type?: unknown; enum?: readonly unknown[]; properties?: unknown };
  if (typeof plainSchema.type !== 'string' || plainSchema.properties !== undefined) {
    return Type.Unsafe<Static<T> | null>({ anyOf: [schema, { type: 'null' }] });
  }
  const values = plainSchema.enum === undefined ? {} : { enum: [...plainSchema.enum, null] };
  return Type.Unsafe<Static<T> | null>({ ...schema, type: [plainSchema.type, 'null'], ...values });
}

export const NullableText = nullable(Text);
export const NullableInteger = nullable(Integer);
export const NullableFlag = nullable(Flag);
export const NullableDecimal = nullable(Decimal);
export const NullableDay = nullable(Day);
export const NullableInstant = nullable(Instant);
export const NullableUri = nullable(Uri);
export const NullableUuid = nullable(Uuid);
