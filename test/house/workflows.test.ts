/** The GitHub workflows run the same commands as developers, and their actions are pinned by hash. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../store/public-source.ts';

const root = resolve(import.meta.dirname, '../..');
const folder = join(root, '.github/workflows');
const workflows = readdirSync(folder).map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));

test('every action is pinned by the hash of a commit, with its version as a comment', () => {
  const uses = workflows.flatMap(({ text }) =>
    [...text.matchAll(/^ *(?:- )?uses: (.*)$/gm)].map(([, action]) => action),
  );
  expect(uses.length).toBeGreaterThan(10);
  for (const action of uses) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

test('the workflow tests changes with .ci/run', () => {
  const { text } = workflows.find(({ name }) => name === 'package.yml') ?? { text: '' };
  const job = text.slice(text.indexOf('\n  test:'), text.indexOf('\n  pack:'));
  expect(job).toContain('- run: .ci/run\n');
  expect([...job.matchAll(/- run: /g)]).toHaveLength(1);
});

test.each([
  [{}, 1, 'package.json has no "repository"'],
  [{ repository: { url: 'git+https://github.com/other/fin.git' } }, 1, 'names another repository'],
  [{ repository: { url: 'git+https://github.com/owner/fin.git' } }, 0, ''],
  [{ repository: 'https://github.com/owner/fin' }, 0, ''],
])(
  'for a package.json with %j, the repository check before publishing exits with %i',
  async (content, status, message) => {
    const file = join(await makeFolder('repository'), 'package.json');
    writeFileSync(file, JSON.stringify(content));
    const env = { ...process.env, GITHUB_REPOSITORY: 'owner/fin' };
    const check = spawnSync(process.execPath, [join(root, '.ci/check-repository.mjs'), file], {
      env,
      encoding: 'utf8',
    });
    expect(check).toMatchObject({ status, stderr: expect.stringContaining(message) });
  },
);
