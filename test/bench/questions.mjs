/** Questions to every operation, each about a different company, manager or day. */

/**
 * @param ask returns the data for a path
 * @returns by operation, a function that returns the path of the next question
 */
export async function questionsOf(ask) {
  const companies = await ask('/v1/screen?limit=500&columns=revenue');
  const managers = await ask('/v1/holders?limit=50');
  const { latest } = await ask('/v1/filings/day');
  const lists = companies.slice(0, 5).map(({ ticker }) => ask(`/v1/securities/${encodeURIComponent(ticker)}/filings`));
  const filings = (await Promise.all(lists)).flat();

  let turn = 0;
  /** Distance between two subjects, so large that cached row groups of the previous subject do not help. */
  const STEP = 37;
  function step() {
    turn += STEP;
    return turn;
  }
  const next = (list) => list[step() % list.length];
  const security = (rest) => () => `/v1/securities/${encodeURIComponent(next(companies).ticker)}/${rest}`;
  const word = () => encodeURIComponent(next(companies).entity_name.slice(0, 4));
  const dayBefore = () => new Date(Date.parse(latest) - (step() % 200) * 86_400_000).toISOString().slice(0, 10);

  return {
    search: () => `/v1/securities?query=${word()}`,
    profile: security('profile'),
    metrics: security('metrics'),
    'metrics, every period': security('metrics?period=all'),
    'metrics, two keys': security('metrics?keys=revenue,net_income'),
    catalog: () => '/v1/metrics',
    lineage: security('metrics/revenue/lineage'),
    revisions: security('metrics/revenue/revisions'),
    'raw-concepts': security('raw-concepts'),
    filings: security('filings'),
    filing: () => `/v1/filings/${next(filings).accession_number}`,
    day: () => `/v1/filings/day?date=${dayBefore()}`,
    insiders: security('insider-activity'),
    'insider-activity': () => `/v1/insider-activity?limit=20&offset=${step() % 200}`,
    holders: security('holders'),
    managers: () => `/v1/holders?query=${word()}`,
    manager: () => `/v1/holders/${managers.length === 0 ? 1 : next(managers).cik}`,
    prices: security('prices'),
    segments: security('segments'),
    screen: () => `/v1/screen?where=revenue:gt:${step() * 100_000}&limit=25`,
    release: () => '/v1/release',
  };
}
