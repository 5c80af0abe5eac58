/**
 * Writes quarterly data sets of institutional holdings: invented managers, two quarters, and the faults of real data
 * sets: all kinds of amendments, values in thousands, CUSIPs truncated or in lower case, positions divided between
 * managers.
 */
import { join } from 'node:path';
import { openZipFile } from '../../zip-file.mjs';
import { createRandomGenerator } from './random.mjs';

const MONTHS = 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' ');
const QUARTERS = [
  { name: '2022q4', period: '2022-12-31', filed: '2023-02-14' },
  { name: '2023q1', period: '2023-03-31', filed: '2023-05-15' },
];
/** Average number of positions per report. */
const POSITIONS_PER_REPORT = 420;
/** Average number of lines per position, including the lines of amendments. */
const LINES_PER_POSITION = 1.19;

/**
 * @param lineCount approximate number of lines in both data sets
 * @returns the CIK of the manager with the most lines
 */
export async function writeHoldings(directory, securities, lineCount) {
  const random = createRandomGenerator('holdings');
  const positionsPerQuarter = lineCount / QUARTERS.length / LINES_PER_POSITION;
  const managers = makeManagers(
    Math.max(2, Math.round(positionsPerQuarter / POSITIONS_PER_REPORT)),
    positionsPerQuarter,
    securities,
    random,
  );
  for (const quarter of QUARTERS) {
    await writeDataSet(join(directory, `${quarter.name}_form13f.zip`), quarter, managers, securities);
  }
  return managers.reduce((largest, manager) => (manager.lines > largest.lines ? manager : largest)).cik;
}

/**
 * Returns managers of very different sizes: a few managers hold thousands of securities; about half of the managers
 * hold fewer than a hundred.
 */
function makeManagers(managerCount, positionCount, securities, random) {
  const managerSizes = Array.from({ length: managerCount }, () => Math.exp(random() * 7.2));
  const sizeSum = managerSizes.reduce((total, size) => total + size, 0);
  return managerSizes.map((size, index) => ({
    cik: 1_000_000 + index * 97,
    name: `MANAGER ${index} CAPITAL LLC`,
    seed: `manager ${index}`,
    lines: Math.max(1, Math.min(Math.round((size / sizeSum) * positionCount), securities.length)),
    thousands: index % 31 === 0,
  }));
}

async function writeDataSet(path, quarter, managers, securities) {
  const zip = openZipFile(path);
  const shuffledIndexes = managers.map((_, index) => (index * 7907) % managers.length);
  const managerIndexes =
    new Set(shuffledIndexes).size === managers.length ? shuffledIndexes : managers.map((_, index) => index);
  const rowsByTable = { submission: [], cover: [], summary: [] };
  const infoTable = await zip.member('INFOTABLE.tsv');
  await infoTable.write(
    'ACCESSION_NUMBER\tINFOTABLE_SK\tNAMEOFISSUER\tTITLEOFCLASS\tCUSIP\tFIGI\tVALUE\tSSHPRNAMT\tSSHPRNAMTTYPE\tPUTCALL\tINVESTMENTDISCRETION\tOTHERMANAGER\tVOTING_AUTH_SOLE\tVOTING_AUTH_SHARED\tVOTING_AUTH_NONE\n',
  );
  let lineNumber = 0;
  for (const index of managerIndexes) {
    const manager = managers[index];
    for (const [amendmentNumber, amendmentType] of getAmendmentTypes(index).entries()) {
      const accession = formatAccession(quarter, index, amendmentNumber);
      const { tableLines, totalValue } = makeReportLines(
        { quarter, manager, index, accession, amendmentType, lineNumber },
        securities,
      );
      lineNumber += tableLines.length;
      if (tableLines.length > 0) await infoTable.write(`${tableLines.join('\n')}\n`);
      const isAmendment = amendmentType !== '';
      rowsByTable.submission.push([
        accession,
        formatDate(isAmendment ? `${quarter.filed.slice(0, 8)}28` : quarter.filed),
        isAmendment ? '13F-HR/A' : '13F-HR',
        String(manager.cik),
        formatDate(quarter.period),
      ]);
      rowsByTable.cover.push([
        accession,
        formatDate(quarter.period),
        isAmendment ? 'Y' : '',
        isAmendment ? String(amendmentNumber) : '',
        amendmentType.trim(),
        manager.name,
      ]);
      rowsByTable.summary.push([accession, '0', String(tableLines.length), String(totalValue)]);
    }
  }
  await infoTable.end();
  const writeTable = async (name, header, rows) => {
    const member = await zip.member(name);
    await member.write(`${[header.split(' '), ...rows].map((row) => row.join('\t')).join('\n')}\n`);
    await member.end();
  };
  await writeTable(
    'SUBMISSION.tsv',
    'ACCESSION_NUMBER FILING_DATE SUBMISSIONTYPE CIK PERIODOFREPORT',
    rowsByTable.submission,
  );
  await writeTable(
    'COVERPAGE.tsv',
    'ACCESSION_NUMBER REPORTCALENDARORQUARTER ISAMENDMENT AMENDMENTNO AMENDMENTTYPE FILINGMANAGER_NAME',
    rowsByTable.cover,
  );
  await writeTable(
    'SUMMARYPAGE.tsv',
    'ACCESSION_NUMBER OTHERINCLUDEDMANAGERSCOUNT TABLEENTRYTOTAL TABLEVALUETOTAL',
    rowsByTable.summary,
  );
  zip.end();
}

const isEarlierQuarter = (quarter) => quarter === QUARTERS[0];

const formatDate = (day) => `${day.slice(8)}-${MONTHS[Number(day.slice(5, 7)) - 1]}-${day.slice(0, 4)}`;

function formatAccession(quarter, managerIndex, amendmentNumber) {
  const serialNumber = (isEarlierQuarter(quarter) ? 100 : 200) + amendmentNumber;
  return `${String(1_000_000 + managerIndex * 97).padStart(10, '0')}-23-${String(serialNumber).padStart(6, '0')}`;
}

/**
 * Returns the types of a manager's reports. The first, '', is the original report. Some managers also have an
 * amendment: a restatement, new holdings, or one without a type (' ').
 */
function getAmendmentTypes(managerIndex) {
  if (managerIndex % 40 === 7) return ['', 'RESTATEMENT'];
  if (managerIndex % 40 === 17) return ['', 'NEW HOLDINGS'];
  return managerIndex % 200 === 27 ? ['', ' '] : [''];
}

/** Returns the lines of a report's table, and the sum of their values. */
function makeReportLines({ quarter, manager, index, accession, amendmentType, lineNumber }, securities) {
  const random = createRandomGenerator(manager.seed);
  const tableLines = [];
  let totalValue = 0n;
  const positionCount = amendmentType === 'NEW HOLDINGS' ? Math.ceil(manager.lines / 50) : manager.lines;
  for (let positionIndex = 0; positionIndex < positionCount; positionIndex += 1) {
    const security = securities[Math.floor(securities.length * random() ** 2.2)];
    const [kindRandom, sizeRandom, changeRandom] = [random(), random(), random()];
    // Opens a twentieth of all positions, and closes a twentieth, between the two quarters.
    if (kindRandom < 0.1 && kindRandom < 0.05 === isEarlierQuarter(quarter)) continue;
    const changeFactor = isEarlierQuarter(quarter) ? 1 : 0.9 + changeRandom * 0.2;
    const shares = BigInt(Math.ceil(Math.exp(sizeRandom * 14) * changeFactor));
    const partCount = changeRandom > 0.9 ? 3 : 1;
    for (let partIndex = 0; partIndex < partCount; partIndex += 1) {
      const partShares = shares + BigInt(partIndex);
      const value = computeReportedValue(partShares, security, manager, quarter, index);
      totalValue += value;
      // Only a few managers have invalid CUSIPs: fin skips these lines, but the totals on the cover page include them.
      const cusip =
        index % 61 === 11 && tableLines.length % 50 === 0
          ? 'N/A'
          : varyCusip(security.cusip, lineNumber + tableLines.length + 1);
      const cells = [
        ...[accession, 90_000_000 + lineNumber + tableLines.length + 1, security.name.slice(0, 24)],
        ...[
          index % 3 === 0 ? 'COM' : 'Common Stock',
          cusip,
          '',
          value,
          partShares,
          ...makeTypeAndPutCallCells(kindRandom),
        ],
        ...(partCount > 1 ? ['DFND', partIndex + 1] : ['SOLE', '']),
        ...[partShares, 0, 0],
      ];
      tableLines.push(cells.join('\t'));
    }
  }
  return { tableLines, totalValue };
}

/** Returns the value of shares in dollars, or in thousands of dollars, as some managers report by mistake. */
function computeReportedValue(shares, security, manager, quarter, managerIndex) {
  const dollars = (shares * BigInt(security.cents) + 50n) / 100n;
  const isInThousands = manager.thousands || (isEarlierQuarter(quarter) && managerIndex % 50 === 3);
  return isInThousands ? (dollars + 500n) / 1000n : dollars;
}

/** Returns the CUSIP, on some lines without its leading zeros or in lower case. */
function varyCusip(cusip, lineNumber) {
  if (lineNumber % 211 === 0) return cusip.replace(/^0+/, '');
  return lineNumber % 307 === 0 ? cusip.toLowerCase() : cusip;
}

/** Returns the cells SSHPRNAMTTYPE and PUTCALL. */
function makeTypeAndPutCallCells(random) {
  if (random > 0.99) return ['PRN', ''];
  if (random > 0.96) return ['SH', random > 0.975 ? 'Put' : 'CALL'];
  return ['SH', ''];
}
