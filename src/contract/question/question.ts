/**
 * Checks what was asked against what the interface takes. One function for both halves: the service
 * answers 400 with every fault, the client refuses beforehand what is `stated`.
 */
import { didYouMean } from '../nearest.ts';
import type { Operation } from '../operations.ts';
import { quote } from '../quote.ts';
import type { Parameter, RuleSource } from './parameters.ts';
import { type ParameterValue, readParameter } from './read-parameter.ts';

export type { ParameterValue };
export type ParameterValues = Readonly<Record<string, ParameterValue>>;

/** What is wrong with one parameter; `detail` is a whole sentence that names it. */
export interface Fault {
  readonly parameter: string;
  readonly detail: string;
  readonly source: RuleSource;
}

export interface CheckedParameters {
  /** Values of the parameters that were given and are right, and the defaults of those not given. */
  readonly parameters: ParameterValues;
  readonly faults: readonly Fault[];
}

/**
 * @param given name and text of each parameter, in the order given; a name may be repeated
 */
export function checkParameters(
  operation: Operation,
  given: readonly (readonly [string, string])[],
): CheckedParameters {
  const parameters: Record<string, ParameterValue> = {};
  const faults: Fault[] = [];
  const known = operation.parameters.map((parameter) => parameter.name);
  for (const name of new Set(given.map(([name]) => name))) {
    if (!known.includes(name)) faults.push(unknown(operation, name, known));
  }
  for (const parameter of operation.parameters) {
    const texts = given.filter(([name]) => name === parameter.name).map(([, text]) => text);
    if (texts.length === 0) {
      if (parameter.required) faults.push(fault(parameter, `${parameter.name} is required.`, 'stated'));
      else if (parameter.default !== undefined) parameters[parameter.name] = parameter.default;
      continue;
    }
    const reading = readParameter(parameter, texts);
    if ('value' in reading) parameters[parameter.name] = reading.value;
    else faults.push(fault(parameter, reading.fault, reading.source ?? parameter.source));
  }
  faults.push(...conflicts(operation, given));
  return { parameters, faults };
}

const fault = (parameter: Parameter, detail: string, source: RuleSource): Fault => ({
  parameter: parameter.name,
  detail,
  source,
});

function unknown(operation: Operation, name: string, known: readonly string[]): Fault {
  const takes = known.length === 0 ? 'It takes no parameters.' : `It takes ${known.join(', ')}.`;
  const suggestion = didYouMean(name, known);
  return {
    parameter: name,
    detail: `${quote(name)} is not a parameter of ${operation.path}.${suggestion === '' ? ` ${takes}` : suggestion}`,
    source: 'stated',
  };
}

function conflicts(operation: Operation, given: readonly (readonly [string, string])[]): Fault[] {
  const names = new Set(given.map(([name]) => name));
  return (operation.exclusive ?? []).flatMap(([one, others]) => {
    const clash = others.filter((other) => names.has(other));
    if (!names.has(one) || clash.length === 0) return [];
    return [
      {
        parameter: one,
        detail: `${one} cannot be given together with ${clash.join(' and ')}.`,
        source: 'ours' as const,
      },
    ];
  });
}
