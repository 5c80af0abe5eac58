/** The family of tagged reports, segments and fact locations. Rows are made while companies are derived. */

import { TABLES_BY_FAMILY } from '../../store/schema/layout.ts';
import { checkSegments } from '../segments/segment-checks.ts';
import type { TableFamily } from './family.ts';

export const SEGMENTS_FAMILY: TableFamily = {
  name: 'segments',
  tables: TABLES_BY_FAMILY.segments,
  async build({ reports, segmentCounts, omitTables }) {
    if (reports.files.length === 0) omitTables(SEGMENTS_FAMILY.tables);
    return [checkSegments(segmentCounts)];
  },
};
