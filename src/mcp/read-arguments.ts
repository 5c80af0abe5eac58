/**
 * Reads the arguments of a tool call by the tool's schema. Assistants send lists as JSON text or separated by commas,
 * numbers and flags as text, and an empty text for an argument that they leave out.
 */
import type { JsonObject } from '../contract/parameter-schema.ts';
import { isObject } from '../platform/json-object.ts';
import type { NamedArguments } from '../questions/ask-by-name.ts';
import type { ToolArgument } from './input-schema.ts';

/** Returns the arguments in the types of the schema. Values that fit no type are returned unchanged, to be refused. */
export function readArguments(given: NamedArguments, known: readonly ToolArgument[]): NamedArguments {
  const schemas = new Map(known.map(({ name, schema }) => [name, schema]));
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => {
      const read = readValue(value, schemas.get(name) ?? {});
      return isUnset(read) ? [] : [[name, read]];
    }),
  );
}

/** Whether a value leaves the argument out: null, an empty text, or an empty list. */
const isUnset = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

function readValue(value: unknown, schema: JsonObject): unknown {
  if (schema.type === 'array') return readList(value, schema);
  // One value in a list, as text or not.
  const list = typeof value === 'string' ? parseJsonText(value, '[') : value;
  const single = Array.isArray(list) && list.length === 1 ? list[0] : value;
  if (typeof single !== 'string') return single;
  const text = single.trim();
  if (schema.type === 'boolean') return readFlag(text) ?? single;
  if (schema.type === 'integer') return /^-?\d{1,15}(\.0+)?$/.test(text) ? Number.parseInt(text, 10) : single;
  const unquoted = parseJsonText(text, '"');
  return typeof unquoted === 'string' ? unquoted : single.trim() === '' ? '' : single;
}

function readList(value: unknown, { items }: JsonObject): unknown {
  const parsed = typeof value === 'string' ? (parseJsonText(value, '[') ?? value.split(',')) : value;
  const list = Array.isArray(parsed) ? parsed : [parsed];
  const itemSchema = isObject(items) ? (items as JsonObject) : {};
  return list
    .map((item) => (typeof item === 'string' ? item.trim() : readValue(item, itemSchema)))
    .filter((item) => !isUnset(item));
}

const readFlag = (text: string): boolean | null => {
  const lower = text.toLowerCase();
  if (lower === 'true' || lower === '1' || lower === 'yes') return true;
  return lower === 'false' || lower === '0' || lower === 'no' ? false : null;
};

/** Returns the value of a JSON text that begins with the given character; null for any other text. */
function parseJsonText(text: string, start: string): unknown {
  if (!text.trimStart().startsWith(start)) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
