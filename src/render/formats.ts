/**
 * The output formats: name, help, content and renderer of each. Most renderers are loaded on demand. Values of
 * `--output`, options of file formats, and completion are derived from this table.
 */
import { createJsonRenderer } from './formats/json.ts';
import type { Renderer, RenderTarget } from './formats/renderer.ts';
import { createCsvRenderer, createNdjsonRenderer, createTsvRenderer } from './formats/row-formats.ts';

interface Format {
  /** Kind of content that the format shows: tables to read, the service's JSON document, flat rows, or charts. */
  readonly form: 'view' | 'document' | 'rows' | 'chart';
  readonly help: string;
  /** The format's own option, such as `--svg`. A format with its own option is not a value of `--output`. */
  readonly flag?: FormatFlag;
  readonly open: (target: RenderTarget) => Renderer | Promise<Renderer>;
}

interface FormatFlag {
  /** Whether the format shows charts; only commands with charts accept it. */
  readonly showsCharts: boolean;
  /** Required extension of the output file; null if the format is only written to stdout. */
  readonly extensionPattern: RegExp | null;
  /** Whether the file name is optional; without a file name, the output goes to stdout. */
  readonly optional?: true;
}

const FORMAT_DEFINITIONS = {
  table: {
    form: 'view',
    help: 'for reading: figures are abbreviated (unless --exact); columns that do not fit are left out, and a note lists them',
    open: async (target) => (await import('./formats/table.ts')).createTableRenderer(target),
  },
  json: {
    form: 'document',
    help: 'one document: the response of the service, or one that fin made of it (then with a member "fin"); for several tickers an array, in which a failed ticker is {input, problem}',
    open: createJsonRenderer,
  },
  ndjson: {
    form: 'rows',
    help: 'one JSON object per row and line, figures as exact decimal strings',
    open: createNdjsonRenderer,
  },
  csv: {
    form: 'rows',
    help: 'rows of comma-separated values (RFC 4180), with a header unless --no-header',
    open: createCsvRenderer,
  },
  tsv: { form: 'rows', help: 'rows of values separated by tabs, to paste into a spreadsheet', open: createTsvRenderer },
  md: {
    form: 'view',
    help: 'the table as GitHub Markdown, with all columns',
    open: async (target) => (await import('./formats/markdown.ts')).createMarkdownRenderer(target),
  },
  xlsx: {
    form: 'rows',
    help: 'Write the rows to an Excel spreadsheet, with links to the filings',
    flag: { showsCharts: false, extensionPattern: /\.xlsx$/i },
    open: async (target) => (await import('./formats/spreadsheet.ts')).createSpreadsheetRenderer(target),
  },
  chart: {
    form: 'chart',
    help: 'Show a chart instead of the table',
    flag: { showsCharts: true, extensionPattern: null },
    open: async (target) => (await import('./formats/table.ts')).createChartRenderer(target),
  },
  svg: {
    form: 'chart',
    help: 'Write an SVG chart to share, to a file or stdout',
    flag: { showsCharts: true, extensionPattern: /\.svg$/i, optional: true },
    open: async (target) => (await import('./formats/documents.ts')).createSvgRenderer(target),
  },
  html: {
    form: 'chart',
    help: 'Write an HTML page to share, to a file or stdout',
    flag: { showsCharts: true, extensionPattern: /\.html?$/i, optional: true },
    open: async (target) => (await import('./formats/documents.ts')).createHtmlRenderer(target),
  },
} as const satisfies Readonly<Record<string, Format>>;

export type FormatName = keyof typeof FORMAT_DEFINITIONS;
export const FORMATS: Readonly<Record<FormatName, Format>> = FORMAT_DEFINITIONS;
const FORMAT_NAMES = Object.keys(FORMAT_DEFINITIONS) as readonly FormatName[];

export const OUTPUT_FORMAT_NAMES: readonly FormatName[] = FORMAT_NAMES.filter((key) => FORMATS[key].flag === undefined);

/** Formats that have their own option, such as `--svg`. */
export const FLAG_FORMAT_NAMES: readonly FormatName[] = FORMAT_NAMES.filter((key) => FORMATS[key].flag !== undefined);
