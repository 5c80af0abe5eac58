import type { UtilityCall } from './utility.ts';

/** The text of an option that may be given once; null without it. */
export function optionText({ options }: Pick<UtilityCall, 'options'>, name: string): string | null {
  const given = options[name];
  return typeof given === 'string' ? given : null;
}
