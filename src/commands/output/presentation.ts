/** Reads how answers and reports are presented from the options (format, output file), and opens the renderer. */
import type { GivenOptions } from '../../ask/command/option-spec.ts';
import { Failure, failUsage } from '../../contract/failure.ts';
import { quote } from '../../contract/text/quote.ts';
import { option, say } from '../../contract/text/text.ts';
import { writeAtomically } from '../../platform/files/atomic-write.ts';
import { makeSystemFailure } from '../../platform/files/system-error.ts';
import { FLAG_FORMAT_NAMES, FORMATS, type FormatName } from '../../render/formats.ts';
import { keepOnlyColumns, type Result } from '../../result/result.ts';
import type { FlatValue } from '../../result/rows.ts';
import { makeTable } from '../../result/table.ts';
import type { GlobalOptionValues } from '../command-line/global-options.ts';
import type { Io, OutputTarget } from '../command-line/io.ts';
import type { Report } from '../command-line/utility.ts';

export interface Presentation extends Pick<GlobalOptionValues, 'fields' | 'exact' | 'header' | 'quiet'> {
  readonly format: FormatName;
  /** Path of the output file; null for stdout. */
  readonly file: string | null;
  /** Whether to draw the charts that some commands show on a terminal by default; false with `--no-chart`. */
  readonly showsDefaultCharts: boolean;
}

type TerminalState = Pick<Io, 'outIsTerminal'>;

/**
 * Reads the format and the output file. Throws a usage Failure for two options that choose a format, and for a file
 * name with the wrong extension.
 */
export function readPresentation(options: GivenOptions, globals: GlobalOptionValues, io: TerminalState): Presentation {
  const [formatName, ...otherNames] = FLAG_FORMAT_NAMES.filter((format) => options.has(format));
  const common = { ...globals, showsDefaultCharts: !options.has('no-chart') };
  if (formatName === undefined) return { ...common, format: globals.format, file: null };
  const { form } = FORMATS[formatName];
  const incompatibleNames = ['output', 'json', 'csv', ...(form === 'chart' ? ['fields', 'no-chart'] : [])];
  const [conflict] = [...otherNames, ...incompatibleNames.filter((excluded) => options.has(excluded))];
  if (conflict !== undefined) failUsage(`--${formatName} and --${conflict} cannot be combined; choose one.`);
  return { ...common, format: formatName, file: readFileName(formatName, options.get(formatName) ?? [], io) };
}

/**
 * Returns the output file of a format. Requires the format's extension, so that a ticker after the option is not
 * mistaken for a file name.
 */
function readFileName(format: FormatName, texts: readonly string[], io: TerminalState): string | null {
  const { flag } = FORMATS[format];
  if (flag?.extensionPattern == null) return null;
  const [file = '', ...otherFiles] = texts;
  if (otherFiles.length > 0) failUsage(`--${format} was given ${texts.length} times; give it once.`);
  const isFile = file !== '' && file !== '-';
  if (isFile && flag.extensionPattern.test(file)) return file;
  if (isFile || flag.optional !== true) {
    throw new Failure('usage', `--${format} ${quote(file)}: the name of the file must end in .${format}.`, {
      ...(flag.optional === true ? { hint: `To write to stdout, put --${format} after the tickers.` } : {}),
    });
  }
  if (!io.outIsTerminal) return null;
  const hint = say`Name a file, such as ${option(format, `chart.${format}`)}, or redirect stdout with >.`;
  failUsage(`The output of --${format} cannot be shown in a terminal.`, hint);
}

type Destination = Pick<Output, 'write' | 'run'>;

export async function openRenderer(presentation: Presentation, io: Io, isBatch: boolean, output: Destination) {
  const { format, file, header, exact, quiet, showsDefaultCharts } = presentation;
  const write = (content: string | Uint8Array): void => {
    if (file === null) output.write(String(content));
    else output.run(() => writeFile(file, content, quiet ? null : io));
  };
  return FORMATS[format].open({
    ...{ write, isTerminal: io.outIsTerminal, width: io.width, colors: io.colors },
    ...{ header, exact, hasSeveralInputs: isBatch, showsDefaultCharts },
  });
}

function writeFile(file: string, content: string | Uint8Array, io: Pick<OutputTarget, 'log'> | null): void {
  try {
    writeAtomically(file, content, { mode: 0o666, createsDirectory: false });
  } catch (cause) {
    const advice = 'Its directory must exist, and you must be allowed to write to it.';
    throw makeSystemFailure('usage', `${file} cannot be written`, cause, advice);
  }
  io?.log(`Wrote ${file}`);
}

export interface Output {
  write(text: string): void;
  /** Runs a side effect such as writing a file; if output is buffered, the effect runs at `flush`. */
  run(effect: () => void): void;
  /** Logs a line that belongs to the answer; if output is buffered, the line is logged after the answer. */
  log(line: string): void;
  /** Writes the buffered output. */
  flush(): Promise<void>;
}

/** @param buffers whether to keep the output back until `flush`; output for a pager is always kept back */
export function openOutput(target: OutputTarget, buffers: boolean): Output {
  if (!buffers && !target.usesPager)
    return { write: target.print, run: (effect) => effect(), log: target.log, flush: async () => undefined };
  const [texts, logLines, effects]: [string[], string[], (() => void)[]] = [[], [], []];
  return {
    write: (text) => void texts.push(text),
    run: (effect) => void effects.push(effect),
    log: (line) => void logLines.push(line),
    async flush() {
      if (target.usesPager) await target.page(texts.join(''));
      else for (const text of texts) target.print(text);
      for (const line of logLines) target.log(line);
      for (const effect of effects) effect();
      texts.length = 0;
      effects.length = 0;
      logLines.length = 0;
    },
  };
}

/** Prints the report of a utility command in the requested format. */
export async function printReport(report: Report, globals: GlobalOptionValues, io: Io): Promise<void> {
  // Uses no pager, because users who waited for a long build should not have to press a key to end the command.
  const output = openOutput({ ...io, usesPager: false }, false);
  const presentation = { ...globals, file: null, showsDefaultCharts: true };
  const renderer = await openRenderer(presentation, io, false, output);
  const { fields } = globals;
  const result = toResult(report);
  renderer.answer(fields === null ? result : keepOnlyColumns(result, fields));
  await renderer.end?.();
  await output.flush();
}

/** Converts a report to a result, so that the usual renderers print it. */
const toResult = ({ json, rows, view }: Report): Result => ({
  ...{ title: null, facts: [], notices: [], meta: {} },
  tables: [
    makeTable({
      name: 'report',
      columns: rows.columns.map((key, index) => ({ key, value: (row: readonly FlatValue[]) => row[index] ?? null })),
      records: () => rows.rows,
    }),
  ],
  layout: () => view,
  document: () => [JSON.stringify(json, null, 2)],
});
