import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildRelease } from '../../../src/building/build.ts';
import { handleRawConcepts } from '../../../src/service/handlers/metrics/raw-concepts.ts';
import { openRelease } from '../../../src/store/reader.ts';
import { FACTS } from '../../../src/store/schema/reported-values.ts';
import { makeFolder, readSourceCompany, writeSource } from '../../store/public-source.ts';

const apple = readSourceCompany('aapl');
const kraft = readSourceCompany('khc');

/** Builds a release of two companies with the tagged facts of the chosen companies. */
async function buildReleaseWithFacts(facts: readonly string[] | 'all') {
  const home = await makeFolder('releases');
  const sourceDirectory = await writeSource([apple, kraft]);
  const buildResult = await buildRelease({
    sourceDirectory,
    home,
    workerCount: 1,
    workerScript: null,
    facts,
  });
  return { release: openRelease(join(home, buildResult.stamp)), ...buildResult };
}

const askConcepts = async (release: ReturnType<typeof openRelease>, parameters: Readonly<Record<string, string>>) =>
  (
    await handleRawConcepts({
      release,
      parameters: { ticker: 'KHC', limit: 500, ...parameters },
      signal: new AbortController().signal,
    })
  ).data;

test('a concept lists all its facts by period, latest first, with the rank and kind of each revision', async () => {
  const { release } = await buildReleaseWithFacts(['KHC']);
  const [row] = await askConcepts(release, { concept: 'us-gaap:NetIncomeLoss' });
  const expectedFacts = kraft.facts.filter(({ concept }) => concept === 'NetIncomeLoss');
  expect(row?.facts).toHaveLength(expectedFacts.length);
  expect(row?.fact_count).toBe(expectedFacts.length);
  const factsOf2017 = row?.facts?.filter((fact) => fact.start_date === '2017-01-01' && fact.end_date === '2017-12-30');
  expect(factsOf2017?.map((fact) => [fact.revision_rank, fact.kind, fact.value, fact.filed_at])).toEqual([
    [1, 'first', '10999000000', '2018-02-16'],
    [2, 'revised', '10941000000', '2019-06-07'],
    [3, 'same', '10941000000', '2020-02-14'],
    [4, 'same', '10941000000', '2020-11-13'],
  ]);
  const endDates = row?.facts?.map(({ end_date: end }) => end) ?? [];
  expect(endDates).toEqual(endDates.toSorted().reverse());
  for (const fact of row?.facts ?? []) {
    expect(expectedFacts).toContainEqual(
      expect.objectContaining({ value: fact.value, accession: fact.accession_number, end: fact.end_date }),
    );
  }
  await release.close();
});

test('as of a day, a concept lists and counts only facts filed by that day', async () => {
  const { release } = await buildReleaseWithFacts('all');
  const [row] = await askConcepts(release, { concept: 'netincomeloss', as_of: '2019-06-06' });
  expect(row?.facts?.length).toBeGreaterThan(0);
  for (const fact of row?.facts ?? []) expect(fact.filed_at <= '2019-06-06').toBe(true);
  expect(row).toMatchObject({ fact_count: row?.facts?.length, latest_end_date: row?.facts?.[0]?.end_date });
  expect(row?.earliest_end_date).toBe(row?.facts?.at(-1)?.end_date);
  expect(await askConcepts(release, { concept: 'netincomeloss', as_of: '2000-01-01' })).toEqual([]);
  await expect(askConcepts(release, { as_of: '2019-06-06' })).rejects.toMatchObject({ code: 'bad_request' });
  await release.close();
});

test('search finds concepts whose names have words that begin with the searched words', async () => {
  const { release } = await buildReleaseWithFacts([]);
  expect(release.includes(FACTS)).toBe(false);
  const conceptNames = (await askConcepts(release, { search: 'net inc' })).map(({ concept }) => concept);
  expect(conceptNames).toContain('NetIncomeLoss');
  expect(conceptNames.every((name) => /Net/.test(name) && /Inc/.test(name))).toBe(true);
  expect(await askConcepts(release, { search: 'xyzzy' })).toEqual([]);
  await release.close();
});

test('a question for facts that the release does not include is answered 404, with the command that includes them', async () => {
  const factlessBuild = await buildReleaseWithFacts([]);
  await expect(askConcepts(factlessBuild.release, { concept: 'NetIncomeLoss' })).rejects.toMatchObject({
    code: 'not_found',
    detail: expect.stringContaining('Tagged facts are not included'),
  });
  const { release, problems } = await buildReleaseWithFacts(['AAPL', 'NOBODY']);
  expect(problems).toEqual([expect.stringContaining('NOBODY')]);
  await expect(askConcepts(release, { concept: 'NetIncomeLoss' })).rejects.toMatchObject({
    detail: expect.stringContaining('fin data build --facts KHC'),
  });
  await expect(askConcepts(release, { concept: 'NetIncomeLos' })).rejects.toMatchObject({
    detail: expect.stringMatching(/Did you mean NetIncomeLoss\?$/),
  });
  await Promise.all([release.close(), factlessBuild.release.close()]);
});
