/** The family of the table with all tagged facts. Rows are made while companies are derived. */
import type { Check } from '../../store/releases/manifest.ts';
import { TABLES_BY_FAMILY } from '../../store/schema/layout.ts';
import type { FamilyContext, TableFamily } from './family.ts';

export const FACTS_FAMILY: TableFamily = {
  name: 'facts',
  tables: TABLES_BY_FAMILY.facts,
  build: async ({ factCompanies, omitTables }: FamilyContext): Promise<readonly Check[]> => {
    if (factCompanies.size === 0) omitTables(FACTS_FAMILY.tables);
    return [];
  },
};
