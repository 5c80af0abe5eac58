/**
 * Parses formulas. The grammar is complete here, and no part of a formula is ever run as code:
 *
 *     comparison = sum [("<" | "<=" | ">" | ">=" | "==" | "!=") sum]
 *     sum        = product {("+" | "-") product}
 *     product    = signed {("*" | "/") signed}
 *     signed     = "-" signed | number | name | function "(" comparison {"," comparison} ")" | "(" comparison ")"
 *
 * A number may end with % or a suffix, as in filters: 8%, 1.5B.
 */
import { expandNumber } from '../../ask/values/screen-filters.ts';
import type { Decimal } from '../../contract/decimal-text.ts';
import { Failure, failUsage } from '../../contract/failure.ts';
import { quote } from '../../contract/text/quote.ts';

export type Expression =
  | { readonly kind: 'number'; readonly value: Decimal }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'operation'; readonly operator: string; readonly operands: readonly Expression[] };

/** Minimum and maximum number of arguments of each function. */
const FUNCTION_ARITIES: ReadonlyMap<string, readonly [min: number, max: number]> = new Map([
  ['min', [2, 64]],
  ['max', [2, 64]],
  ['abs', [1, 1]],
  ['rank', [1, 1]],
  ['prior', [1, 1]],
  ['avg', [1, 1]],
]);

export const isFunctionName = (name: string): boolean => FUNCTION_ARITIES.has(name);

const MAX_LENGTH = 1000;
const MAX_DEPTH = 32;

const TOKEN_PATTERN =
  /\s*(?:((?:\d+(?:\.\d+)?|\.\d+)(?:[%KMBT]|(?![\w.])))|([a-z][a-z0-9_]*)|(<=|>=|==|!=|[-+*/()<>,]))/y;

/** `position`: that of the token's first character, starting at 1. */
type Token = { readonly kind: 'number' | 'name' | 'sign'; readonly text: string; readonly position: number };

/** Returns the expression that a text states. Throws a usage Failure that names the fault and its position. */
export function parseExpression(text: string): Expression {
  if (text.length > MAX_LENGTH) failUsage(`A formula has ${text.length} characters; the maximum is ${MAX_LENGTH}.`);
  return new Parser(text, readTokens(text)).parseAll();
}

function readTokens(text: string): readonly Token[] {
  const tokens: Token[] = [];
  const end = text.trimEnd().length;
  const pattern = new RegExp(TOKEN_PATTERN);
  while (pattern.lastIndex < end) {
    const start = pattern.lastIndex;
    const [, number, name, sign = ''] = pattern.exec(text) ?? [];
    if (pattern.lastIndex === 0) {
      const rest = text.slice(start).trimStart();
      const word = rest.split(/[\s+\-*/(),<>=]/)[0] || rest.slice(0, 1);
      throw makeFault(text, `${quote(word)} is not a name, a number or an operator`, text.length - rest.length + 1);
    }
    const token = number ?? name ?? sign;
    const kind = number !== undefined ? 'number' : name !== undefined ? 'name' : 'sign';
    tokens.push({ kind, text: token, position: pattern.lastIndex - token.length + 1 });
  }
  return tokens;
}

const makeFault = (text: string, fault: string, position: number): Failure =>
  new Failure('usage', `In the formula ${quote(text)}, ${fault} (character ${position}).`, {
    hint: 'Write figures with + - * / ( ) and < <= > >= == !=, such as (revenue - net_income) / assets.',
  });

const ZERO: Expression = { kind: 'number', value: '0' };
const COMPARISONS = ['<', '<=', '>', '>=', '==', '!='];

class Parser {
  #next = 0;
  #depth = 0;

  constructor(
    private readonly text: string,
    private readonly tokens: readonly Token[],
  ) {}

  parseAll(): Expression {
    const expression = this.#parseComparison();
    const rest = this.tokens[this.#next];
    if (rest !== undefined) throw this.#makeFault(rest, '');
    return expression;
  }

  #parseComparison(): Expression {
    const left = this.#parseSum();
    const operator = this.#take(...COMPARISONS);
    return operator === null ? left : { kind: 'operation', operator, operands: [left, this.#parseSum()] };
  }

  #parseSum = (): Expression => this.#parseChain(['+', '-'], this.#parseProduct);
  #parseProduct = (): Expression => this.#parseChain(['*', '/'], this.#parseSigned);

  #parseChain(operators: readonly string[], parseOperand: () => Expression): Expression {
    let left = parseOperand();
    for (let operator = this.#take(...operators); operator !== null; operator = this.#take(...operators))
      left = { kind: 'operation', operator, operands: [left, parseOperand()] };
    return left;
  }

  #parseSigned = (): Expression => {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH)
      throw makeFault(this.text, `more than ${MAX_DEPTH} parts are nested`, this.tokens[this.#next]?.position ?? 1);
    const expression =
      this.#take('-') === null
        ? this.#parsePrimary()
        : ({ kind: 'operation', operator: '-', operands: [ZERO, this.#parseSigned()] } as const);
    this.#depth -= 1;
    return expression;
  };

  #parsePrimary(): Expression {
    const token = this.tokens[this.#next];
    this.#next += 1;
    if (token?.kind === 'number') return { kind: 'number', value: expandNumber(token.text) ?? '0' };
    if (token?.kind === 'name')
      return this.#take('(') === null ? { kind: 'name', name: token.text } : this.#parseCall(token);
    if (token?.text !== '(') throw this.#makeFault(token, 'a figure or number is missing at the end');
    const expression = this.#parseComparison();
    this.#expectClose();
    return expression;
  }

  #parseCall({ text: operator, position }: Token): Expression {
    const [min, max] = FUNCTION_ARITIES.get(operator) ?? [0, 0];
    if (max === 0) {
      const names = [...FUNCTION_ARITIES.keys()].join(', ');
      throw makeFault(this.text, `${quote(operator)} is not a function (functions: ${names})`, position);
    }
    const operands = [this.#parseComparison()];
    while (this.#take(',') !== null) operands.push(this.#parseComparison());
    this.#expectClose();
    if (operands.length >= min && operands.length <= max) return { kind: 'operation', operator, operands };
    const count = min === max ? 'one argument' : `${min} to ${max} arguments`;
    throw makeFault(this.text, `${operator} takes ${count}, not ${operands.length}`, position);
  }

  #take(...signs: readonly string[]): string | null {
    const token = this.tokens[this.#next];
    if (token?.kind !== 'sign' || !signs.includes(token.text)) return null;
    this.#next += 1;
    return token.text;
  }

  #expectClose(): void {
    if (this.#take(')') === null) throw this.#makeFault(this.tokens[this.#next], '")" is missing');
  }

  /** @param missing the fault if the formula ends instead of having an unexpected token */
  #makeFault = (token: Token | undefined, missing: string): Failure =>
    token === undefined
      ? makeFault(this.text, missing, this.text.length)
      : makeFault(this.text, `${quote(token.text)} is unexpected`, token.position);
}
