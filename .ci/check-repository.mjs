/**
 * Checks that package.json has a "repository", which npm requires for provenance. In a GitHub workflow, it must be
 * GITHUB_REPOSITORY (owner/name).
 *
 * node .ci/check-repository.mjs [package.json]
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const file = process.argv[2] ?? join(import.meta.dirname, '..', 'package.json');
const { repository } = JSON.parse(readFileSync(file, 'utf8'));
const url = typeof repository === 'string' ? repository : (repository?.url ?? '');
const { GITHUB_SERVER_URL: serverUrl = 'https://github.com', GITHUB_REPOSITORY: workflowRepository = '' } = process.env;
const requiredUrl =
  workflowRepository === ''
    ? 'git+https://github.com/<owner>/<name>.git'
    : `git+${serverUrl}/${workflowRepository}.git`;

const fault =
  url === ''
    ? 'package.json has no "repository"'
    : workflowRepository !== '' && !url.replace(/\.git$/, '').endsWith(`/${workflowRepository}`)
      ? `package.json names another repository (${url})`
      : null;
if (fault !== null) {
  const faultMessage = `${fault}, so npm would refuse to publish the package with provenance: set "repository" to {"type": "git", "url": "${requiredUrl}"}.`;
  // GitHub displays output lines with this prefix as annotations of the workflow run.
  console.error(workflowRepository === '' ? faultMessage : `::error file=package.json::${faultMessage}`);
  process.exitCode = 1;
}
