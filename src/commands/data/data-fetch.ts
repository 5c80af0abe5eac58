import { Failure } from '../../contract/failure.ts';
import { quote } from '../../contract/quote.ts';
import { FAMILIES } from '../../edgar/fetch/families.ts';
import type { FetchRequest } from '../../edgar/fetch/fetch-files.ts';
import { refreshRequest } from '../../edgar/fetch/fetch-files.ts';
import { listRecords } from '../../edgar/fetch/file-records.ts';
import { optionText } from '../option-text.ts';
import type { UtilityCall, UtilityCommand } from '../utility.ts';
import { fetchOrder } from './fetch-order.ts';
import { readContact, readSite, sourcesHome } from './fetch-settings.ts';

const LONGEST_COUNT = 200;

const dataFetch: UtilityCommand = {
  name: 'data fetch',
  summary: 'Fetch public files of the SEC, politely, to build from',
  help: [
    'Fetches the ticker lists, and of each company named its facts and its list of filings; with --bulk those of all',
    'companies, as the SEC zips them every night (3 GB). Without either, what was fetched before is brought up to date.',
    'Never more than eight requests a second, whatever else of fin runs; only what changed is fetched again, what was',
    'broken off goes on where it ended, and what was confirmed in the last quarter of an hour is not asked for (with',
    '--fresh it is). Loose files of companies make way for a newer bulk zip. With --quiet a fetch that went well prints',
    'nothing. Then "fin data build" builds a release from it, and everything answers from that.',
  ].join('\n'),
  args: [{ name: 'company', help: 'tickers or CIKs; - reads them from stdin', optional: true, many: true }],
  options: [
    { name: 'bulk', help: "All companies' facts and lists of filings" },
    ...FAMILIES.map(({ name, unit, help }) => ({ name, value: unit, help })),
    { name: 'contact', value: 'text', help: 'Your name or company and e-mail, which the SEC asks for; FIN_CONTACT' },
    { name: 'site', value: 'url', help: "A copy of the SEC's site to fetch from; FIN_EDGAR_URL" },
  ],
  examples: [
    { line: 'data fetch AAPL MSFT --contact "Jane Doe jane@doe.org"', shows: 'two companies, in a few seconds' },
    { line: 'data fetch --bulk --insiders 8 --fails 24', shows: 'everybody, two years of insiders, one of prices' },
    { line: 'data fetch --quiet && fin data build --quiet', shows: 'for a crontab: what is there, brought up to date' },
  ],
  run: async (call) => {
    if (call.globals.offline) throw new Failure('usage', 'fin data fetch asks the site, and --offline asks nothing.');
    const [site, contact, directory] = [readSite(call), readContact(call), sourcesHome(call)];
    const order: FetchRequest = { site, today: new Date(), ...(await readOrder(call, directory)) };
    return fetchOrder(call, order, directory, contact);
  },
};

export default dataFetch;

async function readOrder(
  call: UtilityCall,
  directory: string,
): Promise<Pick<FetchRequest, 'companies' | 'bulk' | 'families'>> {
  const companies = await readCompanies(call);
  const bulk = call.options.bulk === true;
  const families = FAMILIES.flatMap((family) => {
    const text = optionText(call, family.name);
    return text === null ? [] : [{ family, count: readCount(text, family.name) }];
  });
  if (call.args.length > 0 || bulk || families.length > 0) return { companies, bulk, families };
  const known = refreshRequest(await listRecords(directory), FAMILIES);
  if (known.companies.length > 0 || known.bulk || known.families.length > 0) return known;
  throw new Failure('usage', 'fin data fetch needs companies, or --bulk: nothing was fetched before.', {
    hint: 'For example: fin data fetch AAPL MSFT',
  });
}

async function readCompanies({ args, io }: UtilityCall): Promise<string[]> {
  const companies: string[] = [];
  for (const text of args) {
    if (text !== '-') companies.push(text);
    else {
      for await (const line of io.lines()) {
        const name = line.replace(/(^|\s)#.*$/, '').trim();
        if (name !== '') companies.push(name);
      }
    }
  }
  return companies;
}

function readCount(text: string, name: string): number {
  if (/^[1-9]\d{0,2}$/.test(text) && Number(text) <= LONGEST_COUNT) return Number(text);
  throw new Failure('usage', `--${name} ${quote(text)} is not a whole number from 1 to ${LONGEST_COUNT}.`);
}
