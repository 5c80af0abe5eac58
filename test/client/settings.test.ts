import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  changeSettings,
  findProfileName,
  findSettingsFile,
  parseSettings,
  readSettings,
  removeTemporarySettingsFiles,
  withProfile,
} from '../../src/client/settings.ts';

function makeDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'fin-settings-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

const listTemporaryFiles = (directory: string) => readdirSync(directory).filter((name) => name.includes('.tmp-'));

test('settings are read back as written, and only their owner may read the file', async () => {
  const directory = join(makeDirectory(), 'fin');
  await changeSettings(directory, (settings) => withProfile(settings, 'work', { output: 'csv', account: 'acme' }));
  await changeSettings(directory, (settings) => withProfile(settings, 'work', { account: undefined }));
  expect(readSettings(directory).profiles).toEqual({ work: { output: 'csv' } });
  if (process.platform !== 'win32') expect(statSync(findSettingsFile(directory)).mode & 0o777).toBe(0o600);
  expect(listTemporaryFiles(directory)).toEqual([]);
});

test.each([
  ['[]', 'the file does not contain a JSON object'],
  ['{"profile": 1}', 'the name of the default profile is not text'],
  ['{"profiles": []}', '"profiles" is not a JSON object'],
  ['{"profiles": {"default": null}}', 'the profile "default" is not a JSON object'],
  [
    '{"profiles": {"default": {"base_url": ["https://filings.example"]}}}',
    'the setting "base_url" of the profile "default" is not text',
  ],
])('settings with a value of a wrong type are refused, not ignored: %s', (text, fault) => {
  expect(() => parseSettings(text, 'config.json')).toThrow(`The settings in config.json cannot be used: ${fault}.`);
});

test('the temporary file of a killed process, which may contain a key, is removed by the next write and by logout', async () => {
  const directory = makeDirectory();
  const leftoverFile = join(directory, 'config.json.tmp-1769000000abcdef');
  writeFileSync(leftoverFile, '{"profiles": {"default": {"api_key": "svc_"}}}');
  await changeSettings(directory, (settings) => withProfile(settings, 'default', { output: 'json' }));
  expect(listTemporaryFiles(directory)).toEqual([]);
  writeFileSync(leftoverFile, '{');
  await removeTemporarySettingsFiles(directory);
  expect(listTemporaryFiles(directory)).toEqual([]);
});

test('reading settings removes the temporary files of killed processes, but not of running ones', () => {
  const directory = makeDirectory();
  const leftoverFile = join(directory, 'config.json.tmp-1769000000abcdef');
  writeFileSync(leftoverFile, '{"profiles": {"default": {"api_key": "svc_"}}}');
  readSettings(directory);
  expect(listTemporaryFiles(directory)).toHaveLength(1);
  const oldTimestamp = Date.now() / 1000 - 11;
  utimesSync(leftoverFile, oldTimestamp, oldTimestamp);
  expect(readSettings(directory)).toEqual({ profiles: {} });
  expect(listTemporaryFiles(directory)).toEqual([]);
});

test('the profile comes from the option, otherwise from the environment, otherwise from the file', () => {
  const settings = { profile: 'file', profiles: {} };
  expect(findProfileName('option', { FIN_PROFILE: 'env' }, settings)).toBe('option');
  expect(findProfileName(null, { FIN_PROFILE: 'env' }, settings)).toBe('env');
  expect(findProfileName(null, { FIN_PROFILE: '' }, settings)).toBe('file');
  expect(findProfileName(null, {}, { profiles: {} })).toBe('default');
});

test('if settings cannot be written, the old ones stay intact and the error names the directory', async (context) => {
  if (process.getuid?.() === 0) context.skip('root may write everywhere');
  const directory = makeDirectory();
  await changeSettings(directory, (settings) => withProfile(settings, 'default', { output: 'json' }));
  const previousText = readFileSync(findSettingsFile(directory), 'utf8');
  chmodSync(directory, 0o500);
  onTestFinished(() => chmodSync(directory, 0o700));
  const pendingChange = changeSettings(directory, (settings) => withProfile(settings, 'default', { output: 'csv' }));
  await expect(pendingChange).rejects.toMatchObject({ kind: 'usage', message: expect.stringContaining(directory) });
  expect(readFileSync(findSettingsFile(directory), 'utf8')).toBe(previousText);
});
