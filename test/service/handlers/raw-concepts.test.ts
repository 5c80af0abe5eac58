import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildRelease } from '../../../src/building/build.ts';
import { rawConcepts } from '../../../src/service/handlers/metrics/raw-concepts.ts';
import { openRelease } from '../../../src/store/reader.ts';
import { FACTS } from '../../../src/store/schema/facts.ts';
import { company, newFolder, writeSource } from '../../store/public-source.ts';

const apple = company('aapl');
const kraft = company('khc');

/** Builds a release of two companies with the tagged facts of the chosen companies. */
async function released(facts: readonly string[] | 'all') {
  const home = await newFolder('releases');
  const from = await writeSource([apple, kraft]);
  const buildResult = await buildRelease({ sourceDirectory: from, home, workerCount: 1, workerScript: null, facts });
  return { release: openRelease(join(home, buildResult.stamp)), ...buildResult };
}

const ask = async (release: ReturnType<typeof openRelease>, parameters: Readonly<Record<string, string>>) =>
  (
    await rawConcepts({
      release,
      parameters: { ticker: 'KHC', limit: 500, ...parameters },
      signal: new AbortController().signal,
    })
  ).data;

test('a concept has every fact of company facts, by period and filing, with what changed', async () => {
  const { release } = await released(['KHC']);
  const [row] = await ask(release, { concept: 'us-gaap:NetIncomeLoss' });
  const expected = kraft.facts.filter(({ concept }) => concept === 'NetIncomeLoss');
  expect(row?.facts).toHaveLength(expected.length);
  expect(row?.fact_count).toBe(expected.length);
  const year = row?.facts?.filter((fact) => fact.start_date === '2017-01-01' && fact.end_date === '2017-12-30');
  expect(year?.map((fact) => [fact.revision_rank, fact.kind, fact.value, fact.filed_at])).toEqual([
    [1, 'first', '10999000000', '2018-02-16'],
    [2, 'revised', '10941000000', '2019-06-07'],
    [3, 'same', '10941000000', '2020-02-14'],
    [4, 'same', '10941000000', '2020-11-13'],
  ]);
  const ends = row?.facts?.map(({ end_date: end }) => end) ?? [];
  expect(ends).toEqual(ends.toSorted().reverse());
  for (const fact of row?.facts ?? []) {
    expect(expected).toContainEqual(
      expect.objectContaining({ value: fact.value, accession: fact.accession_number, end: fact.end_date }),
    );
  }
  await release.close();
});

test('as of a day there are only facts filed by then, each of the kind it had then', async () => {
  const { release } = await released('all');
  const [row] = await ask(release, { concept: 'netincomeloss', as_of: '2019-06-06' });
  expect(row?.facts?.length).toBeGreaterThan(0);
  for (const fact of row?.facts ?? []) expect(fact.filed_at <= '2019-06-06').toBe(true);
  await expect(ask(release, { as_of: '2019-06-06' })).rejects.toMatchObject({ code: 'bad_request' });
  await release.close();
});

test('search finds concepts whose names have words that begin with the given words', async () => {
  const { release } = await released([]);
  expect(release.includes(FACTS)).toBe(false);
  const names = (await ask(release, { search: 'net inc' })).map(({ concept }) => concept);
  expect(names).toContain('NetIncomeLoss');
  expect(names.every((name) => /Net/.test(name) && /Inc/.test(name))).toBe(true);
  expect(await ask(release, { search: 'xyzzy' })).toEqual([]);
  await release.close();
});

test('facts that a release does not include are not an empty answer', async () => {
  const releaseWithoutFacts = await released([]);
  await expect(ask(releaseWithoutFacts.release, { concept: 'NetIncomeLoss' })).rejects.toMatchObject({
    code: 'not_found',
    detail: expect.stringContaining('Tagged facts are not included'),
  });
  const { release, problems } = await released(['AAPL', 'NOBODY']);
  expect(problems).toEqual([expect.stringContaining('NOBODY')]);
  await expect(ask(release, { concept: 'NetIncomeLoss' })).rejects.toMatchObject({
    detail: expect.stringContaining('fin data build --facts KHC'),
  });
  await expect(ask(release, { concept: 'NetIncomeLos' })).rejects.toMatchObject({
    detail: expect.stringMatching(/Did you mean NetIncomeLoss\?$/),
  });
  await Promise.all([release.close(), releaseWithoutFacts.release.close()]);
});
