/** Resources of the interface for services that tests make up: valid, with the fields that a test is about. */
import { SHAPES, type Shape } from '../src/contract/resources/response-shapes.ts';

/** A resource of that name, every required field of it empty, with `fields` in their place. */
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
