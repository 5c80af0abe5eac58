/** A call of a tool: its arguments to an operation, the operation's answer to text. */
import { Failure } from '../contract/failure.ts';
import { hasPages, type OperationId, operationOf, rowsOf, totalOf } from '../contract/operations.ts';
import { alternatives, quote } from '../contract/quote.ts';
import { answerText, type Section } from './answer-text.ts';
import { type Answered, ask, type ToolCall, unknownArgument } from './ask.ts';
import { callText, nextCall } from './call-in-words.ts';
import { cellText, compactRows } from './compact-rows.ts';
import { explain } from './explain.ts';
import { argumentsOf, USUAL_LIMIT } from './input-schema.ts';
import type { Arguments, Tool } from './tools.ts';

/** The answer as text. Throws a Failure that says what is wrong with the arguments, or why there is none. */
export async function callTool(call: ToolCall): Promise<string> {
  const { tool, given } = call;
  const known = (await argumentsOf(tool)).map(({ name }) => name);
  const several = Object.keys(tool.shows).length > 1 && tool.name !== 'explain';
  const all = several ? [...known, 'show'] : known;
  const unknown = Object.keys(given).find((name) => !all.includes(name));
  if (unknown !== undefined) throw unknownArgument(unknown, all, tool);
  return tool.name === 'explain' ? explain(call) : show(call);
}

async function show(call: ToolCall): Promise<string> {
  const { tool, given, progress } = call;
  const { show: _, offset: __, limit: ___, ...own } = given;
  const id = await operationFor(tool, given);
  const operation = operationOf(id);
  const [offset, limit] = [wholeNumber(given, 'offset', 0), wholeNumber(given, 'limit', null)];
  const paged = hasPages(operation);
  const most = operation.parameters.find(({ name }) => name === 'limit')?.max ?? null;
  const paging = {
    // Statements and periods of metrics are chosen whole, and then shown in part.
    ...(most === null || id === 'metrics' ? {} : { limit: pageSize(offset, limit, most, paged) }),
    ...(paged && offset > 0 ? { offset } : {}),
  };
  progress(0, 1);
  const answered = await ask(call, id, { ...own, ...paging });
  progress(1, 1);
  const { answer, notices, attribution } = answered;
  const rows = rowsOf(operation, answer.data);
  const section = paged ? sectionOfItems(answered, rows ?? []) : sectionOfRows(answered, offset, limit ?? Infinity);
  return answerText({
    meta: answer.meta,
    sections: [section],
    notices: id === 'screen' && section.units.length > 0 ? [...notices, TRACE] : notices,
    attribution,
    leftOut: ([units = 0]) => {
      const next = offset + units;
      const fetched = section.units.length - units + section.rest;
      const page = answer.meta.limit ?? paging.limit ?? null;
      const isFull = rows !== null && page !== null && rows.length >= page;
      // What is counted may not be what is shown: the rows of a day are of several kinds.
      const counts = rows !== null && rows.length - (paged ? 0 : offset) === section.units.length + section.rest;
      const total = counts ? totalOf(operation, answer) : null;
      const left = total === null ? fetched : total - next;
      if (left <= 0 && !(isFull && total === null)) return null;
      const shown =
        units === 0 ? 'Nothing is shown.' : `Shown: ${offset + 1} to ${next}${total === null ? '' : ` of ${total}`}.`;
      const more = paged || fetched > 0 || (page !== null && most !== null && page < most && next < most);
      if (!more) return `${shown} More cannot be listed: narrow it by its other arguments.`;
      const open = isFull && total === null;
      const counted = left <= 0 ? 'there may be more' : `${left} ${open ? 'or more' : left === 1 ? 'row' : 'rows'}`;
      return `${shown} Left out: ${counted}. Next: ${nextCall(tool.name, given, { offset: next })}`;
    },
  });
}

/** Rows of the screener name no filings. */
const TRACE = `The filing of each figure: ${callText('explain', { ticker: '…', metric_key: '…', fiscal_year: '…', fiscal_period: 'FY' })}`;

/** Of a list without pages all rows before the offset are asked for, too. */
const pageSize = (offset: number, limit: number | null, most: number, paged: boolean): number =>
  Math.min(most, (paged ? 0 : offset) + (limit ?? USUAL_LIMIT));

function wholeNumber<Default extends number | null>(given: Arguments, name: string, absent: Default): number | Default {
  const { [name]: value } = given;
  if (value === undefined || value === null) return absent;
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  if (typeof number === 'number' && Number.isSafeInteger(number) && number >= (name === 'limit' ? 1 : 0)) return number;
  throw new Failure('usage', `The argument ${name} is not a whole number.`);
}

/** What `show` names, or else the first operation that takes all arguments and lacks none. */
async function operationFor(tool: Tool, given: Arguments): Promise<OperationId> {
  const { show: named } = given;
  const names = Object.keys(tool.shows);
  if (named !== undefined && named !== null) {
    const id = typeof named === 'string' && Object.hasOwn(tool.shows, named) ? tool.shows[named] : undefined;
    if (id !== undefined) return id;
    throw new Failure('usage', `${tool.name} cannot show ${quote(String(named))}.`, {
      hint: `It shows ${alternatives(names)}.`,
    });
  }
  const present = Object.keys(given).filter((name) => given[name] !== null && given[name] !== undefined);
  const known = await argumentsOf(tool);
  const fits = ([name, id]: [string, OperationId]): boolean =>
    present.every((argument) => known.some((one) => one.name === argument && one.of.includes(name))) &&
    operationOf(id).parameters.every((parameter) => !parameter.required || present.includes(parameter.name));
  const shows = Object.entries(tool.shows);
  const [first] = shows;
  const [, id] = shows.find(fits) ?? first ?? [];
  if (id === undefined) throw new Error(`the tool ${tool.name} shows nothing`);
  return id;
}

interface PagedSection extends Section {
  /** Rows that were fetched and not asked for. */
  readonly rest: number;
}

/** Rows of an answer with pages: those of an item, such as a filing, belong together. */
function sectionOfItems({ command, answer, context }: Answered, items: readonly unknown[]): PagedSection {
  const { rows } = operationOf(command.operation);
  const field = rows?.field ?? null;
  const rowsOfItem = (item: unknown) => {
    const data = field === null ? [item] : { ...Object(answer.data), [field]: [item] };
    return [...command.rows({ ...answer, data }, context).rows];
  };
  const byItem = items.map(rowsOfItem);
  const { columns } = command.rows(answer, context);
  return {
    title: null,
    facts: factsOf(answer.data, field, columns),
    rows: compactRows({ columns, rows: byItem.flat() }),
    units: byItem.map(({ length }) => length),
    rest: 0,
  };
}

function sectionOfRows({ command, answer, context }: Answered, offset: number, limit: number): PagedSection {
  const { rows } = operationOf(command.operation);
  const all = command.rows(answer, context);
  const every = [...all.rows];
  const taken = every.slice(offset, offset + limit);
  return {
    title: null,
    facts: rows?.field == null ? [] : factsOf(answer.data, rows.field, all.columns),
    rows: compactRows({ columns: all.columns, rows: taken }),
    units: taken.map(() => 1),
    rest: Math.max(0, every.length - offset - taken.length),
  };
}

/** Lists that are rows already, such as the reports of a day. */
const IN_ROWS = new Set(['reports']);

/** A list with more items, or one that is longer as text, is not written out. */
const LIST_MAX = 16;
const TEXT_MAX = 900;

/** What an answer says beside its rows: its totals, and short lists. */
function factsOf(data: unknown, rowsField: string | null, columns: readonly string[]): [string, string][] {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return [];
  return Object.entries(data).flatMap(([name, value]): [string, string][] => {
    if (name === rowsField || IN_ROWS.has(name) || columns.includes(name) || value === null || value === undefined)
      return [];
    if (typeof value !== 'object') return [[name, cellText(value)]];
    const list: readonly unknown[] | null = Array.isArray(value) ? value : null;
    const text = JSON.stringify(value);
    if (list !== null && list.length === 0) return [];
    if ((list?.length ?? 0) <= LIST_MAX && text.length <= TEXT_MAX) return [[name, dataOf(text)]];
    return list === null ? [] : [[name, `${list.length} entries`]];
  });
}

const dataOf = (text: string): string => text.replaceAll('<', '&lt;');
