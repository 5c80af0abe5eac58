import { expect } from 'vitest';
import { OPERATIONS } from '../../src/contract/operations.ts';
import { type Check, expectOk, expectProblem, expectRefused, expectResource, findTicker } from './expectations.ts';

export const generalChecks: Readonly<Record<string, Check>> = {
  'get-only': async (client) => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'FETCH']) {
      for (const path of ['/v1/release', '/v1/nothing', '/']) {
        await expectRefused(client, path, 405, 'method_not_allowed', '', { method });
      }
    }
  },
  'head-options': async (client) => {
    for (const method of ['HEAD', 'OPTIONS']) {
      const reply = await client.get('/v1/release', { method });
      expect([method, reply.status, reply.headers.allow]).toEqual([method, 405, 'GET']);
    }
  },
  json: async (client) => {
    const reply = await expectOk(client, '/v1/metrics');
    expect(reply.headers['content-type']).toMatch(/^application\/json\b/);
  },
  'meta-fields': async (client) => {
    // `expectOk` validates `meta` with the schema, which allows no other fields.
    const { body } = await expectOk(client, '/v1/screen?limit=1&where=revenue:gt:0&columns=revenue');
    expect(body.meta).toMatchObject({ schema: 'svc.data.v1', route: '/v1/screen' });
  },
  'route-template': async (client) => {
    const { body } = await expectOk(client, `/v1/securities/${await findTicker(client)}/metrics?limit=1`);
    expect(body.meta.route).toBe('/v1/securities/{ticker}/metrics');
  },
  'release-named': async (client) => {
    const release = (await expectOk(client, '/v1/release')).body.data;
    expect((await expectOk(client, '/v1/metrics')).body.meta.release).toEqual(release);
    expect((await expectOk(client, '/v1/screen?limit=1')).body.meta.release).toEqual(release);
  },
  'figures-are-strings': async (client) => {
    const { text } = await expectOk(client, '/v1/screen?limit=50');
    const numericFieldNames = new Set([...text.matchAll(/"(\w+)":-?\d/g)].map((match) => match[1] ?? ''));
    const allowedNumericFields = ['cik', 'fiscal_year', 'limit', 'offset', 'set_aside', 'total', 'universe'];
    expect([...numericFieldNames].filter((name) => !allowedNumericFields.includes(name))).toEqual([]);
    const metricsReply = await expectOk(client, `/v1/securities/${await findTicker(client)}/metrics`);
    expect(metricsReply.text).not.toMatch(/"(value|confidence)":[^"]/);
  },
  'get-body': async (client) => {
    const reply = await client.get('/v1/release', { body: '{"x":1}', headers: { 'content-type': 'application/json' } });
    expect(reply.status).toBe(200);
  },
  echoes: async (client) => {
    const screenReply = await expectOk(client, '/v1/screen?columns=revenue&where=revenue:gt:0&limit=1');
    const { schema, route, release, request_id, set_aside, total, universe, attribution, ...echoedFields } =
      screenReply.body.meta;
    expect(echoedFields).toEqual({
      columns: ['revenue'],
      where: ['revenue:gt:0'],
      limit: 1,
      offset: 0,
      sort: 'ticker',
      dir: 'asc',
    });
  },
  'request-id': async (client) => {
    const releaseReply = await expectOk(client, '/v1/release');
    expect(releaseReply.body.meta.request_id).toBe(releaseReply.headers['x-request-id']);
    expect(releaseReply.headers['x-request-id']).toMatch(/^[A-Za-z0-9._-]{1,64}$/);
    // `expectRefused` compares the request ids in the body and in the header of a problem.
    await expectRefused(client, '/v1/nothing', 404, 'not_found');
  },
  'request-id-kept': async (client) => {
    const requestId = `aZ9._-${'x'.repeat(58)}`;
    for (const path of ['/v1/release', '/v1/nothing']) {
      expect((await client.get(path, { headers: { 'x-request-id': requestId } })).headers['x-request-id']).toBe(
        requestId,
      );
    }
  },
  'request-id-replaced': async (client) => {
    for (const id of ['x'.repeat(65), 'a b', 'a/b', 'a,b']) {
      const reply = await client.get('/v1/release', { headers: { 'x-request-id': id } });
      expect(reply.headers['x-request-id']).not.toBe(id);
      expect(reply.headers['x-request-id']).toMatch(/^[A-Za-z0-9._-]{1,64}$/);
    }
  },
  problem: async (client) => {
    for (const path of ['/v1/nothing', '/v1/screen?limit=0']) expectProblem(await client.get(path));
  },
  'unknown-path': async (client) => {
    for (const path of ['/', '/v1', '/v1/nothing', '/v2/release', '/v1/release/', '/health']) {
      await expectRefused(client, path, 404, 'not_found');
    }
  },
  'method-before-parameters': (client) =>
    expectRefused(client, '/v1/screen?limit=0', 405, 'method_not_allowed', '', { method: 'POST' }).then(() => {}),
  'unknown-ticker': async (client) => {
    for (const subpath of [
      'profile',
      'metrics',
      'raw-concepts',
      'metrics/revenue/lineage',
      'metrics/revenue/revisions',
    ]) {
      for (const ticker of ['QZQZQZ', 'A%24B', '%C3%A9', '-', 'A'.repeat(40)]) {
        await expectRefused(client, `/v1/securities/${ticker}/${subpath}`, 404, 'not_found');
      }
    }
  },
  'first-day': async (client) => {
    const { body } = await expectOk(client, `/v1/securities/${await findTicker(client)}/metrics?as_of=0001-01-01`);
    expect([body.data, body.meta.as_of]).toEqual([[], '0001-01-01']);
  },
  'unknown-parameter': async (client) => {
    for (const path of ['/v1/release', '/v1/metrics', '/v1/screen', '/v1/securities?query=a']) {
      const pathWithParameter = path.includes('?') ? `${path}&nonsense=1` : `${path}?nonsense=1`;
      await expectRefused(client, pathWithParameter, 400, 'bad_request', 'nonsense');
    }
  },
  'repeated-parameter': (client) =>
    expectRefused(client, '/v1/screen?limit=1&limit=2', 400, 'bad_request', 'limit').then(() => {}),
  'limit-zero': async (client) => {
    for (const { path, parameters } of OPERATIONS) {
      if (!parameters.some((parameter) => parameter.name === 'limit') || path.includes('{')) continue;
      await expectRefused(client, `${path}?limit=0`, 400, 'bad_request', 'limit');
    }
  },
  'malformed-date': async (client) => {
    for (const invalidDay of ['2024-02-30', '20240101', 'today', '']) {
      await expectRefused(client, `/v1/securities/A/metrics?as_of=${invalidDay}`, 400, 'bad_request', 'as_of');
    }
  },
  'malformed-encoding': async (client) => {
    for (const path of ['/v1/screen?where=%', '/v1/securities/%zz/profile'])
      await expectRefused(client, path, 400, 'bad_request');
  },
  'long-url': (client) =>
    expectRefused(client, `/v1/securities?query=${'a'.repeat(20_000)}`, 400, 'bad_request').then(() => {}),
  'long-headers': async (client) => {
    const reply = await client.get('/v1/release', { headers: { 'x-long': 'a'.repeat(70_000) } });
    expect([reply.status, reply.body?.code]).toEqual([400, 'bad_request']);
  },
  'as-of-elsewhere': async (client) => {
    for (const path of ['/v1/holders', '/v1/metrics', '/v1/securities/A/profile', '/v1/securities/A/filings']) {
      await expectRefused(client, `${path}?as_of=2024-01-01`, 400, 'bad_request', 'as_of');
    }
  },
  'malformed-identifiers': async (client) => {
    await expectRefused(client, '/v1/filings/12', 400, 'bad_request', 'accession');
    await expectRefused(client, '/v1/holders/abc', 400, 'bad_request', 'cik');
    const path = '/v1/securities/A/metrics/revenue/lineage?metric_value_id=1';
    await expectRefused(client, path, 400, 'bad_request', 'metric_value_id');
  },
  'no-traces': async (client) => {
    for (const path of ['/v1/nothing', '/v1/screen?where=%00:gt:1', '/v1/securities/%2e%2e%2f/profile']) {
      expect((await client.get(path)).text).not.toMatch(/\bat .*\(|\.[cm]?[jt]s:\d|node:internal/);
    }
  },
  etag: async (client) => {
    for (const path of ['/v1/release', '/v1/metrics', '/v1/screen?limit=1']) {
      expect((await expectOk(client, path)).headers.etag).toMatch(/^(W\/)?"[^"]+"$/);
    }
  },
  'etag-steady': async (client) => {
    const [firstReply, secondReply] = [await expectOk(client, '/v1/metrics'), await expectOk(client, '/v1/metrics')];
    expect(firstReply.headers.etag).toMatch(/^W\//);
    expect(firstReply.headers.etag).toBe(secondReply.headers.etag);
    expect(firstReply.body.meta.request_id).not.toBe(secondReply.body.meta.request_id);
  },
  'etag-differs': async (client) => {
    const entityTags = [];
    for (const limit of [498, 499, 500])
      entityTags.push((await expectOk(client, `/v1/screen?limit=${limit}`)).headers.etag);
    expect(new Set(entityTags).size).toBe(3);
  },
  'not-modified': async (client) => {
    const entityTag = (await expectOk(client, '/v1/metrics')).headers.etag ?? '';
    const reply = await client.get('/v1/metrics', { headers: { 'if-none-match': entityTag } });
    expect([reply.status, reply.text]).toEqual([304, '']);
  },
  'not-modified-list': async (client) => {
    const tag = (await expectOk(client, '/v1/metrics')).headers.etag ?? '';
    for (const ifNoneMatch of [`"x", ${tag}`, tag.replace(/^W\//, ''), '*']) {
      expect((await client.get('/v1/metrics', { headers: { 'if-none-match': ifNoneMatch } })).status, ifNoneMatch).toBe(
        304,
      );
    }
    expect((await client.get('/v1/metrics', { headers: { 'if-none-match': '"x"' } })).status).toBe(200);
  },
  'not-modified-headers': async (client) => {
    const { headers } = await client.get('/v1/metrics', { headers: { 'if-none-match': '*' } });
    const full = await expectOk(client, '/v1/metrics');
    for (const name of ['cache-control', 'etag', 'vary']) expect(headers[name], name).toBe(full.headers[name]);
    for (const name of ['ratelimit', 'ratelimit-policy', 'x-request-id']) expect(headers[name], name).toBeDefined();
    expect(headers['content-type']).toBeUndefined();
  },
  compressed: async (client) => {
    const plain = await expectOk(client, '/v1/metrics');
    expect(plain.headers['content-encoding']).toBeUndefined();
    for (const encoding of ['br', 'gzip']) {
      const reply = await client.get('/v1/metrics', { headers: { 'accept-encoding': `${encoding}, identity;q=0.5` } });
      expect(reply.headers).toMatchObject({ 'content-encoding': encoding, etag: plain.headers.etag });
      expect(reply.body.data).toEqual(plain.body.data);
    }
  },
  'errors-not-modified': (client) =>
    expectRefused(client, '/v1/screen?limit=0', 400, 'bad_request', '', { headers: { 'if-none-match': '*' } }).then(
      () => {},
    ),
  release: async (client) => {
    const { data } = (await expectOk(client, '/v1/release')).body;
    expectResource('Release', data);
    expect(Object.keys(data).sort()).toEqual(['checks', 'date', 'published_at', 'stamp']);
  },
};
