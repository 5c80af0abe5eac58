/** The numbers on the cover pages of reports. */
import { defineStatement, line } from './line.ts';

export const COVER_PAGE = defineStatement({
  common_shares_outstanding: line(
    'Common shares outstanding, from the cover page of a report or, if it has no count, from the balance sheet.',
    { measure: 'shares' },
  ),
  public_float: line('Market value of shares held by non-affiliates, from the cover page of a report.'),
});
