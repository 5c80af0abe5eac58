/** The release that answers `local:`, in words. Loaded when somebody asks for them. */
import { locateRelease } from '../release/locate.ts';
import { readManifest } from '../release/manifest.ts';

export function describeRelease(dataDirectory: string): string {
  const { stamp, directory, isSample } = locateRelease(dataDirectory);
  const { checks } = readManifest(directory);
  return `${stamp}${isSample ? ', the sample' : ''}, checks ${checks}`;
}
