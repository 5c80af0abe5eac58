/** The HTTP API as an OpenAPI 3.1 document, derived from the contract's tables. `npm run openapi` prints it. */
import { ADDED_FIELDS } from './added-fields.ts';
import { ADDED_PARAMETERS } from './additions.ts';
import { OPERATIONS, type Operation, returnsList } from './operations.ts';
import { type Json, type JsonObject, makeParameterSchema } from './parameter-schema.ts';
import type { Parameter } from './parameters.ts';
import { PROBLEM_KINDS } from './problems.ts';
import { RESOURCES } from './resource-schemas.ts';

const INTERFACE_VERSION = '1.0.0-beta.2';

/** @param server the address of the service that serves this document */
export function makeOpenApiDocument(server = '/'): JsonObject {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Financial Filings Data Service',
      version: INTERFACE_VERSION,
      summary: 'Financial data drawn from filings made to a securities regulator, each figure linked to its source.',
      description:
        'Read-only. Every figure is a decimal string; parse it with a decimal type. Reported figures are exact to the digit. ' +
        'Every answer names the data release it was read from. This service adds the fields and parameters marked x-addition; other services with the same API may lack them.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: server, description: 'The root of the service that serves this document' }],
    security: [{ key: [] }],
    tags: [...new Set(OPERATIONS.map((operation) => operation.tag))].map((name) => ({ name, description: name })),
    paths: Object.fromEntries(OPERATIONS.map((operation) => [operation.path, { get: describeOperation(operation) }])),
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer', description: 'An API key of your account' } },
      schemas: makeResourceSchemas(),
      parameters: { IfNoneMatch: IF_NONE_MATCH_PARAMETER, RequestId: REQUEST_ID_PARAMETER },
      headers: RESPONSE_HEADERS,
      responses: makeProblemResponses(),
    },
  };
}

const describeHeader = (description: string, example: Json, schema: JsonObject = { type: 'string' }): JsonObject => {
  return { description, schema, example };
};

const RESPONSE_HEADERS: JsonObject = {
  ETag: describeHeader(
    'Identifies the response; send it in If-None-Match with the next request for the same data.',
    'W/"2f1c"',
  ),
  RateLimit: describeHeader(
    'For each limit: remaining requests (r) and, except for concurrent requests, seconds until the limit is reset (t).',
    '"minute";r=59;t=42, "month";r=19873;t=604800, "concurrent";r=3',
  ),
  'RateLimit-Policy': describeHeader(
    'For each limit: maximum requests (q) and, for the limit "minute", its period in seconds (w).',
    '"minute";q=60;w=60, "month";q=20000, "concurrent";q=4;qu="concurrent-requests"',
  ),
  'X-Request-Id': describeHeader(
    'Id of the request; state it when you report a problem to the operator.',
    'k3v9x2m1q7',
  ),
  'WWW-Authenticate': describeHeader(
    'Asks for an API key.',
    'Bearer realm="fin", error="invalid_token", error_description="expired_key"',
  ),
  'Retry-After': describeHeader('Seconds to wait before the next request.', 42, { type: 'integer', minimum: 1 }),
};

const IF_NONE_MATCH_PARAMETER: JsonObject = {
  name: 'If-None-Match',
  in: 'header',
  description: 'ETag of a cached response; the service answers 304 if that response is still current.',
  schema: { type: 'string' },
};

const REQUEST_ID_PARAMETER: JsonObject = {
  name: 'X-Request-Id',
  in: 'header',
  description: "The client's own id for the request; without it the service generates one.",
  schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,64}$' },
};

const makeReference = (section: string, name: string): JsonObject => ({ $ref: `#/components/${section}/${name}` });
const makeHeaderReferences = (...names: readonly string[]): JsonObject =>
  Object.fromEntries(names.map((name) => [name, makeReference('headers', name)]));

/** Statuses of failed GET requests. 405 is excluded, because it only occurs for other methods. */
const FAILURE_STATUSES = [...new Set(Object.values(PROBLEM_KINDS).map((kind) => kind.status))].filter(
  (status) => status !== 405,
);

const describeOperation = (operation: Operation): JsonObject => ({
  operationId: operation.id,
  tags: [operation.tag],
  summary: operation.summary,
  parameters: [
    ...operation.parameters.map((parameter) => describeParameter(operation, parameter)),
    makeReference('parameters', 'IfNoneMatch'),
    makeReference('parameters', 'RequestId'),
  ],
  responses: {
    '200': {
      description: operation.summary,
      headers: makeHeaderReferences('ETag', 'RateLimit', 'RateLimit-Policy', 'X-Request-Id'),
      content: { 'application/json': { schema: makeEnvelopeSchema(operation) } },
    },
    '304': {
      description: 'The cached response is still current.',
      headers: makeHeaderReferences('ETag', 'RateLimit', 'RateLimit-Policy', 'X-Request-Id'),
    },
    ...Object.fromEntries(
      FAILURE_STATUSES.map((status) => [String(status), makeReference('responses', `Problem${status}`)]),
    ),
  },
});

function makeEnvelopeSchema(operation: Operation): JsonObject {
  const reference = makeReference('schemas', operation.resource);
  return {
    type: 'object',
    required: ['data', 'meta'],
    properties: {
      data: returnsList(operation) ? { type: 'array', items: reference } : reference,
      meta: makeReference('schemas', 'Meta'),
    },
  };
}

function describeParameter({ id }: Operation, parameter: Parameter): JsonObject {
  const addition = ADDED_PARAMETERS[id]?.[parameter.name];
  const isList = parameter.kind === 'list';
  return {
    name: parameter.name,
    in: parameter.in,
    required: parameter.required,
    description: `${parameter.help}.`,
    ...(isList ? { style: 'form', explode: false } : {}),
    ...(parameter.kind === 'clauses' ? { style: 'form', explode: true } : {}),
    schema: makeParameterSchema(parameter),
    ...(addition === undefined ? {} : { 'x-addition': addition.values === undefined ? true : [...addition.values] }),
  };
}

const makeProblemResponses = (): JsonObject =>
  Object.fromEntries(
    FAILURE_STATUSES.map((status) => {
      const entries = Object.entries(PROBLEM_KINDS).filter(([, kind]) => kind.status === status);
      const extra = status === 401 ? ['WWW-Authenticate'] : ['RateLimit', 'RateLimit-Policy'];
      if (status === 429) extra.push('Retry-After');
      return [
        `Problem${status}`,
        {
          description: entries.map(([code, kind]) => `${code}: ${kind.title}`).join('; '),
          headers: makeHeaderReferences('X-Request-Id', ...extra),
          content: { 'application/problem+json': { schema: makeReference('schemas', 'Problem') } },
        },
      ];
    }),
  );

/** Returns the schemas of all resources, in which nested resources are references by name. */
function makeResourceSchemas(): JsonObject {
  // Schemas are compared as text, because combining schemas copies them.
  const names = new Map(Object.entries(RESOURCES).map(([name, schema]) => [JSON.stringify(schema), name]));
  const describe = (name: string, schema: object) => markAdditions(name, replaceSchemasInFields(schema, names));
  return Object.fromEntries(Object.entries(RESOURCES).map(([name, schema]) => [name, describe(name, schema)]));
}

/** Returns a resource's schema in which `x-addition` marks each field that fin adds to the HTTP API. */
function markAdditions(name: string, schema: JsonObject): JsonObject {
  const additions = Object.entries(ADDED_FIELDS[name] ?? {});
  if (additions.length === 0) return schema;
  const properties = schema.properties as Readonly<Record<string, JsonObject>>;
  const marked = additions.map(([key, description]) => [key, { ...properties[key], description, 'x-addition': true }]);
  return { ...schema, properties: { ...properties, ...Object.fromEntries(marked) } };
}

function replaceSchemasByReferences(value: unknown, bySchema: ReadonlyMap<string, string>): Json {
  if (typeof value !== 'object' || value === null) return value as Json;
  if (Array.isArray(value)) return value.map((item) => replaceSchemasByReferences(item, bySchema));
  const name = bySchema.get(JSON.stringify(value));
  return name === undefined ? replaceSchemasInFields(value, bySchema) : makeReference('schemas', name);
}

const replaceSchemasInFields = (value: object, bySchema: ReadonlyMap<string, string>): JsonObject =>
  Object.fromEntries(Object.entries(value).map(([key, item]) => [key, replaceSchemasByReferences(item, bySchema)]));
