/**
 * The client adds a parameter that only asks for a field of `meta` by itself, and only for a service that is known to
 * have the parameter.
 */
import { expect, test } from 'vitest';
import { registerCleanUp } from '../clean-up.ts';
import { startForeignService } from '../foreign-service.ts';
import { makeHome } from './http-process.ts';
import { startService } from './serve-process.ts';

const SCREEN = ['screen', '--where', 'gross_margin:gt:0', '--where', 'dividends_paid:gt:0', '--limit', '1'];
/** The part of the notice about companies without a figure that needs the counts of fin's own service. */
const COUNTS = /gross_margin \(\d+ companies\), dividends_paid \(\d+ companies\)/;

test('a service of another origin gets the plain question, and the counts are left out of the notice', async () => {
  const foreign = await startForeignService();
  const home = makeHome();
  const run = () => home.run([...SCREEN, '--fresh', '--base-url', foreign.baseUrl]);
  const first = await run();
  expect([first.code, first.stderr]).toEqual([0, expect.stringContaining('a figure that a filter uses.')]);
  await run();
  const [document, ...screens] = foreign.targets;
  // The document is requested once a day.
  expect(document).toBe('/openapi.json');
  expect(screens).toHaveLength(2);
  for (const target of screens) expect(target).not.toContain('set_aside_by');
});

test('a service that describes the parameter, and local:, get it', async () => {
  const service = await startService({});
  registerCleanUp(service.stop);
  const [key = ''] = service.keys;
  const run = (base: string, options: readonly string[] = []) =>
    service.home.run([...SCREEN, ...options, '--base-url', base], { FIN_API_KEY: base === 'local:' ? '' : key });
  expect((await run(service.baseUrl)).stderr).toMatch(COUNTS);
  const targets = service.requests().map(({ target }) => target);
  expect(targets).toEqual(['/openapi.json', expect.stringContaining('set_aside_by=true')]);
  // The plan finds the cached response.
  expect((await run(service.baseUrl, ['--plan'])).stdout).toContain('cache');
  expect((await run('local:')).stderr).toMatch(COUNTS);
  // With a filter on one figure, there is nothing to ask for.
  const single = await service.home.run([...SCREEN.slice(0, 3), '--base-url', service.baseUrl], { FIN_API_KEY: key });
  expect(single.code).toBe(0);
  expect(service.requests().at(-1)?.target).not.toContain('set_aside_by');
});
