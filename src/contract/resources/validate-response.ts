/**
 * Checks that a response matches the interface's definition of an operation. Accepts unknown fields and values
 * outside closed sets, which a newer service may send, and null or absent optional fields. Figures, dates and shapes
 * are strict; a missing text is replaced.
 */
import { isDecimal } from '../decimal-text.ts';
import { isList, type Operation } from '../operations.ts';
import { MISSING_TEXT, type MissingTexts } from '../text/missing-text.ts';
import { type Field, type Kind, SHAPES, type Shape } from './response-shapes.ts';

/**
 * Returns null for a valid response; otherwise a sentence on the first wrong field: `data[3].value is a number, …`.
 * @param missing counts required texts that are null or absent and are replaced by MISSING_TEXT in `body`; without it
 * they are faults
 */
export function validateResponse(
  operation: Operation,
  body: { readonly data: unknown; readonly meta: unknown },
  missing: MissingTexts | null = null,
): string | null {
  if (isDeeper(body, MAX_DEPTH)) return `${operation.id}: data is nested more than ${MAX_DEPTH} levels deep.`;
  const resource = shapeNamed(operation.resource);
  const fault = faultOf(body.data, isList(operation) ? { items: resource } : resource, missing, '');
  if (fault !== null) return `${operation.id}: data${fault}`;
  const meta = faultOf(body.meta, metaShape(), null, '');
  return meta === null ? null : `${operation.id}: meta${meta}`;
}

/**
 * Maximum depth; no resource comes near it. Fields of a newer service may be deeper, but recursive code prints and
 * compares them.
 */
const MAX_DEPTH = 64;

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((own) => isDeeper(own, levels - 1));
}

function shapeNamed(name: string): Shape {
  const shape = SHAPES[name];
  if (shape === undefined) throw new Error(`unknown resource ${name}`);
  return shape;
}

/** `meta` needs only the schema's name, which is checked where the response is read. */
const metaShape = (): Shape => ({
  fields: fieldsOf(shapeNamed('Meta')).map(([name, shape]) => [name, shape, false]),
});

function fieldsOf(shape: Shape): readonly Field[] {
  if (!('fields' in shape)) throw new Error('the shape of an object has fields');
  return shape.fields;
}

/**
 * Returns path and reason below `value`, or null.
 * @param at path of `value` without positions in lists
 */
function faultOf(value: unknown, shape: Shape, missing: MissingTexts | null, at: string): string | null {
  if (value === null && shape.nullable === true) return null;
  if ('kind' in shape) return isOfKind(value, shape.kind) ? null : ` is ${nameOf(value)}, not ${NAMES[shape.kind]}.`;
  if ('items' in shape) return faultInList(value, shape.items, missing, at);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return ` is ${nameOf(value)}, not an object.`;
  }
  const record = value as Record<string, unknown>;
  for (const [name, field, required] of shape.fields) {
    const own = record[name];
    if (own === undefined || own === null) {
      if (!required || (own === null && field.nullable === true)) continue;
      if (missing === null || !isText(field)) return `.${name} is ${own === null ? 'null' : 'missing'}.`;
      record[name] = MISSING_TEXT;
      count(missing, pathOf(at, name));
      continue;
    }
    const fault = 'kind' in field ? faultOf(own, field, null, '') : faultOf(own, field, missing, pathOf(at, name));
    if (fault !== null) return `.${name}${fault}`;
  }
  return shape.parallel === undefined ? null : unequalLengths(record, shape.parallel);
}

function faultInList(value: unknown, items: Shape, missing: MissingTexts | null, at: string): string | null {
  if (!Array.isArray(value)) return ` is ${nameOf(value)}, not a list.`;
  const path = at === '' ? '' : `${at}[]`;
  for (let index = 0; index < value.length; index += 1) {
    if (value[index] === null && missing !== null && isText(items) && items.nullable !== true) {
      value[index] = MISSING_TEXT;
      count(missing, path);
      continue;
    }
    const fault = faultOf(value[index], items, missing, path);
    if (fault !== null) return `[${index}]${fault}`;
  }
  return null;
}

const isText = (shape: Shape): boolean => 'kind' in shape && shape.kind === 'text';
const pathOf = (at: string, name: string): string => (at === '' ? name : `${at}.${name}`);

function count(missing: MissingTexts, path: string): void {
  missing.set(path, (missing.get(path) ?? 0) + 1);
}

/**
 * Returns the first list whose length differs from that of the first one; `members.values` is a list in each member.
 */
function unequalLengths(record: Readonly<Record<string, unknown>>, names: readonly string[]): string | null {
  const lists = names.flatMap((path) => {
    const [name = '', inner] = path.split('.');
    const list = record[name] as readonly unknown[];
    if (inner === undefined) return [{ path: name, length: list.length }];
    return list.map((item, index) => ({
      path: `${name}[${index}].${inner}`,
      length: (item as Readonly<Record<string, readonly unknown[]>>)[inner]?.length ?? 0,
    }));
  });
  const [first] = lists;
  const other = lists.find(({ length }) => length !== first?.length);
  if (first === undefined || other === undefined) return null;
  return `.${other.path} has ${other.length} items, and ${first.path} ${first.length}.`;
}

function isOfKind(value: unknown, kind: Kind): boolean {
  switch (kind) {
    case 'text':
    case 'date':
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
  text: 'text',
  date: 'a date',
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
