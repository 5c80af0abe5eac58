/** Makes questions for every operation, each about a different company, manager or day. */

/**
 * @param ask requests a path, and returns the data of the answer
 * @returns by operation, a function that returns the path of the next question
 */
export async function makeQuestions(ask) {
  const companies = await ask('/v1/screen?limit=500&columns=revenue');
  const managers = await ask('/v1/holders?limit=50');
  const { latest } = await ask('/v1/filings/day');
  const lists = companies.slice(0, 5).map(({ ticker }) => ask(`/v1/securities/${encodeURIComponent(ticker)}/filings`));
  const filings = (await Promise.all(lists)).flat();

  let position = 0;
  /** Distance between two subjects: so large that the next subject is not in a cached row group. */
  const STEP = 37;
  function nextPosition() {
    position += STEP;
    return position;
  }
  const nextOf = (list) => list[nextPosition() % list.length];
  const securityPath = (path) => () => `/v1/securities/${encodeURIComponent(nextOf(companies).ticker)}/${path}`;
  const nameStart = () => encodeURIComponent(nextOf(companies).entity_name.slice(0, 4));
  const dayBefore = () => new Date(Date.parse(latest) - (nextPosition() % 200) * 86_400_000).toISOString().slice(0, 10);

  return {
    search: () => `/v1/securities?query=${nameStart()}`,
    profile: securityPath('profile'),
    metrics: securityPath('metrics'),
    'metrics, every period': securityPath('metrics?period=all'),
    'metrics, two keys': securityPath('metrics?keys=revenue,net_income'),
    catalog: () => '/v1/metrics',
    lineage: securityPath('metrics/revenue/lineage'),
    revisions: securityPath('metrics/revenue/revisions'),
    'raw-concepts': securityPath('raw-concepts'),
    filings: securityPath('filings'),
    filing: () => `/v1/filings/${nextOf(filings).accession_number}`,
    day: () => `/v1/filings/day?date=${dayBefore()}`,
    insiders: securityPath('insider-activity'),
    'insider-activity': () => `/v1/insider-activity?limit=20&offset=${nextPosition() % 200}`,
    holders: securityPath('holders'),
    managers: () => `/v1/holders?query=${nameStart()}`,
    manager: () => `/v1/holders/${managers.length === 0 ? 1 : nextOf(managers).cik}`,
    prices: securityPath('prices'),
    segments: securityPath('segments'),
    screen: () => `/v1/screen?where=revenue:gt:${nextPosition() * 100_000}&limit=25`,
    release: () => '/v1/release',
  };
}
