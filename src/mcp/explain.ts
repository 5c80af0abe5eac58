/** The tool `explain`: the facts from which a figure is read, and all filings that reported it. */

import { Failure } from '../contract/failure.ts';
import { findDefinition, formatFormula, listOperands } from '../contract/figures.ts';
import type { MetricLineage } from '../contract/resources/metrics.ts';
import { formatCount } from '../contract/text/format-counts.ts';
import { quote } from '../contract/text/quote.ts';
import { type AnsweredQuestion, askByName } from '../questions/ask-by-name.ts';
import { type AnswerSection, formatAnswerText } from '../render/assistant/answer-text.ts';
import { compactRows, formatCellText } from '../render/assistant/compact-rows.ts';
import { findMainTable, keepOnlyColumns, makeFlatRows } from '../result/result.ts';
import type { ToolCall } from './tools.ts';
import { formatCall, listNoticeTexts } from './wording.ts';

/** Maximum number of values per call, because each value needs a request for its filings. */
const MAX_EXPLAINED_VALUES = 3;
/** Maximum number of facts or filings requested at a time. */
const MAX_REQUESTED_ROWS = 500;

export async function explainFigure(call: ToolCall): Promise<string> {
  const { tool, given, connection, signal, progress } = call;
  const options = { connection, form: 'view', offeredOptions: [] } as const;
  signal.throwIfAborted();
  const { fiscal_year: year, fiscal_period: period, ...metricArguments } = given;
  const { ticker, metric_key: key } = metricArguments;
  progress(0, 2);
  const lineage = await askByName('lineage', { ...metricArguments, limit: MAX_REQUESTED_ROWS }, options);
  const fetchedRows = readRecords<MetricLineage>(lineage);
  const facts = fetchedRows.filter((row) => isOfPeriod(row, year, period));
  if (fetchedRows.length > 0 && facts.length === 0) {
    const requested = [period, year].filter((part) => part !== undefined).join(' ');
    throw makeNoValueInPeriodFailure(fetchedRows, String(key), String(ticker), requested);
  }
  const isLatest = year === undefined && period === undefined;
  const chosenRows = isLatest ? facts.filter((row) => row.end_date === facts[0]?.end_date) : facts;
  const ids = [...new Set(chosenRows.map((row) => row.metric_value_id))];
  const shownIds = ids.slice(0, MAX_EXPLAINED_VALUES);
  const answers: AnsweredQuestion[] = [];
  for (const [index, id] of shownIds.entries()) {
    progress(1 + index / shownIds.length, 2);
    signal.throwIfAborted();
    const selection = { ticker, metric_key: key, metric_value_id: id, limit: MAX_REQUESTED_ROWS };
    answers.push(await askByName('revisions', selection, options));
  }
  progress(2, 2);
  const shownRows = chosenRows.filter((row) => shownIds.includes(row.metric_value_id));
  const otherValueCount = new Set(fetchedRows.map((row) => row.metric_value_id)).size - shownIds.length;
  const nonEmptyAnswers = answers.filter((chain) => readRecords(chain).length > 0);
  const sections = [
    {
      ...makeSection('Facts that the figure is read or derived from', lineage, shownRows, []),
      facts: describeMetric(`${key}`),
    },
    ...nonEmptyAnswers.map((chain) =>
      makeSection('Filings that reported the figure, earliest first', chain, readRecords(chain), REPEATED_COLUMNS),
    ),
  ];
  return formatAnswerText({
    meta: omitTotal(lineage.result.meta),
    sections,
    notices: [
      ...[lineage, ...nonEmptyAnswers].flatMap(({ result }) => listNoticeTexts(result)),
      ...describeInputs(call, answers),
    ],
    attribution: null,
    describeOmittedRows: (counts) => {
      const hiddenCount = sections.reduce((sum, { units }, index) => sum + units.length - (counts[index] ?? 0), 0);
      if (otherValueCount <= 0 && hiddenCount === 0) return null;
      const isCut = fetchedRows.length >= MAX_REQUESTED_ROWS;
      const values = isCut ? `${otherValueCount} or more other values` : formatCount(otherValueCount, 'other value');
      const omitted = [
        ...(hiddenCount === 0 ? [] : [`${formatCount(hiddenCount, 'row')} of the lists above`]),
        ...(otherValueCount <= 0 ? [] : [`${values} of the metric`]),
      ];
      const nextCall = formatCall(tool.name, makeArgumentsOfNextValue([...facts, ...fetchedRows], shownIds, given));
      return `Left out: ${omitted.join(', and ')}.${otherValueCount <= 0 ? '' : ` Next: ${nextCall}`}`;
    },
  });
}

/**
 * If the figure is derived and no filing reports it, returns a notice with the calls that show revisions of its inputs.
 */
function describeInputs({ tool, given }: ToolCall, revisions: readonly AnsweredQuestion[]): string[] {
  const { formula } = findDefinition(String(given.metric_key)) ?? {};
  if (formula === undefined || revisions.some((chain) => readRecords(chain).length > 0)) return [];
  const calls = listOperands(formula).map((operand) => formatCall(tool.name, { ...given, metric_key: operand }));
  return [`The figure is derived, so no filing reports it directly. To see changes of its inputs: ${calls.join('; ')}`];
}

/** Columns that sections omit because the previous section shows them. */
const REPEATED_COLUMNS = ['ticker', 'exchange', 'cik', 'entity_name', 'metric_key', 'metric_unit'];

const isOfPeriod = (row: MetricLineage, year: unknown, period: unknown): boolean =>
  (year === undefined || String(row.fiscal_year) === String(year)) &&
  (period === undefined || String(period).toUpperCase() === row.fiscal_period);

/** Returns the arguments of the call for the first value that is not shown. */
function makeArgumentsOfNextValue(rows: readonly MetricLineage[], shown: readonly string[], given: ToolCall['given']) {
  const nextRow = rows.find((row) => !shown.includes(row.metric_value_id));
  const { fiscal_year: _, fiscal_period: __, metric_value_id: ___, ...otherArguments } = given;
  if (nextRow?.fiscal_year == null || nextRow.fiscal_period == null)
    return { ...otherArguments, metric_value_id: nextRow?.metric_value_id };
  return { ...otherArguments, fiscal_year: nextRow.fiscal_year, fiscal_period: nextRow.fiscal_period };
}

function makeNoValueInPeriodFailure(rows: readonly MetricLineage[], key: string, ticker: string, period: string) {
  if (rows.length >= MAX_REQUESTED_ROWS) {
    const facts = `The latest ${MAX_REQUESTED_ROWS} facts of ${quote(key)} of ${quote(ticker)}`;
    return new Failure('not_found', `${facts} include no fact for ${period}.`, {
      hint: 'Earlier facts may exist: set as_of to a date soon after that period.',
    });
  }
  const datedRows = rows.filter((row) => row.fiscal_period != null && row.fiscal_year != null);
  const periods = [...new Set(datedRows.map((row) => `${row.fiscal_period} ${row.fiscal_year}`))];
  const text = `${quote(ticker)} has no value of ${quote(key)} for ${period}.`;
  if (periods.length === 0) return new Failure('not_found', text);
  return new Failure('not_found', text, {
    hint: `Periods with values: ${periods.slice(0, 12).join(', ')}${periods.length > 12 ? ' and others' : ''}.`,
  });
}

/** Removes the total, which would mislead because only some rows of the answer are shown. */
const omitTotal = ({ total: _, ...meta }: AnsweredQuestion['result']['meta']) => meta;

const readRecords = <Row>({ result }: AnsweredQuestion) => [...findMainTable(result).records()] as Row[];

/** @param omitted names of columns that the section does not show */
function makeSection(title: string, { result }: AnsweredQuestion, records: unknown[], omitted: string[]) {
  const table = { ...findMainTable(result), records: () => records };
  const columns = makeFlatRows(result).columns.filter((name) => !omitted.includes(name));
  const rows = compactRows(makeFlatRows(keepOnlyColumns({ ...result, tables: [table] }, columns)));
  return { title, facts: [], rows, units: rows.lines.map(() => 1) };
}

function describeMetric(key: string): AnswerSection['facts'] {
  const entry = findDefinition(key);
  const formula = entry === null ? null : formatFormula(entry);
  const meaning = entry !== null && 'description' in entry ? formatCellText(String(entry.description)) : null;
  return Object.entries({ meaning, formula }).flatMap(([label, text]) =>
    text === null ? [] : [[label, text] as const],
  );
}
