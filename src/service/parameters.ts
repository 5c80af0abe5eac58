/** Checked parameters by name and type. A wrong type here is a defect: the contract has checked them. */
import type { ParameterValues } from '../contract/question/question.ts';

export function text(parameters: ParameterValues, name: string): string {
  return optionalText(parameters, name) ?? missing(name);
}

export function optionalText(parameters: ParameterValues, name: string): string | undefined {
  const value = parameters[name];
  return value === undefined || typeof value === 'string' ? value : missing(name);
}

export function integer(parameters: ParameterValues, name: string): number {
  return optionalInteger(parameters, name) ?? missing(name);
}

export function optionalInteger(parameters: ParameterValues, name: string): number | undefined {
  const value = parameters[name];
  return value === undefined || typeof value === 'number' ? value : missing(name);
}

export function list(parameters: ParameterValues, name: string): readonly string[] | undefined {
  const value = parameters[name];
  return value === undefined || typeof value === 'object' ? value : missing(name);
}

function missing(name: string): never {
  throw new Error(`the contract left the parameter ${name} unchecked`);
}
