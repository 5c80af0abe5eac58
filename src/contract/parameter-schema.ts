/** Parameters as JSON Schema (https://json-schema.org), for the OpenAPI document and for the tools of assistants. */
import type { Parameter } from './parameters.ts';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

/** Returns the JSON Schema of the values that a parameter accepts. */
export function makeParameterSchema(parameter: Parameter): JsonObject {
  const fallback: JsonObject = parameter.default === undefined ? {} : { default: parameter.default };
  switch (parameter.kind) {
    case 'integer':
    case 'cik':
      return { type: 'integer', ...describeBounds(parameter, 'minimum', 'maximum'), ...fallback };
    case 'boolean':
      return { type: 'boolean', ...fallback };
    case 'date':
      return { type: 'string', format: 'date' };
    case 'uuid':
      return { type: 'string', format: 'uuid' };
    case 'choice':
      // An enum would require exact case, so parameters that ignore case use no enum.
      return parameter.anyCase === true
        ? { type: 'string', maxLength: 4 }
        : { type: 'string', enum: [...(parameter.values ?? [])], ...fallback };
    case 'list':
      return {
        type: 'array',
        items: {
          type: 'string',
          ...describeBounds(parameter, 'minLength', 'maxLength'),
          ...(parameter.itemForm === undefined ? {} : { pattern: parameter.itemForm.pattern }),
        },
        ...(parameter.minItems === undefined ? {} : { minItems: parameter.minItems }),
        ...(parameter.maxItems === undefined ? {} : { maxItems: parameter.maxItems }),
      };
    case 'clauses':
      return {
        type: 'array',
        items: { type: 'string', pattern: '^[a-z0-9_]+:(gte|lte|gt|lt):-?[0-9]+(\\.[0-9]+)?$' },
        maxItems: parameter.maxItems ?? 64,
      };
    default:
      return { type: 'string', ...describeBounds(parameter, 'minLength', 'maxLength') };
  }
}

const describeBounds = (parameter: Parameter, minKey: string, maxKey: string): JsonObject => ({
  ...(parameter.min === undefined ? {} : { [minKey]: parameter.min }),
  ...(parameter.max === undefined ? {} : { [maxKey]: parameter.max }),
});
