/**
 * The rules of the HTTP API that can be tested by responses. `stated` rules are from the HTTP API. `ours` are rules
 * that this project adds where the HTTP API has none (choices.md). The conformance suite has one test per rule, named
 * after the rule; the reference's table of rules is generated from this list.
 */
import type { RuleSource } from '../../src/contract/parameters.ts';

export interface Rule {
  readonly id: string;
  readonly group: string;
  readonly source: RuleSource;
  /** A complete sentence without its full stop. */
  readonly text: string;
}

/** Returns the name of the rule's test in `conformance.test.ts`. */
export const formatTestName = ({ group, text }: Rule): string => `${group}: ${text}`;

type RuleEntry = readonly [id: string, source: RuleSource, text: string];

const makeRules = (name: string, ...entries: readonly RuleEntry[]): Rule[] =>
  entries.map(([id, source, text]) => ({ id, group: name, source, text }));

export const RULES: readonly Rule[] = [
  ...makeRules(
    'General',
    ['get-only', 'stated', 'Any method except GET is 405 method_not_allowed, on any path'],
    ['head-options', 'ours', 'HEAD and OPTIONS are also 405, with Allow: GET'],
    ['json', 'stated', 'The body of a 200 is a JSON object with exactly data and meta'],
    [
      'meta-fields',
      'stated',
      'meta has schema (svc.data.v1), route, release and request_id, and no fields outside the interface',
    ],
    ['route-template', 'ours', 'meta.route is the path template'],
    ['release-named', 'stated', 'meta.release of every answer is the release that /v1/release returns'],
    ['figures-are-strings', 'stated', 'Every figure is a decimal string, never a JSON number'],
    ['get-body', 'ours', 'The body of a GET is ignored'],
    [
      'echoes',
      'ours',
      'meta echoes the effective value of each parameter for which meta has a field, and of no other parameter',
    ],
  ),
  ...makeRules(
    'Request ids',
    ['request-id', 'stated', 'Every response has a request id in X-Request-Id and in its body'],
    ['request-id-kept', 'stated', 'The request id of a client is kept if it has up to 64 letters, digits, -, _ and .'],
    ['request-id-replaced', 'stated', 'Any other request id of a client is replaced'],
  ),
  ...makeRules(
    'Authentication',
    ['missing-key', 'stated', 'A request without a bearer header is 401 missing_key, with WWW-Authenticate'],
    ['invalid-key', 'stated', 'A request with a malformed or unknown key is 401 invalid_key, with WWW-Authenticate'],
    ['key-first', 'ours', 'The key is checked before path, method and parameters'],
    ['no-limits-without-key', 'stated', 'A response to a request without a valid key has no headers of limits'],
  ),
  ...makeRules(
    'Errors',
    ['problem', 'stated', 'An error is an RFC 9457 problem of the interface (application/problem+json)'],
    ['unknown-path', 'stated', 'An unknown path is 404 not_found'],
    ['method-before-parameters', 'ours', 'A wrong method is 405, even if parameters are invalid'],
    [
      'unknown-ticker',
      'stated',
      'A ticker that is not covered is 404 not_found, even if no security can have such a ticker',
    ],
    ['unknown-parameter', 'stated', 'An unknown parameter is 400 bad_request, and detail names it'],
    ['repeated-parameter', 'ours', 'A repeated parameter that takes a single value is 400 bad_request'],
    ['limit-zero', 'stated', 'limit=0 is 400 bad_request, and detail names limit'],
    ['malformed-date', 'stated', 'A malformed date is 400 bad_request'],
    ['first-day', 'stated', '0001-01-01 is a valid date'],
    ['malformed-encoding', 'ours', 'Malformed percent-encoding is 400 bad_request'],
    ['long-url', 'ours', 'A URL that is too long is a 400 problem'],
    ['long-headers', 'ours', 'Headers that are too long are a 400 problem'],
    ['as-of-elsewhere', 'ours', 'as_of is an unknown parameter (400) of operations that have no as_of'],
    [
      'malformed-identifiers',
      'ours',
      'A malformed accession, cik or metric_value_id is 400, and detail names the parameter',
    ],
    ['no-traces', 'ours', 'No problem contains a stack trace or a path of the server'],
  ),
  ...makeRules(
    'Conditional requests',
    ['etag', 'stated', 'Every 200 has an ETag'],
    ['etag-steady', 'ours', 'The ETag is weak and does not depend on the request id'],
    ['etag-differs', 'ours', 'Answers that echo different parameters have different ETags'],
    ['not-modified', 'stated', 'A request with the current ETag in If-None-Match is 304 without a body'],
    ['not-modified-list', 'ours', 'If-None-Match accepts lists, strong ETags and *'],
    [
      'not-modified-headers',
      'ours',
      'A 304 has the Cache-Control, ETag and Vary of its 200, the limits and X-Request-Id',
    ],
    ['compressed', 'ours', 'A long body is compressed with br or gzip if Accept-Encoding has it, under the same ETag'],
    ['errors-not-modified', 'ours', 'An error is never a 304'],
  ),
  ...makeRules(
    'Limits',
    [
      'limit-headers',
      'stated',
      'Every response to a valid key has RateLimit and RateLimit-Policy with minute, month and concurrent',
    ],
    ['counted', 'stated', 'Responses with 200, 304, 400 and 404 count against the limits'],
    ['counted-405', 'ours', 'A 405 counts against the limits'],
    ['minute-reset', 'stated', 't of the minute limit is the number of seconds until the end of the calendar minute'],
    ['month-reset', 'stated', 't of the month limit is the number of seconds until the first of the next month, UTC'],
    [
      'minute-refused',
      'stated',
      'A request beyond the minute limit is 429 rate_limited, with violated-policies minute and Retry-After until the end of the minute',
    ],
    ['refused-not-counted', 'stated', 'A 429 does not count against the limits'],
    ['limits-before-path', 'ours', 'Limits are checked before path, method and parameters'],
    ['concurrent-refused', 'stated', 'A request beyond the concurrent limit is 429, with violated-policies concurrent'],
  ),
  ...makeRules(
    'Search and profile',
    ['search-query', 'stated', 'Search requires the parameter query'],
    ['search-ticker', 'stated', 'Search finds active securities by ticker prefix'],
    ['search-exact-first', 'ours', 'An exact ticker is the first hit'],
    ['search-name', 'stated', 'Search finds companies by entity name'],
    ['search-hits', 'stated', 'A hit is a SecuritySearchHit'],
    ['profile', 'stated', 'A profile is a SecurityProfile, and its price is null or a PriceLatest'],
    ['ticker-forms', 'ours', 'A ticker in lower case is accepted'],
    ['price-attributed', 'ours', 'A profile with a price has the attribution in meta'],
  ),
  ...makeRules(
    'Metrics',
    ['metric-values', 'stated', 'A row of metrics is a MetricValue'],
    ['metrics-default', 'stated', 'By default, period is latest and limit is 25'],
    ['metrics-annual', 'stated', 'period=annual returns only annual and instant values'],
    ['metrics-keys', 'stated', 'keys restricts the rows to the named metrics'],
    ['metrics-unknown-key', 'ours', 'An unknown metric key in keys is 400'],
    ['metrics-screen-only', 'ours', 'A key of a figure that only the screener has is 400'],
    ['metrics-limit-max', 'stated', 'limit above 5000 is 400'],
    [
      'metrics-limit-effective',
      'stated',
      'The maximum effective limit is 500, unless keys and collapse are both given',
    ],
    ['metrics-order', 'ours', 'Rows of one metric are sorted by period end, latest first'],
    ['metrics-collapse', 'stated', 'collapse returns one row per metric, unit, period kind and period end'],
    ['as-of-filed', 'stated', 'With as_of, every row is from a filing filed on or before that day'],
    ['as-of-today', 'stated', "as_of with today's date returns the current values"],
    ['as-of-before', 'stated', 'as_of with a day before all filings returns no rows'],
    ['values-first', 'ours', 'With values=first, every reported row is from the first filing that states its value'],
    ['stable-ids', 'ours', 'A value has the same metric_value_id in every answer'],
    ['catalog', 'stated', 'The catalog consists of MetricCatalogEntry rows, one per metric'],
    ['catalog-named', 'ours', 'Every key in a row of metrics is in the catalog'],
  ),
  ...makeRules(
    'Sources',
    ['lineage-rows', 'stated', 'A row of lineage is a MetricLineage'],
    ['lineage-location', 'stated', 'location is a FactLocation, or absent: never null'],
    ['lineage-value', 'stated', 'metric_value_id restricts lineage to the facts of that value'],
    [
      'lineage-pages',
      'ours',
      'A page of lineage has all facts of each of its values, and meta.total counts the facts of all pages',
    ],
    ['lineage-unknown', 'ours', 'An unknown metric key in the path is 404'],
    ['lineage-unknown-value', 'ours', 'An unknown metric_value_id is 200 without rows'],
    ['revision-rows', 'stated', 'A row of revisions is a MetricRevision'],
    [
      'revision-chain',
      'stated',
      'A revision chain is in filing order, its ranks count from 1, only its first row has the kind first, and exactly one row is standing',
    ],
    ['revision-delta', 'stated', 'delta is value minus previous_value in revised rows, and null in all other rows'],
    ['revision-value', 'stated', 'metric_value_id restricts revisions to the chain of that value'],
    [
      'revision-period',
      'stated',
      'fiscal_year and fiscal_period restrict revisions, and fiscal_period is case-insensitive',
    ],
    [
      'revision-period-carried',
      'ours',
      'Every fiscal_period in an answer is accepted as a parameter, in upper and lower case',
    ],
    ['revision-period-bad', 'ours', 'A fiscal_period that no answer can have is 400'],
    ['revision-year', 'stated', 'fiscal_year accepts any integer'],
    ['raw-concepts', 'stated', 'A row of raw concepts is a RawConcept'],
    [
      'raw-concepts-search',
      'ours',
      'search returns concepts with words that begin with the searched words, and meta.total counts these concepts',
    ],
    [
      'raw-concepts-facts',
      'ours',
      'concept adds the facts of that concept as filed, latest period first; an unknown concept is 404',
    ],
    ['raw-concepts-as-of', 'ours', 'as_of omits facts filed later; without concept, as_of is 400'],
  ),
  ...makeRules(
    'Screener',
    ['screen-rows', 'stated', 'A row of the screen is a ScreenRow; without columns, a row has every figure'],
    [
      'screen-columns',
      'stated',
      'With columns, a row has only these columns and cik, ticker, exchange and entity_name',
    ],
    ['screen-where', 'stated', 'Every row satisfies every clause of where, by exact comparison'],
    [
      'screen-arithmetic',
      'ours',
      'universe is the number of companies that match, plus those that do not match, plus set_aside',
    ],
    ['screen-set-aside', 'stated', 'A company without a filtered figure is excluded and counted in set_aside'],
    [
      'screen-missing-last',
      'stated',
      'Sorting by a figure places companies without that figure last, in either direction',
    ],
    ['screen-ties', 'ours', 'Companies with equal sort values are sorted by ticker'],
    ['screen-pages', 'stated', 'limit and offset select a page of rows, and total counts the rows of all pages'],
    ['screen-bad-column', 'stated', 'An unknown column in where, sort or columns is 400, and detail names the column'],
    ['screen-bad-clause', 'stated', 'A clause with another operator, an exponent or more than 32 characters is 400'],
    ['screen-clauses-max', 'stated', 'More than 64 clauses are 400'],
    ['screen-offset-max', 'stated', 'offset above 1000000 is 400'],
    ['screen-dates', 'ours', 'Dates and coverage_state are valid in columns, but not in where or sort'],
    [
      'screen-set-aside-by',
      'ours',
      'With set_aside_by=true, and only then, meta.set_aside_by counts the companies without each filtered figure',
    ],
    ['screen-as-of', 'ours', 'as_of returns the companies of a past day, and whether each company still reports'],
    [
      'screen-sic',
      'ours',
      'sic returns companies whose code begins with one of the given prefixes; a prefix that is not a number is 400',
    ],
    ['screen-industry', 'ours', 'industry returns companies whose industry description contains the given words'],
    ['screen-industry-counts', 'ours', 'With sic, every company is counted in universe, left_out or industry_unknown'],
    ['screen-peers', 'ours', 'peers_of returns a company and the companies with the same industry code'],
  ),
  ...makeRules('Release', [
    'release',
    'stated',
    'The release has date, checks, published_at and stamp, and no other fields',
  ]),
  ...makeRules(
    'Filings',
    ['filings-rows', 'stated', 'A row of filings is a Filing'],
    ['filings-forms', 'stated', 'forms is matched exactly, after conversion to upper case'],
    ['filings-items', 'ours', 'items returns filings that have all the given items'],
    ['filings-no-items', 'stated', 'items is empty for forms other than 8-K'],
    [
      'filings-timing',
      'stated',
      'An earnings announcement (8-K, or its amendment, with item 2.02) with a known acceptance time has a timing; no other filing has a timing',
    ],
    ['day', 'stated', 'A day is a FilingsDay; without date, the day is the latest in the release'],
    ['day-forms', 'ours', 'forms lists only filings of the given forms, changes no count, and meta echoes it'],
    [
      'day-counts',
      'stated',
      'The counts by form add up to the filings of the day, and lines_total is at least the number of lines',
    ],
    ['day-updated', 'stated', 'updated_at of a day is a time, and is absent for a day without filings'],
    ['day-before', 'ours', 'A date before all filings of the release is 404'],
    ['day-later', 'stated', 'A date later than the latest day of the release is 404'],
    ['filing', 'stated', 'A filing is a FilingSource'],
    ['filing-unknown', 'ours', 'A well-formed accession that the release does not include is 404'],
  ),
  ...makeRules(
    'Insider trades, holders, segments, prices',
    ['insiders', 'stated', 'Insider activity, of all companies or of one company, is an InsiderActivityPage'],
    ['insiders-totals', 'ours', 'Totals cover the whole filtered result, independent of limit and offset'],
    [
      'insiders-since',
      'stated',
      'since returns transactions on or after the day, and kind returns only purchases or only sales',
    ],
    ['insiders-limit', 'stated', 'limit above 100 on insider activity is 400'],
    ['insiders-kind', 'ours', 'meta.kind is absent if kind is all'],
    ['tickers-max', 'stated', 'More than 60 tickers are 400'],
    ['holders', 'stated', 'The holders of a company are a SecurityHolders'],
    ['managers', 'stated', 'A search for managers returns HolderHit rows, 10 by default'],
    [
      'managers-bounds',
      'stated',
      'limit above 50 or a query of more than 64 characters in a search for managers is 400',
    ],
    ['managers-query', 'stated', 'query finds managers by name'],
    ['managers-empty-query', 'ours', 'An empty query returns the largest managers, like a request without query'],
    ['manager-names', 'stated', 'A position in a covered company has the name and ticker of the company'],
    ['manager', 'stated', 'A manager is a Holder, with positions sorted by value, largest first'],
    ['manager-unknown', 'stated', 'A manager that the release does not include is 404'],
    [
      'manager-quarter',
      'ours',
      'quarter shows the report for a quarter, and meta echoes it; a day that ends no quarter is 400',
    ],
    ['segments', 'stated', 'Segments are a Segments resource'],
    ['prices', 'stated', 'Prices are a Prices resource with parallel arrays and an attribution'],
    ['prices-market-cap', 'stated', 'The market cap of a day is computed from a share count filed by that day'],
    [
      'prices-screened',
      'ours',
      'A screen with a price figure has an attribution, and a screen without price figures has no attribution',
    ],
    ['prices-range', 'ours', 'range together with from or to is 400'],
  ),
];
