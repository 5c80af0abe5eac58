/** The contract's types as the package exports them. `.ci/declarations.mjs` writes them out without imports. */
import type { DataOf, OperationId, ParameterListOf, ResourceOf, RowsFieldOf } from '../contract/operations.ts';
import type { Parameter } from '../contract/parameters.ts';
import type { Meta } from '../contract/resources/envelope.ts';

export type { Problem } from '../contract/resources/envelope.ts';
export type { Meta };

/**
 * The JavaScript type of a parameter's values. Decimals and filters are text, because figures must not be converted to
 * numbers.
 */
type InputOf<P> = P extends { readonly kind: 'integer' }
  ? number
  : P extends { readonly kind: 'cik' }
    ? number | string
    : P extends { readonly kind: 'boolean' }
      ? boolean
      : P extends { readonly kind: 'list' | 'clauses' }
        ? readonly string[]
        : P extends { readonly kind: 'choice'; readonly values: readonly (infer Value)[] }
          ? Value
          : string;

type RequiredParameter = { readonly required: true };

type InputsOf<List extends readonly Parameter[]> = {
  readonly [P in List[number] as P extends RequiredParameter ? P['name'] : never]: InputOf<P>;
} & {
  readonly [P in List[number] as P extends RequiredParameter ? never : P['name']]?: InputOf<P> | undefined;
};

type RowIn<Data, Field> = Field extends keyof Data ? (Data[Field] extends readonly (infer Row)[] ? Row : never) : never;

export type Operations = {
  readonly [Id in OperationId]: {
    readonly parameters: InputsOf<ParameterListOf<Id>>;
    readonly data: DataOf<Id>;
    readonly row: RowsFieldOf<Id> extends string ? RowIn<DataOf<Id>, RowsFieldOf<Id>> : ResourceOf<Id>;
  };
};
