/** Runs a tool call: converts its arguments to a question, and the result to text. */

import type { QuestionCommand } from '../ask/command/command.ts';
import { isListCommand } from '../ask/command/options.ts';
import { makePastEndNotice } from '../ask/notices.ts';
import { Failure } from '../contract/failure.ts';
import { findParameterMaximum, getOperation, hasPages } from '../contract/operations.ts';
import { formatAlternatives, quote } from '../contract/text/quote.ts';
import { formatCount } from '../contract/text/wording.ts';
import {
  type AnsweredQuestion,
  askByName,
  makeUnknownArgumentFailure,
  type NamedArguments,
  toArgumentTexts,
} from '../questions/ask-by-name.ts';
import { loadQuestion, type QuestionName } from '../questions/question-table.ts';
import { type AnswerSection, formatAnswerText } from '../render/assistant/answer-text.ts';
import { compactRows, formatCellText } from '../render/assistant/compact-rows.ts';
import type { Notice } from '../result/notice.ts';
import { hasPrices, makeFlatRows, type Result } from '../result/result.ts';
import type { FlatRows, FlatValue } from '../result/rows.ts';
import { explainFigure } from './explain.ts';
import { DEFAULT_LIMIT, listArguments, listRequiredArgumentNames } from './input-schema.ts';
import { listNoticeTexts, type ToolCall } from './tool-call.ts';
import type { Tool } from './tools.ts';
import { formatCall, formatNextCall } from './wording.ts';

/** Returns the answer as text. Throws a Failure for invalid arguments, and for a question without an answer. */
export async function callTool(call: ToolCall): Promise<string> {
  const { tool, given } = call;
  const toolArgumentNames = (await listArguments(tool)).map(({ name }) => name);
  const hasShowArgument = Object.keys(tool.questionByShow).length > 1 && tool.name !== 'explain';
  const allArgumentNames = hasShowArgument ? [...toolArgumentNames, 'show'] : toolArgumentNames;
  const unknownName = Object.keys(given).find((name) => !allArgumentNames.includes(name));
  if (unknownName !== undefined) throw makeUnknownArgumentFailure(unknownName, allArgumentNames, tool.name);
  // Refuses objects and nested lists here, because conversion to text may fail with a TypeError or overflow the stack.
  for (const [name, value] of Object.entries(given)) toArgumentTexts(name, value);
  return tool.name === 'explain' ? explainFigure(call) : composeAnswerText(call);
}

async function composeAnswerText(call: ToolCall): Promise<string> {
  const { tool, given, connection, signal, progress } = call;
  const { show: _, offset: __, limit: ___, ...questionArguments } = given;
  const questionName = await chooseQuestionName(tool, given);
  const command = await loadQuestion(questionName);
  const itemWindow = { offset: readWholeNumber(given, 'offset', 0), limit: readWholeNumber(given, 'limit', null) };
  progress(0, 1);
  signal.throwIfAborted();
  const answeredQuestion = await askByName(
    questionName,
    { ...questionArguments, ...makePagingArguments(command, itemWindow) },
    { connection, form: 'view', offeredOptions: tool.options ?? [] },
  );
  signal.throwIfAborted();
  progress(1, 1);
  const { result } = answeredQuestion;
  const page = isPaged(command)
    ? makePageOfPagedAnswer(answeredQuestion, itemWindow.offset)
    : makePageOfCompleteAnswer(answeredQuestion, itemWindow);
  return formatAnswerText({
    meta: result.meta,
    sections: [page.section],
    notices: [
      ...listNoticeTexts({ notices: [...result.notices, ...makePastEndNotices(page, itemWindow.offset, result)] }),
      ...(questionName === 'screen' && page.section.units.length > 0 ? [EXPLAIN_NOTICE] : []),
    ],
    attribution: hasPrices(result) ? (result.attribution ?? null) : null,
    describeOmittedRows: ([shownCount = 0]) => {
      const nextOffset = itemWindow.offset + shownCount;
      const omissionText = describeOmittedRows(page, itemWindow.offset, shownCount, result.more != null);
      if (omissionText === null) return null;
      const maxRows = findUnpagedMaximum(command);
      if (maxRows !== null && nextOffset >= maxRows)
        return `${omissionText} The service returns at most ${maxRows} rows.`;
      return `${omissionText} Next: ${formatNextCall(tool.name, given, { offset: nextOffset })}`;
    },
  });
}

/**
 * Returns a sentence about the shown and the following rows; null if no rows follow.
 * @param shownCount number of items shown, starting at `offset`
 * @param hasMore whether the service has more items than the fetched page
 */
function describeOmittedRows(
  { section, total }: Page,
  offset: number,
  shownCount: number,
  hasMore: boolean,
): string | null {
  const nextOffset = offset + shownCount;
  const noRowsText = section.units.length === 0 ? `No rows from row ${offset + 1} on.` : 'No rows fit into the answer.';
  const rangeText =
    shownCount === 0
      ? noRowsText
      : `Shown: rows ${offset + 1} to ${nextOffset}${total === null ? '' : ` of ${total}`}.`;
  if (total === null) {
    return shownCount < section.units.length || hasMore ? `${rangeText} There may be more rows.` : null;
  }
  const remainingItemCount = total - nextOffset;
  return remainingItemCount > 0 ? `${rangeText} Left out: ${formatCount(remainingItemCount, 'row')}.` : null;
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
const isPaged = (command: QuestionCommand): boolean =>
  isListCommand(command) && hasPages(getOperation(command.operation));

/** Returns the maximum number of rows of a list that accepts no offset; null for other answers. */
const findUnpagedMaximum = (command: QuestionCommand): number | null =>
  isListCommand(command) && !isPaged(command) ? findParameterMaximum(getOperation(command.operation), 'limit') : null;

interface ItemWindow {
  readonly offset: number;
  readonly limit: number | null;
}

/**
 * Returns the limit and offset to request. If an operation has no `offset`, requests all items up to the end of the
 * page. An answer that is not a list is requested completely.
 */
function makePagingArguments(command: QuestionCommand, { offset, limit }: ItemWindow): NamedArguments {
  const maxLimit = findParameterMaximum(getOperation(command.operation), 'limit');
  if (maxLimit === null || !isListCommand(command)) return {};
  const requestedLimit = Math.min(maxLimit, (isPaged(command) ? 0 : offset) + (limit ?? DEFAULT_LIMIT));
  return { limit: requestedLimit, ...(isPaged(command) && offset > 0 ? { offset } : {}) };
}

interface Page {
  readonly section: AnswerSection;
  /** Total number of items, including items not shown; null if unknown. */
  readonly total: number | null;
}

/** Returns a page of a list, in which the rows of an item, such as a filing, stay together. */
function makePageOfPagedAnswer({ result, answers, command }: AnsweredQuestion, offset: number): Page {
  const { rows: rowsDefinition } = getOperation(command.operation);
  const items = rowsDefinition?.field == null ? null : answers.flatMap((answer) => [...answer.items()]);
  const flatRows = makeFlatRows(result);
  const allRows = [...flatRows.rows];
  const itemRowCounts =
    items === null || command.operation === 'day'
      ? allRows.map(() => 1)
      : countRowsPerItem(items, flatRows.columns, allRows);
  const total = result.total ?? (result.more == null ? offset + itemRowCounts.length : null);
  return { section: makeSection(result, { columns: flatRows.columns, rows: allRows }, itemRowCounts), total };
}

/**
 * Returns the number of rows of each item. Rows of the same filing share its accession number. If the items are not
 * filings, every row counts as one item.
 */
function countRowsPerItem(
  items: readonly unknown[],
  columns: readonly string[],
  rows: readonly (readonly FlatValue[])[],
): number[] {
  const accessionColumnIndex = columns.indexOf('accession_number');
  const accessions = items.map((item) => Reflect.get(Object(item), 'accession_number'));
  const areItemsFilings =
    items.length !== rows.length &&
    accessionColumnIndex >= 0 &&
    accessions.every((accession) => typeof accession === 'string');
  if (!areItemsFilings) return rows.map(() => 1);
  return accessions.map((accession) => rows.filter((row) => row[accessionColumnIndex] === accession).length);
}

/** Returns the rows of a completely fetched answer that are within the window. */
function makePageOfCompleteAnswer({ result, answers, command }: AnsweredQuestion, { offset, limit }: ItemWindow): Page {
  const { columns, rows } = makeFlatRows(result);
  const allRows = [...rows];
  const windowRows = allRows.slice(offset, limit === null ? undefined : offset + limit);
  // A total that the operation defines itself may count something other than rows, such as transactions.
  const doesTotalCountRows = getOperation(command.operation).rows?.total === undefined;
  const fullTotal =
    doesTotalCountRows || answers.some(({ isPage }) => isPage)
      ? Math.max(allRows.length, result.total ?? 0)
      : allRows.length;
  const total = result.more == null ? fullTotal : (result.total ?? null);
  return {
    section: makeSection(
      result,
      { columns, rows: windowRows },
      windowRows.map(() => 1),
    ),
    total,
  };
}

const makeSection = (result: Result, rows: FlatRows, units: readonly number[]): AnswerSection => ({
  title: null,
  facts: listFacts(result),
  rows: compactRows(rows),
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

function readWholeNumber<Default extends number | null>(
  givenArguments: NamedArguments,
  name: string,
  defaultValue: Default,
): number | Default {
  const { [name]: value } = givenArguments;
  if (value === undefined || value === null) return defaultValue;
  const numberValue = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  const minimum = name === 'limit' ? 1 : 0;
  if (typeof numberValue === 'number' && Number.isSafeInteger(numberValue) && numberValue >= minimum)
    return numberValue;
  const givenText = quote(typeof value === 'string' ? value : JSON.stringify(value));
  throw new Failure('usage', `The argument "${name}" must be a whole number of at least ${minimum}, not ${givenText}.`);
}

/**
 * Returns the question that `show` names. Without `show`, the given arguments decide: the first question that accepts
 * them all and needs no more, or else the tool's first question.
 */
async function chooseQuestionName(tool: Tool, givenArguments: NamedArguments): Promise<QuestionName> {
  const { show: requestedShow } = givenArguments;
  if (requestedShow !== undefined && requestedShow !== null) {
    const name =
      typeof requestedShow === 'string' && Object.hasOwn(tool.questionByShow, requestedShow)
        ? tool.questionByShow[requestedShow]
        : undefined;
    if (name !== undefined) return name;
    throw new Failure('usage', `The tool "${tool.name}" cannot show ${quote(String(requestedShow))}.`, {
      hint: `The tool "${tool.name}" shows ${formatAlternatives(Object.keys(tool.questionByShow))}.`,
    });
  }
  const argumentNames = Object.keys(givenArguments).filter(
    (name) => givenArguments[name] !== null && givenArguments[name] !== undefined,
  );
  const toolArguments = await listArguments(tool);
  const acceptsArguments = ([show, name]: [string, QuestionName]): boolean =>
    argumentNames.every((argument) =>
      toolArguments.some((toolArgument) => toolArgument.name === argument && toolArgument.showValues.includes(show)),
    ) && listRequiredArgumentNames(name).every((requiredName) => argumentNames.includes(requiredName));
  const questionEntries = Object.entries(tool.questionByShow);
  const [firstShow] = questionEntries;
  const [, name] = questionEntries.find(acceptsArguments) ?? firstShow ?? [];
  if (name === undefined) throw new Error(`the tool ${tool.name} has no views`);
  return name;
}
