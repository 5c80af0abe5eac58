/** A tool call: converts arguments to a question, and its result to text. */

import type { QuestionCommand } from '../ask/command.ts';
import { isList } from '../ask/options.ts';
import { type Arguments, type Asked, askByName, unknownArgument } from '../commands/ask-by-name.ts';
import { loadQuestion, type QuestionName } from '../commands/command-table.ts';
import { Failure } from '../contract/failure.ts';
import { boundOf, hasPages, operationOf } from '../contract/operations.ts';
import { alternatives, quote } from '../contract/text/quote.ts';
import { answerText, type Section } from '../render/assistant/answer-text.ts';
import { cellText, compactRows } from '../render/assistant/compact-rows.ts';
import { flatRows, isPriced, type Result } from '../result/result.ts';
import type { Rows, Value } from '../result/rows.ts';
import { explain } from './explain.ts';
import { argumentsOf, requiredOf, USUAL_LIMIT } from './input-schema.ts';
import { noticesOf, type ToolCall } from './tool-call.ts';
import type { Tool } from './tools.ts';
import { callText, nextCall } from './wording.ts';

/** Returns the answer as text. Throws a Failure for invalid arguments, and for a question without an answer. */
export async function callTool(call: ToolCall): Promise<string> {
  const { tool, given } = call;
  const names = (await argumentsOf(tool)).map(({ name }) => name);
  const hasShow = Object.keys(tool.shows).length > 1 && tool.name !== 'explain';
  const all = hasShow ? [...names, 'show'] : names;
  const unknown = Object.keys(given).find((name) => !all.includes(name));
  if (unknown !== undefined) throw unknownArgument(unknown, all, tool.name);
  return tool.name === 'explain' ? explain(call) : show(call);
}

async function show(call: ToolCall): Promise<string> {
  const { tool, given, connection, signal, progress } = call;
  const { show: _, offset: __, limit: ___, ...own } = given;
  const name = await questionFor(tool, given);
  const command = await loadQuestion(name);
  const window = { offset: wholeNumber(given, 'offset', 0), limit: wholeNumber(given, 'limit', null) };
  progress(0, 1);
  signal.throwIfAborted();
  const asked = await askByName(
    name,
    { ...own, ...pagingOf(command, window) },
    { connection, form: 'view', offered: tool.options ?? [] },
  );
  signal.throwIfAborted();
  progress(1, 1);
  const { result } = asked;
  const page = isPaged(command) ? listPage(asked, window.offset) : rowsPage(asked, window);
  return answerText({
    meta: result.meta,
    sections: [page.section],
    notices: [...noticesOf(result), ...(name === 'screen' && page.section.units.length > 0 ? [TRACE] : [])],
    attribution: isPriced(result) ? (result.attribution ?? null) : null,
    leftOut: ([shown = 0]) => {
      const left = leftOutText(page, window.offset, shown, result.more != null);
      return left && `${left} Next: ${nextCall(tool.name, given, { offset: window.offset + shown })}`;
    },
  });
}

/**
 * Returns which items are shown and how many are left out; null if none are.
 * @param shown number of items shown, from `offset`
 * @param hasMore whether the service has more items than the page
 */
function leftOutText({ section, total }: Page, offset: number, shown: number, hasMore: boolean): string | null {
  const next = offset + shown;
  const range =
    shown === 0 ? 'No rows are shown.' : `Shown: rows ${offset + 1} to ${next}${total === null ? '' : ` of ${total}`}.`;
  if (total === null) {
    return shown < section.units.length || hasMore ? `${range} Left out: there may be more.` : null;
  }
  const left = total - next;
  return left > 0 ? `${range} Left out: ${left} ${left === 1 ? 'row' : 'rows'}.` : null;
}

/** Rows of the screener do not name filings. */
const TRACE = `To find the filing of a figure: ${callText('explain', { ticker: '…', metric_key: '…', fiscal_year: '…', fiscal_period: 'FY' })}`;

/** Whether the service pages the list; other answers are complete, and are shown in parts. */
const isPaged = (command: QuestionCommand): boolean => isList(command) && hasPages(operationOf(command.operation));

interface Window {
  readonly offset: number;
  readonly limit: number | null;
}

/**
 * Returns the parameters of a page. Without an offset a list has a page's length, and figures of a company are
 * complete.
 */
function pagingOf(command: QuestionCommand, { offset, limit }: Window): Arguments {
  const most = boundOf(operationOf(command.operation), 'limit');
  if (most === null || !isList(command)) return {};
  const rows = Math.min(most, (isPaged(command) ? 0 : offset) + (limit ?? USUAL_LIMIT));
  return { limit: rows, ...(isPaged(command) && offset > 0 ? { offset } : {}) };
}

interface Page {
  readonly section: Section;
  /** Number of items, shown or not; null if unknown. */
  readonly total: number | null;
}

/** A page of a list: the rows of one item, such as a filing, stay together. */
function listPage({ result, answers, command }: Asked, offset: number): Page {
  const { rows: entry } = operationOf(command.operation);
  const items = entry?.field == null ? null : answers.flatMap((answer) => [...answer.items()]);
  const rows = flatRows(result);
  const every = [...rows.rows];
  const units =
    items === null || command.operation === 'day' ? every.map(() => 1) : unitsOf(items, rows.columns, every);
  const total = result.total ?? (result.more == null ? offset + units.length : null);
  return { section: sectionOf(result, { columns: rows.columns, rows: every }, units), total };
}

/** Returns the number of rows of each item; rows of a filing share its accession number. */
function unitsOf(items: readonly unknown[], columns: readonly string[], rows: readonly (readonly Value[])[]): number[] {
  const column = columns.indexOf('accession_number');
  const accessions = items.map((item) => Reflect.get(Object(item), 'accession_number'));
  const isByFiling =
    items.length !== rows.length && column >= 0 && accessions.every((accession) => typeof accession === 'string');
  if (!isByFiling) return rows.map(() => 1);
  return accessions.map((accession) => rows.filter((row) => row[column] === accession).length);
}

/** A part of a complete result. */
function rowsPage({ result, answers }: Asked, { offset, limit }: Window): Page {
  const { columns, rows } = flatRows(result);
  const every = [...rows];
  const taken = every.slice(offset, limit === null ? undefined : offset + limit);
  const known = answers.some(({ isPage }) => isPage) ? Math.max(every.length, result.total ?? 0) : every.length;
  const total = result.more == null ? known : null;
  return {
    section: sectionOf(
      result,
      { columns, rows: taken },
      taken.map(() => 1),
    ),
    total,
  };
}

const sectionOf = (result: Result, rows: Rows, units: readonly number[]): Section => ({
  title: null,
  facts: factsOf(result),
  rows: compactRows(rows),
  units,
});

/** Returns the facts of an answer other than its rows, with exact figures. */
function factsOf({ title, facts }: Result): [string, string][] {
  const texts = facts.flatMap(([label, cell]): [string, string][] => {
    const value = cell === null || typeof cell !== 'object' ? cell : 'figure' in cell ? cell.figure : cell.text;
    return value === null || value === '' ? [] : [[label.trim(), cellText(value)]];
  });
  return [...(title === null ? [] : [['answer', cellText(title)] as [string, string]]), ...texts];
}

function wholeNumber<Default extends number | null>(given: Arguments, name: string, absent: Default): number | Default {
  const { [name]: value } = given;
  if (value === undefined || value === null) return absent;
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  if (typeof number === 'number' && Number.isSafeInteger(number) && number >= (name === 'limit' ? 1 : 0)) return number;
  throw new Failure('usage', `The argument ${name} is not a whole number.`);
}

/** Returns the question that `show` names, or the first that accepts all arguments and misses none. */
async function questionFor(tool: Tool, given: Arguments): Promise<QuestionName> {
  const { show: named } = given;
  if (named !== undefined && named !== null) {
    const name = typeof named === 'string' && Object.hasOwn(tool.shows, named) ? tool.shows[named] : undefined;
    if (name !== undefined) return name;
    throw new Failure('usage', `${tool.name} cannot show ${quote(String(named))}.`, {
      hint: `It shows ${alternatives(Object.keys(tool.shows))}.`,
    });
  }
  const present = Object.keys(given).filter((name) => given[name] !== null && given[name] !== undefined);
  const takes = await argumentsOf(tool);
  const fits = ([show, name]: [string, QuestionName]): boolean =>
    present.every((argument) => takes.some((one) => one.name === argument && one.of.includes(show))) &&
    requiredOf(name).every((required) => present.includes(required));
  const shows = Object.entries(tool.shows);
  const [first] = shows;
  const [, name] = shows.find(fits) ?? first ?? [];
  if (name === undefined) throw new Error(`the tool ${tool.name} has no views`);
  return name;
}
