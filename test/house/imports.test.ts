import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { expect, test } from 'vitest';

const sourceFolder = resolve(import.meta.dirname, '../../src');

/**
 * A room is a top-level folder or file of `src`. For each room: the rooms from which it may import, including types.
 * Read from the graph in src/README.md.
 */
const ALLOWED_IMPORTS_BY_FOLDER = readGraph(readFileSync(join(sourceFolder, 'README.md'), 'utf8'));

function readGraph(readme: string): ReadonlyMap<string, readonly string[]> {
  const graphText = readme.slice(readme.indexOf('<!-- imports -->'), readme.indexOf('<!-- end -->'));
  const arrowMatches = [...graphText.matchAll(/^ {4}(\w+) +->(.*)$/gm)];
  return new Map(
    arrowMatches.map(([, room = '', targets = '']) => [room, targets.split(' ').filter((name) => name !== '')]),
  );
}

const sourceFiles = readdirSync(sourceFolder, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.ts'),
);

const findTopFolder = (file: string): string => file.split(sep)[0]?.replace(/\.ts$/, '') ?? '';

interface Import {
  readonly from: string;
  readonly to: string;
}

function readImports(file: string): Import[] {
  const text = readFileSync(join(sourceFolder, file), 'utf8');
  const statementMatches = text.matchAll(
    /(?:import|export)\s[^'";]*?from\s*'(\.[^']+)'|import\(\s*'(\.[^']+)'\s*\)|import\s*'(\.[^']+)'/g,
  );
  return [...statementMatches].map((match) => ({
    from: file,
    to: relative(sourceFolder, resolve(sourceFolder, dirname(file), match[1] ?? match[2] ?? match[3] ?? '')),
  }));
}

const imports = sourceFiles.flatMap(readImports).filter(({ to }) => !to.startsWith('..'));

test('the import graph has every room, and its arrows lead only to rooms further down', () => {
  const topFolders = [...ALLOWED_IMPORTS_BY_FOLDER.keys()];
  expect([...new Set(sourceFiles.map(findTopFolder))].toSorted()).toEqual(topFolders.toSorted());
  for (const [room, targets] of ALLOWED_IMPORTS_BY_FOLDER)
    for (const target of targets)
      expect(topFolders.indexOf(target), `${room} -> ${target}`).toBeGreaterThan(topFolders.indexOf(room));
});

/**
 * Returns the directories that a path in a README may start from: the README's own folder, its top-level folder of
 * `src`, `src` itself, and the repository.
 */
const listBaseFolders = (readme: string): string[] => [
  join(sourceFolder, dirname(readme)),
  join(sourceFolder, findTopFolder(readme)),
  sourceFolder,
  dirname(sourceFolder),
];

test('every path in a README of the source exists', () => {
  const readmes = readdirSync(sourceFolder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('README.md'),
  );
  const mentionedPaths = readmes.flatMap((readme) => {
    const text = readFileSync(join(sourceFolder, readme), 'utf8');
    const pathMatches = [
      ...text.matchAll(/\]\(([^)#:]+)[^)]*\)|(?<![\w./<*-])([\w.-]+(?:\/[\w.-]+)+\.(?:ts|md|mjs))\b/g),
    ];
    return pathMatches.map(([, link, named]) => ({ readme, path: (link ?? named ?? '').replace(/#.*/, '') }));
  });
  expect(mentionedPaths.length).toBeGreaterThan(100);
  const missingPaths = mentionedPaths.filter(
    ({ readme, path }) => !listBaseFolders(readme).some((folder) => existsSync(join(folder, path))),
  );
  expect(missingPaths).toEqual([]);
});

test('no file is imported for its effects alone: bundles omit modules of which they use no export', () => {
  const isBare = (file: string) => /^import\s*'/m.test(readFileSync(join(sourceFolder, file), 'utf8'));
  expect(sourceFiles.filter(isBare)).toEqual([]);
});

test('rooms import only the rooms that the graph allows', () => {
  expect(imports.length).toBeGreaterThan(50);
  const forbiddenImports = imports.filter(({ from, to }) => {
    const [room, importedRoom] = [findTopFolder(from), findTopFolder(to)];
    if (room === importedRoom) return false;
    return ALLOWED_IMPORTS_BY_FOLDER.get(room)?.includes(importedRoom) !== true;
  });
  expect(forbiddenImports.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
});

test('files do not import each other in cycles, types included', () => {
  const importsByFile = new Map<string, string[]>();
  for (const { from, to } of imports) importsByFile.set(from, [...(importsByFile.get(from) ?? []), to]);
  const visitedFiles = new Set<string>();
  const cycles: string[] = [];
  const walk = (file: string, trail: readonly string[]): void => {
    if (trail.includes(file)) cycles.push([...trail.slice(trail.indexOf(file)), file].join(' > '));
    if (visitedFiles.has(file) || trail.includes(file)) return;
    for (const importedFile of importsByFile.get(file) ?? []) walk(importedFile, [...trail, file]);
    visitedFiles.add(file);
  };
  for (const file of importsByFile.keys()) walk(file, []);
  expect(cycles).toEqual([]);
});

test('only cli.ts and start.ts use the process', () => {
  const filesUsingProcess = sourceFiles.filter((file) =>
    /\bprocess\.(exit|exitCode|argv|stdin|stdout|stderr)\b/.test(readFileSync(join(sourceFolder, file), 'utf8')),
  );
  expect(filesUsingProcess.sort()).toEqual(['cli.ts', 'start.ts']);
});

/** Returns the names of the parts of a folder that a file and the file that it imports are in: a subfolder, or `.`. */
function findParts({ from, to }: Import): { folder: string; parts: [string, string] } | null {
  const [fromNames, toNames] = [from.split(sep), to.split(sep)];
  const depth = fromNames.findIndex((name, index) => name !== toNames[index]);
  const [fromPart, toPart] = [fromNames, toNames].map((names) => (names.length - 1 > depth ? names[depth] : '.'));
  if (depth <= 0 || fromPart === undefined || toPart === undefined || fromPart === toPart) return null;
  return { folder: fromNames.slice(0, depth).join('/'), parts: [fromPart, toPart] };
}

test('the folders of a room import no file above them, and each other without cycles', () => {
  const importsAbove: string[] = [];
  const foldersByFolder = new Map<string, Set<string>>();
  for (const sourceImport of imports) {
    const { folder, parts } = findParts(sourceImport) ?? {};
    if (folder === undefined || parts === undefined || parts[0] === '.') continue;
    if (parts[1] === '.') importsAbove.push(`${sourceImport.from} imports ${sourceImport.to}`);
    const [importing, imported] = parts.map((part) => `${folder}/${part}`) as [string, string];
    foldersByFolder.set(importing, (foldersByFolder.get(importing) ?? new Set()).add(imported));
  }
  expect(importsAbove).toEqual([]);
  const canReach = (folder: string, target: string, seen = new Set<string>()): boolean =>
    [...(foldersByFolder.get(folder) ?? [])].some((next) => {
      if (next === target) return true;
      if (seen.has(next)) return false;
      seen.add(next);
      return canReach(next, target, seen);
    });
  expect([...foldersByFolder.keys()].filter((folder) => canReach(folder, folder))).toEqual([]);
});
