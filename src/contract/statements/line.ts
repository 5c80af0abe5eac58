/**
 * The lines of statements as data. Each statement is a tree: a line names the total that it is a part of, and a
 * subtotal is a part of the next total. Sections, order, remainders and relations between amounts are derived from the
 * tree (`tree.ts`); the concepts of each line are in `src/figures/metrics/concepts`.
 */
import { capitalize } from '../text/format-counts.ts';
import type { FigureDefinition, Measure, NoOptions, Only, StatementName, SumFormula } from './formula.ts';

export interface Line<Key extends string = string> {
  readonly label: string;
  /** Default: `money`. */
  readonly measure?: Measure;
  /** The total that the line is a part of; absent if the line is a part of none. */
  readonly total?: Key;
  /**
   * The total above which statements print the line, instead of above `total`, if this total has a value: for example
   * the net interest income of a bank.
   */
  readonly totalIfReported?: Key;
  /** Whether many companies report the line only in a note: their statements include it in another line. */
  readonly isOftenInNotes?: true;
  /**
   * Another line of the total whose amount may include this line: accrued liabilities may include accrued compensation.
   */
  readonly mayBeIn?: Key;
  /** `-`: the line reduces its total. */
  readonly sign?: '-';
  /** Whether statements print the line as a total, not as a part. */
  readonly subtotal?: true;
  /** Title of the section that ends with the line. */
  readonly section?: string;
  /** Description of the figure; absent for remainders. */
  readonly description?: string;
  /** Formula of a line that is always derived. */
  readonly formula?: SumFormula<Key>;
  /** Formula that derives the line if no filing reports it. */
  readonly whenNotReported?: SumFormula<Key>;
  /** Present for a remainder: the part of a total that is on no other line. */
  readonly remainder?: RemainderOf<Key>;
}

/** A figure of a financial statement or of a report's cover page, available for every period. */
export interface Metric<Key extends string = string>
  extends FigureDefinition,
    Omit<Line<Key>, keyof FigureDefinition | 'description' | 'remainder'> {
  readonly statement: StatementName;
  readonly description: string;
}

/** A remainder: `plus` (default: the total `of`) minus `minus` and minus the other reported parts of the total. */
interface RemainderOf<Key extends string = string> {
  readonly of: Key;
  readonly plus?: readonly Key[];
  readonly minus?: readonly (Key | readonly Key[])[];
  /** Key of a figure that must have no value. */
  readonly unless?: Key;
  /** Whether the remainder is never below zero. */
  readonly isAboveZero?: true;
}

/** The lines of one statement by key, in the order of printed statements. */
export type Lines = Readonly<Record<string, Line>>;

/** Lines without default labels. The default label is the key as words, such as `Cash and equivalents`. */
type LineEntries = Readonly<Record<string, Omit<Line, 'label'> & Partial<Pick<Line, 'label'>>>>;

type LineOptions = Omit<LineEntries[string], 'description' | 'sign' | 'isOftenInNotes' | 'subtotal' | 'remainder'>;
type RemainderOptions = Omit<RemainderOf, 'of'>;

/**
 * Returns a function that declares lines with these properties, by description and options. `NoInfer`: the options' type
 * comes from the call, not from the enclosing statement.
 */
const declareLines =
  <const Own extends Partial<Line>>(own: Own) =>
  <const O extends LineOptions = NoOptions>(description: string, options?: Only<LineOptions, O>) =>
    ({ description, ...options, ...own }) as { readonly description: string } & NoInfer<O> & Own;

/** Declares a line that is added to its total. */
export const line = declareLines({});
/** Declares a line that is subtracted from its total. */
export const less = declareLines({ sign: '-' });
/** Declares a line that many companies report only in a note, because their statements include it in another line. */
export const lineOrNote = declareLines({ isOftenInNotes: true });
/** Declares a line that statements print as a total. */
export const subtotal = declareLines({ subtotal: true });

/** Declares the part of a total that is on no other line. */
export const remainder = <const Of extends string, const O extends RemainderOptions = NoOptions>(
  of: Of,
  options?: Only<RemainderOptions, O>,
) => ({ remainder: { of, ...options } as { readonly of: Of } & NoInfer<O> });

/** Returns the lines of a statement, with default labels. */
export const defineStatement = <const L extends LineEntries>(lines: L) =>
  changeLines(lines, (line, key) => ({ label: capitalize(key.replaceAll('_', ' ')), ...line })) as {
    readonly [Key in keyof L]: L[Key] & Pick<Line, 'label'>;
  };

/** Sets the total of which lines are parts. Unchanged are remainders, and lines that already have a total. */
export const partsOf = <const Total extends string, const L extends LineEntries>(total: Total, lines: L) =>
  changeLines(lines, (line) => (line.remainder === undefined ? { total, ...line } : line)) as {
    readonly [Key in keyof L]: L[Key] extends { readonly total: string } | { readonly remainder: unknown }
      ? L[Key]
      : L[Key] & { readonly total: Total };
  };

const changeLines = (lines: LineEntries, change: (line: LineEntries[string], key: string) => LineEntries[string]) =>
  Object.fromEntries(Object.entries(lines).map(([key, line]) => [key, change(line, key)]));
