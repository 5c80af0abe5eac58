/** Which release `fin serve` answers from, looked up again and again while it runs. */
import { join } from 'node:path';
import { Failure } from '../../contract/failure.ts';
import { didYouMean } from '../../contract/nearest.ts';
import { currentStamp, listStamps } from '../../release/store/home.ts';
import { releasesHome, sampleHome } from '../../release/store/locate.ts';

export interface ServedRelease {
  readonly directory: string;
  readonly isSample: boolean;
}

/**
 * Without a wish the one chosen with `fin data use`; `latest` for the newest; else the one release of that stamp. While
 * there is none of one's own, the sample; null where there is not even that.
 * @throws {Failure} data: there is no release of that stamp
 */
export function releaseToServe(dataDirectory: string, wish: string | null): () => ServedRelease | null {
  const home = releasesHome(dataDirectory);
  if (wish !== null && wish !== 'latest') return pinned(home, wish);
  return () => {
    const own = wish === 'latest' ? (listStamps(home)[0] ?? null) : currentStamp(home);
    if (own !== null) return { directory: join(home, own), isSample: false };
    const sample = sampleHome();
    const stamp = sample === null ? null : currentStamp(sample);
    return sample === null || stamp === null ? null : { directory: join(sample, stamp), isSample: true };
  };
}

function pinned(home: string, stamp: string): () => ServedRelease {
  const places = [home, sampleHome()].flatMap((place) => (place === null ? [] : [place]));
  const place = places.find((candidate) => listStamps(candidate).includes(stamp));
  if (place === undefined) {
    const near = didYouMean(stamp, places.flatMap(listStamps));
    throw new Failure('data', `There is no release ${JSON.stringify(stamp.slice(0, 60))}.${near}`, {
      hint: '"fin data status" lists the releases.',
    });
  }
  const release = { directory: join(place, stamp), isSample: place !== home };
  return () => release;
}
