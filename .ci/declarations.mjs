/**
 * Generates the types of the package (`dist/library.d.cts`): `src/library/public-types.ts` without its imports, followed by the
 * operations and resources of src/contract, written from their schemas so that the types need no other package.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build } from 'esbuild';

/**
 * Maximum number of allowed values for which a parameter's type is the union of the values. With more values, the type
 * is string, because long lists, such as the figures, grow with every version.
 */
const MAX_UNION_VALUES = 12;

/** Returns the text of `library.d.cts`. */
export async function makeDeclarations(src) {
  const { OPERATIONS, RESOURCES } = await loadContract(src);
  const nameBySchema = new Map(Object.entries(RESOURCES).map(([name, schema]) => [JSON.stringify(schema), name]));
  const apiText = readFileSync(join(src, 'library', 'public-types.ts'), 'utf8').replace(/^import .*\n/gm, '');
  const operationTypes = OPERATIONS.map(
    (operation) => `  readonly '${operation.id}': {
    /** ${operation.summary} */
    readonly parameters: ${makeParametersType(operation)};
    readonly data: ${operation.rows?.field === null ? 'readonly ' : ''}${operation.resource}${operation.rows?.field === null ? '[]' : ''};
    readonly row: ${makeRowType(operation)};
  };`,
  );
  const resourceTypes = Object.entries(RESOURCES).map(
    ([name, schema]) => `export interface ${name} ${makeObjectType(schema, nameBySchema, '')}`,
  );
  return `${apiText}
/** The class of fin's errors. Any other error is a bug, except that an aborted call throws the reason of its signal. */
export declare class FinError extends Error implements ErrorDetails {
  readonly name: 'FinError';
  readonly kind: ErrorKind;
  readonly exitCode: number;
  readonly hint: string | undefined;
  readonly calls: readonly Call[];
  readonly problem: Problem | undefined;
  readonly retryAfter: number | undefined;
  private constructor();
}

export declare const ask: Library['ask'];
export declare const request: Library['request'];
export declare const compare: Library['compare'];
export declare const peers: Library['peers'];
export declare const summary: Library['summary'];
export declare const read: Library['read'];
export declare const grep: Library['grep'];
export declare const changes: Library['changes'];
export declare const pages: Library['pages'];
export declare const rows: Library['rows'];
export declare const connect: Library['connect'];

/** One of the known values, or a value that a newer service may add. */
export type Open<Known extends string> = Known | (string & Record<never, never>);

/** Parameters, data and row type of each operation, by operation id. */
export interface Operations {
${operationTypes.join('\n')}
}

${resourceTypes.join('\n\n')}
`;
}

/** Returns the operations and resources of the contract, by running its code. */
async function loadContract(src) {
  const { outputFiles } = await build({
    stdin: {
      contents: "export { OPERATIONS } from './operations.ts'; export { RESOURCES } from './resource-schemas.ts';",
      resolveDir: join(src, 'contract'),
    },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    write: false,
  });
  const module = { exports: {} };
  new Function('module', 'exports', 'require', outputFiles[0].text)(module, module.exports, createRequire(src));
  return module.exports;
}

const makeRowType = ({ rows, resource }) => (rows?.field ? `${resource}['${rows.field}'][number]` : resource);

function makeParametersType({ parameters }) {
  if (parameters.length === 0) return 'Readonly<Record<never, never>>';
  const fields = parameters.map((parameter) => {
    const optionalMark = parameter.required ? '' : '?';
    const undefinedType = parameter.required ? '' : ' | undefined';
    return `      /** ${parameter.help} */\n      readonly ${parameter.name}${optionalMark}: ${makeInputType(parameter)}${undefinedType};`;
  });
  return `{\n${fields.join('\n')}\n    }`;
}

function makeInputType({ kind, values = [] }) {
  if (kind === 'integer') return 'number';
  if (kind === 'cik') return 'number | string';
  if (kind === 'boolean') return 'boolean';
  if (kind === 'list' || kind === 'clauses') return 'readonly string[]';
  return kind === 'choice' && values.length <= MAX_UNION_VALUES ? makeUnion(values) : 'string';
}

const makeUnion = (values) => values.map((value) => JSON.stringify(value).replaceAll('"', "'")).join(' | ');

function makeObjectType({ properties, required = [] }, nameBySchema, indent) {
  const fields = Object.entries(properties).map(([name, schema]) => {
    const isRequired = required.includes(name);
    const key = /^\w+$/.test(name) ? name : `'${name}'`;
    const type = makeType(schema, nameBySchema, `${indent}  `);
    // A service may omit an optional field or send null.
    return `${indent}  readonly ${key}${isRequired ? '' : '?'}: ${isRequired || /\bnull$/.test(type) ? type : `${type} | null`};`;
  });
  return `{\n${fields.join('\n')}\n${indent}}`;
}

const SCALAR_TYPES = { string: 'string', integer: 'number', boolean: 'boolean', null: 'null' };

/** Returns the TypeScript type of a schema. Throws for an unknown kind of schema. */
function makeType(schema, nameBySchema, indent) {
  const resourceName = nameBySchema.get(JSON.stringify(schema));
  if (resourceName !== undefined) return resourceName;
  if (schema.anyOf !== undefined)
    return schema.anyOf.map((alternative) => makeType(alternative, nameBySchema, indent)).join(' | ');
  if ('const' in schema) return makeUnion([schema.const]);
  if (schema.enum !== undefined) {
    const openUnion = `Open<${makeUnion(schema.enum.filter((value) => value !== null))}>`;
    return schema.enum.includes(null) ? `${openUnion} | null` : openUnion;
  }
  if (schema.properties !== undefined) return makeObjectType(schema, nameBySchema, indent);
  if (schema.type === 'array') {
    const itemType = makeType(schema.items, nameBySchema, indent);
    return /^[\w.]+$/.test(itemType) ? `readonly ${itemType}[]` : `ReadonlyArray<${itemType}>`;
  }
  const scalarTypes = [schema.type].flat().map((type) => SCALAR_TYPES[type]);
  if (scalarTypes.includes(undefined))
    throw new Error(`makeDeclarations cannot express this schema as a type: ${JSON.stringify(schema)}`);
  return scalarTypes.join(' | ');
}
