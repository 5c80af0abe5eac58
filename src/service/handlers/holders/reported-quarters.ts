/** Checks the parameter `quarter`, and finds the quarters for which a release has reports. */

import { isQuarterEnd } from '../../../ownership/holders/quarters.ts';
import type { ReleaseDescription, ReleaseReader } from '../../../store/reader.ts';
import { HOLDER_REPORTS } from '../../../store/schema/holders.ts';
import { ProblemError } from '../../request/problem-error.ts';

/** @throws {ProblemError} 400 if the day is not the end of a quarter */
export function refuseUnlessQuarterEnd(day: string | undefined): void {
  if (day === undefined || isQuarterEnd(day)) return;
  const detail = `"quarter" (${day}) is not the last day of a calendar quarter, such as 2025-06-30.`;
  throw new ProblemError('bad_request', detail);
}

const quartersByRelease = new WeakMap<ReleaseDescription, readonly string[]>();

/** Returns the last days of the quarters for which the release has reports of any manager, earliest first. */
export async function readReportedQuarters(release: ReleaseReader): Promise<readonly string[]> {
  const cached = quartersByRelease.get(release.manifest);
  if (cached !== undefined) return cached;
  const [periods] = (await release.columnsOf(HOLDER_REPORTS, ['period'])) as [string[]];
  const quarters = [...new Set(periods)].sort();
  quartersByRelease.set(release.manifest, quarters);
  return quarters;
}
