/**
 * Validates a response against the operation's definition: required fields, types, and decimals. Optional fields may be
 * null or missing. Accepts unknown fields and values outside closed sets, because a newer service may send them.
 */
import { isDecimal } from './decimal-text.ts';
import { type Operation, returnsList } from './operations.ts';
import { type Field, type ScalarKind, SHAPE_BY_RESOURCE, type Shape } from './response-shapes.ts';
import { MISSING_TEXT_PLACEHOLDER, type MissingTextCounts } from './text/missing-text.ts';

/**
 * Returns null for a valid response; otherwise a sentence about the first invalid field, such as `screen: data[3].price
 * is 5, not a decimal as text.`
 * @param missing counts required texts that are null or missing, which become MISSING_TEXT_PLACEHOLDER in `body`; if
 * `missing` is null, they are faults
 */
export function validateResponse(
  operation: Operation,
  body: { readonly data: unknown; readonly meta: unknown },
  missing: MissingTextCounts | null = null,
): string | null {
  if (exceedsDepth(body, MAX_DEPTH)) return `${operation.id}: data is nested more than ${MAX_DEPTH} levels deep.`;
  const shape = getShape(operation.resource);
  const fault = findFault(body.data, returnsList(operation) ? { items: shape } : shape, missing, '');
  if (fault !== null) return `${operation.id}: data${fault}`;
  const metaFault = findFault(body.meta, makeMetaShape(), null, '');
  return metaFault === null ? null : `${operation.id}: meta${metaFault}`;
}

/**
 * Maximum nesting depth of a response, which keeps recursive functions from overflowing the stack. Resources of the
 * HTTP API are far less deep; fields of a newer service may be deeper.
 */
const MAX_DEPTH = 64;

function exceedsDepth(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((nested) => exceedsDepth(nested, levels - 1));
}

function getShape(name: string): Shape {
  const shape = SHAPE_BY_RESOURCE[name];
  if (shape === undefined) throw new Error(`unknown resource ${name}`);
  return shape;
}

/** Returns the shape of `meta` with every field optional; the code that reads the response checks `meta.schema`. */
const makeMetaShape = (): Shape => ({ fields: getFields(getShape('Meta')).map(([name, own]) => [name, own, false]) });

function getFields(shape: Shape): readonly Field[] {
  if (!('fields' in shape)) throw new Error('the shape is not that of an object');
  return shape.fields;
}

/**
 * Returns the path and the reason of a value's first fault; null for a valid value.
 * @param path the value's path, without list positions
 */
function findFault(value: unknown, shape: Shape, missing: MissingTextCounts | null, path: string): string | null {
  if (value === null && shape.nullable === true) return null;
  if ('kind' in shape)
    return isOfKind(value, shape.kind) ? null : ` is ${describeValue(value)}, not ${NAME_BY_KIND[shape.kind]}.`;
  if ('items' in shape) return findListFault(value, shape.items, missing, path);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return ` is ${describeValue(value)}, not an object.`;
  const record = value as Record<string, unknown>;
  for (const field of shape.fields) {
    const fault = findFaultInField(record, field, missing, path);
    if (fault !== null) return fault;
  }
  return shape.parallel === undefined ? null : findLengthFault(record, shape.parallel);
}

/** @param path the record's path, without list positions */
function findFaultInField(
  record: Record<string, unknown>,
  [name, shape, isRequired]: Field,
  missing: MissingTextCounts | null,
  path: string,
): string | null {
  const value = record[name];
  if (value === undefined || value === null) {
    if (!isRequired || (value === null && shape.nullable === true)) return null;
    if (missing === null || !isTextShape(shape)) return `.${name} is ${value === null ? 'null' : 'missing'}.`;
    record[name] = MISSING_TEXT_PLACEHOLDER;
    addMissingText(missing, joinPath(path, name));
    return null;
  }
  // Only objects and lists need the path. Most fields are single values, so joining every path would waste time.
  const fault =
    'kind' in shape ? findFault(value, shape, null, '') : findFault(value, shape, missing, joinPath(path, name));
  return fault === null ? null : `.${name}${fault}`;
}

function findListFault(value: unknown, item: Shape, missing: MissingTextCounts | null, above: string): string | null {
  if (!Array.isArray(value)) return ` is ${describeValue(value)}, not a list.`;
  const path = above === '' ? '' : `${above}[]`;
  for (let index = 0; index < value.length; index += 1) {
    if (value[index] === null && missing !== null && isTextShape(item) && item.nullable !== true) {
      value[index] = MISSING_TEXT_PLACEHOLDER;
      addMissingText(missing, path);
      continue;
    }
    const fault = findFault(value[index], item, missing, path);
    if (fault !== null) return `[${index}]${fault}`;
  }
  return null;
}

const isTextShape = (shape: Shape): boolean => 'kind' in shape && shape.kind === 'text';
const joinPath = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

function addMissingText(missing: MissingTextCounts, path: string): void {
  missing.set(path, (missing.get(path) ?? 0) + 1);
}

/**
 * Returns a fault if the lists do not all have the same length; otherwise null. The name `members.values` means the
 * list `values` of each member.
 */
function findLengthFault(record: Readonly<Record<string, unknown>>, names: readonly string[]): string | null {
  const lengths = names.flatMap((path) => {
    const [name = '', inner] = path.split('.');
    const list = record[name] as readonly unknown[];
    if (inner === undefined) return [{ path: name, length: list.length }];
    return list.map((item, index) => ({
      path: `${name}[${index}].${inner}`,
      length: (item as Readonly<Record<string, readonly unknown[]>>)[inner]?.length ?? 0,
    }));
  });
  const [first] = lengths;
  const differing = lengths.find(({ length }) => length !== first?.length);
  if (first === undefined || differing === undefined) return null;
  return `.${differing.path} has length ${differing.length}, but ${first.path} has length ${first.length}.`;
}

/** Patterns of dates and times, because parsing each date would take longer than the rest of the validation. */
const DATE_PATTERN = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;
const TIME_PATTERN = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:$|[Tt ])/;

function isOfKind(value: unknown, kind: ScalarKind): boolean {
  switch (kind) {
    case 'text':
      return typeof value === 'string';
    case 'date':
      return typeof value === 'string' && DATE_PATTERN.test(value);
    case 'time':
      return typeof value === 'string' && TIME_PATTERN.test(value);
    case 'decimal':
      return typeof value === 'string' && isDecimal(value);
    case 'integer':
      return Number.isSafeInteger(value);
    case 'boolean':
      return typeof value === 'boolean';
  }
}

const NAME_BY_KIND: Readonly<Record<ScalarKind, string>> = {
  text: 'text',
  date: 'a date of the form YYYY-MM-DD',
  time: 'a date with a time',
  decimal: 'a decimal as text',
  integer: 'a whole number',
  boolean: 'true or false',
};

function describeValue(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string') return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  return typeof value === 'object' ? 'an object' : String(value);
}
