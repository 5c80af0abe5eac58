/** The tables of tagged reports, segments and fact locations. */

import type { Check } from '../../store/manifest.ts';
import { FAMILY_TABLES } from '../../store/schema/families.ts';
import type { Family, FamilyContext } from '../family.ts';
import type { SegmentsTask } from './company-segments.ts';
import { SegmentChecks } from './segment-checks.ts';

export const SEGMENTS_FAMILY: Family = {
  name: 'segments',
  tables: FAMILY_TABLES.segments,
  build,
};

async function build({
  companies,
  reports,
  date,
  skipped,
  problems,
  append,
  results,
  omit,
}: FamilyContext): Promise<Check[]> {
  if (reports.files.length === 0) omit(SEGMENTS_FAMILY.tables);
  const checks = new SegmentChecks();
  const tasks = companies.flatMap(({ cik }): SegmentsTask[] => {
    const own = reports.slices.get(cik);
    return own === undefined ? [] : [{ kind: 'segments', cik, reports: own, date }];
  });
  for await (const made of results(tasks)) {
    for (const part of made.parts) append(part);
    skipped.addAll(made.skipped);
    problems.push(...made.problems);
    checks.addAll(made.counts);
  }
  return checks.checks();
}
