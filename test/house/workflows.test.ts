/** The GitHub workflows run the same commands as developers, and their actions are pinned by hash. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../store/public-source.ts';

const repositoryRoot = resolve(import.meta.dirname, '../..');
const workflowFolder = join(repositoryRoot, '.github/workflows');
const workflows = readdirSync(workflowFolder).map((name) => ({
  name,
  text: readFileSync(join(workflowFolder, name), 'utf8'),
}));

test('every action is pinned by the hash of a commit, with its version as a comment', () => {
  const usedActions = workflows.flatMap(({ text }) =>
    [...text.matchAll(/^ *(?:- )?uses: (.*)$/gm)].map(([, action]) => action),
  );
  expect(usedActions.length).toBeGreaterThan(10);
  for (const action of usedActions) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

test('the workflow tests changes with .ci/run', () => {
  const { text } = workflows.find(({ name }) => name === 'package.yml') ?? { text: '' };
  const testJobText = text.slice(text.indexOf('\n  test:'), text.indexOf('\n  pack:'));
  expect(testJobText).toContain('- run: .ci/run\n');
  expect([...testJobText.matchAll(/- run: /g)]).toHaveLength(1);
});

test.each([
  [{}, 1, 'package.json has no "repository"'],
  [{ repository: { url: 'git+https://github.com/other/fin.git' } }, 1, 'names another repository'],
  [{ repository: { url: 'git+https://github.com/owner/fin.git' } }, 0, ''],
  [{ repository: 'https://github.com/owner/fin' }, 0, ''],
])(
  'for a package.json with %j, the repository check before publishing exits with %i',
  async (content, status, message) => {
    const packageFile = join(await makeFolder('repository'), 'package.json');
    writeFileSync(packageFile, JSON.stringify(content));
    const env = { ...process.env, GITHUB_REPOSITORY: 'owner/fin' };
    const checkResult = spawnSync(process.execPath, [join(repositoryRoot, '.ci/check-repository.mjs'), packageFile], {
      env,
      encoding: 'utf8',
    });
    expect(checkResult).toMatchObject({ status, stderr: expect.stringContaining(message) });
  },
);
