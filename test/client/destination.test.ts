import { expect, test } from 'vitest';
import { type DestinationFlags, findDestination, parseBaseUrl } from '../../src/client/destination.ts';
import { parseSettings, type Settings } from '../../src/client/settings.ts';

const makeKey = (letter: string) => `svc_${letter.repeat(38)}`;
const noFlags: DestinationFlags = { baseUrl: null, profile: null, apiKeyFile: null };
const emptySettings: Settings = { profiles: {} };
const settings: Settings = {
  profile: 'main',
  profiles: {
    main: {
      base_url: 'https://a.example',
      api_key: makeKey('m'),
      api_key_origin: 'https://a.example',
      account: 'acme',
    },
    other: { base_url: 'https://b.example/data', api_key: makeKey('o'), api_key_origin: 'https://b.example' },
    bare: { base_url: 'https://c.example' },
  },
};
const findDestinationWith = (flags: Partial<DestinationFlags>, env: Record<string, string>, givenSettings = settings) =>
  findDestination({ ...noFlags, ...flags }, env, givenSettings);
const describeDestination = (flags: Partial<DestinationFlags>, env: Record<string, string>, profiles = settings) => {
  const destination = findDestinationWith(flags, env, profiles);
  if (destination.to === 'local') return 'local:';
  if (destination.to === 'published') return `${destination.baseUrl} release ${destination.publicKey}`;
  const keySource = destination.key;
  const keyText = keySource === null ? 'none' : 'text' in keySource ? keySource.text.slice(4, 6) : keySource.from;
  return `${destination.baseUrl} ${keyText}`;
};

test.each([
  ['without settings, the destination is local:', {}, {}, emptySettings, 'local:'],
  ['the default profile has the address and the key', {}, {}, settings, 'https://a.example mm'],
  ['--profile selects another profile', { profile: 'other' }, {}, settings, 'https://b.example/data oo'],
  ['FIN_PROFILE selects another profile', {}, { FIN_PROFILE: 'other' }, settings, 'https://b.example/data oo'],
  [
    'the environment takes precedence over the default profile',
    {},
    { FIN_BASE_URL: 'https://e.example', FIN_API_KEY: makeKey('e') },
    settings,
    'https://e.example ee',
  ],
  [
    '--profile takes precedence over the environment',
    { profile: 'other' },
    { FIN_BASE_URL: 'https://e.example', FIN_API_KEY: makeKey('e') },
    settings,
    'https://b.example/data oo',
  ],
  [
    'a key in the environment takes precedence over FIN_PROFILE',
    {},
    { FIN_PROFILE: 'other', FIN_API_KEY: makeKey('e') },
    settings,
    'https://b.example/data ee',
  ],
  [
    'a key file takes precedence over all other keys',
    { apiKeyFile: 'k', profile: 'other' },
    { FIN_API_KEY: makeKey('e') },
    settings,
    'https://b.example/data file',
  ],
  [
    'FIN_API_KEY takes precedence over FIN_API_KEY_COMMAND',
    {},
    { FIN_API_KEY: makeKey('e'), FIN_API_KEY_COMMAND: 'pass' },
    settings,
    'https://a.example ee',
  ],
  [
    'FIN_API_KEY_COMMAND takes precedence over the profile',
    {},
    { FIN_API_KEY_COMMAND: 'pass' },
    settings,
    'https://a.example command',
  ],
  [
    'a stored key is not sent to another origin',
    { baseUrl: 'https://x.example' },
    {},
    settings,
    'https://x.example none',
  ],
  [
    'a key in a profile without an address is sent nowhere',
    { baseUrl: 'https://x.example' },
    {},
    { profiles: { default: { api_key: makeKey('m') } } },
    'https://x.example none',
  ],
  [
    'a key in the environment is sent only to the address in the environment',
    { baseUrl: 'https://x.example' },
    { FIN_BASE_URL: 'https://e.example', FIN_API_KEY: makeKey('e') },
    emptySettings,
    'https://x.example none',
  ],
  [
    'a key in the environment without an address is sent to any address',
    { baseUrl: 'https://x.example' },
    { FIN_API_KEY: makeKey('e') },
    emptySettings,
    'https://x.example ee',
  ],
  [
    'another port is another origin',
    { baseUrl: 'https://a.example:8443' },
    {},
    settings,
    'https://a.example:8443 none',
  ],
  ['another path has the same origin', { baseUrl: 'https://a.example/x/' }, {}, settings, 'https://a.example/x mm'],
  ['--base-url local: needs no key', { baseUrl: 'local:' }, { FIN_API_KEY: makeKey('e') }, settings, 'local:'],
  [
    'a profile without a key uses the key in the environment',
    { profile: 'bare' },
    { FIN_API_KEY: makeKey('e') },
    settings,
    'https://c.example ee',
  ],
  [
    'empty variables count as unset',
    {},
    { FIN_BASE_URL: '', FIN_API_KEY: '', FIN_PROFILE: '' },
    emptySettings,
    'local:',
  ],
])('%s', (_, flags, env, profiles, expected) => {
  expect(describeDestination(flags, env as Record<string, string>, profiles)).toBe(expected);
});

test('a key that is set but not sent is reported', () => {
  const destination = findDestinationWith({ baseUrl: 'https://x.example' }, {});
  expect(destination).toMatchObject({ withheld: expect.stringContaining('https://a.example') });
  expect(JSON.stringify(destination)).not.toContain(makeKey('m'));
  const destinationForKeyOnlyProfile = findDestinationWith(
    { baseUrl: 'https://x.example' },
    {},
    { profiles: { default: { api_key: makeKey('m') } } },
  );
  expect(destinationForKeyOnlyProfile).toMatchObject({
    withheld: expect.stringContaining('because the profile has no address'),
  });
});

test('a key overrides the stored key only at the address of the stored key', () => {
  const env = { FIN_API_KEY: makeKey('e') };
  expect(findDestinationWith({}, env)).toMatchObject({ isStoredKeyOverridden: true });
  expect(findDestinationWith({ baseUrl: 'https://x.example' }, env)).toMatchObject({ isStoredKeyOverridden: false });
  expect(findDestinationWith({ profile: 'main' }, env)).toMatchObject({ isStoredKeyOverridden: false });
});

test('a key with no address is a usage failure', () => {
  for (const env of [{ FIN_API_KEY: makeKey('e') }, { FIN_API_KEY_COMMAND: 'pass' }]) {
    expect(() => findDestinationWith({}, env, emptySettings)).toThrow(expect.objectContaining({ kind: 'usage' }));
  }
  expect(() => findDestinationWith({ apiKeyFile: 'x' }, {}, emptySettings)).toThrow(
    expect.objectContaining({ kind: 'usage' }),
  );
});

test('the sample is used only if nothing is configured', () => {
  expect(findDestinationWith({}, {}, emptySettings)).toMatchObject({ isSampleAllowed: true });
  expect(findDestinationWith({ baseUrl: 'local:' }, { FIN_API_KEY: makeKey('e') }, emptySettings)).toMatchObject({
    isSampleAllowed: false,
  });
  expect(findDestinationWith({ baseUrl: 'local:' }, {}, settings)).toMatchObject({ isSampleAllowed: false });
  const settingsWithContact = { ...emptySettings, profiles: { default: { contact: 'Jane Doe jane@doe.org' } } };
  expect(findDestinationWith({}, {}, settingsWithContact)).toMatchObject({ isSampleAllowed: true });
  expect(findDestinationWith({ profile: 'default' }, {}, settingsWithContact)).toMatchObject({
    isSampleAllowed: false,
  });
});

test('the account is that of the profile if the key comes from the profile, otherwise null', () => {
  expect(findDestinationWith({}, {})).toMatchObject({ account: 'acme' });
  expect(findDestinationWith({ baseUrl: 'https://x.example' }, {})).toMatchObject({ account: null });
});

test('a missing profile is named, and a similar one suggested', () => {
  expect(() => findDestinationWith({ profile: 'mian' }, {})).toThrow(/main/);
  expect(() => findDestinationWith({ profile: 'constructor' }, {})).toThrow(/no profile/);
});

test('a base URL must be https, or http to this machine', () => {
  for (const allowedUrl of [
    'https://a.example',
    'http://127.0.0.1:80',
    'http://localhost:1',
    'http://[::1]:1',
    'http://127.9.9.9/x',
  ]) {
    expect(parseBaseUrl(allowedUrl).baseUrl).toBe(new URL(allowedUrl).href.replace(/\/$/, ''));
  }
  for (const refusedUrl of [
    'http://a.example',
    'http://127.0.0.1.a.example',
    'ftp://a',
    'a.example',
    'https://u:p@a.example',
    'https://a/?q',
    'file:///x',
  ]) {
    expect(() => parseBaseUrl(refusedUrl)).toThrow(expect.objectContaining({ kind: 'usage' }));
  }
});

test('damaged settings are reported without quoting them', () => {
  const damagedText = `{"profiles":{"a":{"api_key":"${makeKey('z')}"`;
  expect(() => parseSettings(damagedText, '/f')).toThrow(/are not JSON/);
  try {
    parseSettings(damagedText, '/f');
  } catch (error) {
    expect(String(error) + JSON.stringify(error)).not.toContain('zzz');
  }
});

test('the hint for a missing profile is a command that can be pasted', () => {
  const findHint = (profile: string): unknown => {
    try {
      return findDestinationWith({ profile }, {});
    } catch (error) {
      return Object(error).hint;
    }
  };
  expect(findHint('work')).toBe('Create it with: fin config set base_url <url> --profile work');
  expect(findHint('my work')).toBe("Create it with: fin config set base_url <url> --profile 'my work'");
});

const makeDefaultProfileSettings = (profile: Settings['profiles'][string]): Settings => ({
  profiles: { default: profile },
});

test('with a public key, every address is treated as an address of signed releases, whatever API key is set', () => {
  const signedSettings = makeDefaultProfileSettings({
    public_key: 'P',
    base_url: 'https://a.example',
    api_key: makeKey('m'),
  });
  expect(describeDestination({}, {}, signedSettings)).toBe('https://a.example release P');
  const env = { FIN_BASE_URL: 'http://127.0.0.1:8080', FIN_API_KEY: makeKey('e') };
  expect(describeDestination({}, env, signedSettings)).toBe('http://127.0.0.1:8080 release P');
  expect(describeDestination({ baseUrl: 'https://b.example', apiKeyFile: 'k' }, {}, signedSettings)).toBe(
    'https://b.example release P',
  );
  expect(describeDestination({ baseUrl: 'local:' }, {}, signedSettings)).toBe('local:');
});

test('the kind applies to the address of the profile; a public key excludes the kind "service"', () => {
  const releaseSettings = makeDefaultProfileSettings({ base_url: 'https://a.example/data', kind: 'release' });
  expect(describeDestination({}, {}, releaseSettings)).toBe('https://a.example/data release null');
  expect(describeDestination({ baseUrl: 'https://b.example' }, {}, releaseSettings)).toBe('https://b.example none');
  expect(
    findDestinationWith({}, {}, makeDefaultProfileSettings({ base_url: 'https://a.example', kind: 'service' })),
  ).toMatchObject({
    isStatedService: true,
  });
  expect(findDestinationWith({}, {}, makeDefaultProfileSettings({ base_url: 'https://a.example' }))).toMatchObject({
    isStatedService: false,
  });
  const settingsWithKindAndKey = makeDefaultProfileSettings({
    base_url: 'https://a.example',
    kind: 'service',
    public_key: 'P',
  });
  expect(() => findDestinationWith({}, {}, settingsWithKindAndKey)).toThrow(/only published releases are signed/);
});
