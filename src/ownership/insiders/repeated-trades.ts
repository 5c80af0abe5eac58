/**
 * Finds trades that several filings report. A fund reports a block as owned directly, and its general partner reports
 * the same block as owned indirectly; each files a form of its own.
 */
import { isEqual, isZero, trimTrailingZeros } from '../../contract/decimal-text.ts';
import type { OwnershipFiling, Trade } from '../../edgar/insiders/ownership-document.ts';
import { getOrInsert, pushTo } from '../../platform/collections.ts';
import { compareFilings, makeOwnersKey } from './amendments.ts';
import { nameSameEntity, namesOwner } from './owner-names.ts';
import { findShareClass } from './value-status.ts';

/** Evidence that two reports are of one trade, weakest first. */
const EVIDENCE = ['joint_owners', 'footnote', 'common_owner', 'shares_owned', 'nature', 'same_report'] as const;

type RepeatEvidence = (typeof EVIDENCE)[number];

interface Report {
  readonly filing: OwnershipFiling;
  readonly trade: Trade;
}

/** A report and an earlier report of the same trade. */
interface RepeatedReport {
  readonly report: Report;
  readonly earlier: Report;
  readonly evidence: RepeatEvidence;
}

/** Reports of one trade, at most one of each filing. Direct owners of all of them are the same. */
type Block = Report[];

/**
 * Returns the reports that repeat an earlier report, with the evidence, by trade.
 * @param filings filings of one issuer in which amendments have replaced their originals
 */
export function findRepeatedTrades(filings: readonly OwnershipFiling[]): ReadonlyMap<Trade, RepeatedReport> {
  const judge = createEvidenceJudge(filings);
  const blocksByKey = new Map<string, Block[]>();
  const pairs: RepeatedReport[] = [];
  for (const filing of [...filings].sort(compareFilings)) {
    for (const trade of filing.trades) {
      const key = buildTradeKey(trade);
      if (key === null) continue;
      const report = { filing, trade };
      const blocks = getOrInsert(blocksByKey, key, () => []);
      let block: Block = [report];
      const matches = blocks.flatMap((other) => {
        if (other.some((member) => member.filing === filing)) return [];
        const strongest = findStrongestEvidence(report, other, judge);
        return strongest === null ? [] : [{ other, ...strongest }];
      });
      for (const { other, earlier, evidence } of matches.sort((a, b) => rank(b.evidence) - rank(a.evidence))) {
        if (!areCompatible(block, other)) continue;
        blocks.splice(blocks.indexOf(other), 1);
        block = [...other, ...block];
        pairs.push({ report, earlier, evidence });
      }
      blocks.push(block);
    }
  }
  return pickRepeats([...blocksByKey.values()].flat(), pairs);
}

/** Returns all reports of each block but the earliest, each with a pair that links it to the others. */
function pickRepeats(blocks: readonly Block[], pairs: readonly RepeatedReport[]): ReadonlyMap<Trade, RepeatedReport> {
  const pairsByTrade = new Map<Trade, RepeatedReport[]>();
  for (const pair of pairs) {
    pushTo(pairsByTrade, pair.report.trade, pair);
    pushTo(pairsByTrade, pair.earlier.trade, pair);
  }
  const repeats = new Map<Trade, RepeatedReport>();
  for (const block of blocks) {
    const [, ...laterReports] = [...block].sort((a, b) => compareFilings(a.filing, b.filing));
    for (const { trade } of laterReports) {
      const pair = pairsByTrade.get(trade)?.[0];
      if (pair !== undefined) repeats.set(trade, pair);
    }
  }
  return repeats;
}

const rank = (evidence: RepeatEvidence): number => EVIDENCE.indexOf(evidence);

type EvidenceJudge = (report: Report, other: Report) => RepeatEvidence | null;

function findStrongestEvidence(report: Report, block: Block, judge: EvidenceJudge) {
  let strongest: { readonly earlier: Report; readonly evidence: RepeatEvidence } | null = null;
  for (const earlier of block) {
    const evidence = judge(report, earlier);
    if (evidence !== null && (strongest === null || rank(evidence) > rank(strongest.evidence)))
      strongest = { earlier, evidence };
  }
  return strongest;
}

const areCompatible = (block: Block, other: Block): boolean =>
  block.every((a) => other.every((b) => a.filing !== b.filing && !areOfDifferentOwners(a, b)));

/**
 * Whether both reports are of directly owned shares of different owners. Such reports are of two trades, because two
 * directors may buy the same number of shares at the same price.
 */
const areOfDifferentOwners = (a: Report, b: Report): boolean =>
  !isIndirect(a) && !isIndirect(b) && !haveCommonOwner(a.filing, b.filing);

const isIndirect = ({ trade }: Report): boolean => trade.directIndirect === 'I';

const haveCommonOwner = ({ owners }: OwnershipFiling, other: OwnershipFiling): boolean =>
  owners.some(({ cik }) => other.owners.some((owner) => owner.cik === cik));

const haveSameOwners = (a: OwnershipFiling, b: OwnershipFiling): boolean => makeOwnersKey(a) === makeOwnersKey(b);

/**
 * Returns a function that finds the evidence that two reports with equal date, code, shares and price are of one trade.
 */
function createEvidenceJudge(filings: readonly OwnershipFiling[]): EvidenceJudge {
  const jointOwners = new Map<number, Set<number>>();
  for (const { owners } of filings) {
    if (owners.length < 2) continue;
    for (const { cik } of owners) {
      const partners = getOrInsert(jointOwners, cik, () => new Set<number>());
      for (const owner of owners) partners.add(owner.cik);
    }
  }
  const reportTogether = (a: OwnershipFiling, b: OwnershipFiling) =>
    a.owners.some(({ cik }) => b.owners.some((owner) => jointOwners.get(cik)?.has(owner.cik)));
  const namingByFilings = new Map<OwnershipFiling, Map<OwnershipFiling, boolean>>();
  const footnoteNamesOwner = ({ filing }: Report, { filing: other }: Report) =>
    getOrInsert(
      getOrInsert(namingByFilings, filing, () => new Map<OwnershipFiling, boolean>()),
      other,
      () => filing.footnotes.some(({ text }) => other.owners.some(({ name }) => namesOwner(text, name))),
    );
  return (report, other) => {
    if (areOfDifferentOwners(report, other) || haveDifferentClasses(report.trade, other.trade)) return null;
    const hasSameShares = haveSameSharesOwned(report.trade, other.trade);
    const bothIndirect = isIndirect(report) && isIndirect(other);
    const areOfOneKind = isIndirect(report) === isIndirect(other);
    // One owner's lots of equal size and price may be spread over several filings.
    if (haveSameOwners(report.filing, other.filing) || (areOfOneKind && !bothIndirect))
      return areOfOneKind && hasSameShares ? 'same_report' : null;
    if (natureLinks(report, other)) return 'nature';
    if (bothIndirect && hasSameShares && hasOtherShares(report.trade)) return 'shares_owned';
    if (haveCommonOwner(report.filing, other.filing)) return 'common_owner';
    if (footnoteNamesOwner(report, other) || footnoteNamesOwner(other, report)) return 'footnote';
    return reportTogether(report.filing, other.filing) ? 'joint_owners' : null;
  };
}

const natureNamesOwner = ({ trade: { natureOfOwnership } }: Report, { filing }: Report): boolean =>
  natureOfOwnership !== null && filing.owners.some(({ name }) => namesOwner(natureOfOwnership, name));

/** Whether the nature of ownership names the other report's owner, or both name the same entity. */
const natureLinks = (a: Report, b: Report): boolean =>
  natureNamesOwner(a, b) || natureNamesOwner(b, a) || haveSameHolder(a, b);

const haveSameHolder = ({ trade: { natureOfOwnership: a } }: Report, { trade: { natureOfOwnership: b } }: Report) =>
  a !== null && b !== null && nameSameEntity(a, b);

const haveSameSharesOwned = ({ ownedFollowing: a }: Trade, { ownedFollowing: b }: Trade): boolean =>
  a !== null && b !== null && isEqual(a, b);

/**
 * Whether the owner has shares other than those traded. Otherwise equal holdings are no evidence of one trade: two
 * owners' first purchases of equal size always end in equal holdings.
 */
const hasOtherShares = ({ ownedFollowing, shares }: Trade): boolean =>
  ownedFollowing !== null && shares !== null && !isZero(ownedFollowing) && !isEqual(ownedFollowing, shares);

function haveDifferentClasses({ securityTitle }: Trade, other: Trade): boolean {
  const [a, b] = [findShareClass(securityTitle), findShareClass(other.securityTitle)];
  return a !== null && b !== null && a !== b;
}

/** Returns a key that is equal for reports that may be of one trade; null if a field is missing. */
function buildTradeKey({ day, code, shares, price }: Trade): string | null {
  if (day === null || shares === null || price === null) return null;
  return [day, code, ...[shares, price].map(trimTrailingZeros)].join(' ');
}
