import { expect, test } from 'vitest';
import { parseBaseUrl } from '../../src/client/base-url.ts';
import { type DestinationFlags, findDestination } from '../../src/client/destination.ts';
import { parseSettings, type Settings } from '../../src/client/settings.ts';

const key = (letter: string) => `svc_${letter.repeat(38)}`;
const noFlags: DestinationFlags = { baseUrl: null, profile: null, apiKeyFile: null };
const empty: Settings = { profiles: {} };
const settings: Settings = {
  profile: 'main',
  profiles: {
    main: { base_url: 'https://a.example', api_key: key('m'), api_key_origin: 'https://a.example', account: 'acme' },
    other: { base_url: 'https://b.example/data', api_key: key('o'), api_key_origin: 'https://b.example' },
    bare: { base_url: 'https://c.example' },
  },
};
const find = (flags: Partial<DestinationFlags>, env: Record<string, string>, profiles = settings) =>
  findDestination({ ...noFlags, ...flags }, env, profiles);
const text = (flags: Partial<DestinationFlags>, env: Record<string, string>, profiles = settings) => {
  const destination = find(flags, env, profiles);
  if (destination.to === 'local') return 'local:';
  if (destination.to === 'published') return `${destination.baseUrl} release ${destination.publicKey}`;
  const source = destination.key;
  const named = source === null ? 'none' : 'text' in source ? source.text.slice(4, 6) : source.from;
  return `${destination.baseUrl} ${named}`;
};

test.each([
  ['nothing is set', {}, {}, empty, 'local:'],
  ['the profile', {}, {}, settings, 'https://a.example mm'],
  ['another profile by its name', { profile: 'other' }, {}, settings, 'https://b.example/data oo'],
  ['FIN_PROFILE', {}, { FIN_PROFILE: 'other' }, settings, 'https://b.example/data oo'],
  [
    'the environment takes precedence over the default profile',
    {},
    { FIN_BASE_URL: 'https://e.example', FIN_API_KEY: key('e') },
    settings,
    'https://e.example ee',
  ],
  [
    '--profile takes precedence over the environment',
    { profile: 'other' },
    { FIN_BASE_URL: 'https://e.example', FIN_API_KEY: key('e') },
    settings,
    'https://b.example/data oo',
  ],
  [
    'a key in the environment takes precedence over FIN_PROFILE',
    {},
    { FIN_PROFILE: 'other', FIN_API_KEY: key('e') },
    settings,
    'https://b.example/data ee',
  ],
  [
    'a key file takes precedence over all other keys',
    { apiKeyFile: 'k', profile: 'other' },
    { FIN_API_KEY: key('e') },
    settings,
    'https://b.example/data file',
  ],
  [
    'FIN_API_KEY takes precedence over FIN_API_KEY_COMMAND',
    {},
    { FIN_API_KEY: key('e'), FIN_API_KEY_COMMAND: 'pass' },
    settings,
    'https://a.example ee',
  ],
  ['a command before the profile', {}, { FIN_API_KEY_COMMAND: 'pass' }, settings, 'https://a.example command'],
  ['a stored key does not go elsewhere', { baseUrl: 'https://x.example' }, {}, settings, 'https://x.example none'],
  [
    'a key of the environment does not leave its address',
    { baseUrl: 'https://x.example' },
    { FIN_BASE_URL: 'https://e.example', FIN_API_KEY: key('e') },
    empty,
    'https://x.example none',
  ],
  [
    'a key in the environment is sent only to the address in the environment',
    { baseUrl: 'https://x.example' },
    { FIN_API_KEY: key('e') },
    empty,
    'https://x.example ee',
  ],
  [
    'another port is another origin',
    { baseUrl: 'https://a.example:8443' },
    {},
    settings,
    'https://a.example:8443 none',
  ],
  ['another path is the same origin', { baseUrl: 'https://a.example/x/' }, {}, settings, 'https://a.example/x mm'],
  ['local: by name', { baseUrl: 'local:' }, { FIN_API_KEY: key('e') }, settings, 'local:'],
  [
    'a profile without a key uses the key in the environment',
    { profile: 'bare' },
    { FIN_API_KEY: key('e') },
    settings,
    'https://c.example ee',
  ],
  ['empty variables are not set', {}, { FIN_BASE_URL: '', FIN_API_KEY: '', FIN_PROFILE: '' }, empty, 'local:'],
])('%s', (_, flags, env, profiles, expected) => {
  expect(text(flags, env as Record<string, string>, profiles)).toBe(expected);
});

test('a key that is set but not sent is reported', () => {
  const destination = find({ baseUrl: 'https://x.example' }, {});
  expect(destination).toMatchObject({ withheld: expect.stringContaining('https://a.example') });
  expect(JSON.stringify(destination)).not.toContain(key('m'));
});

test('a key with no address is a usage failure, never the sample', () => {
  for (const env of [{ FIN_API_KEY: key('e') }, { FIN_API_KEY_COMMAND: 'pass' }]) {
    expect(() => find({}, env, empty)).toThrow(expect.objectContaining({ kind: 'usage' }));
  }
  expect(() => find({ apiKeyFile: 'x' }, {}, empty)).toThrow(expect.objectContaining({ kind: 'usage' }));
});

test('the sample is used only if nothing is configured', () => {
  expect(find({}, {}, empty)).toMatchObject({ isSampleAllowed: true });
  expect(find({ baseUrl: 'local:' }, { FIN_API_KEY: key('e') }, empty)).toMatchObject({ isSampleAllowed: false });
  expect(find({ baseUrl: 'local:' }, {}, settings)).toMatchObject({ isSampleAllowed: false });
  const contact = { ...empty, profiles: { default: { contact: 'Jane Doe jane@doe.org' } } };
  expect(find({}, {}, contact)).toMatchObject({ isSampleAllowed: true });
  expect(find({ profile: 'default' }, {}, contact)).toMatchObject({ isSampleAllowed: false });
});

test('the account is named if its key is from the profile', () => {
  expect(find({}, {})).toMatchObject({ account: 'acme' });
  expect(find({ baseUrl: 'https://x.example' }, {})).toMatchObject({ account: null });
});

test('a missing profile is named, and a similar one suggested', () => {
  expect(() => find({ profile: 'mian' }, {})).toThrow(/main/);
  expect(() => find({ profile: 'constructor' }, {})).toThrow(/no profile/);
});

test('keys are sent over TLS, or over clear text to this machine only', () => {
  for (const fine of [
    'https://a.example',
    'http://127.0.0.1:80',
    'http://localhost:1',
    'http://[::1]:1',
    'http://127.9.9.9/x',
  ]) {
    expect(parseBaseUrl(fine).baseUrl).toBe(new URL(fine).href.replace(/\/$/, ''));
  }
  for (const wrong of [
    'http://a.example',
    'http://127.0.0.1.a.example',
    'ftp://a',
    'a.example',
    'https://u:p@a.example',
    'https://a/?q',
    'file:///x',
  ]) {
    expect(() => parseBaseUrl(wrong)).toThrow(expect.objectContaining({ kind: 'usage' }));
  }
});

test('damaged settings are reported without quoting them', () => {
  const torn = `{"profiles":{"a":{"api_key":"${key('z')}"`;
  expect(() => parseSettings(torn, '/f')).toThrow(/are not JSON/);
  try {
    parseSettings(torn, '/f');
  } catch (error) {
    expect(String(error) + JSON.stringify(error)).not.toContain('zzz');
  }
  expect(parseSettings('{"profiles":{"a":{"base_url":1,"output":"csv"},"b":null}}', '/f').profiles).toEqual({
    a: { output: 'csv' },
    b: {},
  });
});

test('the hint for a missing profile is a command that can be pasted', () => {
  const hint = (profile: string): unknown => {
    try {
      return find({ profile }, {});
    } catch (error) {
      return Object(error).hint;
    }
  };
  expect(hint('work')).toBe('Create it with: fin config set base_url <url> --profile work');
  expect(hint('my work')).toBe("Create it with: fin config set base_url <url> --profile 'my work'");
});

const ofKind = (profile: Settings['profiles'][string]): Settings => ({ profiles: { default: profile } });

test('with a public key, every address is treated as an address of signed releases, whatever API key is set', () => {
  const signed = ofKind({ public_key: 'P', base_url: 'https://a.example', api_key: key('m') });
  expect(text({}, {}, signed)).toBe('https://a.example release P');
  const env = { FIN_BASE_URL: 'http://127.0.0.1:8080', FIN_API_KEY: key('e') };
  expect(text({}, env, signed)).toBe('http://127.0.0.1:8080 release P');
  expect(text({ baseUrl: 'https://b.example', apiKeyFile: 'k' }, {}, signed)).toBe('https://b.example release P');
  expect(text({ baseUrl: 'local:' }, {}, signed)).toBe('local:');
});

test('the kind applies to the address of the profile; a public key excludes the kind "service"', () => {
  const release = ofKind({ base_url: 'https://a.example/data', kind: 'release' });
  expect(text({}, {}, release)).toBe('https://a.example/data release null');
  expect(text({ baseUrl: 'https://b.example' }, {}, release)).toBe('https://b.example none');
  expect(find({}, {}, ofKind({ base_url: 'https://a.example', kind: 'service' }))).toMatchObject({ isStated: true });
  expect(find({}, {}, ofKind({ base_url: 'https://a.example' }))).toMatchObject({ isStated: false });
  const profileWithBoth = ofKind({ base_url: 'https://a.example', kind: 'service', public_key: 'P' });
  expect(() => find({}, {}, profileWithBoth)).toThrow(/only published releases are signed/);
});
