/** What `--if-changed` remembers does not grow without end: commands long not run are forgotten. */
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** More commands than a person schedules, and more than a year, since some run once a year. */
export const BOUNDS = { files: 1000, days: 400 } as const;

const DAY = 86_400_000;

/** Removes what was used longest ago, by the files' times, until what is left is within both bounds. */
export function removeOldDigests(directory: string, now: number, { files, days }: Bounds = BOUNDS): void {
  readdirSync(directory)
    .flatMap((name) => entryOf(join(directory, name)))
    .sort((one, other) => other.used - one.used)
    .filter(({ used }, place) => place >= files || now - used > days * DAY)
    .forEach(({ file }) => {
      rmSync(file, { force: true });
    });
}

type Bounds = Readonly<Record<keyof typeof BOUNDS, number>>;

function entryOf(file: string): { readonly file: string; readonly used: number }[] {
  const found = statSync(file, { throwIfNoEntry: false });
  return found?.isFile() === true ? [{ file, used: found.mtimeMs }] : [];
}
