import { expect, test } from 'vitest';
import type { LookUp } from '../../src/ask/command/command.ts';
import { makeAnnouncementNotices } from '../../src/questions/reports/report-notices.ts';
import { META } from './envelopes.ts';
import { formatNotices } from './result-of.ts';

const findNotices = async (...parameters: Parameters<typeof makeAnnouncementNotices>) =>
  formatNotices({ notices: await makeAnnouncementNotices(...parameters) });

/** Filing dates of Apple's 8-Ks that announce results, newest first. */
const ANNOUNCEMENT_DATES = ['2024-10-31', '2024-08-01', '2024-05-02'];
const lookUp: LookUp = async () => ({
  data: ANNOUNCEMENT_DATES.map((day) => ({ form: '8-K', filed_at: day })),
  meta: META,
});

const quarterQuery = { ticker: 'AAPL', end: '2024-06-29', filed: '2024-08-02' };

test("a notice says that results announced before their report are included from the report's date on", async () => {
  const expectedNotice =
    'The results for the period to 2024-06-29 were announced on 2024-08-01 (8-K, item 2.02) and reported on 2024-08-02. With --as-of, they are included from 2024-08-02 on.';
  expect(await findNotices(quarterQuery, lookUp)).toEqual([expectedNotice]);
  expect(await findNotices({ ...quarterQuery, asOf: '2024-09-30' }, lookUp)).toEqual([expectedNotice]);
});

test('a notice names results that were announced but not yet reported by the --as-of day', async () => {
  expect(await findNotices({ ...quarterQuery, asOf: '2024-10-31' }, lookUp)).toEqual([
    'Results announced on 2024-10-31 (8-K, item 2.02) are not included: the figures come from the 10-Q or 10-K, which is filed later.',
  ]);
});

test('no notice is given if the report has the date of the announcement, or if no announcement is listed', async () => {
  expect(await findNotices({ ...quarterQuery, filed: '2024-08-01' }, lookUp)).toEqual([]);
  expect(await findNotices({ ...quarterQuery, end: '2019-06-29', filed: '2019-08-01' }, lookUp)).toEqual([]);
  expect(await findNotices(quarterQuery, async () => null)).toEqual([]);
});
