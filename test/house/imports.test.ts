import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { expect, test } from 'vitest';

const src = resolve(import.meta.dirname, '../../src');

/** Which rooms a room may import from, types included. Nobody imports upwards. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  start: ['output', 'platform'],
  cli: ['wiring', 'commands', 'output', 'contract', 'platform'],
  wiring: ['commands', 'client', 'service', 'release', 'edgar', 'figures', 'contract', 'platform'],
  commands: ['client', 'output', 'contract', 'platform'],
  client: ['contract', 'platform'],
  output: ['contract', 'platform'],
  service: ['release', 'figures', 'edgar', 'contract', 'platform'],
  release: ['figures', 'edgar', 'contract', 'platform'],
  figures: ['edgar', 'contract', 'platform'],
  edgar: ['contract', 'platform'],
  platform: ['contract'],
  contract: [],
};

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

test('imports run one way through the house', () => {
  expect(imports.length).toBeGreaterThan(50);
  const wrong = imports.filter(({ from, to }) => {
    const [room, other] = [roomOf(from), roomOf(to)];
    if (room === other) return false;
    return !(MAY_IMPORT[room] ?? []).includes(other);
  });
  expect(wrong.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
});

test('no two files import each other, not even types, nor by a detour', () => {
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

test('only cli.ts, and start.ts which loads it, know the process', () => {
  const users = files.filter((file) =>
    /\bprocess\.(exit|exitCode|argv|stdin|stdout|stderr)\b/.test(readFileSync(join(src, file), 'utf8')),
  );
  expect(users.sort()).toEqual(['cli.ts', 'start.ts']);
});
