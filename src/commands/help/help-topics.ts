/** Help topics that are not commands. */
import { EXIT_CODES } from '../../contract/failure.ts';
import { dependsOnPrice, formatFormula, METRICS } from '../../contract/figures.ts';
import { SCREEN_FIGURES } from '../../contract/screen-columns.ts';
import { FORMATS, OUTPUT_FORMAT_NAMES } from '../../render/formats.ts';
import altman from './examples/altman.txt?raw';
import containerFile from './examples/Containerfile?raw';
import cashCycle from './examples/cash-cycle.txt?raw';
import dupont from './examples/dupont.txt?raw';
import systemdUnit from './examples/fin.service?raw';
import piotroski from './examples/piotroski.txt?raw';

/** `fin help serving`: how to run the service for other users, with a systemd unit and a container file as examples. */
const SERVING_TOPIC = {
  title: 'Serving',
  intro: 'To run "fin serve" for other machines, put it behind a proxy with TLS, or use --tls-cert.',
  lines: [
    ['port', '8346, or --port; if the port is in use, fin serve ends with exit code 2'],
    ['keys', 'fin keys create --account <name>, run as the user of the service and with its directories'],
    [
      'releases',
      'fin data fetch and fin data build, run as the user of the service; a new release is served without a restart; if all releases are removed, the service answers 503',
    ],
    ['/livez', 'answers 200 while the process runs; needs no key'],
    [
      '/readyz',
      'answers 200 with the stamp of the served release; 503 without a release, or while stopping; needs no key',
    ],
    ['/openapi.json', 'the HTTP API as an OpenAPI 3.1 document; needs no key'],
    ['/problems', 'the page to which error responses link; describes the types of errors; needs no key'],
    ['SIGTERM', 'finishes requests in progress, within 11 seconds; exit code 143'],
    ['several replicas', 'share their limits through the Redis server in FIN_REDIS_URL'],
  ],
  files: [
    { name: '/etc/systemd/system/fin.service (the user fin, and fin on the PATH of systemd)', text: systemdUnit },
    { name: 'Containerfile (in the directory with the .tgz file made by "npm pack")', text: containerFile },
  ],
} as const;

export interface Topic {
  readonly title: string;
  readonly intro: string;
  readonly lines: readonly (readonly [name: string, text: string])[];
  /** Example files, printed without wrapping so that users can copy them. */
  readonly files?: readonly { readonly name: string; readonly text: string }[];
}

const { usage, not_found: notFound, key, limit, service, network, data, unproven } = EXIT_CODES;

const EXIT_CODES_TOPIC: Topic = {
  title: 'Exit codes',
  intro: 'The exit code tells scripts how a command ended.',
  lines: [
    ['0', 'success, also when there are no results'],
    ['1', 'unexpected: a defect of fin, or output that could not be written completely'],
    [`${usage}`, 'wrong usage: an unknown option, a bad parameter (400)'],
    [`${notFound}`, 'not found (404)'],
    [`${key}`, 'API key missing, invalid, revoked or expired (401)'],
    [`${limit}`, 'a limit is reached: no requests are left this month, or the wait would exceed --max-wait (429)'],
    [`${service}`, 'the service failed or is unavailable, after retries (5xx)'],
    [
      `${network}`,
      'no connection, no response before --deadline, no cached response with --offline, or a response that does not follow the HTTP API',
    ],
    [
      '8',
      'some of several inputs failed; stderr names each failed input (if all inputs failed with the same exit code, that code is used instead). For fin doctor: a check failed',
    ],
    [
      `${data}`,
      'data missing, damaged or not writable. For fin data build and fin data check: a check of the release failed',
    ],
    [`${unproven}`, 'the section is not proven: fin read, fin changes print no text that may be the wrong one'],
    ['130, 143', 'interrupted'],
    [
      '134, 139',
      'node itself ended, for example because the system allows too few processes or too little memory (ulimit -u, -v)',
    ],
  ],
};

const ENVIRONMENT_TOPIC: Topic = {
  title: 'Environment',
  intro: 'Options override the environment, and the environment overrides the profile.',
  lines: [
    ['FIN_BASE_URL', 'address of the service, or "local:" for the data on this machine'],
    ['FIN_API_KEY', 'the API key'],
    ['FIN_API_KEY_COMMAND', "a command that prints the API key, such as a password manager's"],
    ['FIN_PROFILE', 'the profile to use'],
    ['FIN_OUTPUT', `output format: ${OUTPUT_FORMAT_NAMES.join(', ')}`],
    ['FIN_CONFIG_DIR, FIN_CACHE_DIR', 'directories of the settings, and of cached responses and compiled code'],
    ['FIN_STATE_DIR, FIN_DATA_DIR', 'directories of the rate limiter, and of releases'],
    [
      'XDG_CONFIG_HOME, XDG_CACHE_HOME …',
      'parent directories of the four directories above; ignored for a directory whose own variable is set',
    ],
    ['FIN_CACHE_MAX_MB', 'maximum size of the response cache in megabytes (default: 256)'],
    ['FIN_DOCUMENTS_MAX_MB', 'maximum size of the cache of documents in megabytes (default: 1000)'],
    ['NODE_DISABLE_COMPILE_CACHE', 'do not cache compiled code'],
    ['FIN_CONTACT', 'name and e-mail address, which the SEC asks for when files are fetched'],
    ['FIN_EDGAR_URL', "address of a copy of the SEC's site to fetch from"],
    ['FIN_REDIS_URL', 'address of a Redis server that stores the limits shared by several processes of "fin serve"'],
    [
      'FIN_CA_FILE, NODE_EXTRA_CA_CERTS',
      'file with your own certificate authorities; to store it in a profile: fin config set ca_file <file>',
    ],
    ['HTTPS_PROXY, ALL_PROXY, NO_PROXY', 'proxies; http requests to this machine bypass them'],
    ['FIN_PAGER, PAGER', 'pager, run by sh, for output longer than the screen; empty for no pager'],
    ['NO_COLOR, FORCE_COLOR', 'never use colors; always use colors'],
    ['FIN_DEBUG', 'print the stack trace of an error, for a bug report'],
  ],
};

const API_KEYS_TOPIC: Topic = {
  title: 'API keys',
  intro:
    'fin never reads a key from an argument, where other users could see it. fin uses the first of these sources that is set.',
  lines: [
    ['--api-key-file <file>', 'a file that contains only the key'],
    ['--profile <name>', 'the key stored in that profile'],
    ['FIN_API_KEY', 'the key itself'],
    ['FIN_API_KEY_COMMAND', 'a command that prints the key'],
    ['the profile in use', 'the key stored in the profile; it is sent only to the address it was stored for'],
  ],
};

const DOCUMENT_FORMATS_TEXT = OUTPUT_FORMAT_NAMES.filter((format) => FORMATS[format].form === 'document').join(' and ');

const OUTPUT_TOPIC: Topic = {
  title: 'Output',
  intro: 'Answers are printed to stdout; notices, warnings and errors to stderr.',
  lines: [
    ...OUTPUT_FORMAT_NAMES.map((format) => [format, FORMATS[format].help] as const),
    [
      '--fields',
      `chooses columns by name, in every format but ${DOCUMENT_FORMATS_TEXT} and charts (fin screen --columns instead chooses the figures to request)`,
    ],
    [
      'charts',
      'on a terminal, "fin prices" shows a chart above its table (unless --no-chart); --chart shows a chart instead of the table, for prices, metrics, segments and compare; --svg and --html write charts to share',
    ],
    [
      'attribution',
      'shown with all prices, because their sources require it; in formats with rows, such as csv, it is the last column',
    ],
  ],
};

const FIGURES_TOPIC: Topic = {
  title: 'Figures of the screener',
  intro:
    'Ratios are fractions: 0.2 is 20 %. You can also filter and sort by fiscal_year, and show currency, industry and sic.',
  lines: SCREEN_FIGURES.map((figure) => {
    const formula = formatFormula(figure);
    const meaning = `${figure.label}${formula === null ? '' : ` = ${formula}`}`;
    return [figure.key, `${meaning}${dependsOnPrice(figure.key) ? ' (needs a price)' : ''}`];
  }),
};

const METRIC_KEYS_TOPIC: Topic = {
  title: 'Metrics',
  intro: 'Metrics of the financial statements. The ratios of the screener are metrics too: see fin help figures.',
  lines: METRICS.map(({ key: name, description }) => [name, description.replace(/\.$/, '')]),
};

const FORMULAS_TOPIC: Topic = {
  title: 'Formulas',
  intro:
    'fin screen, fin metrics and fin compare add figures of your own: --compute <name=formula>, or --formulas <file> with one formula ' +
    'per line. fin computes them itself, from figures that the service has.',
  lines: [
    ['figures', 'of fin help figures in a screen; of fin catalog in metrics and compare; also other formulas'],
    ['numbers', '365, 0.5, 8%, 1.5B'],
    ['+ - * / ( )', 'exact; a quotient has ten decimals'],
    ['< <= > >= == !=', '1 if true, 0 if false'],
    ['min(a, b), max(a, b), abs(a)', 'minimum, maximum, absolute value'],
    [
      'prior(a)',
      'the value a year before (metrics and compare), if it is comparable: of the same shares and the same basis',
    ],
    ['avg(a)', 'the average of a and prior(a) (metrics and compare)'],
    ['rank(a)', 'the position among the companies of the screen: 1 for the highest; rank(-a) for the lowest first'],
    ['no value', 'if a figure has none, or the divisor is zero; a notice counts these'],
    ['periods', 'flows of a period, balances of its last day; in a screen, prices are of price_day'],
    ['currency', "the company's reporting currency; in a screen, US dollars"],
    ['names', 'lowercase letters, digits and underscores; not the name of a figure, column or function'],
    ['limits', '64 formulas of at most 1,000 characters, with at most 32 parts nested'],
  ],
  files: [
    { name: 'piotroski.txt: fin metrics AAPL --formulas piotroski.txt --years 5', text: piotroski },
    { name: 'cash-cycle.txt: fin metrics AAPL --formulas cash-cycle.txt', text: cashCycle },
    { name: 'dupont.txt: fin compare AAPL MSFT --formulas dupont.txt', text: dupont },
    { name: 'altman.txt: fin metrics AAPL --formulas altman.txt', text: altman },
    {
      name: 'Magic formula: cheap companies with a high return on capital, best first',
      text: `fin screen --where market_cap:gt:1B --sort place --limit 30 \\
  --compute 'earnings_yield=operating_income/enterprise_value' \\
  --compute 'capital_return=operating_income/(assets-current_liabilities-cash_and_equivalents)' \\
  --compute 'place=rank(earnings_yield)+rank(capital_return)'`,
    },
  ],
};

/** `help.ts` adds the options themselves. */
const OPTIONS_TOPIC: Topic = {
  title: 'Options of every command',
  intro: 'Every command accepts these options, before or after its own; commands without requests need no service.',
  lines: [],
};

const READING_TOPIC: Topic = {
  title: 'Reading filings',
  intro:
    'fin read, fin grep and fin changes read documents of filings. A section is printed only if both of its bounds are proven.',
  lines: [
    ['proven', 'a link or the page number of the contents, the title, and the order of the items agree on both bounds'],
    ['by_reference', 'most of the item names another place; it is printed, but fin changes refuses it'],
    [
      'page_ranges',
      'a cross-reference index names only pages, or a footnote; to read pages: --pages 46-60. They may have text of other items',
    ],
    ['refused', 'a bound is not proven; fin says why, and prints no text (exit code 10)'],
    [
      'how often',
      'of 1,617 items that 276 documents list: 80 % proven, 16 % by reference, 3 % page ranges, 1 % refused. By form and year, proven and by reference:',
    ],
    ['10-K', '56 and 44 % (1990s), 81 and 19 % (2000s), 81 and 11 % (2010s), 73 and 20 % (2020s)'],
    ['10-Q', '78 and 18 % (2020s)'],
    ['8-K', '85 and 15 % (1990s), 93 and 6 % (2000s), 95 and 2 % (2010s), 94 and 6 % (2020s)'],
    ['20-F', '100 and 0 % (2000s), 96 and 4 % (2020s)'],
    ['--items', 'lists the items of a document with their evidence, size and address'],
    [
      '--item',
      '1A; II.1A where numbers repeat, as in a 10-Q; or a title or usual name, such as "risk factors" or "MD&A"',
    ],
    ['EO', 'the unnumbered part "Information about our Executive Officers", which Item 4 includes'],
    ['--from, --to', 'of fin changes: a year, the day of a period or filing, or an accession number'],
    [
      'where from',
      "documents fetched by fin data fetch --documents, then the cache, then the SEC's site or its copy (--site, FIN_EDGAR_URL); any other origin only after: fin config set document_origin <origin>",
    ],
    ['contact', 'the SEC asks for a name and an e-mail address: --contact, FIN_CONTACT, or fin config set contact'],
    ['--plan', 'counts the requests to the service and those to the SEC; --offline sends none'],
  ],
};

export const TOPICS: Readonly<Record<string, Topic>> = {
  options: OPTIONS_TOPIC,
  'exit-codes': EXIT_CODES_TOPIC,
  environment: ENVIRONMENT_TOPIC,
  keys: API_KEYS_TOPIC,
  output: OUTPUT_TOPIC,
  reading: READING_TOPIC,
  figures: FIGURES_TOPIC,
  'metric-keys': METRIC_KEYS_TOPIC,
  formulas: FORMULAS_TOPIC,
  serving: SERVING_TOPIC,
};
