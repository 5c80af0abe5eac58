/** Companies by industry, as the lists of filers name it. */
import { beforeAll, expect, test } from 'vitest';
import { buildRelease } from '../../../src/building/build.ts';
import { openRelease, type ReleaseReader } from '../../../src/store/reader.ts';
import { company, newFolder, writeSource } from '../../store/public-source.ts';
import { body, serviceOf } from '../ask.ts';

const PHARMA = { sic: '2834', sicDescription: 'Pharmaceutical Preparations' };
const SOFTWARE = { sic: '7372', sicDescription: 'Services-Prepackaged  Software' };
const COMPANIES = [
  { ...company('aapl'), sic: '3571', sicDescription: 'Electronic Computers' },
  { ...company('jnj'), ...PHARMA },
  { ...company('msft'), ...SOFTWARE },
  company('khc'),
];

let release: ReleaseReader;
let service: ReturnType<typeof serviceOf>;

beforeAll(async () => {
  const built = await buildRelease({
    from: await writeSource(COMPANIES),
    home: await newFolder('home'),
    workerScript: null,
  });
  release = openRelease(built.directory ?? '');
  service = serviceOf({ release: async () => release });
});

test('a profile has the industry of the list of filers, and no field where the list names none', async () => {
  const of = async (ticker: string) => (await body(`/v1/securities/${ticker}/profile`, { service })).data;
  expect(await of('AAPL')).toMatchObject({ sic: '3571', industry: 'Electronic Computers' });
  expect(await of('MSFT')).toMatchObject({ sic: '7372', industry: 'Services-Prepackaged Software' });
  expect(Object.keys(await of('KHC'))).not.toContain('sic');
});
