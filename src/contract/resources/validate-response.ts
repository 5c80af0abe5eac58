/**
 * Whether a response is what the interface says an operation answers with. Fields that it does not know, and values
 * outside a closed set, are fine: a newer service may send them. A missing optional field may be null or absent.
 */
import { isDecimal } from '../decimal-text.ts';
import { isList, type Operation } from '../operations.ts';
import { type Field, type Kind, SHAPES, type Shape } from './response-shapes.ts';

/** Null for a valid response; else the first wrong field by its path, as a sentence: `data[3].value is a number, …`. */
export function validateResponse(operation: Operation, body: { readonly data: unknown; readonly meta: unknown }) {
  if (isDeeper(body, DEEPEST)) return `${operation.id}: data is nested more than ${DEEPEST} levels deep.`;
  const resource = shapeNamed(operation.resource);
  const fault = faultOf(body.data, isList(operation) ? { items: resource } : resource);
  if (fault !== null) return `${operation.id}: data${fault}`;
  const meta = faultOf(body.meta, metaShape());
  return meta === null ? null : `${operation.id}: meta${meta}`;
}

/** No resource comes near it. What a newer service adds may, and is printed and compared by code that recurses. */
const DEEPEST = 64;

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((own) => isDeeper(own, levels - 1));
}

function shapeNamed(name: string): Shape {
  const shape = SHAPES[name];
  if (shape === undefined) throw new Error(`no resource ${name}`);
  return shape;
}

/** Of `meta` only the schema's name is needed, and that is checked where the response is read. */
const metaShape = (): Shape => ({
  fields: fieldsOf(shapeNamed('Meta')).map(([name, shape]) => [name, shape, false]),
});

function fieldsOf(shape: Shape): readonly Field[] {
  if (!('fields' in shape)) throw new Error('the shape of an object has fields');
  return shape.fields;
}

/** Path and reason below `value`, or null. */
function faultOf(value: unknown, shape: Shape): string | null {
  if (value === null && shape.nullable === true) return null;
  if ('kind' in shape) return isOfKind(value, shape.kind) ? null : ` is ${nameOf(value)}, not ${NAMES[shape.kind]}.`;
  if ('items' in shape) {
    if (!Array.isArray(value)) return ` is ${nameOf(value)}, not a list.`;
    for (let index = 0; index < value.length; index += 1) {
      const fault = faultOf(value[index], shape.items);
      if (fault !== null) return `[${index}]${fault}`;
    }
    return null;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return ` is ${nameOf(value)}, not an object.`;
  }
  for (const [name, field, required] of shape.fields) {
    const own = (value as Readonly<Record<string, unknown>>)[name];
    if (own === undefined || own === null) {
      if (required && !(own === null && field.nullable === true)) return `.${name} is missing.`;
      continue;
    }
    const fault = faultOf(own, field);
    if (fault !== null) return `.${name}${fault}`;
  }
  return null;
}

function isOfKind(value: unknown, kind: Kind): boolean {
  switch (kind) {
    case 'string':
      return typeof value === 'string';
    case 'decimal':
      return typeof value === 'string' && isDecimal(value);
    case 'integer':
      return Number.isSafeInteger(value);
    case 'boolean':
      return typeof value === 'boolean';
  }
}

const NAMES: Readonly<Record<Kind, string>> = {
  string: 'text',
  decimal: 'a decimal as text',
  integer: 'a whole number',
  boolean: 'true or false',
};

function nameOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string') return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  return typeof value === 'object' ? 'an object' : String(value);
}
