import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mostInASecond, type SiteServer, siteFiles, startSite } from '../edgar/fetch/site-server.ts';
import { publicFile } from '../public-files.ts';
import { company, writeSource } from '../release/public-source.ts';
import { fin, makeHome } from './run-fin.ts';

const CONTACT = 'Jane Doe jane@doe.org';

const startSmallSite = async (): Promise<SiteServer> =>
  startSite(
    await siteFiles(
      await writeSource([
        company('aapl', 320193, 'Apple Inc.', 'AAPL'),
        company('msft', 789019, 'MICROSOFT CORP', 'MSFT'),
        company('tgt', 27419, 'TARGET CORP', 'TGT'),
      ]),
    ),
  );

const environment = (site: SiteServer, HOME = makeHome()) => ({
  HOME,
  FIN_DATA_DIR: join(HOME, 'data'),
  FIN_EDGAR_URL: site.url,
  FIN_CONTACT: CONTACT,
});

test('from nothing to an answer: two companies fetched, built, and asked about', async () => {
  const site = await startSmallSite();
  const env = environment(site);
  const fetched = await fin(['data', 'fetch', 'aapl', 'TGT'], { env });
  expect(fetched).toMatchObject({ code: 0 });
  expect(fetched.err).toMatch(
    /^Fetching from 127\.0\.0\.1:\d+ to .*sources\nFetched 6 files \(.*B\); 0 were up to date\n$/,
  );
  expect(site.asked.map(({ path }) => path).sort()).toEqual([
    '/api/xbrl/companyfacts/CIK0000027419.json',
    '/api/xbrl/companyfacts/CIK0000320193.json',
    '/files/company_tickers.json',
    '/files/company_tickers_exchange.json',
    '/submissions/CIK0000027419.json',
    '/submissions/CIK0000320193.json',
  ]);
  for (const { headers } of site.asked)
    expect(headers['user-agent']).toMatch(/^Jane Doe jane@doe\.org \(fin-filings\//);
  const built = await fin(['data', 'build'], { env });
  expect(built).toMatchObject({ code: 0 });
  const answer = await fin(['metrics', 'AAPL', '--keys', 'revenue', '--period', 'annual', '--csv'], { env });
  expect(answer).toMatchObject({ code: 0 });
  expect(answer.out).toContain('416161000000');
  expect((await fin(['metrics', 'MSFT'], { env })).code).toBe(3);
});
