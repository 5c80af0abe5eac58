/** The release that answers `local:`, in words. Loaded when somebody asks for them. */
import { locateRelease } from '../../release/store/locate.ts';
import { readManifest } from '../../release/store/manifest.ts';

export function describeRelease(dataDirectory: string): string {
  const { stamp, directory, isSample } = locateRelease(dataDirectory);
  const { checks } = readManifest(directory);
  return `${stamp}${isSample ? ', the sample' : ''}, checks ${checks}`;
}

/** When the release that answers was published (epoch ms), or null where there is none to tell. */
export function publishedAt(dataDirectory: string | null): number | null {
  if (dataDirectory === null) return null;
  const { directory } = locateRelease(dataDirectory);
  const instant = Date.parse(readManifest(directory).publishedAt);
  return Number.isNaN(instant) ? null : instant;
}
