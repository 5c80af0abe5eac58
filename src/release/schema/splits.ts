/** Stock splits that a company's filings prove. */
import type { Split } from '../../figures/shares/splits.ts';
import { CIK, type OfCompany, table, text } from './table.ts';

/** In order of cik, then effective date. */
export const SPLITS = table<OfCompany<Split>>()({
  name: 'splits',
  key: 'cik',
  columns: [CIK, text('ratio', 'ratio'), text('effective_date', 'effective'), text('accession_number', 'accession')],
});
