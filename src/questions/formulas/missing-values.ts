/** Reports where formulas have no value, and why. */
import { formatCount } from '../../contract/text/format-counts.ts';
import { makeNoteIf, type Notice } from '../../result/notice.ts';
import type { Evaluation } from './evaluate.ts';
import type { Formulas } from './formulas.ts';

/** What is counted: all values, or those of the selected rows. */
interface Counted {
  /** What a row is called: `row` or `period`. */
  readonly noun: string;
  /** Positions of the counted rows; absent for all. */
  readonly rows?: readonly number[];
}

/** A formula without a value in some rows. */
export interface MissingValues {
  readonly name: string;
  readonly absent: number;
  readonly of: number;
  /** The counts by reason, as a sentence. */
  readonly text: string;
  /** The company; absent if all are of one. */
  readonly ticker?: string;
}

/** Returns the formulas without a value in some rows, with these rows counted by reason. */
export function listMissingFormulas(
  formulas: Formulas,
  { size, columns, reads }: Evaluation,
  { noun, rows = [...Array(size).keys()] }: Counted,
): readonly MissingValues[] {
  const lacks = (figure: string, row: number): boolean =>
    reads.get(figure)?.some((values) => values[row] === null) === true;
  return [...columns].flatMap(([name, values]): MissingValues[] => {
    const figures = formulas.listFigures(name);
    const absent = rows.filter((row) => values[row] === null);
    if (absent.length === 0) return [];
    const lacking = figures.flatMap((figure) => {
      const count = absent.filter((row) => lacks(figure, row)).length;
      const isOfYears = (reads.get(figure)?.length ?? 0) > 1;
      return count === 0 ? [] : [`${figure}${isOfYears ? ' or its earlier values' : ''} (${count})`];
    });
    const zeros = absent.filter((row) => !figures.some((figure) => lacks(figure, row))).length;
    const reasons = [
      ...(lacking.length === 0 ? [] : [`without ${lacking.join(', ')}`]),
      ...(zeros === 0 ? [] : [`divided by zero (${zeros})`]),
    ];
    const text = `${name} in ${absent.length} of ${formatCount(rows.length, noun)}: ${reasons.join('; ')}.`;
    return [{ name, absent: absent.length, of: rows.length, text }];
  });
}

export const makeMissingFormulaNotices = (missing: readonly MissingValues[]): readonly Notice[] => {
  const sentences = missing.map(({ text, ticker }) => (ticker === undefined ? text : `${ticker}: ${text}`));
  const values = missing.map(({ text: _, ...counts }) => counts);
  const text = `Some formulas have no value. ${sentences.join(' ')}`;
  return makeNoteIf(missing.length > 0, 'formula_missing', text, { formulas: values });
};
