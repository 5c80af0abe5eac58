/** Valid resources of the interface for the services of tests, with the fields that a test needs. */
import { SHAPES, type Shape } from '../src/contract/resources/response-shapes.ts';

/** Returns a resource of this type: all required fields are empty, except those in `fields`. */
export function resource(name: string, fields: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  const shape = SHAPES[name];
  if (shape === undefined) throw new Error(`There is no resource ${name}.`);
  return { ...(emptyOf(shape) as Record<string, unknown>), ...fields };
}

const EMPTY = { text: '', date: '', decimal: '0', integer: 0, boolean: false };

function emptyOf(shape: Shape): unknown {
  if (shape.nullable === true) return null;
  if ('kind' in shape) return EMPTY[shape.kind];
  if ('items' in shape) return [];
  const required = shape.fields.filter(([, , isRequired]) => isRequired);
  return Object.fromEntries(required.map(([name, field]) => [name, emptyOf(field)]));
}
