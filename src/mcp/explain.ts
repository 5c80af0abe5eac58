/** `explain`: the facts that a figure is read from, and every filing that reported it. */

import { type Asked, askByName } from '../commands/ask-by-name.ts';
import { Failure } from '../contract/failure.ts';
import { figureOf, formulaText, operandsOf } from '../contract/figures.ts';
import type { MetricLineage } from '../contract/resources/metrics.ts';
import { quote } from '../contract/text/quote.ts';
import { answerText, type Section } from '../render/assistant/answer-text.ts';
import { cellText, compactRows } from '../render/assistant/compact-rows.ts';
import { chooseFields, flatRows, mainTable } from '../result/result.ts';
import { noticesOf, type ToolCall } from './tool-call.ts';
import { callText } from './wording.ts';

/** Maximum number of values in one call: each needs a request for its filings. */
const MAX_VALUES = 3;
/** Maximum number of rows of an answer. */
const MAX_FACTS = 500;

export async function explain(call: ToolCall): Promise<string> {
  const { tool, given, connection, signal, progress } = call;
  const asking = { connection, form: 'view', offered: [] } as const;
  signal.throwIfAborted();
  const { fiscal_year, fiscal_period, limit: _, offset: __, ...named } = given;
  const [year, period] = [fiscal_year ?? undefined, fiscal_period ?? undefined];
  const { ticker, metric_key: key } = named;
  progress(0, 2);
  const lineage = await askByName('lineage', { ...named, limit: MAX_FACTS }, asking);
  const all = recordsOf<MetricLineage>(lineage);
  const ofPeriod = all.filter((row) => isOf(row, year, period));
  if (all.length > 0 && ofPeriod.length === 0) throw notInPeriod(all, String(key), String(ticker), [period, year]);
  const [first] = ofPeriod;
  const chosen =
    year === undefined && period === undefined ? ofPeriod.filter((row) => row.end_date === first?.end_date) : ofPeriod;
  const ids = [...new Set(chosen.map((row) => row.metric_value_id))];
  const shownIds = ids.slice(0, MAX_VALUES);
  const chains: Asked[] = [];
  for (const [index, id] of shownIds.entries()) {
    progress(1 + index / shownIds.length, 2);
    signal.throwIfAborted();
    const given = { ticker, metric_key: key, metric_value_id: id, limit: MAX_FACTS };
    chains.push(await askByName('revisions', given, asking));
  }
  progress(2, 2);
  const facts = chosen.filter((row) => shownIds.includes(row.metric_value_id));
  const others = new Set(all.map((row) => row.metric_value_id)).size - shownIds.length;
  const reportedChains = chains.filter((chain) => recordsOf(chain).length > 0);
  const sections = [
    sectionOf('Facts that the figure is read from', lineage, facts, { facts: aboutMetric(String(key)), without: [] }),
    ...reportedChains.map((chain) =>
      sectionOf('Filings that reported it, earliest first', chain, recordsOf(chain), { facts: [], without: SAID }),
    ),
  ];
  return answerText({
    meta: withoutTotal(lineage.result.meta),
    sections,
    notices: [lineage, ...reportedChains].flatMap(({ result }) => noticesOf(result)).concat(inputsNotice(call, chains)),
    attribution: null,
    leftOut: (taken) => {
      const cut = sections.reduce((sum, { units }, index) => sum + units.length - (taken[index] ?? 0), 0);
      const rows = cut === 0 ? '' : `${cut} rows of these values, and `;
      if (others <= 0 && cut === 0) return null;
      const more = all.length >= MAX_FACTS ? ' or more' : '';
      const next = callText(tool.name, nextValue([...ofPeriod, ...all], shownIds, given));
      return `Left out: ${rows}${others}${more} other values of the metric.${others <= 0 ? '' : ` Next: ${next}`}`;
    },
  });
}

/** For a derived figure, which no filing reports: the calls that show revisions of its inputs. */
function inputsNotice({ tool, given }: ToolCall, chains: readonly Asked[]): string[] {
  const { formula } = figureOf(String(given.metric_key)) ?? {};
  if (formula === undefined || chains.some((chain) => recordsOf(chain).length > 0)) return [];
  const calls = operandsOf(formula).map((operand) => callText(tool.name, { ...given, metric_key: operand }));
  return [`The figure is derived, so no filing reports it directly. To see changes of its inputs: ${calls.join('; ')}`];
}

/** Columns that the section before already shows. */
const SAID = ['ticker', 'exchange', 'cik', 'entity_name', 'metric_key', 'metric_unit'];

const isOf = (row: MetricLineage, year: unknown, period: unknown): boolean =>
  (year === undefined || String(row.fiscal_year) === String(year)) &&
  (period === undefined || String(period).toUpperCase() === row.fiscal_period);

/** Returns the call for the first value that is not shown. */
function nextValue(rows: readonly MetricLineage[], shown: readonly string[], given: ToolCall['given']) {
  const nextRow = rows.find((row) => !shown.includes(row.metric_value_id));
  const { fiscal_year: _, fiscal_period: __, metric_value_id: ___, ...rest } = given;
  if (nextRow?.fiscal_year == null || nextRow.fiscal_period == null)
    return { ...rest, metric_value_id: nextRow?.metric_value_id };
  return { ...rest, fiscal_year: nextRow.fiscal_year, fiscal_period: nextRow.fiscal_period };
}

function notInPeriod(rows: readonly MetricLineage[], key: string, ticker: string, period: readonly unknown[]): Failure {
  const wanted = period.filter((part) => part !== undefined).join(' ');
  if (rows.length >= MAX_FACTS) {
    return new Failure(
      'not_found',
      `The latest ${MAX_FACTS} facts of ${quote(key)} of ${quote(ticker)} include none for ${wanted}.`,
      {
        hint: 'There may be earlier facts: give as_of, a date soon after that period.',
      },
    );
  }
  const known = [...new Set(rows.map((row) => `${row.fiscal_period} ${row.fiscal_year}`))];
  return new Failure('not_found', `There is no value of ${quote(key)} of ${quote(ticker)} for ${wanted}.`, {
    hint: `Periods with values: ${known.slice(0, 12).join(', ')}${known.length > 12 ? ' and others' : ''}.`,
  });
}

/** Only some rows of the answer are shown, so its total would mislead. */
const withoutTotal = ({ total: _, ...meta }: Asked['result']['meta']) => meta;

const recordsOf = <Row>({ result }: Asked): readonly Row[] => [...mainTable(result).records()] as Row[];

function sectionOf(
  title: string,
  { result }: Asked,
  records: readonly unknown[],
  { facts, without }: { readonly facts: Section['facts']; readonly without: readonly string[] },
): Section {
  const wholeTable = mainTable(result);
  const { columns } = flatRows(result);
  const keptColumns = columns.filter((name) => !without.includes(name));
  const rows = compactRows(
    flatRows(chooseFields({ ...result, tables: [{ ...wholeTable, records: () => records }] }, keptColumns)),
  );
  return { title, facts, rows, units: rows.lines.map(() => 1) };
}

function aboutMetric(key: string): [string, string][] {
  const figure = figureOf(key);
  const formula = figure === null ? null : formulaText(figure);
  return [
    ...(figure !== null && 'description' in figure
      ? [['meaning', cellText(String(figure.description))] as [string, string]]
      : []),
    ...(formula === null ? [] : [['formula', formula] as [string, string]]),
  ];
}
