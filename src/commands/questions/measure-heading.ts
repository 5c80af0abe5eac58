/** What stands over the figures of one measure of segments, in a table and in a chart. */
import type { SegmentAxis, SegmentMeasure } from '../../contract/resources/segments.ts';

/** A company that changed its concept over the years has the measure more than once: then the concept is named. */
export function measureHeading({ axis, measures }: SegmentAxis, { measure, concept, unit }: SegmentMeasure): string {
  const several = measures.filter((other) => other.measure === measure).length > 1;
  return capital(`${measure.replaceAll('_', ' ')} by ${axis}, ${unit}${several ? ` (${concept})` : ''}`);
}

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
