/** Parameters as typed, looked up and changed. */
import type { Given } from '../types.ts';

export const textOf = (given: Given, name: string): string | undefined =>
  given.find(([parameter]) => parameter === name)?.[1];

export const without = (given: Given, ...names: readonly string[]): Given =>
  given.filter(([name]) => !names.includes(name));

export const having = (given: Given, name: string, value: string): Given => [...without(given, name), [name, value]];
