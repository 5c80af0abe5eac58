/**
 * The user's own formulas as columns of a screen. Computes them from the other columns of each row, and filters and
 * sorts the rows by them.
 */
import type { ClientFilter } from '../../ask/command/command.ts';
import type { GivenOptions } from '../../ask/command/option-spec.ts';
import { compareDecimals } from '../../contract/decimal-text.ts';
import { failUsage } from '../../contract/failure.ts';
import type { RawParameters } from '../../contract/question.ts';
import { PRICED_COLUMNS } from '../../contract/screen-columns.ts';
import type { ScreenRow } from '../../contract/screen-row.ts';
import type { Measure } from '../../contract/statements/formula.ts';
import { formatCount } from '../../contract/text/format-counts.ts';
import { option, say } from '../../contract/text/text.ts';
import { type Clause, formatClause, parseClause, passesClause } from '../../contract/where-clause.ts';
import { getOrInsert } from '../../platform/collections.ts';
import { findMeasure } from '../../result/labels.ts';
import { makeNote, makeNoteIf, type Notice } from '../../result/notice.ts';
import { readOwnValue } from '../../result/rows.ts';
import type { Column } from '../../result/table.ts';
import {
  type Evaluation,
  evaluateFormulas,
  findFormulaMeasure,
  listMissingFormulaValues,
  makeMissingFormulaValueNotices,
} from '../formulas/evaluate.ts';
import type { Formulas } from '../formulas/formulas.ts';
import { isOlderThanRow } from './screen-table.ts';

type Rows = readonly ScreenRow[];

/** The filters and the order of a question that use formulas. The client applies them, because no service can. */
type FormulaRequest = ReturnType<typeof takeFormulaParameters>['request'];

/**
 * Separates filters and an order by formulas from the parameters to send, and finds whether the formulas need the rows of
 * all pages. Throws a usage Failure for an invalid filter.
 */
export function takeFormulaParameters(parameters: RawParameters, formulas: Formulas) {
  const clauses: Clause[] = [];
  const sortName = parameters.find(([name, text]) => name === 'sort' && formulas.byName.has(text))?.[1];
  const isDescending = parameters.some(([name, text]) => name === 'dir' && text === 'desc');
  const sent = parameters.flatMap(([name, text]): RawParameters => {
    if (name === 'where' && formulas.byName.has(text.split(':')[0] ?? '')) {
      const clause = parseClause(text);
      if (typeof clause === 'string') failUsage(clause);
      clauses.push(clause);
      return [];
    }
    if (sortName !== undefined && (name === 'sort' || name === 'dir')) return [];
    if (name !== 'columns') return [[name, text]];
    const columns = text.split(',').filter((column) => !formulas.byName.has(column.trim()));
    return columns.length === 0 ? [] : [[name, columns.join(',')]];
  });
  const sort = sortName === undefined ? null : { name: sortName, isDescending };
  const needsAllRows = clauses.length > 0 || sort !== null || formulas.usesRank;
  return { sent, request: { clauses, sort, needsAllRows } };
}

const evaluateRows = (rows: Rows, formulas: Formulas) =>
  evaluateFormulas(formulas, {
    size: rows.length,
    column: (figure) =>
      rows.map((row) => {
        const value = readOwnValue(row, figure);
        return value === null || isOlderThanRow(row, figure) ? null : String(value);
      }),
  });

/** Adds the formulas to each row. */
export function makeFormulaFilter(formulas: Formulas): ClientFilter<Rows> {
  // The notices are about the rows that were filtered, so that formulas are evaluated once.
  const evaluations = new WeakMap<Rows, Evaluation>();
  const evaluate = (rows: Rows) => getOrInsert(evaluations, rows, () => evaluateRows(rows, formulas));
  return {
    apply: (rows) => {
      const { columns } = evaluate(rows);
      return rows.map((row, index) => ({
        ...row,
        ...Object.fromEntries([...columns].map(([name, values]) => [name, values[index] ?? null])),
      }));
    },
    notices: (rows) => makeFormulaNotices(rows, formulas, evaluate(rows)),
  };
}

/** Reports where formulas have no value, how many companies `rank` ranks, and that prices are of another day. */
function makeFormulaNotices(rows: Rows, formulas: Formulas, evaluation: Evaluation): readonly Notice[] {
  const ranked = [...evaluation.rankSizes].map(([name, sizes]) => `${sizes.join(', ')} in ${name}`);
  const rankText = `rank counts the companies with a value, of the ${rows.length} that pass the filters of the service: ${ranked.join('; ')}.`;
  const rankValues = { ranks: Object.fromEntries(evaluation.rankSizes), companies: rows.length };
  const pricedFormulas = formulas.names.filter((name) => isPricedFormula(formulas, name));
  const pricedText = `In ${pricedFormulas.join(', ')}, price figures are of their own day (price_day), the other figures of a fiscal year.`;
  return [
    ...makeMissingFormulaValueNotices(listMissingFormulaValues(formulas, evaluation, 'row')),
    ...makeNoteIf(ranked.length > 0, 'formula_ranks', rankText, rankValues),
    ...makeNoteIf(pricedFormulas.length > 0, 'formula_prices', pricedText, { formulas: pricedFormulas }),
  ];
}

/** Returns the columns that show the formulas. */
export const makeFormulaColumns = (formulas: Formulas, options: GivenOptions): readonly Column<ScreenRow>[] =>
  formulas.names.map((key) => ({
    ...{ key, wrapsTitle: true, align: 'right', measure: findScreenMeasure(formulas, options, key) },
    ...(isPricedFormula(formulas, key) ? { priced: true } : {}),
  }));

const isPricedFormula = (formulas: Formulas, name: string): boolean =>
  formulas.listFigures(name).some((figure) => PRICED_COLUMNS.has(figure));

/** Returns how to show a formula: as a percentage if a filter compares it with one, otherwise by its figures. */
const findScreenMeasure = (formulas: Formulas, options: GivenOptions, name: string): Measure =>
  options.get('where')?.some((text) => text.split(':')[0]?.trim() === name && text.trim().endsWith('%')) === true
    ? 'fraction'
    : findFormulaMeasure(formulas, name, (figure) => findMeasure(figure, 'pure'));

/** Returns the filter and the order by formulas; null without either. */
export function makeFormulaSelection({ clauses, sort }: FormulaRequest): ClientFilter<Rows> | null {
  if (clauses.length === 0 && sort === null) return null;
  return {
    apply: (rows) => {
      const kept = rows.filter((row) =>
        clauses.every((clause) => {
          const cell = row[clause.column];
          return typeof cell === 'string' && passesClause(clause, cell);
        }),
      );
      return sort === null ? kept : sortRows(kept, sort.name, sort.isDescending);
    },
    notices: (rows, kept) => {
      if (clauses.length === 0) return [];
      const names = [...new Set(clauses.map(({ column }) => column))];
      const absent = rows.filter((row) => names.some((name) => row[name] === null)).length;
      const lacking = absent === 0 ? '' : ` (${absent} of the others without a value)`;
      const text = say`${option('where', clauses.map(formatClause).join(' '))} keeps ${kept.length} of ${formatCount(rows.length, 'row')}${lacking}.`;
      return [makeNote('narrowed', text, { kept: kept.length, all: rows.length, absent })];
    },
  };
}

/** Sorts rows by a formula. In both directions, rows without a value come last, and equal ones stay in their order. */
const sortRows = (rows: Rows, name: string, isDescending: boolean): Rows =>
  rows.toSorted((rowA, rowB) => {
    const a = rowA[name];
    const b = rowB[name];
    if (typeof a === 'string' && typeof b === 'string') return compareDecimals(a, b) * (isDescending ? -1 : 1);
    return Number(typeof b === 'string') - Number(typeof a === 'string');
  });
