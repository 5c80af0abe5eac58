/**
 * Writes a quarterly data set of insider transactions: each filing has a few trades of a random company, some with
 * footnotes.
 */
import { join } from 'node:path';
import { zipFile } from '../../zip-file.mjs';
import { randomFor } from './random.mjs';

const TABLES = {
  SUBMISSION:
    'ACCESSION_NUMBER FILING_DATE PERIOD_OF_REPORT DATE_OF_ORIG_SUB DOCUMENT_TYPE ISSUERCIK ISSUERNAME ISSUERTRADINGSYMBOL AFF10B5ONE',
  REPORTINGOWNER: 'ACCESSION_NUMBER RPTOWNERCIK RPTOWNERNAME RPTOWNER_RELATIONSHIP RPTOWNER_TITLE RPTOWNER_TXT',
  NONDERIV_TRANS:
    'ACCESSION_NUMBER NONDERIV_TRANS_SK SECURITY_TITLE TRANS_DATE TRANS_CODE TRANS_SHARES TRANS_PRICEPERSHARE TRANS_PRICEPERSHARE_FN TRANS_ACQUIRED_DISP_CD SHRS_OWND_FOLWNG_TRANS DIRECT_INDIRECT_OWNERSHIP NATURE_OF_OWNERSHIP',
  FOOTNOTES: 'ACCESSION_NUMBER FOOTNOTE_ID FOOTNOTE_TXT',
};
/** Share of purchases among insiders' trades. */
const PURCHASES = 0.1;

/** @returns the number of trades in `2026q2_form345.zip` */
export async function writeInsiders(to, companies, wanted) {
  const random = randomFor('insiders');
  const rows = Object.fromEntries(Object.entries(TABLES).map(([name, head]) => [name, [head.replaceAll(' ', '\t')]]));
  let trades = 0;
  for (let filing = 0; trades < wanted; filing += 1) {
    const company = companies[Math.floor(random() * companies.length)];
    const day = 1 + Math.floor(random() * 26);
    const month = ['APR', 'MAY', 'JUN'][Math.floor(random() * 3)];
    const date = (add) => `${String(day + add).padStart(2, '0')}-${month}-2026`;
    const owner = 1_900_000_000 + (company.cik % 9_000_000) + Math.floor(random() * 4);
    const accession = `${String(1_950_000_000 + filing).padStart(10, '0')}-26-${String(filing % 1_000_000).padStart(6, '0')}`;
    rows.SUBMISSION.push(
      [accession, date(2), date(0), '', '4', company.cik, company.name, company.ticker, random() < 0.3 ? 1 : 0].join(
        '\t',
      ),
    );
    rows.REPORTINGOWNER.push(
      [accession, owner, `OWNER ${owner} OF ${company.ticker}`, 'Officer', 'Chief Financial Officer', ''].join('\t'),
    );
    const code = random() < PURCHASES ? 'P' : 'S';
    const lots = 1 + Math.floor(random() ** 3 * 12);
    const noted = random() < 0.2;
    for (let lot = 0; lot < lots; lot += 1) {
      trades += 1;
      const price = ((company.cents * (0.95 + random() * 0.1)) / 100).toFixed(2);
      const shares = Math.ceil(Math.exp(random() * 9));
      const acquired = code === 'P' ? 'A' : 'D';
      rows.NONDERIV_TRANS.push(
        [
          accession,
          trades,
          'Common Stock',
          date(0),
          code,
          `${shares}.0`,
          price,
          noted ? 'F1' : '',
          acquired,
          `${shares * 7}.0`,
          'D',
          '',
        ].join('\t'),
      );
    }
    if (noted) rows.FOOTNOTES.push([accession, 'F1', 'The price is a weighted average of several trades.'].join('\t'));
  }
  const zip = zipFile(join(to, '2026q2_form345.zip'));
  for (const [name, lines] of Object.entries(rows)) zip.whole(`${name}.tsv`, `${lines.join('\n')}\n`);
  zip.end();
  return trades;
}
