import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { expect, test } from 'vitest';

const src = resolve(import.meta.dirname, '../../src');

/** The rooms from which a room may import, including types: the graph in src/README.md. */
const MAY_IMPORT = readGraph(readFileSync(join(src, 'README.md'), 'utf8'));

function readGraph(readme: string): ReadonlyMap<string, readonly string[]> {
  const drawn = readme.slice(readme.indexOf('<!-- imports -->'), readme.indexOf('<!-- end -->'));
  const arrows = [...drawn.matchAll(/^ {4}(\w+) +->(.*)$/gm)];
  return new Map(arrows.map(([, room = '', others = '']) => [room, others.split(' ').filter((name) => name !== '')]));
}

const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));

const roomOf = (file: string): string => file.split(sep)[0]?.replace(/\.ts$/, '') ?? '';

interface Import {
  readonly from: string;
  readonly to: string;
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(src, file), 'utf8');
  const statements = text.matchAll(
    /(?:import|export)\s[^'";]*?from\s*'(\.[^']+)'|import\(\s*'(\.[^']+)'\s*\)|import\s*'(\.[^']+)'/g,
  );
  return [...statements].map((match) => ({
    from: file,
    to: relative(src, resolve(src, dirname(file), match[1] ?? match[2] ?? match[3] ?? '')),
  }));
}

const imports = files.flatMap(importsOf).filter(({ to }) => !to.startsWith('..'));

test('the import graph has every room, and only imports from rooms further down', () => {
  const rooms = [...MAY_IMPORT.keys()];
  expect([...new Set(files.map(roomOf))].toSorted()).toEqual(rooms.toSorted());
  for (const [room, others] of MAY_IMPORT)
    for (const other of others)
      expect(rooms.indexOf(other), `${room} -> ${other}`).toBeGreaterThan(rooms.indexOf(room));
});

/**
 * Returns the directories to which a path in a README may be relative: its folder, its room, the source, the
 * repository.
 */
const placesAround = (readme: string): string[] => [
  join(src, dirname(readme)),
  join(src, roomOf(readme)),
  src,
  dirname(src),
];

test('every path in a README of the source exists', () => {
  const readmes = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('README.md'));
  const missing = readmes.flatMap((readme) => {
    const text = readFileSync(join(src, readme), 'utf8');
    const paths = [...text.matchAll(/\]\(([^)#:]+)[^)]*\)|(?<![\w./<*-])([\w.-]+(?:\/[\w.-]+)+\.(?:ts|md|mjs))\b/g)];
    return paths
      .map(([, link, named]) => link ?? named ?? '')
      .map((path) => path.replace(/#.*/, ''))
      .filter((path) => !placesAround(readme).some((from) => existsSync(join(from, path))))
      .map((path) => `${readme}: ${path}`);
  });
  expect(missing).toEqual([]);
});

test('rooms import only the rooms that the graph allows', () => {
  expect(imports.length).toBeGreaterThan(50);
  const wrong = imports.filter(({ from, to }) => {
    const [room, other] = [roomOf(from), roomOf(to)];
    if (room === other) return false;
    return MAY_IMPORT.get(room)?.includes(other) !== true;
  });
  expect(wrong.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
});

test('files do not import each other in cycles, types included', () => {
  const graph = new Map<string, string[]>();
  for (const { from, to } of imports) graph.set(from, [...(graph.get(from) ?? []), to]);
  const done = new Set<string>();
  const cycles: string[] = [];
  const walk = (file: string, trail: readonly string[]): void => {
    if (trail.includes(file)) cycles.push([...trail.slice(trail.indexOf(file)), file].join(' > '));
    if (done.has(file) || trail.includes(file)) return;
    for (const next of graph.get(file) ?? []) walk(next, [...trail, file]);
    done.add(file);
  };
  for (const file of graph.keys()) walk(file, []);
  expect(cycles).toEqual([]);
});

test('only cli.ts and start.ts use the process', () => {
  const users = files.filter((file) =>
    /\bprocess\.(exit|exitCode|argv|stdin|stdout|stderr)\b/.test(readFileSync(join(src, file), 'utf8')),
  );
  expect(users.sort()).toEqual(['cli.ts', 'start.ts']);
});

test('sibling folders of a room import each other in one direction only', () => {
  const isBeside = (a: string, b: string) => a !== b && !`${a}/`.startsWith(`${b}/`) && !`${b}/`.startsWith(`${a}/`);
  const arrows = new Set<string>();
  for (const { from, to } of imports) {
    const [one, other] = [dirname(from), dirname(to)].map((folder) => folder.split(sep).join('/'));
    if (one !== undefined && other !== undefined && roomOf(from) === roomOf(to) && isBeside(one, other))
      arrows.add(`${one} ${other}`);
  }
  const pairs = [...arrows].filter((arrow) => {
    const [one = '', other = ''] = arrow.split(' ');
    return one < other && arrows.has(`${other} ${one}`);
  });
  expect(pairs.map((pair) => pair.replace(' ', ' <-> '))).toEqual([]);
});
