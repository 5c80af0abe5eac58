import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { serve } from '../http-service.ts';
import { testNeeding } from '../needs.ts';
import { makeResource } from '../resource.ts';
import { makeHome, runFin, sendJson } from './run-fin.ts';

const META_JSON = '"meta":{"schema":"svc.data.v1","route":"/v1/filings/{accession}","release":null,"request_id":"r"}';

const makeFilingBody = (folder: string): string => {
  const data = makeResource('FilingSource', { accession_number: '0000320193-25-000079', folder });
  return `{"data":${JSON.stringify(data)},${META_JSON}}`;
};

test("fin open --print prints the address of a company's page at the SEC", async () => {
  const { code, out } = await runFin(['open', 'AAPL', '--print']);
  expect({ code, out }).toEqual({ code: 0, out: 'https://www.sec.gov/edgar/browse/?CIK=320193\n' });
});

test('fin open explains an unknown ticker like all questions', async () => {
  const { code, err } = await runFin(['open', 'AAPLE', '--print']);
  expect({ code, err }).toEqual({ code: 3, err: expect.stringContaining('To search by name: fin search AAPLE\n') });
});

testNeeding('Linux', process.platform === 'linux')(
  'a filing is opened by the platform’s own program, which gets no key, and no shell reads the address',
  async () => {
    const folderUrl = 'https://www.sec.gov/Archives/edgar/data/320193/000032019325000079/?a=$(touch%20x)&b=`id`';
    const { baseUrl } = await serve((_, response) => sendJson(response, 200, makeFilingBody(folderUrl)));
    const HOME = makeHome();
    const [openerScript, openedFile] = [join(HOME, 'xdg-open'), join(HOME, 'opened')];
    writeFileSync(
      openerScript,
      `#!/bin/sh\nprintf '%s' "$*$FIN_API_KEY" > "${openedFile}.part" && mv "${openedFile}.part" "${openedFile}"\n`,
    );
    chmodSync(openerScript, 0o755);
    const env = { HOME, PATH: `${HOME}:${process.env.PATH}`, DISPLAY: ':0', FIN_API_KEY: `svc_${'a'.repeat(38)}` };
    const { code, out } = await runFin(['open', '000032019325000079', '--base-url', baseUrl], { env });
    expect({ code, out }).toEqual({ code: 0, out: '' });
    await expect.poll(() => existsSync(openedFile)).toBe(true);
    expect(readFileSync(openedFile, 'utf8')).toBe(folderUrl);
  },
);

testNeeding('Linux', process.platform === 'linux')('without a browser the address is printed', async () => {
  const HOME = makeHome();
  writeFileSync(join(HOME, 'xdg-open'), '#!/bin/sh\nexit 3\n');
  chmodSync(join(HOME, 'xdg-open'), 0o755);
  const envWithFailingBrowser = { HOME, PATH: `${HOME}:${process.env.PATH}`, DISPLAY: ':0' };
  for (const env of [{ HOME: makeHome() }, envWithFailingBrowser]) {
    const { code, out, err } = await runFin(['open', 'AAPL', '-q'], { env });
    expect({ code, out, err }).toEqual({ code: 0, out: 'https://www.sec.gov/edgar/browse/?CIK=320193\n', err: '' });
  }
});

test.each(['http://example.org/', 'file:///etc/passwd', 'javascript:alert(1)', 'https://x/ --flag', '-version'])(
  'fin open refuses the address %j',
  async (folder) => {
    const { baseUrl } = await serve((_, response) => sendJson(response, 200, makeFilingBody(folder)));
    const { code, err } = await runFin(['open', '0000320193-25-000079', '--base-url', baseUrl]);
    expect(code).toBe(7);
    expect(err).toContain('is not a valid https address');
  },
);
