import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { ServiceRequest } from '../../src/service/responses/service.ts';
import { makeUnreadableFailure } from '../../src/store/releases/manifest.ts';
import { BASE_URL, expectRefusal, makeService } from './ask.ts';
import { RELEASE_ROWS } from './filed.ts';
import { makePausedRelease } from './held-release.ts';
import { makeMemoryRelease } from './memory-release.ts';

test('a defect is answered 500 without its cause, which is reported internally', async () => {
  const reportedDefects: unknown[] = [];
  const cause = new Error('/secret/path is on fire');
  const release = makeMemoryRelease(RELEASE_ROWS, {
    before: async () => {
      throw cause;
    },
  });
  const service = makeService({
    release: async () => release,
    onDefect: (error, id) => reportedDefects.push([error, id]),
  });
  const problem = await expectRefusal('/v1/securities?query=a', 500, { service, headers: { 'x-request-id': 'r1' } });
  expect(problem).toMatchObject({ code: 'internal_error', request_id: 'r1' });
  expect(JSON.stringify(problem)).not.toMatch(/secret|fire|\.ts/);
  expect(reportedDefects).toEqual([[cause, 'r1']]);
});

test('if the system refuses to open a file, the answer is a reported 503 that names no table', async () => {
  const systemError = Object.assign(new Error('EMFILE'), { code: 'EMFILE', syscall: 'open' });
  const cause = makeUnreadableFailure('/secret/companies.parquet', systemError);
  const reportedDefects: unknown[] = [];
  const release = makeMemoryRelease(RELEASE_ROWS, {
    before: async () => {
      throw cause;
    },
  });
  const service = makeService({ release: async () => release, onDefect: (error) => reportedDefects.push(error) });
  for (let attempt = 1; attempt <= 2; attempt++) {
    const problem = await expectRefusal('/v1/securities?query=a', 503, { service });
    expect(problem).toMatchObject({ code: 'unavailable', detail: expect.stringContaining('Try again later') });
    expect(JSON.stringify(problem)).not.toMatch(/secret|damaged|built/);
    expect(reportedDefects).toHaveLength(attempt);
  }
  expect(cause.message).toBe(
    'The release file /secret/companies.parquet cannot be read: too many files are open (EMFILE).',
  );
});

test('a question that exceeds the deadline is answered 504, and starts no further read', async () => {
  const { release, reads, resumeReads } = makePausedRelease();
  const defects: unknown[] = [];
  const service = makeService({
    release,
    deadlineMs: 20,
    onDefect: (error) => void defects.push(error),
  });
  // The service answers before the read ends.
  expect((await expectRefusal('/v1/securities/AAPL/profile', 504, { service })).code).toBe('timeout');
  resumeReads();
  await nextTurn();
  // A profile needs several reads, but no second read was started after the deadline.
  expect(reads()).toBe(1);
  expect(defects).toEqual([]);
});

test('an answer is cached until the release changes', async () => {
  let readCount = 0;
  const countingHooks = {
    before: async () => {
      readCount += 1;
    },
  };
  // A separate manifest, because the service caches listings by manifest.
  let release = makeMemoryRelease({ ...RELEASE_ROWS, manifest: { ...RELEASE_ROWS.manifest } }, countingHooks);
  const service = makeService({ release: async () => release, cacheBytes: 1_000_000 });
  const askText = async (question: ServiceRequest) => (await service(question)).body.join('');
  const target = '/v1/securities/AAPL/profile';
  const profileRequest = { method: 'GET', target, headers: {}, id: 'one', baseUrl: BASE_URL };
  const firstText = await askText(profileRequest);
  const readsPerAnswer = readCount;
  const secondText = await askText({ ...profileRequest, id: 'two' });
  expect(readCount).toBe(readsPerAnswer);
  expect(secondText).toBe(firstText.replace('"one"', '"two"'));
  release = makeMemoryRelease(
    { ...RELEASE_ROWS, manifest: { ...RELEASE_ROWS.manifest, stamp: 'later' } },
    countingHooks,
  );
  expect(await askText(profileRequest)).toContain('"later"');
  expect(readCount).toBe(2 * readsPerAnswer);
});
