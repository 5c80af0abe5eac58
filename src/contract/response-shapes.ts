/**
 * Shapes of resources for validating responses: fields, their kinds, and which fields are required. Derived from the
 * schemas at build time (.ci/bundle.mjs), because loading the schemas would add 10 ms to every start.
 */
import type { TSchema } from 'typebox';
import { RESOURCES } from './resource-schemas.ts';

/** Kind of a scalar. A `time` is a date with a time of day; a `decimal` is text. */
export type ScalarKind = 'text' | 'date' | 'time' | 'decimal' | 'integer' | 'boolean';

export type Shape = { readonly nullable?: true } & (
  | { readonly kind: ScalarKind }
  | { readonly items: Shape }
  | { readonly fields: readonly Field[]; readonly parallel?: readonly string[] }
);

export type Field = readonly [name: string, shape: Shape, required: boolean];

/** The subset of JSON Schema that shapes are derived from. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly format?: string;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly 'x-parallel'?: readonly string[];
}

export const SHAPE_BY_RESOURCE: Readonly<Record<string, Shape>> = Object.fromEntries(
  Object.entries(RESOURCES).map(([name, schema]: [string, TSchema]) => [name, makeShape(schema as Schema)]),
);

function makeShape(schema: Schema): Shape {
  if (schema.anyOf !== undefined) {
    const [first, ...others] = schema.anyOf.filter(({ type }) => type !== 'null');
    if (first === undefined || others.length > 0) throw new Error('a field must have one type, or one type and null');
    return { ...makeShape(first), nullable: true };
  }
  const types = schema.type === undefined ? [] : [schema.type].flat();
  const nullable = types.includes('null') ? ({ nullable: true } as const) : {};
  const [type, ...others] = types.filter((name) => name !== 'null');
  if (type === undefined || others.length > 0)
    throw new Error(`the schema ${JSON.stringify(schema)} has no single type`);
  if (type === 'array') return { ...nullable, items: makeShape(schema.items as Schema) };
  if (type === 'object') {
    const required = new Set(schema.required);
    const properties = Object.entries(schema.properties as Record<string, Schema>);
    const parallel = schema['x-parallel'] === undefined ? {} : { parallel: schema['x-parallel'] };
    const fields = properties.map(([name, field]) => [name, makeShape(field), required.has(name)] as const);
    return { ...nullable, fields, ...parallel };
  }
  return { ...nullable, kind: findKind(type, schema) };
}

function findKind(type: string, { pattern, format }: Schema): ScalarKind {
  if (type === 'integer' || type === 'boolean') return type;
  if (type !== 'string') throw new Error(`a field has the unknown type ${type}`);
  if (pattern !== undefined) return 'decimal';
  if (format === 'date-time') return 'time';
  return format === 'date' ? 'date' : 'text';
}
