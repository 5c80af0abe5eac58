import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { startFileServer } from '../file-server.ts';
import { serve } from '../http-service.ts';
import { testNeeding } from '../needs.ts';
import { makeDirectory, makeNextRelease, makeRelease, publish, readContents } from '../publish/releases.ts';
import { readSourceCompany, writeSource } from '../store/public-source.ts';
import { formatHttpResponse, RELEASE_BODY, startSocketServer } from './http-process.ts';
import { sendJson } from './run-fin.ts';
import { homesWithEveryEighthAsProcess } from './run-here.ts';

const makeHome = homesWithEveryEighthAsProcess();

/** Mounts a file system of `size` KB; returns null if this user may not mount one, so that the tests are skipped. */
function mountSmallDisk(size = 64): string | null {
  const directory = mkdtempSync(join(tmpdir(), 'fin-small-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}k`, 'tmpfs', directory], { stdio: 'ignore' });
    return directory;
  } catch {
    rmSync(directory, { recursive: true });
    return null;
  }
}

const unmount = (directory: string) => {
  execFileSync('umount', [directory]);
  rmSync(directory, { recursive: true });
};

const probeDirectory = mountSmallDisk();
if (probeDirectory !== null) unmount(probeDirectory);

/** Writes to the directory until its file system is full. */
function fillDisk(directory: string): void {
  for (let index = 0; index < 64; index++) {
    try {
      writeFileSync(join(directory, `full-${index}`), Buffer.alloc(4096));
    } catch {
      return;
    }
  }
}

async function setUp(size?: number) {
  const smallDisk = mountSmallDisk(size) ?? '';
  const socketServer = await startSocketServer((socket) =>
    socket.write(formatHttpResponse(200, RELEASE_BODY, { etag: 'W/"1"' })),
  );
  const smallDiskHome = makeHome();
  onTestFinished(() => unmount(smallDisk));
  const directoryEnv = { FIN_CACHE_DIR: join(smallDisk, 'cache'), FIN_STATE_DIR: join(smallDisk, 'state') };
  const runRelease = () => smallDiskHome.run(['release', '--json', '--base-url', socketServer.baseUrl], directoryEnv);
  return { smallDisk, socketServer, ask: runRelease, directoryEnv };
}

testNeeding('to mount a tmpfs', probeDirectory !== null)(
  'a disk that is full from the start does not change an answer',
  async () => {
    const { smallDisk, ask, directoryEnv } = await setUp();
    for (const directory of Object.values(directoryEnv)) mkdirSync(directory);
    fillDisk(smallDisk);
    expect(statfsSync(smallDisk).bavail).toBe(0);
    const run = await ask();
    expect(JSON.parse(run.stdout)).toEqual(JSON.parse(RELEASE_BODY));
    expect(run.code).toBe(0);
    expect(run.stderr).toMatch(/cannot be/);
  },
);

testNeeding('to mount a tmpfs', probeDirectory !== null)(
  'a disk that becomes full between two questions does not change an answer',
  async () => {
    const { smallDisk, ask, socketServer } = await setUp();
    expect(await ask()).toMatchObject({ code: 0, stderr: '' });
    fillDisk(smallDisk);
    expect(statfsSync(smallDisk).bavail).toBe(0);
    for (let i = 0; i < 3; i++) {
      const run = await ask();
      expect(JSON.parse(run.stdout)).toEqual(JSON.parse(RELEASE_BODY));
      expect(run.code).toBe(0);
    }
    expect(socketServer.requests.length).toBeGreaterThan(1);
  },
);

testNeeding('to mount a tmpfs', probeDirectory !== null)(
  'on a full disk existing settings and keys stay intact, and the error names the path',
  async () => {
    const { smallDisk, socketServer, directoryEnv } = await setUp();
    const home = makeHome();
    const env = { ...directoryEnv, FIN_CONFIG_DIR: join(smallDisk, 'config'), FIN_DATA_DIR: join(smallDisk, 'data') };
    const run = (args: string[]) => home.run(args, env);
    expect((await run(['config', 'set', 'output', 'json'])).code).toBe(0);
    expect((await run(['keys', 'create', '--account', 'one'])).code).toBe(0);
    fillDisk(smallDisk);
    expect(statfsSync(smallDisk).bavail).toBe(0);
    const contact = `Jane Doe jane@${'long.'.repeat(30)}org`;
    for (const [args, code, fullDirectory] of [
      [['config', 'set', 'contact', contact], 2, env.FIN_CONFIG_DIR],
      [['keys', 'create', '--account', 'two'], 9, env.FIN_DATA_DIR],
    ] as const) {
      const { code: exitCode, stdout, stderr } = await run([...args]);
      expect({ exitCode, stdout, stderr }).toMatchObject({ exitCode: code, stdout: '' });
      expect(stderr).toContain('the disk is full (ENOSPC)');
      expect(stderr).toContain(fullDirectory);
    }
    expect((await run(['config', 'get', 'output'])).stdout).toBe('json\n');
    expect(JSON.parse((await run(['keys', 'list', '--json'])).stdout)).toMatchObject([{ account: 'one' }]);
    expect(socketServer.requests).toHaveLength(0);
  },
);

testNeeding('to mount a tmpfs', probeDirectory !== null)(
  'if the pages of an answer do not fit on the disk, the error names TMPDIR',
  async () => {
    const { smallDisk } = await setUp();
    fillDisk(smallDisk);
    const rows = Array.from({ length: 500 }, () => ({ cik: 1, ticker: 'T', exchange: 'X', entity_name: 'Company' }));
    // The answer has more rows than the program keeps in memory.
    const { baseUrl } = await serve(({ url = '' }, response) => {
      const offset = Number(new URL(url, 'http://localhost').searchParams.get('offset'));
      const data = rows.map((row, index) => ({ ...row, ticker: `T${offset + index}` }));
      sendJson(
        response,
        200,
        JSON.stringify({ data, meta: { schema: 'svc.data.v1', limit: 500, offset, total: 30_000 } }),
      );
    });
    const args = ['screen', '--all', '--csv', '--no-cache', '--base-url', baseUrl];
    const { code, stdout, stderr } = await makeHome().start(args, { TMPDIR: smallDisk }).done;
    expect({ code, stdout }).toEqual({ code: 9, stdout: '' });
    expect(stderr).toContain(`Temporary files cannot be written to ${smallDisk}: the disk is full (ENOSPC).`);
  },
);

testNeeding('to mount a tmpfs', probeDirectory !== null)(
  'on a full disk, a build names the file and leaves no files, and the previous release still answers',
  async () => {
    const { smallDisk } = await setUp();
    fillDisk(smallDisk);
    const home = makeHome();
    const sourceDirectory = await writeSource([readSourceCompany('aapl')]);
    const env = { FIN_DATA_DIR: smallDisk, FIN_API_KEY: '' };
    mkdirSync(join(smallDisk, 'releases'));
    const { code, stdout, stderr } = await home.start(['data', 'build', '--from', sourceDirectory], env).done;
    expect({ code, stdout }).toEqual({ code: 9, stdout: '' });
    expect(stderr).toContain(`The file ${join(smallDisk, 'releases')}`);
    expect(stderr).toMatch(/ cannot be written: the disk is full \(ENOSPC\)\./);
    expect(readdirSync(join(smallDisk, 'releases'))).toEqual([]);
    expect((await home.run(['release', '--base-url', 'local:'], env)).code).toBe(0);
  },
);

testNeeding('to mount a tmpfs', probeDirectory !== null)(
  'on a full disk, a pull or publication names the directory, and the previous release still answers',
  async () => {
    const [release, root] = [await makeRelease(), join(makeDirectory(), 'public')];
    await publish(await makeNextRelease(release), root);
    const { url } = await startFileServer(root);
    const { smallDisk } = await setUp(12 * 1024);
    const releaseHome = join(smallDisk, 'releases');
    cpSync(release, join(releaseHome, basename(release)), { recursive: true });
    const [contentsBefore, home] = [readContents(join(releaseHome, basename(release))), makeHome()];
    const { bavail, bsize } = statfsSync(smallDisk);
    writeFileSync(join(smallDisk, 'full'), Buffer.alloc(bavail * bsize - 16 * 1024));
    const run = (...args: string[]) => home.run(args, { FIN_DATA_DIR: smallDisk, FIN_API_KEY: '' });
    for (const [command, fullDirectory] of [
      [['pull', url], releaseHome],
      [['publish', join(smallDisk, 'public')], join(smallDisk, 'public')],
    ] as const) {
      const { code, stdout, stderr } = await run('data', ...command);
      expect({ code, stdout }).toEqual({ code: 9, stdout: '' });
      expect(stderr).toContain(`${fullDirectory}: the disk is full (ENOSPC).`);
    }
    expect(readContents(join(releaseHome, basename(release)))).toEqual(contentsBefore);
    expect((await run('data', 'status', '--verify')).stdout).toMatch(`Release in use: ${basename(release)}`);
    // The pulled files remain, so that the pull continues once there is room.
    rmSync(join(smallDisk, 'full'));
    expect((await run('data', 'pull', url, '--quiet')).code).toBe(0);
  },
);

testNeeding('to mount a tmpfs', probeDirectory !== null)(
  'on a full disk, creating a key leaves no file, and succeeds once there is room',
  async () => {
    const smallDisk = mountSmallDisk() ?? '';
    onTestFinished(() => unmount(smallDisk));
    fillDisk(smallDisk);
    const file = join(smallDisk, 'release.key');
    const home = makeHome();
    const fullDiskRun = await home.run(['data', 'keygen', file]);
    expect([fullDiskRun.code, fullDiskRun.stderr]).toEqual([2, expect.stringContaining('the disk is full')]);
    expect(readdirSync(smallDisk)).not.toContain('release.key');
    rmSync(join(smallDisk, 'full-0'));
    expect((await home.run(['data', 'keygen', file])).code).toBe(0);
    expect(readdirSync(smallDisk)).toContain('release.key');
  },
);
