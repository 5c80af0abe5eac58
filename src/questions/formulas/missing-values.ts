/** Reports where formulas have no value, and why. */
import { formatCount } from '../../contract/text/format-counts.ts';
import { makeNote, type Notice } from '../../result/notice.ts';
import type { Evaluation } from './evaluate.ts';
import type { Formulas } from './formulas.ts';

/**
 * Returns a notice that counts the rows in which each formula has no value, by reason; empty if all have values.
 * @param noun what a row is called: `row` or `period`
 */
export function makeMissingFormulaNotices(
  formulas: Formulas,
  { size, columns, reads }: Evaluation,
  noun: string,
): readonly Notice[] {
  const lacks = (figure: string, row: number): boolean =>
    reads.get(figure)?.some((values) => values[row] === null) === true;
  const counts = new Map<string, number>();
  const texts = [...columns].flatMap(([name, values]) => {
    const figures = formulas.listFigures(name);
    const absent = values.flatMap((value, row) => (value === null ? [row] : []));
    if (absent.length === 0) return [];
    counts.set(name, absent.length);
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
    return [`${name} in ${absent.length} of ${formatCount(size, noun)}: ${reasons.join('; ')}.`];
  });
  if (texts.length === 0) return [];
  const text = `Some formulas have no value. ${texts.join(' ')}`;
  return [makeNote('formula_missing', text, { formulas: Object.fromEntries(counts), of: size })];
}
