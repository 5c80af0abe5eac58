/** The numbers on the cover pages of reports. */
import { defineStatement, type LineEntries } from './line.ts';

export const COVER_PAGE = defineStatement({
  common_shares_outstanding: {
    measure: 'shares',
    description:
      'Common shares outstanding, from the cover page of a report or, if it has no count, from the balance sheet.',
  },
  public_float: {
    description: 'Market value of shares held by non-affiliates, from the cover page of a report.',
  },
} as const satisfies LineEntries);
