/** The user's own formulas: the options that state them, and the checks of their names. */
import type { GivenOptions, OptionSpec } from '../../ask/command/option-spec.ts';
import { failUsage } from '../../contract/failure.ts';
import { COMPANY_METRIC_KEYS, FIGURES } from '../../contract/figures.ts';
import { didYouMean } from '../../contract/nearest.ts';
import { FILTER_COLUMNS, SCREEN_COLUMNS } from '../../contract/screen-columns.ts';
import { quote } from '../../contract/text/quote.ts';
import { call, option, say } from '../../contract/text/text.ts';
import { getOrInsert } from '../../platform/collections.ts';
import { readInputText } from '../../platform/files/input-text.ts';
import { makeSystemFailure } from '../../platform/files/system-error.ts';
import { type Expression, isFunctionName, parseExpression } from './parse.ts';

export const FORMULA_OPTIONS: readonly OptionSpec[] = [
  {
    name: 'compute',
    value: 'name=formula',
    many: true,
    help: 'Add figures: name=formula;name=formula',
  },
  {
    name: 'formulas',
    value: 'file',
    help: 'Add the figures in this file, one name=formula per line (see: fin help formulas)',
  },
];

/** The user's formulas by name, in the order of the options. */
export type Formulas = ReturnType<typeof checkFormulas>;

/** The figures and functions that a command has. */
interface Vocabulary {
  readonly figures: readonly string[];
  /** Functions in addition to min, max and abs. */
  readonly functions: readonly string[];
  /** The command that lists the figures. */
  readonly help: 'catalog' | 'help figures';
  readonly unchecked: boolean;
}

const MAX_FORMULAS = 64;
const NAME_PATTERN = /^[a-z][a-z0-9_]{0,63}$/;
const COMMON_FUNCTIONS = ['min', 'max', 'abs'];
/** Fields of rows that are not figures. */
const FIELDS = ['cik', 'ticker', 'exchange', 'entity_name', 'last_report', 'gone', 'unconfirmed', 'attribution'];
const RESERVED_NAMES: ReadonlySet<string> = new Set([...FIGURES.map(({ key }) => key), ...SCREEN_COLUMNS, ...FIELDS]);

/** Formulas by options: a file may be a pipe, which can be read only once. */
const formulasByOptions = new WeakMap<GivenOptions, Formulas>();

/** Returns the formulas of a screen; null without any. Throws a usage Failure for an invalid formula. */
export const readScreenFormulas = (options: GivenOptions, unchecked = false): Formulas | null =>
  readFormulas(options, { figures: FILTER_COLUMNS, functions: ['rank'], help: 'help figures', unchecked });

/** Returns the formulas of metrics; null without any. Throws a usage Failure for an invalid formula. */
export const readMetricFormulas = (options: GivenOptions, unchecked = false): Formulas | null =>
  readFormulas(options, { figures: COMPANY_METRIC_KEYS, functions: ['prior', 'avg'], help: 'catalog', unchecked });

function readFormulas(options: GivenOptions, vocabulary: Vocabulary): Formulas | null {
  if (!FORMULA_OPTIONS.some(({ name }) => options.has(name))) return null;
  return getOrInsert(formulasByOptions, options, () => checkFormulas(listTexts(options), vocabulary));
}

const listTexts = (options: GivenOptions): readonly string[] =>
  [...(options.get('formulas') ?? []).flatMap(readLines), ...(options.get('compute') ?? [])]
    .flatMap((text) => text.split(/[;\n\r]/))
    .map((text) => text.trim())
    .filter((text) => text !== '');

function readLines(file: string): string[] {
  try {
    return readInputText(file)
      .split('\n')
      .map((line) => line.replace(/#.*/, ''));
  } catch (cause) {
    throw makeSystemFailure('usage', `${file} cannot be read`, cause, 'Name a file with one name=formula per line.');
  }
}

function checkFormulas(texts: readonly string[], vocabulary: Vocabulary) {
  if (texts.length === 0) failUsage('There are no formulas.', FORMULA_HINT);
  if (texts.length > MAX_FORMULAS) failUsage(`There are ${texts.length} formulas; the maximum is ${MAX_FORMULAS}.`);
  const byName = new Map<string, Expression>();
  for (const text of texts) {
    const name = readName(text);
    if (byName.has(name)) failUsage(`The formula ${name} is given twice.`);
    byName.set(name, parseExpression(text.slice(text.indexOf('=') + 1).trim()));
  }
  for (const [name, expression] of byName) checkNames(name, expression, byName, vocabulary);
  refuseCycles(byName);
  /** Returns the figures that a formula uses, directly or by other formulas; without a name, all figures. */
  const listFigures = (name?: string): readonly string[] => {
    const names = new Set<string>(name === undefined ? byName.keys() : [name]);
    // The loop also visits names that are added to the set while it runs.
    for (const item of names) for (const operand of listNames(byName.get(item))) names.add(operand);
    return [...names].filter((item) => !byName.has(item));
  };
  const usesRank = [...byName.values()].some((expression) => listOperators(expression).includes('rank'));
  return { names: [...byName.keys()], byName: byName as ReadonlyMap<string, Expression>, listFigures, usesRank };
}

const FORMULA_HINT = say`Write ${option('compute', 'name=formula')}, such as leverage=total_debt/assets.`;

function readName(text: string): string {
  const [, name] = /^([^=<>!]*)=(?!=)/.exec(text) ?? [];
  if (name === undefined) failUsage(`The formula ${quote(text)} has no name.`, FORMULA_HINT);
  const trimmed = name.trim();
  if (!NAME_PATTERN.test(trimmed)) {
    const rule = 'use lowercase letters, digits and underscores, and begin with a letter';
    failUsage(`${quote(trimmed)} cannot be the name of a formula: ${rule}.`, FORMULA_HINT);
  }
  if (!RESERVED_NAMES.has(trimmed) && !isFunctionName(trimmed)) return trimmed;
  const kind = isFunctionName(trimmed) ? 'function' : 'column';
  failUsage(`A formula cannot have the name ${trimmed}, which is a ${kind}. Choose another name.`);
}

const listNames = (expression: Expression | undefined): readonly string[] => {
  if (expression?.kind === 'name') return [expression.name];
  return expression?.kind === 'operation' ? expression.operands.flatMap(listNames) : [];
};

const listOperators = (expression: Expression): readonly string[] =>
  expression.kind === 'operation' ? [expression.operator, ...expression.operands.flatMap(listOperators)] : [];

/** Throws a usage Failure for a figure or function that the command does not have. */
function checkNames(formula: string, expression: Expression, byName: ReadonlyMap<string, Expression>, own: Vocabulary) {
  const { figures, functions, help, unchecked } = own;
  const known = [...COMMON_FUNCTIONS, ...functions];
  const operator = listOperators(expression).find((name) => isFunctionName(name) && !known.includes(name));
  if (operator !== undefined) {
    const commands = operator === 'rank' ? 'fin screen' : 'fin metrics and fin compare';
    failUsage(`The formula ${formula} uses ${operator}, which only ${commands} can compute.`);
  }
  const unknown = listNames(expression).find((name) => !byName.has(name) && !figures.includes(name));
  if (unknown === undefined || unchecked) return;
  const text = RESERVED_NAMES.has(unknown)
    ? `The formula ${formula} uses ${unknown}, which ${FIGURES.some(({ key }) => key === unknown) ? 'this command does not have' : 'is not a number'}.`
    : `Unknown figure ${quote(unknown)} in the formula ${formula}.${didYouMean(unknown, [...byName.keys(), ...figures])}`;
  failUsage(text, say`Figures: ${call(help)}`);
}

function refuseCycles(byName: ReadonlyMap<string, Expression>): void {
  const checked = new Set<string>();
  const visit = (name: string, path: readonly string[]): void => {
    if (path.includes(name)) {
      const cycle = [...path.slice(path.indexOf(name)), name].join(' uses ');
      failUsage(`A formula cannot use itself: ${cycle}.`);
    }
    if (checked.has(name)) return;
    for (const used of listNames(byName.get(name))) if (byName.has(used)) visit(used, [...path, name]);
    checked.add(name);
  };
  for (const name of byName.keys()) visit(name, []);
}
