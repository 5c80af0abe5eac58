/** Makes questions for the operations of the service; successive questions differ in company, manager or day. */

/**
 * @param ask requests a path, and returns the data of the answer
 * @returns functions by operation; each function returns the path of the next question
 */
export async function makePathPickers(ask) {
  const companies = await ask('/v1/screen?limit=500&columns=revenue');
  const managers = await ask('/v1/holders?limit=50');
  const { latest } = await ask('/v1/filings/day');
  const filingListPromises = companies
    .slice(0, 5)
    .map(({ ticker }) => ask(`/v1/securities/${encodeURIComponent(ticker)}/filings`));
  const filings = (await Promise.all(filingListPromises)).flat();

  let position = 0;
  /** Step from one company to the next in the list: so large that the next company is not in a cached row group. */
  const POSITION_STEP = 37;
  function advancePosition() {
    position += POSITION_STEP;
    return position;
  }
  const pickNext = (list) => list[advancePosition() % list.length];
  const makePathPicker = (path) => () => `/v1/securities/${encodeURIComponent(pickNext(companies).ticker)}/${path}`;
  const pickNameStart = () => encodeURIComponent(pickNext(companies).entity_name.slice(0, 4));
  const pickDay = () =>
    new Date(Date.parse(latest) - (advancePosition() % 200) * 86_400_000).toISOString().slice(0, 10);

  return {
    search: () => `/v1/securities?query=${pickNameStart()}`,
    profile: makePathPicker('profile'),
    metrics: makePathPicker('metrics'),
    'metrics, every period': makePathPicker('metrics?period=all'),
    'metrics, two keys': makePathPicker('metrics?keys=revenue,net_income'),
    catalog: () => '/v1/metrics',
    lineage: makePathPicker('metrics/revenue/lineage'),
    revisions: makePathPicker('metrics/revenue/revisions'),
    'raw-concepts': makePathPicker('raw-concepts'),
    filings: makePathPicker('filings'),
    filing: () => `/v1/filings/${pickNext(filings).accession_number}`,
    day: () => `/v1/filings/day?date=${pickDay()}`,
    insiders: makePathPicker('insider-activity'),
    'insider-activity': () => `/v1/insider-activity?limit=20&offset=${advancePosition() % 200}`,
    holders: makePathPicker('holders'),
    managers: () => `/v1/holders?query=${pickNameStart()}`,
    manager: () => `/v1/holders/${managers.length === 0 ? 1 : pickNext(managers).cik}`,
    prices: makePathPicker('prices'),
    segments: makePathPicker('segments'),
    screen: () => `/v1/screen?where=revenue:gt:${advancePosition() * 100_000}&limit=25`,
    release: () => '/v1/release',
  };
}
