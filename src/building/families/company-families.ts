/** The families whose rows are made while companies are derived. */

import { TABLES_BY_FAMILY } from '../../store/schema/layout.ts';
import { checkSegments } from '../segments/segment-checks.ts';
import type { TableFamily } from './family.ts';

/** Tagged reports, segments and fact locations. */
export const SEGMENTS_FAMILY: TableFamily = {
  name: 'segments',
  tables: TABLES_BY_FAMILY.segments,
  async build({ reports, findings, omitTables }) {
    if (reports.files.length === 0) omitTables(SEGMENTS_FAMILY.tables);
    return [checkSegments(findings.segments)];
  },
};

/** The table with all tagged facts. */
export const FACTS_FAMILY: TableFamily = {
  name: 'facts',
  tables: TABLES_BY_FAMILY.facts,
  async build({ factCompanies, omitTables }) {
    if (factCompanies.size === 0) omitTables(FACTS_FAMILY.tables);
    return [];
  },
};
