/** Explains why an answer has no figures, or why a figure has no revisions. */

import { findDefinition, formatFormula, isScreenOnly, listOperands, METRIC_KEYS } from '../../contract/figures.ts';
import type { OperationId } from '../../contract/operations.ts';
import { findGivenText, type RawParameters, withoutParameters, withParameter } from '../../contract/question.ts';
import type { Filing } from '../../contract/resources/filings.ts';
import type { SecurityProfile } from '../../contract/resources/securities.ts';
import { call, joinTexts, option, say, type Text } from '../../contract/text/text.ts';
import { toDay, toDayNumber } from '../../platform/dates.ts';
import type { Envelope } from '../command/answer.ts';
import type { LookUp } from '../command/command.ts';
import { makeScreenOnlyHint } from '../values/value-hints.ts';

export interface EmptyAnswer {
  readonly operation: OperationId;
  readonly parameters: RawParameters;
  readonly answer: Envelope;
  /**
   * Whether the service runs in this process. If so, `lookUp` reads release data on this machine, otherwise only cached
   * answers.
   */
  readonly inProcess: boolean;
  readonly lookUp: LookUp;
}

/** Returns the rows of an answer; empty if the answer is not a list. */
export const readRows = ({ data }: Envelope): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(data) ? data : [];

export async function explainNoFigures(empty: EmptyAnswer): Promise<Text | null> {
  const keys = readKeys(empty.parameters);
  if (keys.length > 0 && keys.every(isScreenOnly)) return makeScreenOnlyHint(keys);
  return (
    (await explainAsOf(empty)) ??
    (await explainUnknownValueId(empty)) ??
    (empty.operation === 'metrics' ? await explainOtherPeriodKinds(empty) : null) ??
    explainMissingMetrics(empty)
  );
}

export async function explainNoRevisions(empty: EmptyAnswer): Promise<Text | null> {
  const [key] = readKeys(empty.parameters);
  if (key === undefined) return null;
  const formula = findFormulaText(key);
  if (formula !== null) return explainDerivedFigure(key, formula, readTicker(empty.parameters));
  if (isScreenOnly(key)) return makeScreenOnlyHint([key]);
  const reason = (await explainUnknownValueId(empty)) ?? (await explainOtherFiscalPeriods(empty));
  return reason ?? explainMissingMetrics(empty);
}

/** Returns the metric keys in a question's path or options. */
function readKeys(raw: RawParameters): string[] {
  const keys = findGivenText(raw, 'metric_key') ?? findGivenText(raw, 'keys');
  return keys === undefined ? [] : keys.split(',').filter((key) => key !== '');
}

function readTicker(raw: RawParameters): string {
  const ticker = findGivenText(raw, 'ticker');
  if (ticker === undefined) throw new Error('the ticker is missing');
  return ticker;
}

/**
 * Explains that nothing was reported by the date of --as-of. If the service runs in this process, also states the date
 * of the first value.
 */
async function explainAsOf({ operation, parameters, answer, inProcess, lookUp }: EmptyAnswer): Promise<Text | null> {
  const day = findGivenText(parameters, 'as_of');
  if (day === undefined) return null;
  const answerToday = await lookUp(operation, withoutParameters(parameters, 'as_of'));
  if (answerToday === null) return `No values were reported by ${day}.`;
  if (readRows(answerToday).length === 0) return null;
  const last = answer.meta.release?.date;
  if (!inProcess || last === undefined)
    return say`No values were reported by ${day}. To see later values, remove ${option('as_of')}.`;
  const isReported = async (asOf: string): Promise<boolean> => {
    const answerThen = await lookUp(operation, withParameter(withParameter(parameters, 'as_of', asOf), 'limit', '1'));
    return answerThen !== null && readRows(answerThen).length > 0;
  };
  const first = await findFirstDay(day, last, isReported);
  const succession = await explainSuccession(day, parameters, lookUp);
  return say`The first value was reported on ${first}, after ${option('as_of', day)}.${succession}`;
}

/**
 * Returns a sentence about the filing by which the company succeeded another registrant after the date; empty if no
 * such filing exists.
 */
async function explainSuccession(day: string, raw: RawParameters, lookUp: LookUp): Promise<string> {
  const filings = await lookUp('filings', Object.entries({ ticker: readTicker(raw), forms: '8-K12B,8-K12G3' }));
  const days = ((filings?.data ?? []) as readonly Filing[]).flatMap(({ filed_at: filed }) => filed ?? []).sort();
  const successionDay = days.find((filed) => filed > day);
  if (successionDay === undefined) return '';
  return ` On ${successionDay} the company succeeded another registrant (Form 8-K12B or 8-K12G3): earlier reports are under that registrant's CIK.`;
}

/** Finds the first date on which a value is reported, by bisection: once a value is reported, it remains reported. */
async function findFirstDay(before: string, after: string, test: (day: string) => Promise<boolean>): Promise<string> {
  let [low, high] = [toDayNumber(before), toDayNumber(after)];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (await test(toDay(middle))) high = middle;
    else low = middle;
  }
  return toDay(high);
}

async function explainUnknownValueId({ operation, parameters, lookUp }: EmptyAnswer): Promise<Text | null> {
  if (findGivenText(parameters, 'metric_value_id') === undefined) return null;
  const list = await lookUp(operation, withoutParameters(parameters, 'metric_value_id'));
  if (list === null || readRows(list).length === 0) return null;
  return say`This metric has values, but none with the given ${option('metric_value_id')}.`;
}

async function explainOtherPeriodKinds({ operation, parameters, lookUp }: EmptyAnswer): Promise<Text | null> {
  const list = await lookUp(operation, withParameter(withParameter(parameters, 'period', 'all'), 'limit', '500'));
  if (list === null || readRows(list).length === 0) return null;
  const kinds = new Set(readRows(list).map(({ period_kind: kind }) => kind));
  const period = kinds.has('annual') ? 'annual' : kinds.has('quarter') ? 'quarterly' : 'all';
  return say`No requested metric has values for ${option('period', findGivenText(parameters, 'period') ?? 'latest')}. Try: ${option('period', period)}`;
}

/** Explains that the metric has values, but none for the requested fiscal year and period. */
async function explainOtherFiscalPeriods({ operation, parameters: query, lookUp }: EmptyAnswer): Promise<Text | null> {
  const [year, period] = [findGivenText(query, 'fiscal_year'), findGivenText(query, 'fiscal_period')?.toUpperCase()];
  if (year === undefined && period === undefined) return null;
  const anyPeriod = withoutParameters(query, 'fiscal_year', 'fiscal_period');
  const list = await lookUp(operation, withParameter(anyPeriod, 'limit', '500'));
  const rows = list === null ? [] : readRows(list);
  if (rows.length === 0) return null;
  const absence = `No filing reports this metric for ${[period, year].filter((part) => part !== undefined).join(' ')}.`;
  const rowsOfYear = rows.filter((row) => year === undefined || String(row.fiscal_year) === year);
  const periodNames = rowsOfYear.flatMap((row) => (row.fiscal_period == null ? [] : [String(row.fiscal_period)]));
  const periods = [...new Set(periodNames)].sort();
  // The list never has a Q4: filings report the full year instead, and fourth quarters are derived.
  if (periods.length > 0) return `${absence} Reported periods: ${periods.join(', ')}`;
  const years = rows.flatMap((row) => (typeof row.fiscal_year === 'number' ? [row.fiscal_year] : []));
  return years.length === 0 ? null : `${absence} Latest reported year: ${Math.max(...years)}`;
}

/** Explains that the release has no figures of the company, or no values of the requested metrics. */
async function explainMissingMetrics({ operation, parameters, lookUp }: EmptyAnswer): Promise<Text | null> {
  const ticker = readTicker(parameters);
  const profile = await lookUp('profile', [['ticker', ticker]]);
  if (profile === null) return null;
  const { metric_value_count: figures, filing_count: listed, partial_facts: partial } = profile.data as SecurityProfile;
  if (figures === 0) {
    const filings = listed > 0 ? say` The company's filings: ${call('filings', { ticker })}` : '';
    return say`The release has no figures of ${ticker}.${filings}`;
  }
  const keys = readKeys(parameters);
  if (keys.length === 0) return null;
  const advice = operation === 'metrics' ? [] : [say`All figures of the company: ${call('metrics', { ticker })}`];
  const partialText = partial === true ? ` It has only some of the company's facts.` : '';
  // An older release may lack a metric that fin added later, although the company reports it.
  const formulas = keys.flatMap((key) => {
    const formula = findFormulaText(key);
    return formula === null ? [] : [`${key} is derived: ${formula}.`];
  });
  const absence = `This release has no values of ${keys.join(', ')} for ${ticker}.${partialText}`;
  return joinTexts([absence, ...formulas, ...advice], ' ');
}

function explainDerivedFigure(key: string, formula: string, ticker: string): Text {
  const calls = findReportedInputs(key).map((input) => call('revisions', { ticker, metric_key: input }));
  return joinTexts(
    [
      `${key} is derived (${formula}), so no filing reports it directly.`,
      ...(isScreenOnly(key) ? [] : [say`Source facts of ${key}: ${call('lineage', { ticker, metric_key: key })}.`]),
      ...(calls.length === 0 ? [] : [say`Revisions of the inputs of ${key}: ${joinTexts(calls, ', ')}.`]),
    ],
    ' ',
  );
}

function findFormulaText(key: string): string | null {
  const figure = findDefinition(key);
  return figure === null ? null : formatFormula(figure);
}

/** Returns the reported metrics from which a figure is computed, directly or through other derived figures. */
function findReportedInputs(key: string): string[] {
  const formula = findDefinition(key)?.formula;
  if (formula === undefined) return METRIC_KEYS.includes(key) ? [key] : [];
  return [...new Set(listOperands(formula).flatMap(findReportedInputs))];
}
