/** Runs a tool call: converts its arguments to a question, and the result to text. */

import type { QuestionCommand } from '../ask/command/command.ts';
import { isListCommand } from '../ask/command/options.ts';
import { makePastEndNotice } from '../ask/notices.ts';
import type { RowWindow } from '../ask/plan.ts';
import { explainAbsence } from '../contract/absent-words.ts';
import { failUsage } from '../contract/failure.ts';
import { findParameterMaximum, getOperation, hasPages } from '../contract/operations.ts';
import { formatCount } from '../contract/text/format-counts.ts';
import { formatAlternatives, quote } from '../contract/text/quote.ts';
import type { AnsweredQuestion, NamedArguments } from '../questions/ask-by-name.ts';
import { askByName, makeUnknownArgumentFailure, toArgumentTexts } from '../questions/ask-by-name.ts';
import { loadQuestion, type QuestionName } from '../questions/question-table.ts';
import { type AnswerSection, formatAnswerText } from '../render/assistant/answer-text.ts';
import { compactRows, formatCellText } from '../render/assistant/compact-rows.ts';
import type { Notice } from '../result/notice.ts';
import { hasPrices, makeFlatRows, type Result } from '../result/result.ts';
import type { FlatRows, FlatValue } from '../result/rows.ts';
import { explainFigure } from './explain.ts';
import { DEFAULT_LIMIT, listArguments, listRequiredArgumentNames, readArguments } from './input-schema.ts';
import type { Tool, ToolCall } from './tools.ts';
import { formatCall, formatNextCall, listNoticeTexts } from './wording.ts';

/** Returns the answer as text. Throws a Failure for invalid arguments, and for a question without an answer. */
export async function callTool(call: ToolCall): Promise<string> {
  const { tool } = call;
  const toolArguments = await listArguments(tool);
  const given = readArguments(call.given, toolArguments);
  const toolArgumentNames = toolArguments.map(({ name }) => name);
  const takesShow = Object.keys(tool.questionByShow).length > 1 && tool.name !== 'explain';
  const names = takesShow ? [...toolArgumentNames, 'show'] : toolArgumentNames;
  const unknownName = Object.keys(given).find((name) => !names.includes(name));
  if (unknownName !== undefined) throw makeUnknownArgumentFailure(unknownName, names, tool.name);
  // Refuses objects and nested lists here, because conversion to text may fail with a TypeError or overflow the stack.
  for (const [name, value] of Object.entries(given)) toArgumentTexts(name, value);
  const checkedCall = { ...call, given };
  if (tool.name !== 'explain') return composeAnswerText(checkedCall, await chooseQuestionName(tool, given));
  return given.metric_key === undefined ? composeAnswerText(checkedCall, 'revisions') : explainFigure(checkedCall);
}

async function composeAnswerText(call: ToolCall, name: QuestionName): Promise<string> {
  const { tool, given, connection, signal, progress } = call;
  const { show: _, offset: __, limit: ___, ...questionArguments } = given;
  const command = await loadQuestion(name);
  const window = { offset: readWholeNumber(given, 'offset') ?? 0, limit: readWholeNumber(given, 'limit') };
  progress(0, 1);
  signal.throwIfAborted();
  const parameters = { ...questionArguments, ...makePagingArguments(command, window) };
  const options = { connection, form: 'view', offeredOptions: tool.options ?? [] } as const;
  const answered = await askByName(name, parameters, options);
  signal.throwIfAborted();
  progress(1, 1);
  const { result } = answered;
  const page = isPaged(command) ? makeListPage(answered, window.offset) : makeCompletePage(answered, window);
  // Removes the total, which counts the listed filings and not the rows of the text.
  const { total: _total, ...meta } = result.meta;
  return formatAnswerText({
    meta: command.documents === undefined ? result.meta : meta,
    sections: [page.section],
    notices: [
      ...listNoticeTexts({ notices: [...result.notices, ...makePastEndNotices(page, window.offset, result)] }),
      ...(name === 'screen' && page.section.units.length > 0 ? [EXPLAIN_NOTICE] : []),
    ],
    attribution: hasPrices(result) ? (result.attribution ?? null) : null,
    describeOmittedRows: ([shown = 0]) => {
      const nextOffset = window.offset + shown;
      const text = describeOmittedRows(page, window.offset, shown, result.more != null);
      if (text === null) return null;
      const maxRows = findUnpagedMaximum(command);
      if (tool.name === 'explain') return `${text} For fewer rows, give since, fiscal_year or metric_key.`;
      if (maxRows !== null && nextOffset >= maxRows) return `${text} The service returns at most ${maxRows} rows.`;
      return `${text} Next: ${formatNextCall(tool.name, given, { offset: nextOffset })}`;
    },
  });
}

/**
 * Returns a sentence about the shown and the following rows; null if no rows follow.
 * @param shown number of items shown, starting at `offset`
 * @param hasMore whether the service has more items than the fetched page
 */
function describeOmittedRows({ section, total }: Page, offset: number, shown: number, hasMore: boolean): string | null {
  const end = offset + shown;
  const empty = section.units.length === 0 ? `No rows from row ${offset + 1} on.` : 'No rows fit into the answer.';
  const range = shown === 0 ? empty : `Shown: rows ${offset + 1} to ${end}${total === null ? '' : ` of ${total}`}.`;
  if (total === null) return shown < section.units.length || hasMore ? `${range} There may be more rows.` : null;
  const restCount = total - end;
  return restCount > 0 ? `${range} Left out: ${formatCount(restCount, 'row')}.` : null;
}

/** Returns a notice if the offset is past the end of a completely fetched answer, which the service cannot detect. */
function makePastEndNotices({ section, total }: Page, offset: number, { notices }: Result): readonly Notice[] {
  const isPastEnd = offset > 0 && section.units.length === 0 && total !== null && offset >= total;
  return isPastEnd && !notices.some(({ code }) => code === 'page_past_end')
    ? [makePastEndNotice(offset, total, ' rows')]
    : [];
}

/** A notice for rows of the screener, which do not state the filings of their figures. */
const EXPLAIN_NOTICE = `To find the filing of a figure: ${formatCall('explain', { ticker: '…', metric_key: '…', fiscal_year: '…', fiscal_period: 'FY' })}`;

/** Whether the service returns the answer in pages. Other answers are fetched completely, and shown in parts. */
const isPaged = (command: QuestionCommand) => isListCommand(command) && hasPages(getOperation(command.operation));

/** Returns the maximum number of rows of a list that accepts no offset; null for other answers. */
const findUnpagedMaximum = (command: QuestionCommand): number | null =>
  isListCommand(command) && !isPaged(command) ? findParameterMaximum(getOperation(command.operation), 'limit') : null;

/**
 * Returns the limit and offset to request. If an operation has no `offset`, requests all items up to the end of the
 * page. An answer that is not a list is requested completely.
 */
function makePagingArguments(command: QuestionCommand, { offset, limit }: RowWindow): NamedArguments {
  const max = findParameterMaximum(getOperation(command.operation), 'limit');
  if (max === null || !isListCommand(command)) return {};
  const requestedLimit = Math.min(max, (isPaged(command) ? 0 : offset) + (limit ?? DEFAULT_LIMIT));
  return { limit: requestedLimit, ...(isPaged(command) && offset > 0 ? { offset } : {}) };
}

/** A section, and the total number of items, including items not shown. The total is null if it is unknown. */
type Page = ReturnType<typeof makeListPage>;

/** Returns a page of a list, in which the rows of an item, such as a filing, stay together. */
function makeListPage({ result, answers, command }: AnsweredQuestion, offset: number) {
  const { rows: definition } = getOperation(command.operation);
  const items = definition?.field == null ? null : answers.flatMap((answer) => [...answer.items()]);
  const flat = makeFlatRows(result);
  const all = [...flat.rows];
  const hasParts = items !== null && command.operation !== 'day';
  const counts = hasParts ? countRowsPerItem(items, flat.columns, all) : all.map(() => 1);
  const total = result.total ?? (result.more == null ? offset + counts.length : null);
  return { section: makeSection(result, { columns: flat.columns, rows: all }, counts), total };
}

type Row = readonly FlatValue[];

/**
 * Returns the number of rows of each item. Rows of the same filing share its accession number. If the items are not
 * filings, every row counts as one item.
 */
function countRowsPerItem(items: readonly unknown[], columns: readonly string[], rows: readonly Row[]): number[] {
  const index = columns.indexOf('accession_number');
  const numbers = items.map((item) => Reflect.get(Object(item), 'accession_number'));
  const areFilings = items.length !== rows.length && index >= 0 && numbers.every((text) => typeof text === 'string');
  if (!areFilings) return rows.map(() => 1);
  return numbers.map((text) => rows.filter((row) => row[index] === text).length);
}

/** Returns the rows of a completely fetched answer that are within the window. */
function makeCompletePage({ result, answers, command }: AnsweredQuestion, { offset, limit }: RowWindow): Page {
  const { columns, rows } = makeFlatRows(result);
  const allRows = [...rows];
  const windowRows = allRows.slice(offset, limit === null ? undefined : offset + limit);
  // A total that the operation defines itself may count something other than rows, such as transactions.
  const countsRows = getOperation(command.operation).rows?.total === undefined;
  const hasTotal = countsRows || answers.some(({ isPage }) => isPage);
  const rowCount = hasTotal ? Math.max(allRows.length, result.total ?? 0) : allRows.length;
  const total = result.more == null ? rowCount : (result.total ?? null);
  const units = windowRows.map(() => 1);
  const maxLength = command.documents === undefined ? undefined : MAX_PARAGRAPH_LENGTH;
  return { section: makeSection(result, { columns, rows: windowRows }, units, maxLength), total };
}

/** Maximum number of characters of a cell with text of a document; the paragraphs of `read` are not longer. */
const MAX_PARAGRAPH_LENGTH = 4000;

const makeSection = (result: Result, rows: FlatRows, units: readonly number[], maxLength?: number): AnswerSection => ({
  title: null,
  facts: listFacts(result),
  rows: compactRows(rows, maxLength),
  units,
});

/** Returns the title and the labelled values that an answer has in addition to its rows, with exact figures. */
function listFacts({ title, facts }: Result): [string, string][] {
  const labelledTexts = facts.flatMap(([label, cell]): [string, string][] => {
    const value = cell === null || typeof cell !== 'object' ? cell : 'figure' in cell ? cell.figure : cell.text;
    return value === null || value === '' ? [] : [[label.trim(), formatCellText(value)]];
  });
  return [...(title === null ? [] : [['answer', formatCellText(title)] as [string, string]]), ...labelledTexts];
}

/**
 * Returns the whole number in an argument; null if the argument is absent. Throws a usage Failure for any other value.
 */
function readWholeNumber(given: NamedArguments, name: string): number | null {
  const value = given[name];
  if (value === undefined) return null;
  const minimum = name === 'limit' ? 1 : 0;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= minimum) return value;
  const text = quote(typeof value === 'string' ? value : JSON.stringify(value));
  failUsage(`The argument "${name}" must be a whole number of at least ${minimum}, not ${text}.`);
}

/**
 * Returns the question that `show` names. If `show` is missing, returns the first question that accepts all given
 * arguments and requires no others; else the tool's first question.
 */
async function chooseQuestionName(tool: Tool, given: NamedArguments): Promise<QuestionName> {
  if (given.show !== undefined) {
    const text = String(given.show);
    const name = Object.hasOwn(tool.questionByShow, text) ? tool.questionByShow[text] : undefined;
    if (name !== undefined) return name;
    const absence = explainAbsence(text, []);
    const why = absence === null ? '' : ` ${absence}`;
    failUsage(
      `The tool "${tool.name}" cannot show ${quote(text)}.${why}`,
      `The tool "${tool.name}" shows ${formatAlternatives(Object.keys(tool.questionByShow))}.`,
    );
  }
  const names = Object.keys(given);
  const toolArguments = await listArguments(tool);
  const entries = Object.entries(tool.questionByShow);
  for (const [show, question] of entries) {
    const accepts = (argument: string): boolean =>
      toolArguments.some((each) => each.name === argument && each.showValues.includes(show));
    const required = await listRequiredArgumentNames(question);
    if (names.every(accepts) && required.every((name) => names.includes(name))) return question;
  }
  const [[, name] = []] = entries;
  if (name === undefined) throw new Error(`the tool ${tool.name} has no views`);
  return name;
}
