/** The tool `explain`: the facts from which a figure is read, and all filings that reported it. */

import { Failure } from '../contract/failure.ts';
import { findDefinition, formatFormula, listOperands } from '../contract/figures.ts';
import type { MetricLineage } from '../contract/resources/metrics.ts';
import { quote } from '../contract/text/quote.ts';
import { formatCount } from '../contract/text/wording.ts';
import { type AnsweredQuestion, askByName } from '../questions/ask-by-name.ts';
import { type AnswerSection, formatAnswerText } from '../render/assistant/answer-text.ts';
import { compactRows, formatCellText } from '../render/assistant/compact-rows.ts';
import { findMainTable, keepOnlyColumns, makeFlatRows } from '../result/result.ts';
import { listNoticeTexts, type ToolCall } from './tool-call.ts';
import { formatCall } from './wording.ts';

/** Maximum number of values per call, because each value needs a request for its filings. */
const MAX_EXPLAINED_VALUES = 3;
/** Maximum number of facts or filings requested at a time. */
const MAX_REQUESTED_ROWS = 500;

export async function explainFigure(call: ToolCall): Promise<string> {
  const { tool, given, connection, signal, progress } = call;
  const askOptions = { connection, form: 'view', offeredOptions: [] } as const;
  signal.throwIfAborted();
  const { fiscal_year, fiscal_period, ...metricArguments } = given;
  const [year, period] = [fiscal_year ?? undefined, fiscal_period ?? undefined];
  const { ticker, metric_key: key } = metricArguments;
  progress(0, 2);
  const lineageAnswer = await askByName('lineage', { ...metricArguments, limit: MAX_REQUESTED_ROWS }, askOptions);
  const fetchedFacts = readRecords<MetricLineage>(lineageAnswer);
  const factsOfPeriod = fetchedFacts.filter((row) => isOfPeriod(row, year, period));
  if (fetchedFacts.length > 0 && factsOfPeriod.length === 0)
    throw makeNoValueInPeriodFailure(fetchedFacts, String(key), String(ticker), [period, year]);
  const [firstFact] = factsOfPeriod;
  const chosenFacts =
    year === undefined && period === undefined
      ? factsOfPeriod.filter((row) => row.end_date === firstFact?.end_date)
      : factsOfPeriod;
  const valueIds = [...new Set(chosenFacts.map((row) => row.metric_value_id))];
  const shownIds = valueIds.slice(0, MAX_EXPLAINED_VALUES);
  const revisionAnswers: AnsweredQuestion[] = [];
  for (const [index, id] of shownIds.entries()) {
    progress(1 + index / shownIds.length, 2);
    signal.throwIfAborted();
    const revisionArguments = { ticker, metric_key: key, metric_value_id: id, limit: MAX_REQUESTED_ROWS };
    revisionAnswers.push(await askByName('revisions', revisionArguments, askOptions));
  }
  progress(2, 2);
  const shownFacts = chosenFacts.filter((row) => shownIds.includes(row.metric_value_id));
  const otherValueCount = new Set(fetchedFacts.map((row) => row.metric_value_id)).size - shownIds.length;
  const nonEmptyRevisionAnswers = revisionAnswers.filter((chain) => readRecords(chain).length > 0);
  const sections = [
    makeSection('Facts that the figure is read or derived from', lineageAnswer, shownFacts, {
      facts: describeMetric(String(key)),
      omittedColumns: [],
    }),
    ...nonEmptyRevisionAnswers.map((chain) =>
      makeSection('Filings that reported the figure, earliest first', chain, readRecords(chain), {
        facts: [],
        omittedColumns: REPEATED_COLUMNS,
      }),
    ),
  ];
  return formatAnswerText({
    meta: omitTotal(lineageAnswer.result.meta),
    sections,
    notices: [lineageAnswer, ...nonEmptyRevisionAnswers]
      .flatMap(({ result }) => listNoticeTexts(result))
      .concat(makeInputsNotices(call, revisionAnswers)),
    attribution: null,
    describeOmittedRows: (shownCounts) => {
      const hiddenCount = sections.reduce((sum, { units }, index) => sum + units.length - (shownCounts[index] ?? 0), 0);
      if (otherValueCount <= 0 && hiddenCount === 0) return null;
      const otherValuesText =
        fetchedFacts.length >= MAX_REQUESTED_ROWS
          ? `${otherValueCount} or more other values`
          : formatCount(otherValueCount, 'other value');
      const omittedTexts = [
        ...(hiddenCount === 0 ? [] : [`${formatCount(hiddenCount, 'row')} of the lists above`]),
        ...(otherValueCount <= 0 ? [] : [`${otherValuesText} of the metric`]),
      ];
      const nextCallText = formatCall(
        tool.name,
        makeArgumentsOfNextValue([...factsOfPeriod, ...fetchedFacts], shownIds, given),
      );
      return `Left out: ${omittedTexts.join(', and ')}.${otherValueCount <= 0 ? '' : ` Next: ${nextCallText}`}`;
    },
  });
}

/**
 * If the figure is derived and no filing reports it, returns a notice with the calls that show revisions of its inputs.
 */
function makeInputsNotices({ tool, given }: ToolCall, revisions: readonly AnsweredQuestion[]): string[] {
  const { formula } = findDefinition(String(given.metric_key)) ?? {};
  if (formula === undefined || revisions.some((chain) => readRecords(chain).length > 0)) return [];
  const callTexts = listOperands(formula).map((operand) => formatCall(tool.name, { ...given, metric_key: operand }));
  return [
    `The figure is derived, so no filing reports it directly. To see changes of its inputs: ${callTexts.join('; ')}`,
  ];
}

/** Columns omitted because the previous section shows them. */
const REPEATED_COLUMNS = ['ticker', 'exchange', 'cik', 'entity_name', 'metric_key', 'metric_unit'];

const isOfPeriod = (row: MetricLineage, year: unknown, period: unknown): boolean =>
  (year === undefined || String(row.fiscal_year) === String(year)) &&
  (period === undefined || String(period).toUpperCase() === row.fiscal_period);

/** Returns the arguments of the call for the first value that is not shown. */
function makeArgumentsOfNextValue(
  rows: readonly MetricLineage[],
  shownIds: readonly string[],
  givenArguments: ToolCall['given'],
) {
  const nextRow = rows.find((row) => !shownIds.includes(row.metric_value_id));
  const { fiscal_year: _, fiscal_period: __, metric_value_id: ___, ...otherArguments } = givenArguments;
  if (nextRow?.fiscal_year == null || nextRow.fiscal_period == null)
    return { ...otherArguments, metric_value_id: nextRow?.metric_value_id };
  return { ...otherArguments, fiscal_year: nextRow.fiscal_year, fiscal_period: nextRow.fiscal_period };
}

function makeNoValueInPeriodFailure(
  rows: readonly MetricLineage[],
  key: string,
  ticker: string,
  period: readonly unknown[],
): Failure {
  const requestedPeriod = period.filter((periodPart) => periodPart !== undefined).join(' ');
  if (rows.length >= MAX_REQUESTED_ROWS) {
    return new Failure(
      'not_found',
      `The latest ${MAX_REQUESTED_ROWS} facts of ${quote(key)} of ${quote(ticker)} include no fact for ${requestedPeriod}.`,
      {
        hint: 'Earlier facts may exist: set as_of to a date soon after that period.',
      },
    );
  }
  const periodsWithValues = [
    ...new Set(
      rows.flatMap(({ fiscal_period: fiscalPeriod, fiscal_year: fiscalYear }) =>
        fiscalPeriod == null || fiscalYear == null ? [] : [`${fiscalPeriod} ${fiscalYear}`],
      ),
    ),
  ];
  const text = `${quote(ticker)} has no value of ${quote(key)} for ${requestedPeriod}.`;
  if (periodsWithValues.length === 0) return new Failure('not_found', text);
  return new Failure('not_found', text, {
    hint: `Periods with values: ${periodsWithValues.slice(0, 12).join(', ')}${periodsWithValues.length > 12 ? ' and others' : ''}.`,
  });
}

/** Removes the total, which would mislead because only some rows of the answer are shown. */
const omitTotal = ({ total: _, ...meta }: AnsweredQuestion['result']['meta']) => meta;

const readRecords = <Row>({ result }: AnsweredQuestion): readonly Row[] =>
  [...findMainTable(result).records()] as Row[];

function makeSection(
  title: string,
  { result }: AnsweredQuestion,
  records: readonly unknown[],
  { facts, omittedColumns }: { readonly facts: AnswerSection['facts']; readonly omittedColumns: readonly string[] },
): AnswerSection {
  const fullTable = findMainTable(result);
  const { columns } = makeFlatRows(result);
  const shownColumns = columns.filter((name) => !omittedColumns.includes(name));
  const rows = compactRows(
    makeFlatRows(keepOnlyColumns({ ...result, tables: [{ ...fullTable, records: () => records }] }, shownColumns)),
  );
  return { title, facts, rows, units: rows.lines.map(() => 1) };
}

function describeMetric(key: string): [string, string][] {
  const definition = findDefinition(key);
  const formula = definition === null ? null : formatFormula(definition);
  return [
    ...(definition !== null && 'description' in definition
      ? [['meaning', formatCellText(String(definition.description))] as [string, string]]
      : []),
    ...(formula === null ? [] : [['formula', formula] as [string, string]]),
  ];
}
