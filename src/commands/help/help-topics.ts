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
import environment from './topics/environment.md?raw';
import formulas from './topics/formulas.md?raw';
import keys from './topics/keys.md?raw';
import reading from './topics/reading.md?raw';
import serving from './topics/serving.md?raw';

export interface Topic {
  readonly title: string;
  readonly intro: string;
  readonly lines: readonly (readonly [name: string, text: string])[];
  /** Example files, printed without wrapping so that users can copy them. */
  readonly files?: readonly { readonly name: string; readonly text: string }[];
}

/** Reads a topic from Markdown: a heading, a paragraph, and a list of names, each with a text. */
function readTopic(markdown: string): Topic {
  const [title = '', intro = '', list = ''] = markdown.split('\n\n').map((part) => part.replace(/\s*\n\s*/g, '\n'));
  const items = list.split(/^- /m).slice(1);
  const lines = items.map((item): Topic['lines'][number] => {
    const [, name = '', text = ''] = /^`(.+?)`: (.*)$/.exec(item.trim().replaceAll('\n', ' ')) ?? [];
    return [name, text];
  });
  return { title: title.replace('# ', ''), intro: intro.replaceAll('\n', ' '), lines };
}

const SERVING_TOPIC: Topic = {
  ...readTopic(serving),
  files: [
    { name: '/etc/systemd/system/fin.service (the user fin, and fin on the PATH of systemd)', text: systemdUnit },
    { name: 'Containerfile (in the directory with the .tgz file made by "npm pack")', text: containerFile },
  ],
};

const FORMULAS_TOPIC: Topic = {
  ...readTopic(formulas),
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

const { usage, not_found: notFound, key, limit, service, network, data, unproven } = EXIT_CODES;

const EXIT_CODES_TOPIC: Topic = {
  title: 'Exit codes',
  intro: 'The exit code tells scripts how a command ended.',
  // Lists the codes in ascending order, because JavaScript lists integer keys first, in ascending order.
  lines: Object.entries({
    0: 'success, also when there are no results',
    1: 'unexpected: a defect of fin, or output that could not be written completely',
    [usage]: 'wrong usage: an unknown option, a bad parameter (400)',
    [notFound]: 'not found (404)',
    [key]: 'API key missing, invalid, revoked or expired (401)',
    [limit]: 'a limit is reached: no requests are left this month, or the wait would exceed --max-wait (429)',
    [service]: 'the service failed or is unavailable, after retries (5xx)',
    [network]:
      'no connection, no response before --deadline, no cached response with --offline, or a response that does not follow the HTTP API',
    8: 'some of several inputs failed; stderr names each failed input (if all inputs failed with the same exit code, that code is used instead). For fin doctor: a check failed',
    [data]:
      'data missing, damaged or not writable. For fin data build and fin data check: a check of the release failed',
    [unproven]: 'the start or the end of a section was not found reliably, so fin read or fin changes printed no text',
    '130, 143': 'interrupted',
    '134, 139':
      'node itself ended, for example because the system allows too few processes or too little memory (ulimit -u, -v)',
  }),
};

const DOCUMENT_FORMATS_TEXT = OUTPUT_FORMAT_NAMES.filter((format) => FORMATS[format].form === 'document').join(' and ');

const OUTPUT_TOPIC: Topic = {
  title: 'Output',
  intro: 'Answers are printed to stdout; notices, warnings and errors to stderr.',
  lines: [
    ...OUTPUT_FORMAT_NAMES.map((format) => [format, FORMATS[format].help] as const),
    ...Object.entries({
      '--fields': `chooses columns by name, in every format but ${DOCUMENT_FORMATS_TEXT} and charts (fin screen --columns instead chooses the figures to request)`,
      charts:
        'on a terminal, "fin prices" shows a chart above its table (unless --no-chart); --chart shows a chart instead of the table, for prices, metrics, segments and compare; --svg and --html write charts to share',
      attribution:
        'shown with all prices, because their sources require it; in formats with rows, such as csv, it is the last column',
    }),
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
  intro: 'Metrics of the financial statements. Most ratios can be given as --keys, too; see: fin help figures',
  lines: METRICS.map(({ key: name, description }) => [name, description.replace(/\.$/, '')]),
};

/** The topic without its options, which `help.ts` adds. */
const OPTIONS_TOPIC: Topic = {
  title: 'Options of every command',
  intro: 'Every command accepts these options, before or after its own options.',
  lines: [],
};

export const TOPICS: Readonly<Record<string, Topic>> = {
  options: OPTIONS_TOPIC,
  'exit-codes': EXIT_CODES_TOPIC,
  environment: readTopic(environment.replace('FORMATS', OUTPUT_FORMAT_NAMES.join(', '))),
  keys: readTopic(keys),
  output: OUTPUT_TOPIC,
  reading: readTopic(reading),
  figures: FIGURES_TOPIC,
  'metric-keys': METRIC_KEYS_TOPIC,
  formulas: FORMULAS_TOPIC,
  serving: SERVING_TOPIC,
};
