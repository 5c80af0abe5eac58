import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { findProxy } from '../../../src/http/agent.ts';
import { findDirectories, makeDirectory } from '../../../src/platform/files/directories.ts';
import { testNeeding } from '../../needs.ts';

test('FIN_*_DIR takes precedence over XDG variables, and XDG variables over the platform', () => {
  expect(findDirectories({}, 'linux', '/home/u')).toEqual({
    config: '/home/u/.config/fin',
    cache: '/home/u/.cache/fin',
    state: '/home/u/.local/state/fin',
    data: '/home/u/.local/share/fin',
  });
  const env = { XDG_CACHE_HOME: '/x', FIN_STATE_DIR: '/s', XDG_CONFIG_HOME: 'relative' };
  expect(findDirectories(env, 'linux', '/home/u')).toMatchObject({
    cache: '/x/fin',
    state: '/s',
    config: '/home/u/.config/fin',
  });
  expect(findDirectories({}, 'darwin', '/Users/u').cache).toBe('/Users/u/Library/Caches/fin');
  expect(findDirectories({ LOCALAPPDATA: 'C:\\L' }, 'win32', 'C:\\U').cache).toBe('C:\\L\\fin\\Cache');
});

test('a relative FIN_*_DIR is relative to the working directory, and an empty FIN_*_DIR counts as unset', () => {
  const env = { FIN_CACHE_DIR: 'below', FIN_CONFIG_DIR: '', XDG_STATE_HOME: 'below' };
  expect(findDirectories(env, 'linux', '/home/u')).toMatchObject({
    cache: resolve('below'),
    config: '/home/u/.config/fin',
    state: '/home/u/.local/state/fin',
  });
});

test('without a home directory, paths below it are null and other paths are unaffected', () => {
  expect(findDirectories({ XDG_STATE_HOME: '/s' }, 'linux', null)).toEqual({
    config: null,
    cache: null,
    state: '/s/fin',
    data: null,
  });
});

test.each([
  ['https://a.example', { HTTPS_PROXY: 'http://p:1' }, 'http://p:1'],
  ['https://a.example', { https_proxy: '', HTTPS_PROXY: 'p:1' }, 'http://p:1'],
  ['https://a.example', { ALL_PROXY: 'http://p:1' }, 'http://p:1'],
  ['https://a.example', { HTTP_PROXY: 'http://p:1' }, null],
  ['http://127.0.0.1:1', { HTTPS_PROXY: 'http://p:1', ALL_PROXY: 'http://p:1' }, null],
  ['https://a.example', { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'b.example, a.example' }, null],
  ['https://x.a.example', { HTTPS_PROXY: 'http://p:1', NO_PROXY: '.a.example' }, null],
  ['https://xa.example', { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'a.example' }, 'http://p:1'],
  ['https://a.example:8443', { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'a.example:443' }, 'http://p:1'],
  ['https://a.example:8443', { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'a.example:8443' }, null],
  ['https://[::1]:8443', { HTTPS_PROXY: 'http://p:1', NO_PROXY: '::1' }, null],
  ['https://[::1]:8443', { HTTPS_PROXY: 'http://p:1', NO_PROXY: '[::1]:8443' }, null],
  ['https://a.example', { HTTPS_PROXY: 'http://p:1', NO_PROXY: '*' }, null],
  ['https://127.0.0.9', { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'b.example,127.0.0.0/8' }, null],
  ['https://128.0.0.1', { HTTPS_PROXY: 'http://p:1', NO_PROXY: '127.0.0.0/8' }, 'http://p:1'],
  ['https://10.1.2.3', { HTTPS_PROXY: 'http://p:1', NO_PROXY: '10.1.2.3/33, 10.1.2.0/24' }, null],
  ['https://10.1.2.3', { HTTPS_PROXY: 'http://p:1', NO_PROXY: '10.1.2.3/33,10.1/16,::/0' }, 'http://p:1'],
  ['https://[fd00::1]:8443', { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'fd00::/8' }, null],
  ['https://[fe00::1]', { HTTPS_PROXY: 'http://p:1', NO_PROXY: '[fd00::]/8' }, 'http://p:1'],
  ['https://a.example', { HTTPS_PROXY: 'http://p:1', NO_PROXY: '0.0.0.0/0' }, 'http://p:1'],
])('with the environment %2$o, requests to %1$s use the proxy %3$s', (url, env, expected) => {
  expect(findProxy(new URL(url), env as Record<string, string>)).toBe(expected);
});

test.each(['http://[', 'me:secret@[', 'socks5h://p:1', 'ftp://p:1'])(
  'the proxy address %s is refused without being printed',
  (proxy) => {
    const findRefusedProxy = () => findProxy(new URL('https://a.example'), { ALL_PROXY: proxy });
    expect(findRefusedProxy).toThrow(/The proxy in HTTPS_PROXY or ALL_PROXY cannot be used/);
    expect(findRefusedProxy).not.toThrow(/secret/);
  },
);

testNeeding('Linux', process.platform === 'linux')(
  'a directory that cannot be made, or whose path leads through a file, is an error immediately',
  () => {
    expect(() => makeDirectory('/proc/no-such/place')).toThrow(expect.objectContaining({ code: 'ENOENT' }));
    expect(() => makeDirectory(join(import.meta.filename, 'below'))).toThrow(
      expect.objectContaining({ code: 'ENOTDIR' }),
    );
    expect(() => makeDirectory(import.meta.filename)).toThrow(expect.objectContaining({ code: 'EEXIST' }));
  },
);
