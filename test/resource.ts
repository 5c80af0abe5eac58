/** Makes valid resources of the HTTP API, with which test services answer. */
import { SHAPE_BY_RESOURCE, type Shape } from '../src/contract/response-shapes.ts';

/**
 * Returns a resource of this type with all required fields. Fields that are not in `fields` are as empty as the schema
 * allows: null, '', 0, false or [].
 */
export function makeResource(name: string, fields: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  const shape = SHAPE_BY_RESOURCE[name];
  if (shape === undefined) throw new Error(`There is no resource ${name}.`);
  return { ...(makeEmptyValue(shape) as Record<string, unknown>), ...fields };
}

const EMPTY_VALUE_BY_KIND = {
  ...{ text: '', date: '2026-01-01', time: '2026-01-01T00:00:00Z' },
  ...{ decimal: '0', integer: 0, boolean: false },
};

function makeEmptyValue(shape: Shape): unknown {
  if (shape.nullable === true) return null;
  if ('kind' in shape) return EMPTY_VALUE_BY_KIND[shape.kind];
  if ('items' in shape) return [];
  const requiredFields = shape.fields.filter(([, , isRequired]) => isRequired);
  return Object.fromEntries(requiredFields.map(([name, field]) => [name, makeEmptyValue(field)]));
}
