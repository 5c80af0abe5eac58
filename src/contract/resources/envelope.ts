/**
 * Schemas of the envelope of a response, and of the problem document of a failed request. In the envelope, `meta` (with
 * the release and the attribution) is next to `data`.
 */
import Type, { type Static } from 'typebox';
import * as s from './scalars.ts';

export const SCHEMA_NAME = 'svc.data.v1';

export const Release = Type.Object(
  { date: s.Day, checks: s.makeEnum('passed', 'failed'), published_at: s.Instant, stamp: s.Text },
  { additionalProperties: false },
);

export const Attribution = Type.Object({ text: s.Text, url: s.Uri }, { additionalProperties: false });

/** Number of companies that lack a figure. */
const FigureCount = Type.Object({ column: s.Text, companies: s.Count }, { additionalProperties: false });

/** The field `meta` of a response. Its `limit` is the effective limit, up to 5000 for metrics. */
export const Meta = Type.Object(
  {
    schema: Type.Literal(SCHEMA_NAME),
    route: s.Text,
    release: s.makeNullable(Release),
    request_id: s.Text,
    as_of: Type.Optional(s.Day),
    attribution: Type.Optional(Attribution),
    collapse: Type.Optional(s.Flag),
    columns: Type.Optional(Type.Array(s.Text)),
    concept: Type.Optional(s.Text),
    date: Type.Optional(s.Day),
    dir: Type.Optional(s.makeEnum('asc', 'desc')),
    forms: Type.Optional(s.Text),
    keys: Type.Optional(Type.Array(s.Text)),
    industry_unknown: Type.Optional(s.Count),
    kind: Type.Optional(s.makeEnum('purchase', 'sale')),
    left_out: Type.Optional(s.Count),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 5000 })),
    metric_key: Type.Optional(s.Text),
    missing_by: Type.Optional(Type.Array(FigureCount)),
    no_longer_reporting: Type.Optional(s.Count),
    offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
    period: Type.Optional(s.makeEnum('latest', 'annual', 'quarterly', 'all')),
    quarter: Type.Optional(s.Day),
    query: Type.Optional(s.Text),
    search: Type.Optional(s.Text),
    set_aside: Type.Optional(s.Count),
    set_aside_by: Type.Optional(Type.Array(FigureCount)),
    since: Type.Optional(s.Day),
    sort: Type.Optional(s.Text),
    ticker: Type.Optional(s.Text),
    total: Type.Optional(s.Count),
    universe: Type.Optional(s.Count),
    where: Type.Optional(Type.Array(s.Text, { maxItems: 64 })),
  },
  { additionalProperties: false },
);

/** `unknown_parameters`, an addition of fin, has the given parameters that the operation lacks; only with status 400. */
export const Problem = Type.Object({
  type: s.Uri,
  title: s.Text,
  status: Type.Integer({ minimum: 400, maximum: 599 }),
  detail: s.Text,
  code: s.makeEnum(
    'bad_request',
    'missing_key',
    'invalid_key',
    'revoked_key',
    'expired_key',
    'not_found',
    'method_not_allowed',
    'rate_limited',
    'internal_error',
    'unavailable',
    'timeout',
  ),
  request_id: s.Text,
  'violated-policies': Type.Optional(Type.Array(s.makeEnum('minute', 'month', 'concurrent'))),
  unknown_parameters: Type.Optional(Type.Array(s.Text)),
});

export type Release = Static<typeof Release>;
export type Attribution = Static<typeof Attribution>;
export type Meta = Static<typeof Meta>;
export type Problem = Static<typeof Problem>;
