import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

const repositoryRoot = resolve(import.meta.dirname, '../..');
const packageLock = JSON.parse(readFileSync(resolve(repositoryRoot, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, { hasInstallScript?: boolean; resolved?: string; dev?: boolean }>;
};

/**
 * Packages whose install scripts need not run. The script of esbuild only saves a process at each start. fsevents is
 * optional and only for macOS, and includes its binary.
 */
const PACKAGES_ALLOWED_INSTALL_SCRIPT = ['esbuild', 'fsevents'];

test('no dependency except esbuild and fsevents has an install script', () => {
  const entriesWithInstallScript = Object.entries(packageLock.packages).filter(
    ([, entry]) => entry.hasInstallScript === true,
  );
  const installScriptPackageNames = entriesWithInstallScript.map(([path]) => path.replace(/^.*node_modules\//, ''));
  expect(installScriptPackageNames.filter((name) => !PACKAGES_ALLOWED_INSTALL_SCRIPT.includes(name))).toEqual([]);
});

test('the lock file has no download addresses, so that any registry can be used', () => {
  const entriesWithAddress = Object.entries(packageLock.packages).filter(([, entry]) => entry.resolved !== undefined);
  expect(entriesWithAddress.map(([path]) => path)).toEqual([]);
});
