/**
 * Writes fails-to-deliver files with a price of every company on every weekday of six half months, as a random walk.
 */
import { join } from 'node:path';
import { openZipFile } from '../../zip-file.mjs';
import { createRandomGenerator } from './random.mjs';

const HALF_MONTHS = ['202212b', '202303a', '202303b', '202606a', '202606b', '202607a'];

/** Writes the files to the directory. The random walk of a company's price starts at its `cents`. */
export function writeFailsToDeliver(directory, companies) {
  const random = createRandomGenerator('fails');
  const priceCentsByCompany = companies.map((company) => company.cents);
  for (const halfMonth of HALF_MONTHS) {
    const rows = ['SETTLEMENT DATE|CUSIP|SYMBOL|QUANTITY (FAILS)|DESCRIPTION|PRICE'];
    for (const day of listWeekdays(halfMonth)) {
      for (const [index, { cusip, ticker, name }] of companies.entries()) {
        priceCentsByCompany[index] = Math.max(100, Math.round(priceCentsByCompany[index] * (0.99 + random() * 0.02)));
        const price = (priceCentsByCompany[index] / 100).toFixed(2);
        rows.push(`${day}|${cusip}|${ticker}|${Math.ceil(random() * 9000)}|${name.slice(0, 30)}|${price}`);
      }
    }
    rows.push(`Trailer record count ${rows.length - 1}`, 'Trailer total quantity of shares 0');
    const zip = openZipFile(join(directory, `cnsfails${halfMonth}.zip`));
    zip.whole(`cnsfails${halfMonth}.txt`, `${rows.join('\r\n')}\r\n`);
    zip.end();
  }
}

function listWeekdays(halfMonth) {
  const [year, month] = [Number(halfMonth.slice(0, 4)), Number(halfMonth.slice(4, 6))];
  const [first, last] = halfMonth.endsWith('a') ? [1, 15] : [16, new Date(Date.UTC(year, month, 0)).getUTCDate()];
  const days = [];
  for (let day = first; day <= last; day += 1) {
    const weekday = new Date(Date.UTC(year, month - 1, day)).getUTCDay();
    if (weekday !== 0 && weekday !== 6) days.push(`${halfMonth.slice(0, 6)}${String(day).padStart(2, '0')}`);
  }
  return days;
}
