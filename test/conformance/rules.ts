/**
 * The rules of the interface that can be tested by responses. `stated` rules are from the interface, `ours` from this
 * project where the interface is silent (choices.md). The conformance suite has one test per rule, named after the
 * rule, and the README's table of rules is generated from this list.
 */
import type { RuleSource } from '../../src/contract/question/parameters.ts';

export interface Rule {
  readonly id: string;
  readonly group: string;
  readonly source: RuleSource;
  /** A complete sentence without its full stop. */
  readonly text: string;
}

/** Returns the name of the rule's test in `conformance.test.ts`. */
export const testName = ({ group, text }: Rule): string => `${group}: ${text}`;

type Entry = readonly [id: string, source: RuleSource, text: string];

const group = (name: string, ...entries: readonly Entry[]): Rule[] =>
  entries.map(([id, source, text]) => ({ id, group: name, source, text }));

export const RULES: readonly Rule[] = [
  ...group(
    'General',
    ['get-only', 'stated', 'Any method but GET is 405 method_not_allowed, whatever its name and the path'],
    ['head-options', 'ours', 'HEAD and OPTIONS are 405 too, with Allow: GET'],
    ['json', 'stated', 'A successful body is JSON of exactly data and meta'],
    [
      'meta-fields',
      'stated',
      'meta has schema svc.data.v1, route, release and request_id, and no field beyond the listed',
    ],
    ['route-template', 'ours', 'meta.route is the path template'],
    ['release-named', 'stated', 'Every answer names its release in meta.release, the one that /v1/release shows'],
    ['figures-are-strings', 'stated', 'Every figure is a decimal string, never a JSON number'],
    ['get-body', 'ours', 'The body of a GET is ignored'],
    ['echoes', 'ours', 'A parameter that meta has a field for is echoed with its effective value, others are not'],
  ),
  ...group(
    'Request ids',
    ['request-id', 'stated', 'Every response has a request id in X-Request-Id and in its body'],
    ['request-id-kept', 'stated', 'A client-sent id of up to 64 letters, digits, -, _ and . is used'],
    ['request-id-replaced', 'stated', 'A client-sent id of any other form is replaced'],
  ),
  ...group(
    'Authentication',
    ['missing-key', 'stated', 'Without a bearer header: 401 missing_key with WWW-Authenticate'],
    ['invalid-key', 'stated', 'A value that is not a well-formed key: 401 invalid_key with WWW-Authenticate'],
    ['key-first', 'ours', 'The key is checked before path, method and parameters'],
    ['no-limits-without-key', 'stated', 'A response to a request without a valid key names no limits'],
  ),
  ...group(
    'Errors',
    ['problem', 'stated', 'An error is an RFC 9457 problem of the interface, as application/problem+json'],
    ['unknown-path', 'stated', 'An unknown path is 404 not_found'],
    ['method-before-parameters', 'ours', 'A wrong method is 405 whatever the parameters'],
    ['unknown-ticker', 'stated', 'A ticker that is not covered is 404 not_found, also one that no security can have'],
    ['unknown-parameter', 'stated', 'An unknown parameter is 400 bad_request, and detail names it'],
    ['repeated-parameter', 'ours', 'A repeated single parameter is 400 bad_request'],
    ['limit-zero', 'stated', 'limit=0 is 400 bad_request, and detail names limit'],
    ['malformed-date', 'stated', 'A malformed date is 400 bad_request'],
    ['first-day', 'stated', 'The first day of the first year is a date'],
    ['malformed-encoding', 'ours', 'Malformed percent-encoding is 400 bad_request'],
    ['long-url', 'ours', 'An over-long URL is a 400 problem'],
    ['long-headers', 'ours', 'Over-long headers are a 400 problem'],
    ['as-of-elsewhere', 'ours', 'as_of outside metrics, lineage and the screen is an unknown parameter: 400'],
    ['malformed-identifiers', 'ours', 'A malformed accession, cik or uuid is 400, and detail names it'],
    ['no-traces', 'ours', 'No problem contains a stack trace or a path of the server'],
  ),
  ...group(
    'Conditional requests',
    ['etag', 'stated', 'Every 200 has an ETag'],
    ['etag-steady', 'ours', 'The ETag is weak and does not depend on the request id'],
    ['etag-differs', 'ours', 'Another echo in meta has another ETag'],
    ['not-modified', 'stated', 'If-None-Match with the current ETag is 304 without a body'],
    ['not-modified-list', 'ours', 'If-None-Match takes lists, strong forms and *'],
    ['not-modified-headers', 'ours', 'A 304 has ETag, RateLimit, RateLimit-Policy and X-Request-Id'],
    ['errors-not-modified', 'ours', 'An error is never a 304'],
  ),
  ...group(
    'Limits',
    [
      'limit-headers',
      'stated',
      'Every response to a valid key has RateLimit and RateLimit-Policy with minute, month and concurrent',
    ],
    ['counted', 'stated', '200, 304, 400 and 404 count'],
    ['counted-405', 'ours', 'A 405 counts'],
    ['minute-reset', 'stated', "The minute's t is the seconds to the end of the calendar minute"],
    ['month-reset', 'stated', "The month's t is the seconds to the first of next month, UTC"],
    [
      'minute-refused',
      'stated',
      'Beyond the minute: 429 rate_limited, violated-policies minute, Retry-After to its end',
    ],
    ['refused-not-counted', 'stated', 'A 429 does not count'],
    ['limits-before-path', 'ours', 'Limits are checked before path, method and parameters'],
    ['concurrent-refused', 'stated', 'More at a time than allowed: 429 with violated-policies concurrent'],
  ),
  ...group(
    'Search and profile',
    ['search-query', 'stated', 'Search needs query'],
    ['search-ticker', 'stated', 'Search finds active securities by ticker prefix'],
    ['search-exact-first', 'ours', 'An exact ticker is the first hit'],
    ['search-name', 'stated', 'Search finds by entity name'],
    ['search-hits', 'stated', 'A hit is a SecuritySearchHit'],
    ['profile', 'stated', 'A profile is a SecurityProfile, its price null or a PriceLatest'],
    ['ticker-forms', 'ours', 'A ticker is found in lower case too'],
    ['price-attributed', 'ours', 'A profile with a price has the attribution in meta'],
  ),
  ...group(
    'Metrics',
    ['metric-values', 'stated', 'A row is a MetricValue'],
    ['metrics-default', 'stated', 'period is latest and limit 25 unless given'],
    ['metrics-annual', 'stated', 'period=annual brings no other duration than a year'],
    ['metrics-keys', 'stated', 'keys narrows to the metrics named'],
    ['metrics-unknown-key', 'ours', 'An unknown metric key in keys is 400'],
    ['metrics-screen-only', 'ours', 'A figure that only the screener has is refused like an unknown key'],
    ['metrics-limit-max', 'stated', 'limit above 5000 is 400'],
    ['metrics-limit-effective', 'stated', 'The effective limit is 500 unless keys and collapse are both given'],
    ['metrics-order', 'ours', 'Rows of one metric come latest end first'],
    ['metrics-collapse', 'stated', 'collapse keeps one row for each metric, unit, period kind and period end'],
    ['as-of-filed', 'stated', 'As of a day every row is read from a filing filed on or before it'],
    ['as-of-today', 'stated', "Today's date is the standing read"],
    ['as-of-before', 'stated', 'As of a day before every filing there are no rows'],
    [
      'values-first',
      'ours',
      'With values=first every reported row is read from the first filing that states its value',
    ],
    ['stable-ids', 'ours', 'A value has the same metric_value_id in every answer'],
    ['catalog', 'stated', 'The catalog lists MetricCatalogEntry rows, a metric once'],
    ['catalog-named', 'ours', 'Every key that metrics answers with is in the catalog'],
  ),
  ...group(
    'Sources',
    ['lineage-rows', 'stated', 'A lineage row is a MetricLineage'],
    ['lineage-location', 'stated', 'location is a FactLocation, or absent: never null'],
    ['lineage-value', 'stated', "metric_value_id narrows lineage to that value's facts"],
    ['lineage-pages', 'ours', 'A page of lineage has values with all of their facts, and meta.total counts the facts'],
    ['lineage-unknown', 'ours', 'An unknown metric key in the path is 404'],
    ['lineage-unknown-value', 'ours', 'An unknown metric_value_id is 200 and empty'],
    ['revision-rows', 'stated', 'A revision row is a MetricRevision'],
    ['revision-chain', 'stated', 'A chain is in filing order, ranks from 1, the first is first and exactly one stands'],
    ['revision-delta', 'stated', 'delta is value minus previous_value on a revised row, else null'],
    ['revision-value', 'stated', 'metric_value_id narrows revisions to its chain'],
    ['revision-period', 'stated', 'fiscal_year and fiscal_period narrow the chains, the period in any case'],
    ['revision-period-carried', 'ours', 'Every fiscal_period in an answer can be asked for, in any case'],
    ['revision-period-bad', 'ours', 'A fiscal_period that no answer has is 400'],
    ['revision-year', 'stated', 'fiscal_year is any whole number'],
    ['raw-concepts', 'stated', 'A row is a RawConcept'],
  ),
  ...group(
    'Screener',
    ['screen-rows', 'stated', 'A row is a ScreenRow; without columns it has every figure'],
    ['screen-columns', 'stated', 'With columns a row has those beside cik, ticker, exchange and entity_name'],
    ['screen-where', 'stated', 'Every row passes every clause, compared exactly'],
    ['screen-arithmetic', 'ours', 'universe is the sum of what matched, what failed and set_aside'],
    ['screen-set-aside', 'stated', 'A company without a filtered figure is excluded and counted in set_aside'],
    ['screen-missing-last', 'stated', 'Sorting by a figure places those missing it last, in either direction'],
    ['screen-ties', 'ours', 'Ties come by ticker'],
    ['screen-pages', 'stated', 'limit and offset page the rows, total counts them all'],
    ['screen-bad-column', 'stated', 'An unknown column in where, sort or columns is 400, and detail names it'],
    ['screen-bad-clause', 'stated', 'A clause with another operator, an exponent or more than 32 characters is 400'],
    ['screen-clauses-max', 'stated', 'More than 64 clauses are 400'],
    ['screen-offset-max', 'stated', 'offset above 1000000 is 400'],
    ['screen-dates', 'ours', 'Dates and coverage_state stand in columns, not in where or sort'],
  ),
  ...group('Release', [
    'release',
    'stated',
    'The release has date, checks, published_at and stamp, and no other fields',
  ]),
  ...group(
    'Filings',
    ['filings-rows', 'stated', 'A row is a Filing'],
    ['filings-forms', 'stated', 'forms is matched exactly after upper-casing'],
    ['filings-items', 'ours', 'items matches filings that have all of them'],
    ['filings-no-items', 'stated', 'items is empty for other forms than 8-K'],
    [
      'filings-timing',
      'stated',
      'An earnings announcement (8-K, or its amendment, with item 2.02) whose time is known has its timing; no other filing has',
    ],
    ['day', 'stated', 'A day is a FilingsDay; without date the latest in the release'],
    ['day-counts', 'stated', 'The forms of a day add up to its filings, and its lines are no more than it owed'],
    ['day-updated', 'stated', 'updated_at of a day is a time, and absent where there is none'],
    ['day-before', 'ours', 'A date before all filings of the release is 404'],
    ['day-later', 'stated', 'A date later than the latest day of the release is 404'],
    ['filing', 'stated', 'A filing is a FilingSource'],
    ['filing-unknown', 'ours', 'A well-formed accession that the release does not include is 404'],
  ),
  ...group(
    'Insider trades, holders, segments, prices',
    ['insiders', 'stated', 'Insider activity is an InsiderActivityPage, across companies and of one'],
    ['insiders-totals', 'ours', 'Totals are of the whole filtered result, whatever limit and offset page'],
    ['insiders-since', 'stated', 'since brings transactions on or after the day, kind one side'],
    ['insiders-limit', 'stated', 'limit above 100 on insider activity is 400'],
    ['insiders-kind', 'ours', 'meta.kind is absent for all'],
    ['tickers-max', 'stated', 'More than 60 tickers are 400'],
    ['holders', 'stated', 'Who holds a company is a SecurityHolders'],
    ['managers', 'stated', 'Manager search brings HolderHit rows, 10 unless asked otherwise'],
    ['managers-bounds', 'stated', 'limit above 50 or a query above 64 characters on manager search is 400'],
    ['managers-query', 'stated', 'query finds managers by name'],
    ['managers-empty-query', 'ours', 'An empty query is none: the largest managers'],
    [
      'manager-names',
      'stated',
      'A position whose CUSIP belongs to a covered company names the company, as its holders name the manager',
    ],
    ['manager', 'stated', 'A manager is a Holder, positions largest by value first'],
    ['manager-unknown', 'stated', 'A manager that the release does not include is 404'],
    ['segments', 'stated', 'Segments are a Segments resource'],
    ['prices', 'stated', 'Prices are a Prices resource with parallel arrays and an attribution'],
    ['prices-market-cap', 'stated', 'The market cap of a day goes by a share count filed by that day'],
    [
      'prices-screened',
      'ours',
      'A screen that shows a price has the attribution, one that names no price figure does not',
    ],
    ['prices-range', 'ours', 'range together with from or to is 400'],
  ),
];
