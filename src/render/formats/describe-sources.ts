import { hasPrices, type Result } from '../../result/result.ts';

/** Describes the figures of a document: the release, the as-of date, and the attribution of prices. */
export function describeSources(result: Result): readonly (readonly [label: string, text: string])[] {
  const { release, as_of: asOfDay } = result.meta;
  const { attribution = null } = result;
  return [
    ...(release == null ? [] : [['Release', release.stamp] as const]),
    ...(asOfDay === undefined ? [] : [['As of', asOfDay] as const]),
    ...(attribution === null || !hasPrices(result) ? [] : [['Prices', attribution] as const]),
  ];
}
