/** Help that belongs to no single command. */
import { EXIT_CODES } from '../../contract/failure.ts';
import { formulaText, isPriced, METRICS } from '../../contract/figures.ts';
import { SCREEN_FIGURES } from '../../contract/screen-columns.ts';

export type Line = readonly [name: string, text: string];

export interface Topic {
  readonly title: string;
  readonly intro: string;
  readonly lines: readonly Line[];
}

const { usage, not_found: notFound, key, limit, service, network, data } = EXIT_CODES;

const EXITS: Topic = {
  title: 'Exit codes',
  intro: 'A script can tell by the code what to do next.',
  lines: [
    ['0', 'answered; an empty list is an answer'],
    ['1', 'unexpected: a defect, or output that could not be written whole'],
    [`${usage}`, 'wrong usage: an unknown option, a bad parameter (400)'],
    [`${notFound}`, 'not found (404)'],
    [`${key}`, 'API key missing, invalid, revoked or expired (401)'],
    [`${limit}`, 'a limit: the month is spent, or the wait would pass --max-wait (429)'],
    [`${service}`, 'the service failed or is unavailable, after retries (5xx)'],
    [`${network}`, "no connection, or an answer that is not the interface's"],
    [
      '8',
      'some of several failed, each named on stderr; if all failed alike, that code. Of fin doctor: a check is wrong',
    ],
    [`${data}`, 'local data missing or damaged'],
    ['130, 143', 'interrupted'],
  ],
};

const ENVIRONMENT: Topic = {
  title: 'Environment',
  intro: 'Options win over the environment, and the environment over the profile.',
  lines: [
    ['FIN_BASE_URL', 'address of the service; local: is the data on this machine'],
    ['FIN_API_KEY', 'the API key'],
    ['FIN_API_KEY_COMMAND', "a command that prints the API key, such as a password manager's"],
    ['FIN_PROFILE', 'the profile to use'],
    ['FIN_OUTPUT', 'form of the answer: table, json, ndjson or csv'],
    ['FIN_CONFIG_DIR, FIN_CACHE_DIR', 'where settings, and held answers and compiled code, are kept'],
    ['FIN_STATE_DIR, FIN_DATA_DIR', 'where the budget and releases are kept'],
    ['XDG_CONFIG_HOME and its like', 'where those four are, unless set one by one'],
    ['FIN_CACHE_MAX_MB', 'how large held answers may grow together (256); what was unused longest goes first'],
    ['NODE_DISABLE_COMPILE_CACHE', 'compile the program at every start, and keep nothing of it'],
    ['FIN_CONTACT', 'name and e-mail that the SEC asks for when files are fetched'],
    ['FIN_EDGAR_URL', "a copy of the SEC's site to fetch from"],
    ['FIN_REDIS_URL', 'a Redis in which several replicas of fin serve count together'],
    ['FIN_CA_FILE, NODE_EXTRA_CA_CERTS', 'certificate authorities of your own'],
    ['HTTPS_PROXY, ALL_PROXY, NO_PROXY', 'proxies; clear text to this machine goes through none'],
    ['FIN_PAGER, PAGER', 'the program that shows output longer than the screen, without a shell; empty for none'],
    ['NO_COLOR, FORCE_COLOR', 'colours never, or always'],
    ['FIN_DEBUG', 'where an error came from, for a report'],
  ],
};

const KEYS: Topic = {
  title: 'API keys',
  intro:
    'A key is never taken from an argument, where other users could see it. The first of these that is set is used.',
  lines: [
    ['--api-key-file <file>', 'a file that holds the key and nothing else'],
    ['--profile <name>', 'the key stored in that profile'],
    ['FIN_API_KEY', 'the key itself'],
    ['FIN_API_KEY_COMMAND', 'a command that prints it'],
    ['the profile in use', 'the key stored in it; it is sent only to the address it was stored for'],
  ],
};

const OUTPUT: Topic = {
  title: 'Output',
  intro: 'stdout carries the answer and nothing else; all that is said about it goes to stderr.',
  lines: [
    ['table', 'for people: figures are abbreviated (--exact: not), columns that do not fit are named'],
    ['json', 'one document, as the service sent it; of several tickers an array, a failed one as {input, problem}'],
    ['ndjson', 'one row a line, figures as exact decimal strings'],
    ['csv', 'the same rows, after RFC 4180, always with a header; one row for each fact'],
    ['--fields', 'chooses columns of table, ndjson and csv by name; --columns is the screener’s own parameter'],
    [
      'charts',
      'a terminal shows prices drawn above their table (--no-chart: not); --chart draws prices, metrics and segments in place of the table, in a pipe too; --svg and --html write pictures and pages',
    ],
    [
      'attribution',
      'wherever a price is shown, so is the sentence its source asks for; rows carry it in their last column',
    ],
  ],
};

const FIGURES: Topic = {
  title: 'Figures of the screener',
  intro: 'Fractions are fractions: 0.2 is 20 %. fiscal_year is filtered and sorted too.',
  lines: SCREEN_FIGURES.map((figure) => {
    const formula = formulaText(figure);
    const meaning = `${figure.label}${formula === null ? '' : ` = ${formula}`}`;
    return [figure.key, `${meaning}${isPriced(figure.key) ? ' (needs a price)' : ''}`];
  }),
};

const METRIC_KEYS: Topic = {
  title: 'Metrics',
  intro: 'What a company reports. A ratio of the screener is a metric too: fin help figures.',
  lines: METRICS.map(({ key: name, description }) => [name, description.replace(/\.$/, '')]),
};

export const TOPICS: Readonly<Record<string, Topic>> = {
  'exit-codes': EXITS,
  environment: ENVIRONMENT,
  keys: KEYS,
  output: OUTPUT,
  figures: FIGURES,
  'metric-keys': METRIC_KEYS,
};
