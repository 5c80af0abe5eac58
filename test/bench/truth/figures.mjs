/**
 * The seven core figures: which concepts state each of them, and which other amounts of the same filing prove it.
 *
 * `propose` returns the candidates of one filing for one period, best first. A candidate is proven if an equation of
 * the filing holds for it; it is plain if its concept is the figure's total.
 */
import { C } from './concepts.mjs';
import { anyOf, isEps, isMisscaled, isRoundedSum, isSum, listSums, ZERO } from './sums.mjs';

/** The amounts that a filing states under these concepts. */
const all = (amounts, concepts) => concepts.filter((concept) => amounts.has(concept)).map((each) => amounts.get(each));
const first = (amounts, concepts) => all(amounts, concepts)[0];

function listCandidates(amounts, concepts, isProven, isPlain = true) {
  return concepts
    .filter((concept) => amounts.has(concept))
    .map((concept) => ({ value: amounts.get(concept), concept, isPlain, isProven: isProven(amounts.get(concept)) }));
}

const makeDerived = (value, concept, isProven) => ({ value, concept, isPlain: false, isProven });
const never = () => false;

function proposeAssets(amounts) {
  const sums = all(amounts, C.liabilitiesAndEquity);
  const stated = listCandidates(amounts, C.assets, (value) => sums.some((sum) => sum.eq(value)));
  return stated.length > 0 ? stated : listCandidates(amounts, C.liabilitiesAndEquity, never, false);
}

/** Equity is the parent's. The total of equity is, if no filing states noncontrolling interests of the day. */
function proposeEquity(amounts, filings) {
  const total = first(amounts, C.totalEquity);
  const parts = listSums(all(amounts, C.noncontrollingEquity));
  const sums = all(amounts, [...C.liabilitiesAndEquity, ...C.assets]);
  const liabilities = all(amounts, C.liabilities);
  const temporary = [ZERO, ...all(amounts, C.temporaryEquity)];
  const isParent = (value) =>
    (total !== undefined && parts.some((part) => isRoundedSum(total, value, part))) ||
    anyOf([sums, liabilities, temporary, parts.length > 0 ? parts : [ZERO]], (sum, ...others) =>
      isRoundedSum(sum, value, ...others),
    );
  const stated = listCandidates(amounts, C.parentEquity, isParent);
  if (stated.length > 0) return stated;
  if (parts.length > 0 && total !== undefined) {
    const value = total.minus(parts[0]);
    return [makeDerived(value, 'total equity - noncontrolling interests', isParent(value))];
  }
  const owners = listCandidates(amounts, C.ownersEquity, isParent, false);
  if (owners.length > 0 || total === undefined) return owners;
  const includesMore = filings.some((other) => {
    const parent = first(other, [...C.parentEquity, ...C.ownersEquity]);
    const hasSameTotal = first(other, C.totalEquity)?.eq(total) === true;
    return (
      all(other, C.noncontrollingEquity).some((part) => !part.isZero()) || (hasSameTotal && parent?.eq(total) === false)
    );
  });
  return includesMore ? [] : listCandidates(amounts, C.totalEquity, isParent, false);
}

/**
 * Net income is the parent's: the income of the whole less that of noncontrolling interests, whatever sign they have;
 * or what common stockholders have and preferred dividends.
 */
function proposeNetIncome(amounts, filings) {
  const whole = first(amounts, C.wholeIncome);
  const noncontrolling = all(amounts, C.noncontrollingIncome);
  const parts = [...listSums(noncontrolling), ...listSums(noncontrolling.flatMap((part) => [part, part.neg()]))];
  const commons = all(amounts, C.commonIncome);
  const dividends = [ZERO, ...listSums(all(amounts, C.preferredDividends))];

  const isFromCommon = (value) => anyOf([commons, dividends], (...shares) => isSum(value, ...shares));
  const isFromWhole = (value) => whole !== undefined && parts.some((part) => isSum(whole, value, part));
  const isFromPretax = (value) =>
    anyOf([all(amounts, C.pretax), all(amounts, C.tax)], (pretax, tax) => isRoundedSum(pretax, value, tax));
  // EPS shows the income of common stockholders, which is the parent's if nothing else is stated.
  const isFromEps = (value) =>
    commons.length === 0 &&
    dividends.length === 1 &&
    anyOf([all(amounts, C.eps), all(amounts, C.shares)], (eps, shares) => isEps(eps, value, shares));
  const isParent = (value) =>
    isFromCommon(value) || isFromEps(value) || (parts.length === 0 ? isFromPretax(value) : isFromWhole(value));

  const stated = listCandidates(amounts, C.parentIncome, isParent);
  if (stated.some(({ isProven }) => isProven) || whole === undefined)
    return stated.length > 0 ? stated : listCandidates(amounts, C.commonIncome, never, false);
  const differences = parts.map((part) => whole.minus(part));
  const isDifference = (value) => isFromCommon(value) || (stated.length === 0 && isFromEps(value) && !isFromEps(whole));
  const right = differences.find(isDifference);
  if (right !== undefined) return [makeDerived(right, 'ProfitLoss - noncontrolling interests', true)];

  const wholes = listCandidates(amounts, C.wholeIncome, isParent, false);
  if (parts.length === 0 && isFromCommon(whole) && isFromPretax(whole)) return wholes;
  if (stated.length > 0) return stated;
  const common = isFromCommon(whole) ? [] : listCandidates(amounts, C.commonIncome, never, false);
  if (parts.length > 0) {
    const difference = makeDerived(differences[0], 'ProfitLoss - noncontrolling interests', false);
    return isFromEps(whole)
      ? [{ ...wholes[0], isProven: !isFromEps(differences[0]) }, difference]
      : [difference, ...common];
  }
  const includesMore = filings.some((other) => all(other, C.noncontrollingIncome).some((part) => !part.isZero()));
  if (includesMore) return [];
  return common.length === 0 ? wholes : [...wholes.map((each) => ({ ...each, isProven: false })), ...common];
}

/** The revenue of a bank is net interest income and noninterest income, whatever it tags as revenue. */
function proposeRevenue(amounts) {
  const [interest, other] = [first(amounts, C.netInterest), first(amounts, C.noninterest)];
  if (interest !== undefined && other !== undefined) {
    const concept = 'InterestIncomeExpenseNet + NoninterestIncome';
    return [{ value: interest.plus(other), concept, isPlain: true, isProven: true }];
  }
  const operating = all(amounts, C.operatingIncome);
  const incomes = [...operating, ...all(amounts, C.pretax)];
  const costs = all(amounts, C.costs);
  const expenses = all(amounts, C.totalExpenses);
  const equations = [
    [all(amounts, C.grossProfit), costs],
    [incomes, expenses],
    [operating, costs, [...expenses, ...listSums(all(amounts, C.expenses))]],
    [all(amounts, C.goods), all(amounts, C.services)],
    [all(amounts, C.contracts), all(amounts, C.otherRevenue)],
  ];
  const isTotal = (value) => equations.some((lists) => anyOf(lists, (...parts) => isRoundedSum(value, ...parts)));
  const partial = listCandidates(amounts, C.partialRevenue, isTotal, false);
  const proven = partial.filter(({ isProven }) => isProven).map((candidate) => ({ ...candidate, isPlain: true }));
  const stated = [...listCandidates(amounts, C.totalRevenue, isTotal), ...proven];
  return stated.length > 0 ? stated : partial;
}

/** The part of continuing operations is the total, unless the filing states that of discontinued operations. */
function proposeOperatingCash(amounts) {
  const others = [C.investingCash, C.financingCash].map((concepts) => all(amounts, concepts));
  const optional = [C.exchangeEffect, C.discontinuedCash].map((concepts) => [ZERO, ...all(amounts, concepts)]);
  const isTotal = (value) =>
    anyOf([all(amounts, C.cashChange), ...others, ...optional], (change, ...parts) =>
      isRoundedSum(change, value, ...parts),
    );
  const stated = listCandidates(amounts, C.operatingCash, isTotal);
  if (stated.length > 0) return stated;
  const continuing = listCandidates(amounts, C.continuingOperatingCash, isTotal);
  const discontinued = first(amounts, C.discontinuedOperatingCash) ?? ZERO;
  if (continuing.length === 0 || discontinued.isZero()) return continuing;
  const total = makeDerived(continuing[0].value.plus(discontinued), 'continuing + discontinued operations', false);
  return [{ ...continuing[0], isProven: false }, total];
}

const listIncomes = (amounts) =>
  all(amounts, [...C.dilutedIncome, ...C.commonIncome, ...C.parentIncome, ...C.wholeIncome]);

function proposeEps(amounts) {
  const isRight = (value) =>
    anyOf([listIncomes(amounts), all(amounts, C.shares)], (income, shares) => isEps(value, income, shares));
  const stated = listCandidates(amounts, C.eps, isRight);
  return stated.length > 0 ? stated : listCandidates(amounts, C.continuingEps, isRight, false);
}

function proposeShares(amounts) {
  const incomesAndEps = [listIncomes(amounts), all(amounts, C.eps)];
  const isRight = (value) => anyOf(incomesAndEps, (income, eps) => isEps(eps, income, value));
  const isWrong = (value) => anyOf(incomesAndEps, (income, eps) => isMisscaled(value, income, eps));
  return listCandidates(amounts, C.shares, isRight).filter(
    ({ value, isProven }) => value.gt(0) && (isProven || !isWrong(value)),
  );
}

const FLOWS = ['annual', 'quarter'];

/** Filings state cash flows of the year to date only. */
const CASH_FLOWS = ['annual', 'nine_month', 'half', 'quarter'];

export const FIGURES = [
  { key: 'revenue', kinds: FLOWS, propose: proposeRevenue },
  { key: 'net_income', kinds: FLOWS, propose: proposeNetIncome },
  { key: 'assets', kinds: ['instant'], propose: proposeAssets },
  { key: 'stockholders_equity', kinds: ['instant'], propose: proposeEquity },
  { key: 'operating_cash_flow', kinds: CASH_FLOWS, propose: proposeOperatingCash },
  { key: 'eps_diluted', kinds: FLOWS, propose: proposeEps, minUnit: '0.01' },
  { key: 'weighted_shares_diluted', kinds: FLOWS, propose: proposeShares },
];
